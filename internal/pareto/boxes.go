package pareto

import (
	"math"
	"slices"
)

// A Box is the product of the open intervals from Lower to Upper; Lower may be −∞.
type Box struct{ Lower, Upper []float64 }

// Boxes splits the region below ref that no vector dominates into disjoint boxes: n + 1 of them for two entries and at
// most 2n + 1 for three, n vectors counting. It panics for other numbers of entries.
func Boxes(values [][]float64, ref []float64) []Box {
	front := Reduce(values, ref)
	switch len(ref) {
	case 2:
		return strips(front, ref)
	case 3:
		return sweep(front, ref)
	}
	panic("pareto: boxes of two or three objectives only")
}

// strips are the boxes between neighbours in the first entry.
func strips(front [][]float64, ref []float64) []Box {
	left, top := math.Inf(-1), ref[1]
	out := make([]Box, 0, len(front)+1)
	for _, v := range front {
		out = append(out, Box{[]float64{left, math.Inf(-1)}, []float64{v[0], top}})
		left, top = v[0], v[1]
	}
	return append(out, Box{[]float64{left, math.Inf(-1)}, []float64{ref[0], top}})
}

// A strip is (left, right) × (−∞, top) in the first two entries, not dominated by the vectors behind the sweep, open
// since a value of the third.
type strip struct{ left, right, top, since float64 }

// sweep goes through the front by the third entry. A vector closes the strips that it
// cuts into, and opens their remainders and the strip below itself.
func sweep(front [][]float64, ref []float64) []Box {
	front = slices.Clone(front)
	slices.SortStableFunc(front, byEntry(2))
	open := []strip{{math.Inf(-1), ref[0], ref[1], math.Inf(-1)}} // by left, top falling
	var out []Box
	closed := func(s strip, at float64) {
		if s.since < at {
			out = append(out, Box{[]float64{s.left, math.Inf(-1), s.since}, []float64{s.right, s.top, at}})
		}
	}
	for _, v := range front {
		var next []strip
		end := v[0]
		for _, s := range open {
			switch {
			case s.right <= v[0]:
				next = append(next, s)
				continue
			case s.top <= v[1]:
				continue
			}
			closed(s, v[2])
			if s.left < v[0] {
				next = append(next, strip{s.left, v[0], s.top, v[2]})
			}
			end = s.right
		}
		next = append(next, strip{v[0], end, v[1], v[2]})
		for _, s := range open {
			if s.right > v[0] && s.top <= v[1] {
				next = append(next, s)
			}
		}
		open = next
	}
	for _, s := range open {
		closed(s, ref[2])
	}
	return out
}
