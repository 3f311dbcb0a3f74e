package acq_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/acq"
	"bohier/internal/points"
)

// arms is an independent normal posterior of each value of coordinate 0.
type arms struct{ mean, sd []float64 }

func (a arms) Sample(r *rand.Rand, q *points.Set) ([]float64, error) {
	if a.mean == nil {
		return nil, errors.New("no posterior")
	}
	f := make([]float64, len(a.mean))
	for k := range f {
		f[k] = a.mean[k] + a.sd[k]*r.NormFloat64()
	}
	out := make([]float64, q.Len())
	for i := range out {
		out[i] = f[int(q.At(0, i))]
	}
	return out, nil
}

func (a arms) Predict(q *points.Set, i int) (mean, variance float64) {
	k := int(q.At(0, i))
	return a.mean[k], a.sd[k] * a.sd[k]
}

func (a arms) PredictBatch(mean, variance []float64, q *points.Set) {
	for i := range mean {
		mean[i], variance[i] = a.Predict(q, i)
	}
}

func (a arms) Open([]float64, []float64, *points.Set) func([]float64, []int, float64) {
	panic("a drawn function has no bounds")
}

func (a arms) LoadBatch(mean, variance []float64, q *points.Set) { a.PredictBatch(mean, variance, q) }
func (a arms) PullBatch([][]float64, []float64, []float64)       {}

// TestThompsonProbability: an arm is played as often as it is the best.
func TestThompsonProbability(t *testing.T) {
	a := arms{mean: []float64{0, 0.3, 1}, sd: []float64{0.2, 0.5, 1}}
	spaces := map[string]*toy{
		"few":  {params: []toyParam{choice(3, -1, 0), choice(2, -1, 0)}},
		"many": {params: []toyParam{choice(3, -1, 0), number(-1, 0)}}, // thinned
	}
	r := rand.New(rand.NewPCG(1, 2))
	const draws = 100000
	want := make([]float64, 3)
	for range draws {
		best, at := math.Inf(1), 0
		for k := range a.mean {
			if v := a.mean[k] + a.sd[k]*r.NormFloat64(); v < best {
				best, at = v, k
			}
		}
		want[at] += 1.0 / draws
	}
	for name, d := range spaces {
		const n = 600
		got := make([]float64, 3)
		for range n {
			found, _, err := acq.Thompson(context.Background(), a, func() acq.Surrogate { return a }, d,
				acq.Options{Rand: r, Candidates: 1000})
			if err != nil {
				t.Fatal(err)
			}
			if why := d.check(found[0].Point, 0); why != "" {
				t.Fatalf("the candidate %s", why)
			}
			got[int(found[0].Point.At(0, 0))] += 1.0 / n
		}
		for k := range got {
			if math.Abs(got[k]-want[k]) > 0.07 { // 3.5 standard errors
				t.Errorf("%s: arm %d is played %.3f of the time, the best %.3f", name, k, got[k], want[k])
			}
		}
	}
}

func TestThompson(t *testing.T) {
	d := toys["conditional"]
	a := arms{mean: []float64{0, 0.1, 0.2}, sd: []float64{1, 1, 1}}
	run := func(workers int) []acq.Candidate {
		r := rand.New(rand.NewPCG(7, 7))
		found, _, err := acq.Thompson(context.Background(), a, func() acq.Surrogate { return a }, d,
			acq.Options{Rand: r, Workers: workers, Keep: 4, Incumbents: d.Sample(r, 2)})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	same(t, "workers", run(1), run(3))
	_, _, err := acq.Thompson(context.Background(), arms{}, nil, toys["choices"], acq.Options{Rand: rand.New(rand.NewPCG(1, 1)), Candidates: 100})
	if err == nil || err.Error() != "no posterior" {
		t.Errorf("the posterior's error: %v", err)
	}
}
