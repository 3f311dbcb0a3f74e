package acq_test

import (
	"math"
	"os"
	"slices"
	"testing"

	"bohier/internal/acq"
	"bohier/internal/points"
)

// bruteForce is the maximum of a over all choices and a grid in the unit coordinates, polished by a shrinking
// coordinate search from the best 30 points; a fine integer grid is visited at 2·cells + 1 of its values. Small spaces
// only.
func bruteForce(a acq.Acquisition, t *toy, cells int) float64 {
	q := grid(t, cells)
	scorer := a()
	value := acq.Scores(scorer, q)
	order := make([]int, q.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case value[i] > value[j]:
			return -1
		case value[i] < value[j]:
			return 1
		}
		return 0
	})
	best := math.Inf(-1)
	for _, i := range order[:min(30, len(order))] {
		best = math.Max(best, polish(scorer, t, q.Slice(i, i+1), value[i], 1/float64(cells)))
	}
	return best
}

// grid lists the valid points of the grid.
func grid(t *toy, cells int) *points.Set {
	sets := []*points.Set{t.new(0)}
	part, n := t.new(4096), 0
	x := t.new(1)
	var walk func(c int)
	walk = func(c int) {
		if c == len(t.params) {
			part.Copy(n, x, 0)
			if !t.Repair(part, n) {
				return
			}
			if n++; n == part.Len() {
				sets = append(sets, part)
				part, n = t.new(n), 0
			}
			return
		}
		p := t.params[c]
		n := cells
		switch {
		case p.parent >= 0 && !(x.Active(p.parent, 0) && x.At(p.parent, 0) == float64(p.want)):
			x.Set(c, 0, 0, false)
			walk(c + 1)
			return
		case p.levels > 0:
			n = p.levels - 1
		case p.steps > 0:
			n = min(p.steps, 2*cells)
		}
		for v := range n + 1 {
			at := float64(v)
			if p.levels == 0 {
				at /= float64(n)
			}
			x.Set(c, 0, at, true)
			walk(c + 1)
		}
	}
	walk(0)
	return points.Concat(append(sets, part.Slice(0, n))...)
}

// polish climbs from x, whose score is top, along the best coordinate in turn.
func polish(s acq.Scorer, t *toy, x *points.Set, top, step float64) float64 {
	smooth := t.Smooth(x, 0)
	tries, value := t.new(2*len(smooth)), make([]float64, 2*len(smooth))
	for ; step > 1e-5; step /= 2 {
		for gained := true; gained; {
			gained = false
			n := 0
			for _, c := range smooth {
				for _, sign := range []float64{-1, 1} {
					tries.Copy(n, x, 0)
					tries.Set(c, n, x.At(c, 0)+sign*step, true)
					if t.Repair(tries, n) {
						n++
					}
				}
			}
			copy(value, acq.Scores(s, tries.Slice(0, n)))
			for k, v := range value[:n] {
				if v > top+1e-9 {
					x, top, gained = tries.Slice(k, k+1), v, true
				}
			}
		}
	}
	return top
}

// TestAgainstBruteForceOnBumps: BOHIER_SOAK=1 tries five times as many.
func TestAgainstBruteForceOnBumps(t *testing.T) {
	seeds := uint64(4)
	if os.Getenv("BOHIER_SOAK") != "" {
		seeds = 60
	}
	cases, missed := 0, 0
	scored, gradients := 0, 0
	cells := map[string]int{"numbers": 24, "mixed": 6, "conditional": 10, "choices": 1, "constrained": 30}
	for name, d := range toys {
		for seed := range seeds {
			f := bumps(d, 100+seed)
			want := bruteForce(f.fork, d, cells[name])
			found, stats := maximize(t, f.fork, d, acq.Options{})
			cases++
			scored += stats.Scored
			gradients += stats.Gradients
			if found[0].Score < want-0.01 {
				missed++
				t.Logf("%s %d: found %.5f, brute force %.5f", name, seed, found[0].Score, want)
			}
		}
	}
	t.Logf("%d of %d missed; on average %d scored and %d gradients", missed, cases, scored/cases, gradients/cases)
	if missed*20 > cases {
		t.Errorf("%d of %d maxima missed by more than 0.01", missed, cases)
	}
}
