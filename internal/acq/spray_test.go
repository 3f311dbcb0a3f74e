package acq

import (
	"math/rand/v2"
	"testing"

	"bohier/internal/points"
)

// Half of the points move in all coordinates, the others in a fifth of them, or in one of fewer than five.
func TestJitterMovesSomeCoordinates(t *testing.T) {
	for dim, want := range map[int]float64{2: 0.75, 10: 0.6} {
		s := &sprayer{r: rand.New(rand.NewPCG(1, 2))}
		smooth := make([]int, dim)
		for c := range smooth {
			smooth[c] = c
		}
		moved, times := 0, 2000
		for range times {
			q := points.New(1, dim)
			for _, c := range smooth {
				q.Set(c, 0, 0.5, true)
			}
			s.jitter(q, 0, smooth)
			for _, c := range smooth {
				if q.At(c, 0) != 0.5 {
					moved++
				}
			}
		}
		if got := float64(moved) / float64(times*dim); got < want-0.05 || got > want+0.05 {
			t.Errorf("%d coordinates: a share of %.2f moves, want %.2f", dim, got, want)
		}
	}
}
