package acq

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The leading candidates are those that a stable sort puts first.
func TestLeading(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		p := &lazyRanking{key: make([]float64, 3*n)}
		var order []int
		for i := range p.key {
			p.key[i] = float64(r.IntN(7)) // many equal
			if r.IntN(5) == 0 {
				p.key[i] = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[r.IntN(3)]
			}
			if i%3 > 0 {
				order = append(order, i)
			}
		}
		slices.SortStableFunc(order, func(i, j int) int { return Descending(p.key[i], p.key[j]) })
		for _, most := range []int{1, 4, 16} {
			want := order[:min(most, len(order))]
			if got := p.leading(most, func(i int) bool { return i%3 > 0 }); !slices.Equal(got, want) {
				t.Fatalf("%d of %d: %v, want %v, of %v", most, len(order), got, want, p.key)
			}
		}
	}
}
