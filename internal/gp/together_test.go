package gp

import (
	"slices"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// TestTogetherAsIfAlone: a predictor of models that share a factor gives the bits that one of each would.
func TestTogetherAsIfAlone(t *testing.T) {
	x, y := sample(31, 40, 2)
	values := [][]float64{{30, 40, 50}, {35, 35, 35}, {20, 60, 41}}
	for name, c := range map[string]struct {
		k kernels.Kernel
		o Options
	}{
		"plain":  {newARD(2, true, false), Options{}},
		"linear": {newARD(2, true, false), Options{Mean: "linear", Linear: []float64{1, 1}}},
		"flip":   {&indefinite{}, Options{}},
	} {
		m, _ := mustFit(t, c.k, x, y, c.o)
		pending, _ := sample(32, 3, 2)
		models, err := m.ConditionEach(pending, values)
		must(t, err)
		q, _ := sample(40, 9, 2)
		all := predictions(Together(models), len(models), q)
		for k, want := range values {
			single, err := m.Condition(pending, want)
			must(t, err)
			if !slices.Equal(single.beta, models[k].beta) {
				t.Errorf("%s: alternative %d is not what Condition makes of it", name, k)
			}
			if alone := predictions(single.Standard(), 1, q); !slices.Equal(alone[0], all[k]) {
				t.Errorf("%s: model %d predicts otherwise than alone", name, k)
			}
		}
	}
}

// predictions are all that a search asks of so many models, by turns as it asks.
func predictions(p *Predictor, models int, q *points.Set) [][]float64 {
	n := q.Len()
	out, means, variance := make([][]float64, models), make([][]float64, models), make([]float64, n)
	for k := range means {
		means[k] = make([]float64, n)
	}
	note := func(v []float64) {
		for k := range out {
			out[k] = append(append(out[k], means[k]...), v...)
		}
	}
	p.Means(means, q)
	note(nil)
	tighten := p.Open(means, variance, q)
	note(variance)
	for _, share := range []float64{0.5, 1} {
		tighten(variance[:3], []int{1, 4, 7}, share)
		note(variance[:3])
	}
	p.LoadBatch(means, variance, q)
	note(variance)
	for k := range out {
		dx := make([][]float64, n)
		for i := range dx {
			if i != 3 {
				dx[i] = make([]float64, q.Dim())
			}
		}
		p.PullBatch(k, dx, means[k], variance)
		out[k] = append(out[k], slices.Concat(dx...)...)
	}
	return out
}
