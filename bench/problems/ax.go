package problems

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

// Three surrogates of neural networks with conditional parameters, published with
// Meta's Ax: for each data set four ensembles of regression trees (XGBoost), one
// for each setting of two flags. The files, <set>_xgb_model_<0…3>.json, are not
// part of this module: the environment variable DATA names their directory.
// The objective is minus the accuracy.

// A tree is one regression tree in arrays: a node with left child −1 is a leaf
// whose value stands in split_conditions.
type tree struct {
	Left  []int     `json:"left_children"`
	Right []int     `json:"right_children"`
	Index []int     `json:"split_indices"`
	Split []float32 `json:"split_conditions"`
}

// An ensemble adds the values of its trees to a base score.
type ensemble struct {
	base  float64
	trees []tree
}

func readEnsemble(name string) (*ensemble, error) {
	dir := os.Getenv("DATA")
	if dir == "" {
		return nil, fmt.Errorf("set DATA to the directory that holds %s (benchmark data of Meta's Ax)", name)
	}
	raw, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		raw, err = os.ReadFile(filepath.Join(dir, "ax_hss_data", name))
	}
	if err != nil {
		return nil, fmt.Errorf("reading the data DATA points to: %w", err)
	}
	var file struct {
		Learner struct {
			Param struct {
				Base string `json:"base_score"`
			} `json:"learner_model_param"`
			Booster struct {
				Model struct {
					Trees []tree `json:"trees"`
				} `json:"model"`
			} `json:"gradient_booster"`
		} `json:"learner"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	base, err := strconv.ParseFloat(file.Learner.Param.Base, 64)
	if err != nil {
		return nil, fmt.Errorf("%s: base score: %w", name, err)
	}
	return &ensemble{base, file.Learner.Booster.Model.Trees}, nil
}

// predict compares in single precision, as XGBoost does.
func (e *ensemble) predict(x []float64) float64 {
	s := e.base
	for _, t := range e.trees {
		i := 0
		for t.Left[i] != -1 {
			if float32(x[t.Index[i]]) < t.Split[i] {
				i = t.Left[i]
			} else {
				i = t.Right[i]
			}
		}
		s += float64(t.Split[i])
	}
	return s
}

// axSurrogate registers one data set. always are the parameters of every
// ensemble, optional the one that flag1 switches on; flag2 switches weight decay.
func axSurrogate(set string, optimum float64, always []Param, optional, decay Param) {
	yesNo := []string{"no", "yes"}
	params := append(append([]Param(nil), always...), categorical("flag1", yesNo), optional, categorical("flag2", yesNo), decay)
	var models [4]func() (*ensemble, error)
	for k := range models {
		models[k] = sync.OnceValues(func() (*ensemble, error) {
			return readEnsemble(fmt.Sprintf("%s_xgb_model_%d.json", set, k))
		})
	}
	registerFallible(Problem{
		Name: "ax_" + set, Budget: 50, Tags: []string{"conditional", "surrogate", "data"}, Params: params,
		Optimum: Optimum{Value: optimum},
		Note:    "surrogate of a network published with Meta's Ax; needs DATA; optimum by enumerating every cell",
	}, func(d Point) (float64, error) {
		model, err := models[int(2*d["flag1"]+d["flag2"])]()
		if err != nil {
			return 0, err
		}
		var x []float64
		for _, q := range params {
			if v, ok := d[q.Name]; ok && q.Kind != Categorical {
				x = append(x, v)
			}
		}
		return -model.predict(x), nil
	})
}

func init() {
	axSurrogate("mnist", -1.0790635700939504,
		[]Param{logFloat("lr", 1e-5, 1)},
		float("dropout", 0.1, 0.5, is("flag1", "yes")),
		logFloat("weight_decay", 1e-5, 1, is("flag2", "yes")))
	// On cifar10 the edge softplus_beta = 2 itself, beyond the last threshold, is a
	// cell of its own with −0.8204386705256157, the optimum that Ax states.
	for set, optimum := range map[string]float64{"cifar10": -0.8023030636091424, "fashion_mnist": -0.9225419080244488} {
		axSurrogate(set, optimum,
			[]Param{logFloat("lr", 1e-5, 1e-1), integer("blocks", 0, 1)},
			float("softplus_beta", 0.5, 2, is("flag1", "yes")),
			logFloat("weight_decay", 1e-8, 1e-2, is("flag2", "yes")))
	}
}
