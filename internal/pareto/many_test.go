package pareto_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bohier/internal/pareto"
)

// peeled are ranks by taking front after front away.
func peeled(values [][]float64) []int {
	rank := make([]int, len(values))
	for r, left := 1, len(values); left > 0; r++ {
		var front []int
		for i, v := range values {
			if rank[i] == 0 && !slices.ContainsFunc(values, func(w []float64) bool {
				j := slices.IndexFunc(values, func(u []float64) bool { return &u[0] == &w[0] })
				return rank[j] == 0 && pareto.Dominates(w, v)
			}) {
				front = append(front, i)
			}
		}
		for _, i := range front {
			rank[i] = r
		}
		left -= len(front)
	}
	return rank
}

// Ranks are those of taking front after front away, whatever the entries and ties.
func TestRanksOfMany(t *testing.T) {
	r, checks := rand.New(rand.NewPCG(3, 4)), 0
	for _, m := range []int{1, 2, 3, 4, 6} {
		for _, n := range []int{1, 2, 17, 60, 130} {
			for _, levels := range []int{2, 5, 1000} {
				v := values(r, n, m, levels)
				if got, want := pareto.Ranks(v), peeled(v); !slices.Equal(got, want) {
					t.Fatalf("%d of %d entries, %d levels: %v instead of %v\n%v", n, m, levels, got, want, v)
				}
				checks++
			}
		}
	}
	if checks != 75 {
		t.Errorf("%d checks", checks)
	}
}

// Of very many vectors, all on one front or on as many as there are, everything that is shown
// of a front is found in time: quadratic time would be minutes.
func TestVeryManyVectors(t *testing.T) {
	const n = 2000
	r := rand.New(rand.NewPCG(5, 6))
	shapes := map[string]func() []float64{
		"at random":    func() []float64 { return []float64{r.Float64(), r.Float64(), r.Float64()} },
		"on one front": func() []float64 { a, b := r.Float64(), r.Float64(); return []float64{a, b, 3 - a - b} },
		"on a curve":   func() []float64 { a := r.Float64(); return []float64{a, 1 - a, a} },
		"in a chain":   func() []float64 { a := r.Float64(); return []float64{a, a, a} },
	}
	for name, draw := range shapes {
		three, two := make([][]float64, n), make([][]float64, n)
		for i := range three {
			three[i] = draw()
			two[i] = []float64{three[i][0], three[i][1]}
			if name == "on one front" {
				two[i][1] = -two[i][0]
			}
		}
		for _, v := range [][][]float64{two, three} {
			front, ranks := pareto.Front(v), pareto.Ranks(v)
			ones := 0
			for _, k := range ranks {
				if k == 1 {
					ones++
				}
			}
			if len(front) != ones {
				t.Errorf("%s: %d on the front, %d of rank 1", name, len(front), ones)
			}
			ref := pareto.Reference([][]float64{{3, 3, 3}, {0, 0, 0}}, []float64{1, 1, 1})[:len(v[0])]
			volume, grown := pareto.Hypervolume(v, ref), 0.0
			add := pareto.Growing(v, ref)
			for i := range v {
				grown += add(i)
			}
			if math.Abs(grown-volume) > 1e-9*volume {
				t.Errorf("%s: volume %v, by steps %v", name, volume, grown)
			}
			t.Logf("%s, %d entries: front of %d, %d ranks, volume %v", name, len(ref), len(front), slices.Max(ranks), volume)
		}
	}
}

// The volume of many vectors of three entries is the one that few have by another way, and grows by steps to the same.
func TestVolumeOfManyOfThree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	v := make([][]float64, 140)
	for i := range v {
		a, b := r.Float64(), r.Float64()
		v[i] = []float64{a, b, 2 - a - b}
	}
	ref := []float64{1.1, 1.2, 2.3}
	all, fewer := pareto.Hypervolume(v, ref), pareto.Hypervolume(v[:128], ref)
	grown := fewer
	for i := 128; i < len(v); i++ {
		grown += pareto.Gain(v[i], pareto.Reduce(v[:i], ref), ref)
	}
	if math.Abs(all-grown) > 1e-9*all {
		t.Errorf("volume %v, by steps %v", all, grown)
	}
}

// Vectors grow the volume by what Gain says, to the bit, in whatever order they come.
func TestGrowthIsGains(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 8))
	for _, m := range []int{2, 3, 4, 5} {
		for _, levels := range []int{4, 1000} {
			v, ref, best := values(r, 150, m, levels), ones(m, float64(levels)), 0.0
			for i := range 40 { // in a chain
				v = append(v, slices.Repeat([]float64{-float64(i)}, m))
			}
			add := pareto.Growing(v, ref)
			for i := range v {
				want := pareto.Gain(v[i], pareto.Reduce(v[:i], ref), ref)
				if got := add(i); got != want {
					t.Errorf("%d entries, %d levels, vector %d: %v instead of %v", m, levels, i, got, want)
				}
				best = max(best, want)
			}
			if best == 0 {
				t.Error("no growth")
			}
		}
	}
}
