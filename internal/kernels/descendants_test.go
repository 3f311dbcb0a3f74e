package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

// With weights by descendants a difference in a coordinate counts at least as much as
// all its descendants' together, whatever γ is.
func TestDescendantWeights(t *testing.T) {
	coords := []Coord{
		{Name: "root", Levels: 2},
		{Name: "a", Conditional: true, Ancestors: []int{0}},
		{Name: "b", Levels: 3, Conditional: true, Ancestors: []int{0}},
		{Name: "c", Conditional: true, Ancestors: []int{2, 0}},
		{Name: "d", Conditional: true, Ancestors: []int{2, 0}},
	}
	b := &builder{spec: Spec{Name: "arc", Weights: "descendants", ARD: true}, coords: coords, declared: &declared{index: map[string]int{}}}
	radii := make([]monomial, len(coords))
	for c := range coords {
		radii[c] = b.radius(c)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		theta := make([]float64, len(b.params))
		for j, p := range b.params {
			theta[j] = p.Lo + r.Float64()*(p.Hi-p.Lo)
			if r.IntN(2) == 0 {
				theta[j] = p.Hi
			}
		}
		for c := range coords {
			sum := 0.0
			for d, co := range coords {
				for _, a := range co.Ancestors {
					if a == c {
						sum += math.Sqrt(radii[d].value(theta))
					}
				}
			}
			if own := math.Sqrt(radii[c].value(theta)); sum > own*(1+1e-12) {
				t.Fatalf("%s weighs %v, its descendants %v", coords[c].Name, own, sum)
			}
		}
	}
}
