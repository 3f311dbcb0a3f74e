package pareto

import (
	"math"
	"math/bits"
	"slices"

	"bohier/internal/lists"
)

// Units are powers of two, one for each entry, by which the larger of the two bounds is
// about 1: volumes of vectors in these units neither overflow nor vanish, and are otherwise
// the same to the bit.
func Units(ideal, ref []float64) []int {
	units := make([]int, len(ref))
	for j := range ref {
		_, units[j] = math.Frexp(max(math.Abs(ideal[j]), math.Abs(ref[j])))
	}
	return units
}

// In is a vector in units.
func In(units []int, v []float64) []float64 {
	return lists.Make(len(v), func(j int) float64 { return math.Ldexp(v[j], -units[j]) })
}

// Hypervolume is the volume that the vectors dominate, up to ref. It takes n·log n
// time for two entries, and of many vectors for three; for more it is the sum of what each
// vector dominates and those after it do not.
func Hypervolume(values [][]float64, ref []float64) float64 { return volume(Reduce(values, ref), ref) }

// manyOfThree is the number from which vectors of three entries are swept.
const manyOfThree = 128

// volume is the hypervolume of a reduced front.
func volume(front [][]float64, ref []float64) float64 {
	switch {
	case len(front) == 0:
		return 0
	case len(ref) == 1:
		return ref[0] - front[0][0]
	case len(ref) == 2: // sorted by the first entry, so falling in the second
		sum, top := 0.0, ref[1]
		for _, v := range front {
			sum += (ref[0] - v[0]) * (top - v[1])
			top = v[1]
		}
		return sum
	}
	if len(ref) == 3 && len(front) > manyOfThree {
		return swept(front, ref)
	}
	// From the worst in the last entry on, so that few of those after cut a vector off.
	front = slices.Clone(front)
	last := len(ref) - 1
	slices.SortStableFunc(front, func(a, b []float64) int { return byEntry(last)(b, a) })
	gain, sum := make([]float64, len(front)), 0.0
	var after *node
	for i, v := range slices.Backward(front) {
		gain[i] = after.gain(v, ref)
		insert(&after, v)
	}
	for _, g := range gain {
		sum += g
	}
	return sum
}

// swept is the volume of three entries by its slices between one third entry and the next
// (Fonseca, Paquete & López-Ibáñez 2006, doi:10.1109/CEC.2006.1688440).
func swept(front [][]float64, ref []float64) float64 {
	front = slices.Clone(front)
	slices.SortFunc(front, byEntry(2))
	plane := lists.Of(front, func(v []float64) []float64 { return v[:2] })
	s, sum, area := newStaircase(plane, ref[:2]), 0.0, 0.0
	for i, v := range front {
		area += s.add(i)
		top := ref[2]
		if i+1 < len(front) {
			top = front[i+1][2]
		}
		sum += area * (top - v[2])
	}
	return sum
}

// Gain is the volume that v dominates, up to ref, and no vector of others does.
func Gain(v []float64, others [][]float64, ref []float64) float64 {
	o := newOverlap(v, ref)
	for _, other := range others {
		o.add(other)
	}
	return o.rest()
}

// An overlap is the part of a vector's box up to ref that other vectors dominate, each from a corner on: few of
// many corners count.
type overlap struct {
	v, ref []float64
	taken  [][]float64
	corner []float64 // of the latest vector
}

func newOverlap(v, ref []float64) *overlap {
	return &overlap{v: v, ref: ref, corner: make([]float64, len(v))}
}

// adds reports whether a vector takes something of the box that others have not taken.
func (o *overlap) adds(by []float64) bool {
	for j, x := range by {
		o.corner[j] = max(x, o.v[j])
	}
	return below(o.corner, o.ref) && !covered(o.taken, o.corner)
}

func (o *overlap) add(by []float64) {
	if o.adds(by) {
		o.taken = slices.DeleteFunc(o.taken, func(k []float64) bool { return notWorse(o.corner, k) })
		o.taken = append(o.taken, slices.Clone(o.corner))
	}
}

// rest is the volume that was not taken.
func (o *overlap) rest() float64 {
	if !below(o.v, o.ref) {
		return 0
	}
	box := 1.0
	for j, x := range o.v {
		box *= o.ref[j] - x
	}
	slices.SortFunc(o.taken, slices.Compare[[]float64])
	return max(0, box-volume(o.taken, o.ref))
}

// covered reports whether any of some vectors is no worse than v, and puts that one first: it may cover the next
// v, too.
func covered(by [][]float64, v []float64) bool {
	for k, o := range by {
		if notWorse(o, v) {
			by[0], by[k] = o, by[0]
			return true
		}
	}
	return false
}

// Contributions are, for every vector, the volume that it alone dominates; 0 for a
// vector that is there twice.
func Contributions(front [][]float64, ref []float64) []float64 {
	out := make([]float64, len(front))
	for i, v := range front {
		others := slices.Concat(front[:i], front[i+1:])
		if out[i] = Gain(v, others, ref); slices.ContainsFunc(others, func(o []float64) bool { return slices.Equal(o, v) }) {
			out[i] = 0
		}
	}
	return out
}

// Thin drops the vectors of a reduced front that contribute least, one after the
// other, until n are left.
func Thin(front [][]float64, ref []float64, n int) [][]float64 {
	front = slices.Clone(front)
	share := make([]float64, len(front)) // at least: it grows as others are dropped
	known := make([]int, len(front))     // the number of vectors that were left when it was found
	for len(front) > n {
		if len(ref) == 2 {
			share, known = rectangles(front, ref), slices.Repeat([]int{len(front)}, len(front))
		}
		least := 0
		for i := range share {
			if share[i] < share[least] {
				least = i
			}
		}
		if known[least] == len(front) {
			front, share, known = slices.Delete(front, least, least+1), slices.Delete(share, least, least+1),
				slices.Delete(known, least, least+1)
			continue
		}
		share[least], known[least] = Gain(front[least], slices.Concat(front[:least], front[least+1:]), ref), len(front)
	}
	return front
}

// Pick picks n vectors of a reduced front, each the one that adds most to the volume that those before it
// dominate: of many vectors it takes a small part of the time of Thin, and leaves out as little.
func Pick(front [][]float64, ref []float64, n int) [][]float64 {
	if len(front) <= n {
		return front
	}
	gain := make([]float64, len(front)) // at most: it falls with every vector picked
	for i, v := range front {
		gain[i] = Gain(v, nil, ref)
	}
	known := make([]int, len(front)) // the number of vectors that had been picked when it was found
	var out [][]float64
	for len(out) < n {
		most := 0
		for i, g := range gain {
			if g > gain[most] {
				most = i
			}
		}
		if known[most] == len(out) {
			out, gain[most] = append(out, front[most]), -1
			continue
		}
		gain[most], known[most] = Gain(front[most], out, ref), len(out)
	}
	return out
}

// rectangles are the contributions of a reduced front of two entries: what each vector
// alone dominates lies between its neighbours.
func rectangles(front [][]float64, ref []float64) []float64 {
	out := make([]float64, len(front))
	top := ref[1]
	for i, v := range front {
		right := ref[0]
		if i+1 < len(front) {
			right = front[i+1][0]
		}
		out[i] = (right - v[0]) * (top - v[1])
		top = v[1]
	}
	return out
}

// Growing returns what adds vector i, of those given, to the ones that were added before, and
// returns by how much the volume that they dominate grows.
func Growing(values [][]float64, ref []float64) func(i int) float64 {
	if len(ref) == 2 {
		return newStaircase(values, ref).add
	}
	var added *node
	return func(i int) float64 {
		v := values[i]
		if added.covers(v) {
			return 0
		}
		gain := added.gain(v, ref)
		insert(&added, v)
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
	s := &staircase{values: values, ref: ref, order: lexicographic(values, lists.Every(len(values))),
		place: make([]int, len(values))}
	for p, i := range s.order {
		s.place[i] = p
	}
	s.on = make([]uint64, len(values)/64+1)
	return s
}

// add adds vector i and returns by how much the area grows.
func (s *staircase) add(i int) float64 {
	v, p, top := s.values[i], s.place[i], s.top(i)
	if !below(v, s.ref) || top <= v[1] {
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

// top is the least second entry of what was added and is no worse than vector i in the first:
// where that is no worse than the second entry of i either, i adds nothing.
func (s *staircase) top(i int) float64 {
	if k := s.before(s.place[i]); k >= 0 {
		return s.values[s.order[k]][1]
	}
	return s.ref[1]
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
