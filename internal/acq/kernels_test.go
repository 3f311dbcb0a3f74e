package acq_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/kernels"
	"bohier/internal/points"
)

// The slopes of the expected gain in hypervolume, with noise, are those of its differences
// whatever kernel the surrogates of the objectives have.
func TestSlopesWithEveryKernel(t *testing.T) {
	mixed := &toy{params: []toyParam{number(-1, 0), choice(3, -1, 0), number(1, 0), number(1, 1), integer(8, -1, 0)}}
	discrete := &toy{params: []toyParam{choice(3, -1, 0), choice(4, -1, 0)}}
	for _, name := range kernels.Names() {
		d, spec := mixed, kernels.Spec{Name: name, ARD: true}
		switch name {
		case "lap", "dif", "walk", "cosine":
			d = discrete
		case "add", "multiply":
			spec = kernels.Spec{Name: name, Parts: []kernels.Spec{{Name: "arc", ARD: true}, {Name: "hmodlap", ARD: true}}}
		}
		r := rand.New(rand.NewPCG(7, uint64(len(name))))
		x := d.Sample(r, 14)
		var surrogates []func() acq.Surrogate
		told := make([][]float64, x.Len())
		for j := range 2 {
			k, err := kernels.New(spec, d.coords())
			if err != nil {
				t.Fatal(name, err)
			}
			y := acq.Scores(bumps(d, uint64(j)), x)
			for i := range y {
				y[i] += 0.3 * r.NormFloat64()
				told[i] = append(told[i], y[i])
			}
			m, _, err := gp.Fit(context.Background(), k, x, y, gp.Options{Seed: 1, Starts: 1, Evaluations: 12})
			if err != nil {
				t.Fatal(name, err)
			}
			for i := range told {
				told[i][j] = m.Units().Standard(told[i][j])
			}
			surrogates = append(surrogates, func() acq.Surrogate { return m.Standard() })
		}
		joint, err := acq.NewHypervolume(told, []float64{2, 2}, nil)
		must(t, err)
		joint = acq.Augmented(joint, []float64{0.3, 0})
		scorer := acq.Ensemble([]acq.Joint{joint}, surrogates...)()
		alone := field{d, func(q *points.Set, i int) float64 { return score(scorer, nil, q, i) }}
		q, slopes := d.Sample(r, 6), 0
		for i := range q.Len() {
			got, want := make([]float64, q.Dim()), make([]float64, q.Dim())
			if v := score(scorer, got, q, i); math.IsNaN(v) {
				t.Errorf("%s: the score is %v", name, v)
			}
			score(alone, want, q, i)
			for _, c := range d.Smooth(q, i) {
				if slopes++; !(math.Abs(got[c]-want[c]) <= 1e-5*(1+math.Abs(want[c]))) {
					t.Errorf("%s: ∂/∂x%d = %v, by differences %v", name, c, got[c], want[c])
				}
			}
		}
		if slopes == 0 && !slices.Contains([]string{"lap", "dif", "walk", "cosine"}, name) {
			t.Errorf("%s: no slope was compared", name)
		}
	}
}
