package space

import (
	"math"
	"math/rand/v2"
	"sort"

	"bohier/internal/lists"
)

// An apportionment awards seats to parties in proportion to their shares, one after the other, by the divisor method
// with half-integers (Webster, Sainte-Laguë): party h gets its seat number j at time (j + ½)/share, so at any time x
// every party has x·share seats, rounded to the nearest integer.
type apportionment []float64

// newApportionment takes positive weights and scales them to shares with sum 1.
func newApportionment(weights []float64) apportionment {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	return lists.Of(weights, func(w float64) float64 { return w / sum })
}

// seats returns the number of seats that party h has at time x, x included.
func (t apportionment) seats(h int, x float64) int {
	return int(math.Floor(x*t[h] + 0.5))
}

// seat returns the party that gets seat k ≥ 0 and the number of its seats before.
func (t apportionment) seat(k int) (party, nth int) {
	total := func(x float64) int {
		n := 0
		for h := range t {
			n += t.seats(h, x)
		}
		return n
	}
	// The time x at which seat k is awarded: total is ≤ k just before and > k at x.
	lo, hi := 0.0, float64(k+len(t)+1)
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
	rank := k - total(lo) // among the seats awarded at this time, by party
	for h := range t {
		if a := t.seats(h, lo); t.seats(h, hi) > a {
			if rank == 0 {
				return h, a
			}
			rank--
		}
	}
	panic("space: an apportionment lost a seat")
}

// systematicCounts returns how many of n draws fall on each party under systematic
// sampling: n·share, rounded up or down at random without bias; the sum is n.
func (t apportionment) systematicCounts(r *rand.Rand, n int) []int {
	counts := make([]int, len(t))
	x, sum, before := r.Float64(), 0.0, 0
	for h, share := range t {
		sum += share * float64(n)
		upto := min(int(math.Floor(sum+x)), n)
		if h == len(t)-1 {
			upto = n
		}
		counts[h] = upto - before
		before = upto
	}
	return counts
}

// A categorical is a discrete distribution over parties: the cumulated shares.
type categorical []float64

func newCategorical(share []float64) categorical {
	p, sum := make(categorical, len(share)), 0.0
	for h, w := range share {
		sum += w
		p[h] = sum
	}
	return p
}

func (p categorical) draw(u float64) int {
	u *= p[len(p)-1]
	return min(sort.Search(len(p), func(h int) bool { return p[h] > u }), len(p)-1)
}
