package regression

import (
	"fmt"
	"math"
	"strings"

	"bohier/internal/kernels"
)

// Studies lists what Tasks knows.
func Studies() []string { return []string{"fm", "swersky"} }

// fmSets are the data sets of the FM paper and fmModels its kernels, in the order of its Table 7.
var (
	fmSets   = []string{"servo", "optical", "meta"}
	fmModels = []model{
		{name: "AddDif", kernel: kernels.Spec{Name: "adddif", ARD: true}},
		{name: "ProdDif", kernel: kernels.Spec{Name: "proddif", ARD: true}},
		{name: "ModDif", kernel: kernels.Spec{Name: "moddif", ARD: true}},
		{name: "AddLap", kernel: kernels.Spec{Name: "addlap", ARD: true}},
		{name: "ProdLap", kernel: kernels.Spec{Name: "prodlap", ARD: true}},
		{name: "ModLap", kernel: kernels.Spec{Name: "modlap", ARD: true}},
	}
)

// swerskySets are the columns of Swersky's Table 1, the order that of our interest, and swerskyModels its rows;
// swerskyMore are other distances and profiles. Poor man's embedding puts −1 for what is inactive. Some rows of the
// data are copies, results looked up a second time: models are trained on one of each, but for the last set, which
// keeps them as the authors did.
var (
	swerskySets   = []string{"log", "log half", "raw", "half", "log, copies"}
	swerskyModels = []model{
		{name: "separate linear", linear: true, separate: true},
		{name: "separate GP", separate: true, kernel: kernels.Spec{Name: "se", ARD: true}},
		{name: "poor man's linear", linear: true},
		{name: "poor man's GP", kernel: poorMan("se")},
		{name: "separate arc", separate: true, kernel: hierarchical("arc", "se")},
		{name: "arc", kernel: hierarchical("arc", "se")},
	}
	swerskyMore = []model{
		{name: "imp", kernel: hierarchical("imp", "se")},
		{name: "box", kernel: hierarchical("box", "se")},
		{name: "poor man's GP, Matérn", kernel: poorMan("matern52")},
		{name: "arc, Matérn", kernel: hierarchical("arc", "matern52")},
	}
)

func poorMan(base string) kernels.Spec {
	return kernels.Spec{Name: "const", Base: base, Constant: -1, ARD: true}
}

func hierarchical(distance, base string) kernels.Spec {
	return kernels.Spec{Name: distance, Base: base, ARD: true}
}

// Tasks lists the fits of a study on the data in dir: all models of a split together, the splits in order, so that an
// interrupted run compares like with like.
func Tasks(dir, study string, splits int) ([]Task, error) {
	switch study {
	case "fm":
	case "swersky":
		return swersky(dir, splits)
	default:
		return nil, fmt.Errorf("no study %q; valid: %v", study, Studies())
	}
	var out []Task
	for _, set := range fmSets {
		d, err := Load(dir, set)
		if err != nil {
			return nil, err
		}
		n := len(d.Y)
		for split := range min(splits, 20) {
			order := shuffled(uint32(split), n)
			cut := n * 8 / 10
			for _, m := range fmModels {
				out = append(out, trial{Key{study, set, m.name, split}, m, d, order[:cut], order[cut:]}.task())
			}
		}
	}
	return out, nil
}

func swersky(dir string, folds int) ([]Task, error) {
	all, err := Load(dir, "nn")
	if err != nil {
		return nil, err
	}
	var out []Task
	// The last set is for the models of the paper only.
	for pass, models := range [][]model{swerskyModels, swerskyMore} {
		for _, set := range swerskySets[:len(swerskySets)-pass] {
			d := all.variant(set)
			for k := range min(folds, 10) {
				train, test := fold(len(d.Y), k, 10)
				if set != "log, copies" {
					train = d.distinct(train)
				}
				for _, m := range models {
					out = append(out, trial{Key{"swersky", set, m.name, k}, m, d, train, test}.task())
				}
			}
		}
	}
	return out, nil
}

// variant takes the logarithm of the target, or every other row, as the name of the set says.
func (d *Data) variant(set string) *Data {
	out := &Data{Coords: d.Coords, X: d.X, Y: d.Y}
	if strings.HasSuffix(set, "half") {
		var idx []int
		for i := 0; i < len(d.Y); i += 2 {
			idx = append(idx, i)
		}
		out.X, out.Y = d.X.Select(idx), pick(d.Y, idx)
	}
	if strings.HasPrefix(set, "log") {
		y := make([]float64, len(out.Y))
		for i, v := range out.Y {
			y[i] = math.Log(v)
		}
		out.Y = y
	}
	return out
}
