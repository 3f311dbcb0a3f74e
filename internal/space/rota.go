package space

import (
	"math"
	"math/rand/v2"
	"sort"
)

// A rota deals turns to holders of shares. Holder h takes its turn number j at
// time (j + ½)/share, so at any time x everyone has had x·share turns, rounded.
type rota struct{ share []float64 }

// newRota takes positive weights and scales them to shares with sum 1.
func newRota(weights []float64) rota {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	t := rota{share: make([]float64, len(weights))}
	for h, w := range weights {
		t.share[h] = w / sum
	}
	return t
}

// taken is how many turns holder h has had at time x, the end included.
func (t rota) taken(h int, x float64) int {
	return int(math.Floor(x*t.share[h] + 0.5))
}

// turn tells who has turn k ≥ 0 and how many turns that holder had before.
func (t rota) turn(k int) (holder, nth int) {
	if len(t.share) == 1 {
		return 0, k
	}
	total := func(x float64) int {
		n := 0
		for h := range t.share {
			n += t.taken(h, x)
		}
		return n
	}
	// The time x at which turn k is taken: total is ≤ k just before and > k at x.
	lo, hi := 0.0, float64(k+len(t.share)+1)
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if total(mid) > k {
			hi = mid
		} else {
			lo = mid
		}
	}
	rank := k - total(lo) // among the turns taken at this time, by holder
	for h := range t.share {
		if a := t.taken(h, lo); t.taken(h, hi) > a {
			if rank == 0 {
				return h, a
			}
			rank--
		}
	}
	panic("space: rota lost a turn")
}

// deal says how many of n turns each holder gets: its share rounded up or down
// at random without bias.
func (t rota) deal(r *rand.Rand, n int) []int {
	counts := make([]int, len(t.share))
	x, sum, before := r.Float64(), 0.0, 0
	for h, share := range t.share {
		sum += share * float64(n)
		upto := min(int(math.Floor(sum+x)), n)
		if h == len(t.share)-1 {
			upto = n
		}
		counts[h] = upto - before
		before = upto
	}
	return counts
}

// picker draws holders at random in proportion to their shares.
type picker []float64

func newPicker(share []float64) picker {
	p, sum := make(picker, len(share)), 0.0
	for h, w := range share {
		sum += w
		p[h] = sum
	}
	return p
}

func (p picker) pick(u float64) int {
	u *= p[len(p)-1]
	return min(sort.Search(len(p), func(h int) bool { return p[h] > u }), len(p)-1)
}
