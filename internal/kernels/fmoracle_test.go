package kernels_test

import (
	"fmt"
	"math"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

func TestPaperOracles(t *testing.T) {
	var o struct {
		Cases []struct {
			Name       string
			Continuous int `json:"n_continuous"`
			Discrete   []struct {
				Graph  string
				Values int `json:"n_values"`
			}
			X     [][]float64
			XTest [][]float64 `json:"X_test"`
			Hyper struct {
				Theta, Alpha, Beta []float64
				S                  float64
				SCont              float64 `json:"s_cont"`
				SDisc              float64 `json:"s_disc"`
			}
			Kernels []struct {
				Kernel string
				RBF    *string
				Gram   [][]float64
				Cross  [][]float64 `json:"cross_test_train"`
			}
		}
	}
	readOracle(t, "fm_paper_convention.json", &o)
	checks := 0
	for _, c := range o.Cases {
		var coords []kernels.Coord
		for d := range c.Continuous {
			coords = append(coords, kernels.Coord{Name: fmt.Sprintf("c%d", d)})
		}
		for p, q := range c.Discrete {
			co := kernels.Coord{Name: fmt.Sprintf("v%d", p), Levels: q.Values}
			if q.Graph == "path" {
				co.Positions = make([]float64, q.Values)
			}
			coords = append(coords, co)
		}
		set := func(rows [][]float64) *points.Set {
			x := points.New(len(rows), len(coords))
			for i, r := range rows {
				for d, v := range r {
					x.Set(d, i, v, true)
				}
			}
			return x
		}
		for _, k := range c.Kernels {
			values := map[string]float64{}
			for d, v := range c.Hyper.Theta {
				if k.RBF != nil && *k.RBF == "half" { // exp(−r²/2)
					v *= math.Sqrt2
				}
				values[fmt.Sprintf("fm.lengthscale[c%d]", d)] = v
			}
			for p, v := range c.Hyper.Beta {
				values[fmt.Sprintf("fm.beta[v%d]", p)] = v
				if k.Kernel[:3] == "Mod" {
					values[fmt.Sprintf("fm.alpha[v%d]", p)] = c.Hyper.Alpha[p]
				}
			}
			signal := c.Hyper.S
			if k.Kernel[:3] == "Add" {
				signal = 1
				values["add.continuous"], values["add.discrete"] = c.Hyper.SCont, c.Hyper.SDisc
			}
			name := map[string]string{
				"ModLap": "modlap", "ModDif": "moddif", "ProdLap": "prodlap", "ProdDif": "proddif",
				"AddLap": "addlap", "AddDif": "adddif",
			}[k.Kernel]
			kern, theta := mustNew(t, kernels.Spec{Name: name, ARD: true}, coords, values)
			scaled := func(x, y *points.Set) [][]float64 {
				b := block(kern, theta, x, y)
				for _, r := range b {
					for j := range r {
						r[j] *= signal
					}
				}
				return b
			}
			x := set(c.X)
			checks += compare(t, c.Name+" "+k.Kernel+" gram", scaled(x, x), k.Gram, c.Hyper.S)
			checks += compare(t, c.Name+" "+k.Kernel+" cross", scaled(set(c.XTest), x), k.Cross, c.Hyper.S)
		}
	}
	if checks < 2000 {
		t.Errorf("only %d numbers checked", checks)
	}
}

// One choice and one number whose squared distance is t2.
func TestFactorOracles(t *testing.T) {
	var o struct {
		Entries []struct {
			Graph           string
			N               int
			Alpha, Beta, T2 float64
			Lap, Dif        [][]float64
		}
	}
	readOracle(t, "fm_factors.json", &o)
	checks := 0
	for _, e := range o.Entries {
		co := kernels.Coord{Name: "v", Levels: e.N}
		if e.Graph == "path" {
			co.Graph = kernels.PathGraph(e.N)
		}
		coords := []kernels.Coord{{Name: "c"}, co}
		x, y := points.New(e.N, 2), points.New(e.N, 2)
		for v := range e.N {
			x.Set(0, v, 0, true)
			y.Set(0, v, math.Sqrt(e.T2), true)
			x.Set(1, v, float64(v), true)
			y.Set(1, v, float64(v), true)
		}
		for name, want := range map[string][][]float64{"modlap": e.Lap, "moddif": e.Dif} {
			k, theta := mustNew(t, kernels.Spec{Name: name, ARD: true}, coords, map[string]float64{
				"fm.lengthscale[c]": 1, "fm.alpha[v]": e.Alpha, "fm.beta[v]": e.Beta,
			})
			checks += compare(t, name, block(k, theta, x, y), want, 1)
		}
	}
	if checks < 2000 {
		t.Errorf("only %d numbers checked", checks)
	}
}
