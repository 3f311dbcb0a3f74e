package gp_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/gp"
	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A model of one task predicts, conditions and samples like the whole model at points with
// the last coordinate in place.
func TestSection(t *testing.T) {
	base, err := kernels.New(kernels.Spec{Name: "matern52", ARD: true}, []kernels.Coord{{Name: "x"}, {Name: "y"}})
	must(t, err)
	kernel := kernels.Task(base, 2, 2)
	r := rand.New(rand.NewPCG(1, 2))
	fill := func(n int) *points.Set {
		q := points.New(n, 2)
		for c := range 2 {
			for i := range n {
				q.Set(c, i, r.Float64(), true)
			}
		}
		return q
	}
	x := fill(14)
	x = points.Concat(x.Extend(0), fill(9).Extend(1))
	y := make([]float64, x.Len())
	for i := range y {
		y[i] = math.Sin(5*x.At(0, i)) + x.At(1, i) + 0.3*x.At(2, i)
	}
	extra, q := fill(2), fill(5)
	whole, _, err := gp.Fit(context.Background(), kernel, x, y, gp.Options{Seed: 1})
	must(t, err)
	section := whole.Section(gp.Fixed{Value: 1, Active: true})
	compare := func(name string, whole, section *gp.Model) {
		a, b := whole.Standard(), section.Standard()
		for i := range q.Len() {
			m, v := gp.At(a.PredictBatch, q.Extend(1), i)
			ms, vs := gp.At(b.PredictBatch, q, i)
			if m != ms || v != vs {
				t.Errorf("%s: prediction %v ± %v, want %v ± %v", name, ms, vs, m, v)
			}
			d, ds := make([]float64, 3), []float64{1, 2}
			gp.PullAt(a, d, 0.7, -0.2, q.Extend(1), i)
			gp.PullAt(b, ds, 0.7, -0.2, q, i)
			if math.Abs(ds[0]-1-d[0]) > 1e-12 || math.Abs(ds[1]-2-d[1]) > 1e-12 || d[0] == 0 {
				t.Errorf("%s: gradient %v, want 1, 2 + %v", name, ds, d)
			}
		}
		mean, vari := make([]float64, q.Len()), make([]float64, q.Len())
		b.PredictBatch(mean, vari, q)
		if m, _ := gp.At(a.PredictBatch, q.Extend(1), 3); !(math.Abs(mean[3]-m) <= 1e-9) {
			t.Errorf("%s: batch %v, want %v", name, mean[3], m)
		}
		draw, err := whole.Sample(rand.New(rand.NewPCG(3, 3)), q.Extend(1))
		must(t, err)
		drawn, err := section.Sample(rand.New(rand.NewPCG(3, 3)), q)
		if err != nil || drawn[2] != draw[2] {
			t.Errorf("%s: drew %v, want %v (%v)", name, drawn, draw, err)
		}
	}
	compare("fitted", whole, section)
	more, err := whole.Condition(extra.Extend(1), []float64{0.3, 0.8})
	must(t, err)
	moreSection, err := section.Condition(extra, []float64{0.3, 0.8})
	must(t, err)
	compare("conditioned", more, moreSection)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
