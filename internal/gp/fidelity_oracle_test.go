package gp

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// number is a decimal in a JSON string.
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*n = number(v)
	return err
}

type fidelityOracle struct {
	X            [][]number
	Observations []struct {
		Trial    int
		Resource float64
		Y        number
	}
	Hyperparameters map[string]number
	Low, High       float64
	Cases           map[string]struct {
		Hyperparameters map[string]number
		Gram            [][]number
		Mean            []number `json:"mean_function"`
		LML             number
		Gradient        map[string]number `json:"lml_gradient"`
		Predictions     []struct {
			X              []number
			Resource       float64
			Trial          *int
			Mean, Variance number
		}
		Out []struct {
			Trial    int
			Resource float64
			Mean     number
			Variance number `json:"variance_noisy"`
			Density  number `json:"log_density"`
		} `json:"leave_one_trial_out"`
	}
}

// TestFidelityOracle compares Gram matrices, means, likelihoods with gradients,
// predictions and leave-one-trial-out predictions with numbers of 50 digits.
func TestFidelityOracle(t *testing.T) {
	var o fidelityOracle
	b, err := os.ReadFile("testdata/oracles/fidelity_kernels.json")
	if err == nil {
		err = json.Unmarshal(b, &o)
	}
	must(t, err)
	for name, c := range o.Cases {
		model, _, _ := strings.Cut(name, "_")
		t.Run(name, func(t *testing.T) {
			inner := mustKernel(t, kernels.Spec{Name: "flat", Base: "matern52", ARD: true},
				[]kernels.Coord{{Name: "x1"}, {Name: "x2"}})
			k := kernels.Fidelity(inner, kernels.FidelitySpec{Model: model, Coord: 2, Low: o.Low, High: o.High})
			at := func(v []number, r float64, trial int) *points.Set {
				x := points.New(1, 4)
				x.Set(0, 0, float64(v[0]), true)
				x.Set(1, 0, float64(v[1]), true)
				x.Set(2, 0, r/o.High, true)
				x.Set(3, 0, float64(max(trial, 0)), trial >= 0)
				return x
			}
			var sets []*points.Set
			var y []float64
			for _, w := range o.Observations {
				sets, y = append(sets, at(o.X[w.Trial], w.Resource, w.Trial)), append(y, float64(w.Y))
			}
			x := points.Concat(sets...)
			laid := newProblem(k, Params(k, y), Options{Inference: "mle"})
			params := laid.params // a signal of the kernel's own has one that is 1 beside
			held := func(i int) bool { return i == laid.signalAt() && params[i].Lo == params[i].Hi }
			theta := make([]float64, len(params))
			for i, q := range params {
				name := strings.Replace(q.Name, "fold.plain.", "fold.", 1)
				v, ok := c.Hyperparameters[name]
				if !ok {
					v, ok = o.Hyperparameters[name]
				}
				if held(i) {
					v, ok = 1, true
				}
				if !ok {
					t.Fatalf("the oracle has no %s", q.Name)
				}
				theta[i] = float64(v)
			}
			p := &problem{data: merge(x, y, nil, nil), kernel: k, params: params, kernelParams: len(k.Params())}
			e := newEvaluator(p)
			cov := k.Bind(theta[:p.kernelParams], x)
			row := make([]float64, x.Len())
			signal := theta[p.signalAt()]
			for i := range c.Gram {
				cov.Row(row, x, i, 0)
				for j, want := range c.Gram[i] {
					close10(t, "Gram", signal*row[j], want)
				}
				mean := theta[p.meanAt()]
				if trend := k.Trend(); trend != nil {
					mean += trend.At(theta, x, i)
				}
				close10(t, "mean", mean, c.Mean[i])
			}
			if !e.slopes(theta) {
				t.Fatal("not positive definite")
			}
			close10(t, "likelihood", e.lml, c.LML)
			seen := 0
			for i, q := range params {
				if want, ok := c.Gradient[strings.Replace(q.Name, "fold.plain.", "fold.", 1)]; ok && !held(i) {
					close10(t, "gradient by "+q.Name, e.grad[i], want)
					seen++
				}
			}
			if seen != len(c.Gradient) {
				t.Errorf("%d of %d gradients compared", seen, len(c.Gradient))
			}
			e = newEvaluator(p)
			if !e.evaluate(theta) {
				t.Fatal("not positive definite")
			}
			m := assemble(p, e, theta)
			for _, w := range c.Predictions {
				trial := -1
				if w.Trial != nil {
					trial = *w.Trial
				}
				mean, variance := make([]float64, 1), make([]float64, 1)
				m.Predict(mean, variance, at(w.X, w.Resource, trial))
				close10(t, "prediction", mean[0], w.Mean)
				close10(t, "variance", variance[0], w.Variance)
			}
			out := m.LeaveTrialsOut(2)
			for _, w := range c.Out {
				got := out[w.Trial]
				close10(t, "left out", got.Mean, w.Mean)
				close10(t, "its variance", got.Std*got.Std, w.Variance)
				close10(t, "its density", got.LogDensity, w.Density)
				q := at(o.X[w.Trial], w.Resource, w.Trial)
				mean, variance := m.Omitting(q, 2, []float64{float64(w.Trial)}, []float64{0})
				close10(t, "without the trial", mean[0][0], w.Mean)
				close10(t, "its variance", variance[0][0]+theta[p.noiseAt()], w.Variance)
			}
			// Without the rows beyond a resource it is the model of the others.
			const trial, above = 0, 3
			var rest []*points.Set
			var others []float64
			for i, w := range o.Observations {
				if w.Trial != trial || w.Resource <= above {
					rest, others = append(rest, sets[i]), append(others, y[i])
				}
			}
			fewer := *p
			fewer.data = merge(points.Concat(rest...), others, nil, nil)
			if e = newEvaluator(&fewer); !e.evaluate(theta) || len(others) == len(y) {
				t.Fatalf("%d of %d rows", len(others), len(y))
			}
			q := at(o.X[trial], o.High, trial)
			mean, variance := make([]float64, 1), make([]float64, 1)
			assemble(&fewer, e, theta).Predict(mean, variance, q)
			got, spread := m.Omitting(q, 2, []float64{trial}, []float64{0, above / o.High})
			close10(t, "without later rows", got[1][0], number(mean[0]))
			close10(t, "its variance", spread[1][0], number(variance[0]))
		})
	}
}

func close10(t *testing.T, what string, got float64, want number) {
	t.Helper()
	if !(math.Abs(got-float64(want)) <= 1e-10*max(1, math.Abs(float64(want)))) {
		t.Errorf("%s: %.15g, want %.15g", what, got, float64(want))
	}
}
