package gp

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

type fmOracle struct {
	Cases []struct {
		Name       string
		Continuous int `json:"n_continuous"`
		Discrete   []struct {
			Kind   string
			Values int `json:"n_values"`
		}
		X       [][]float64
		Y       []float64
		XTest   [][]float64 `json:"X_test"`
		Hyper   map[string]json.RawMessage
		Kernels []struct {
			Kernel string
			RBF    string
			LML    float64
			DLML   map[string]json.RawMessage `json:"dlml_dlog"`
			Mean   []float64                  `json:"pred_mean"`
			Latent []float64                  `json:"pred_var_latent"`
			Noisy  []float64                  `json:"pred_var_noisy"`
			DMean  [][]float64                `json:"dpred_mean_dc"`
			DVar   [][]float64                `json:"dpred_var_dc"`
		}
	}
}

func rows(x [][]float64) *points.Set {
	s := points.New(len(x), len(x[0]))
	for i, r := range x {
		for c, v := range r {
			s.Col(c)[i] = v
		}
	}
	return s
}

// numbers reads a number or a list of numbers.
func numbers(t *testing.T, raw json.RawMessage) []float64 {
	t.Helper()
	var one float64
	if json.Unmarshal(raw, &one) == nil {
		return []float64{one}
	}
	var many []float64
	must(t, json.Unmarshal(raw, &many))
	return many
}

// fmCoords are c0…, v0…: nominal values on the complete graph, ordinal ones on the path.
func fmCoords(continuous int, kinds []string, levels []int) []kernels.Coord {
	var out []kernels.Coord
	for i := range continuous {
		out = append(out, kernels.Coord{Name: fmt.Sprintf("c%d", i)})
	}
	for i, m := range levels {
		c := kernels.Coord{Name: fmt.Sprintf("v%d", i), Levels: m}
		if kinds[i] == "ordinal" {
			for l := range m {
				c.Positions = append(c.Positions, float64(l)/float64(m-1))
			}
		}
		out = append(out, c)
	}
	return out
}

// oracleName maps "theta", 0 and the like to our names.
func oracleName(group string, i int) string {
	switch group {
	case "theta":
		return fmt.Sprintf("fm.lengthscale[c%d]", i)
	case "alpha", "beta":
		return fmt.Sprintf("fm.%s[v%d]", group, i)
	case "s":
		return "signal"
	case "s_cont":
		return "add.continuous"
	case "s_disc":
		return "add.discrete"
	}
	return group
}

// TestFrequencyModulatedOracles: likelihood, gradient, predictions and their gradients of six kernels at fixed
// hyperparameters, within 1e-10·max(|ref|, scale). The additive and product kernels use exp(−s), so that the references
// with exp(−s/2) have lengthscales larger by √2.
func TestFrequencyModulatedOracles(t *testing.T) {
	var o fmOracle
	readOracle(t, "fm.json", &o)
	checks := 0
	for _, c := range o.Cases {
		var kinds []string
		var levels []int
		for _, d := range c.Discrete {
			kinds, levels = append(kinds, d.Kind), append(levels, d.Values)
		}
		x, q := rows(c.X), rows(c.XTest)
		for _, ref := range c.Kernels {
			k := mustKernel(t, kernels.Spec{Name: strings.ToLower(ref.Kernel), ARD: true},
				fmCoords(c.Continuous, kinds, levels))
			set := map[string]float64{}
			for group, raw := range c.Hyper {
				for i, v := range numbers(t, raw) {
					if group == "theta" && ref.RBF == "half" {
						v *= math.Sqrt2
					}
					set[oracleName(group, i)] = v
				}
			}
			params := Params(k, c.Y)
			for i := range params {
				v, ok := set[params[i].Name]
				if !ok {
					t.Fatalf("the oracle has no %s", params[i].Name)
				}
				params[i].Init, params[i].Lo, params[i].Hi = v, v, v
			}
			m, rep := mustFit(t, k, x, c.Y, Options{Params: params})
			label := c.Name + " " + ref.Kernel + " " + ref.RBF + " "
			prior := 2 * max(set["signal"], set["add.continuous"]+set["add.discrete"])
			rel := func(what string, got, want, scale float64) {
				t.Helper()
				checks++
				near(t, label+what, got, want, 1e-10*max(math.Abs(want), scale))
			}
			rel("lml", rep.LogMarginalLikelihood, ref.LML, 1)
			p, unit := m.Standard(), m.units.scale()
			for i := range q.Len() {
				mean, v := At(m.Predict, q, i)
				rel("mean", mean, ref.Mean[i], m.units.scale())
				rel("variance", v, ref.Latent[i], prior)
				rel("noisy variance", v+m.Noise(), ref.Noisy[i], prior)
				dm, dv := make([]float64, q.Dim()), make([]float64, q.Dim())
				PullAt(p, dm, 1, 0, q, i)
				PullAt(p, dv, 0, 1, q, i)
				for d := range c.Continuous {
					rel("dmean", unit*dm[d], ref.DMean[i][d], 10*m.units.scale())
					rel("dvar", unit*unit*dv[d], ref.DVar[i][d], 10*prior)
				}
			}
			e := newEvaluator(problemAt(t, k, x, c.Y, params))
			theta := e.p.initial()
			e.slopes(theta)
			for group, raw := range ref.DLML {
				for i, want := range numbers(t, raw) {
					for at, pr := range e.p.params {
						if pr.Name != oracleName(group, i) {
							continue
						}
						got := e.grad[at] * theta[at]
						if group == "mean" {
							got = e.grad[at] / m.units.scale()
						}
						checks++
						near(t, label+"d "+pr.Name, got, want, 1e-9*max(1, math.Abs(want)))
					}
				}
			}
		}
	}
	if checks < 600 {
		t.Errorf("only %d numbers checked", checks)
	}
}

// problemAt is the problem with edited hyperparameters and a flat prior.
func problemAt(t *testing.T, k kernels.Kernel, x *points.Set, y []float64, params []kernels.Param) *problem {
	t.Helper()
	u, _ := UnitsOf(y)
	std, err := standardParams(k, params, u)
	must(t, err)
	p := newProblem(k, std, Options{Inference: "mle", Form: "gp"})
	z := make([]float64, len(y))
	for i, v := range y {
		z[i] = u.Standard(v)
	}
	p.data = merge(x, z, nil, nil)
	return p
}
