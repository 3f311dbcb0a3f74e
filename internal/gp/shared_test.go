package gp

import (
	"slices"
	"testing"

	"bohier/internal/points"
)

// TestSharedPredictorsAsIfAlone: predictors that share a factor give the bits that each
// would alone, whatever they are asked in between, and PullBatch notices when it
// comes too late.
func TestSharedPredictorsAsIfAlone(t *testing.T) {
	x, y := sample(31, 40, 2)
	for name, o := range map[string]Options{"plain": {}, "linear": {Mean: "linear", Linear: []float64{1, 1}}} {
		m, _ := mustFit(t, newARD(2, true, false), x, y, o)
		pending, _ := sample(32, 3, 2)
		models, err := m.ConditionEach(pending, [][]float64{{30, 40, 50}, {35, 35, 35}, {20, 60, 41}})
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range [][]float64{{30, 40, 50}, {35, 35, 35}, {20, 60, 41}} {
			single, err := m.Condition(pending, want)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(single.beta, models[k].beta) {
				t.Errorf("%s: alternative %d is not what Condition makes of it", name, k)
			}
		}
		models = append(models, m) // of another factor
		shared := SharedPredictors(models)
		_, second := shared[1].(*follower)
		_, last := shared[3].(*follower)
		if !second || last {
			t.Errorf("%s: sharing is %v, %v", name, second, last)
		}
		for round := range uint64(3) {
			q, _ := sample(40+round, 9, 2)
			other, _ := sample(50+round, 9, 2)
			asked := []*points.Set{q, q, q, q}
			if round == 1 {
				asked[2] = other // then the first knows nothing of it
			}
			alone := make([]Predictor, len(shared))
			for k := range alone {
				alone[k] = models[k].Standard()
			}
			got, want := predictions(shared, asked), predictions(alone, asked)
			if !slices.Equal(got, want) {
				t.Errorf("%s, round %d: shared predictors predict otherwise than alone", name, round)
			}
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: gradients at points that were replaced", name)
				}
			}()
			mean, variance := make([]float64, 9), make([]float64, 9)
			a, _ := sample(60, 9, 2)
			b, _ := sample(61, 9, 2)
			shared[0].LoadBatch(mean, variance, a)
			shared[1].LoadBatch(mean, variance, a)
			shared[0].LoadBatch(mean, variance, b)
			shared[1].PullBatch(gradients(9, 2), mean, variance)
		}()
	}
}

func gradients(n, d int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, d)
	}
	return out
}

// predictions are all that a search asks, by turns as it asks.
func predictions(ps []Predictor, q []*points.Set) (out []float64) {
	mean, variance := make([]float64, 9), make([]float64, 9)
	for k, p := range ps {
		p.Means(mean, q[k])
		out = append(out, mean...)
	}
	tighten := make([]func(bound []float64, at []int, share float64), len(ps))
	for k, p := range ps {
		tighten[k] = p.Open(mean, variance, q[k])
		out = append(append(out, mean...), variance...)
	}
	for _, share := range []float64{0.5, 1} {
		for _, f := range tighten {
			f(variance[:3], []int{1, 4, 7}, share)
			out = append(out, variance[:3]...)
		}
	}
	for k, p := range ps {
		p.LoadBatch(mean, variance, q[k])
		out = append(append(out, mean...), variance...)
	}
	for _, p := range ps {
		dx := gradients(9, 2)
		dx[3] = nil
		p.PullBatch(dx, mean, variance)
		out = append(out, slices.Concat(dx...)...)
	}
	return out
}
