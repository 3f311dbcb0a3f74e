package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// batchModels are models of every form a prediction takes.
func batchModels(t *testing.T) map[string]*Model {
	x, y := sample(5, 40, 2)
	plain := newARD(2, true, false)
	section := mustKernel(t, kernels.Spec{Name: "matern52"}, []kernels.Coord{{Name: "x"}, {Name: "y"}})
	out := map[string]*Model{}
	for name, c := range map[string]struct {
		k kernels.Kernel
		x *points.Set
		o Options
	}{
		"plain":   {plain, x, Options{}},
		"linear":  {plain, x, Options{Mean: "linear", Linear: []float64{1, 1}}},
		"kriging": {plain, x, Options{Form: "kriging", Reinterpolate: true}},
		"flip":    {&indefinite{}, x, Options{}},
	} {
		out[name], _ = mustFit(t, c.k, c.x, y, c.o)
	}
	two := points.Concat(x.Extend(0), x.Extend(1))
	whole, _ := mustFit(t, kernels.Task(section, 2, 2), two, append(y, y...), Options{})
	out["section"] = whole.Section(Fixed{Value: 1, Active: true})
	few, _ := sample(6, 3, 2)
	out["three"], _ = mustFit(t, plain, few, y[:3], Options{})
	return out
}

// Batches predict and pull as single points do, and in the same bits however the points are grouped.
func TestBatchIsManyPoints(t *testing.T) {
	for name, m := range batchModels(t) {
		q, _ := sample(7, 23, 2)
		n := q.Len()
		slopes := func(p *Predictor, q *points.Set, skip int) ([]float64, []float64, [][]float64) {
			mean, variance := make([]float64, q.Len()), make([]float64, q.Len())
			p.LoadBatch([][]float64{mean}, variance, q)
			dx, dm, dv := make([][]float64, q.Len()), make([]float64, q.Len()), make([]float64, q.Len())
			for i := range dx {
				dm[i], dv[i] = 0.7, -0.2
				if i != skip {
					dx[i] = []float64{1, 2}
				}
			}
			p.PullBatch(0, dx, dm, dv)
			return mean, variance, dx
		}
		one := m.Standard()
		mean, variance, dx := slopes(m.Standard(), q, 3)
		const tol = 1e-9
		for i := range n {
			mu, v := At(one.PredictBatch, q, i)
			near(t, name+" mean", mean[i], mu, tol)
			near(t, name+" variance", variance[i], v, tol)
			want := []float64{1, 2}
			PullAt(one, want, 0.7, -0.2, q, i)
			for c := range dx[i] {
				near(t, fmt.Sprint(name, " slope"), dx[i][c], want[c], 1e-7*(1+math.Abs(want[c])))
			}
			if (dx[i] == nil) != (i == 3) {
				t.Fatalf("%s: gradient %d", name, i)
			}
		}
		for lo := 0; lo < n; {
			hi := min(n, lo+1+lo%5)
			m1, v1, d1 := slopes(m.Standard(), q.Slice(lo, hi), -1)
			for i := range m1 {
				if m1[i] != mean[lo+i] || v1[i] != variance[lo+i] ||
					dx[lo+i] != nil && (d1[i][0] != dx[lo+i][0] || d1[i][1] != dx[lo+i][1]) {
					t.Errorf("%s: point %d differs in a batch of %d", name, lo+i, hi-lo)
				}
			}
			lo = hi
		}
	}
}

// The variance given a part of the observations is an upper bound, the closer the
// more there are, and falls to that of PredictBatch to the bit.
func TestOpen(t *testing.T) {
	for name, m := range batchModels(t) {
		q, _ := sample(8, 70, 2)
		n := q.Len()
		mean, variance := make([]float64, n), make([]float64, n)
		p := m.Standard()
		p.PredictBatch(mean, variance, q)
		part, last := make([]float64, n), make([]float64, n)
		tighten := p.Open([][]float64{part}, last, q)
		p.PredictBatch(mean, variance, q) // does not disturb
		loose := 0
		order := rand.New(rand.NewPCG(1, 1)).Perm(n)
		for step, share := range []float64{0.1, 0.25, 0.5, 0.9, 1} {
			at := order
			if step < 4 {
				at = order[:n-13*step] // some climb faster than others
			}
			bound := make([]float64, len(at))
			tighten(bound, at, share)
			for k, i := range at {
				if part[i] != mean[i] {
					t.Errorf("%s: mean %v, want %v", name, part[i], mean[i])
				}
				if bound[k] < variance[i] || bound[k] > last[i]*(1+1e-11) || share == 1 && bound[k] != variance[i] {
					t.Errorf("%s: bound %v with a share of %g, variance %v, %v with less", name, bound[k], share, variance[i], last[i])
				}
				if share < 1 && bound[k] > 1.01*variance[i] {
					loose++
				}
				last[i] = bound[k]
			}
		}
		if exact := name == "flip" || name == "three"; exact != (loose == 0) {
			t.Errorf("%s: %d loose bounds", name, loose)
		}
	}
}
