package policy

import (
	"math/rand/v2"
	"testing"
)

// TestConcordance compares with counting pair by pair, ties and failures among them.
func TestConcordance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		low, high := make([]Entry, n), make([]Entry, n)
		for i := range n {
			low[i], high[i] = Entry{key: float64(r.IntN(9))}, Entry{key: float64(r.IntN(n)), rank: rank(r.IntN(5) / 4)}
			if r.IntN(9) == 0 {
				low[i] = Entry{rank: failed}
			}
		}
		want := 0
		for i := range n {
			for k := range i {
				want += low[i].compare(low[k]) * high[i].compare(high[k])
			}
		}
		if got := concordance(low, high); got != want {
			t.Errorf("%d entries: %d, pair by pair %d", n, got, want)
		}
	}
}
