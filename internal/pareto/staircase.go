package pareto

import (
	"math/bits"
	"slices"
)

// Growing returns what adds vector i, of those given, to the ones that were added before, and
// returns by how much the volume that they dominate grows.
func Growing(values [][]float64, ref []float64) func(i int) float64 {
	if len(ref) == 2 {
		return newStaircase(values, ref).add
	}
	var front [][]float64
	return func(i int) float64 {
		v := values[i]
		if slices.ContainsFunc(front, func(k []float64) bool { return slices.Equal(k, v) || Dominates(k, v) }) {
			return 0
		}
		gain := Gain(v, front, ref)
		front = Reduce(append(front, v), ref)
		return gain
	}
}

// A staircase is the area that vectors of two entries dominate up to a reference point, as
// they are added one after the other. Adding n vectors takes little more than n·log n time.
type staircase struct {
	values [][]float64
	ref    []float64
	place  []int    // of each vector in lexicographic order
	order  []int    // the vectors in that order
	on     []uint64 // the places on the front of what was added, as bits
}

// newStaircase begins without any of the vectors that will be added.
func newStaircase(values [][]float64, ref []float64) *staircase {
	s := &staircase{values: values, ref: ref, order: lexicographic(values, every(len(values))),
		place: make([]int, len(values))}
	for p, i := range s.order {
		s.place[i] = p
	}
	s.on = make([]uint64, len(values)/64+1)
	return s
}

// add adds vector i and returns by how much the area grows.
func (s *staircase) add(i int) float64 {
	v, p, top := s.values[i], s.place[i], s.ref[1]
	if !below(v, s.ref) {
		return 0
	}
	if k := s.before(p); k >= 0 {
		top = s.values[s.order[k]][1]
	}
	if top <= v[1] {
		return 0 // dominated, or there already
	}
	s.on[p/64] |= 1 << (p % 64)
	gain, left := 0.0, v[0]
	for k := s.after(p); ; k = s.after(k) {
		if k < 0 {
			return gain + (s.ref[0]-left)*(top-v[1])
		}
		next := s.values[s.order[k]]
		gain += (next[0] - left) * (top - v[1])
		if left, top = next[0], next[1]; top < v[1] {
			return gain
		}
		s.on[k/64] &^= 1 << (k % 64)
	}
}

// before is the last place on the front before p; −1: none.
func (s *staircase) before(p int) int {
	word := s.on[p/64] & (1<<(p%64) - 1)
	for k := p / 64; ; word = s.on[k] {
		if word != 0 {
			return 64*k + 63 - bits.LeadingZeros64(word)
		}
		if k--; k < 0 {
			return -1
		}
	}
}

// after is the first place on the front after p; −1: none.
func (s *staircase) after(p int) int {
	word := s.on[p/64] &^ (1<<(p%64+1) - 1)
	for k := p / 64; ; word = s.on[k] {
		if word != 0 {
			return 64*k + bits.TrailingZeros64(word)
		}
		if k++; k == len(s.on) {
			return -1
		}
	}
}
