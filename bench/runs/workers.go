package runs

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// An ending is a trial under way, and what will come of it.
type ending struct {
	number int
	value  float64
	x      map[string]any
	left   float64 // until it ends, in seconds
}

// A queue is the trials under way.
type queue []ending

// add begins a trial now.
func (q *queue) add(e ending, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, uint64(e.number)<<8|0xfe))
	e.left = 60 * (0.5 + rng.Float64())
	*q = append(*q, e)
}

// next removes the trial that ends first, and lets that time pass for the others.
func (q *queue) next() ending {
	first := slices.MinFunc(*q, func(a, b ending) int { return cmp.Compare(a.left, b.left) })
	*q = slices.DeleteFunc(*q, func(e ending) bool { return e.number == first.number })
	for i := range *q {
		(*q)[i].left -= first.left
	}
	return first
}
