package pareto

import (
	"math"
	"slices"

	"bohier/internal/lists"
	"gonum.org/v1/gonum/floats"
)

// Units are powers of two, one for each entry, by which the larger of the two bounds is about 1: volumes of vectors in
// these units neither overflow nor vanish, and are otherwise the same to the bit.
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

// Hypervolume is the volume that the vectors dominate, up to ref. It takes n·log n time for two
// entries; for more it is the sum, over vectors, of the region that each dominates and later ones do not.
func Hypervolume(values [][]float64, ref []float64) float64 { return volume(Reduce(values, ref), ref) }

// volume is the hypervolume of a reduced front.
func volume(front [][]float64, ref []float64) float64 {
	switch {
	case len(front) == 0:
		return 0
	case len(ref) == 2: // sorted by the first entry, so falling in the second
		sum, top := 0.0, ref[1]
		for _, v := range front {
			sum += (ref[0] - v[0]) * (top - v[1])
			top = v[1]
		}
		return sum
	}
	// From the worst in the last entry on, so that few of those after cut a vector off.
	front = slices.Clone(front)
	last := len(ref) - 1
	slices.SortStableFunc(front, func(a, b []float64) int { return byEntry(last)(b, a) })
	grow, gain, sum := Growing(front, ref), make([]float64, len(front)), 0.0
	for i := range slices.Backward(front) {
		gain[i] = grow(i)
	}
	for _, g := range gain {
		sum += g
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

// Contributions are, for every vector, the volume that it alone dominates; 0 for a vector that is there twice.
func Contributions(front [][]float64, ref []float64) []float64 {
	return lists.Make(len(front), func(i int) float64 {
		return Gain(front[i], slices.Concat(front[:i], front[i+1:]), ref)
	})
}

// Pick picks n vectors of a reduced front, each the one that adds most to the volume that those before it dominate.
// Dropping the vectors that contribute least, one by one, leaves out as much.
func Pick(front [][]float64, ref []float64, n int) [][]float64 {
	if len(front) <= n {
		return front
	}
	// at most: it falls with every vector picked
	gain := lists.Of(front, func(v []float64) float64 { return Gain(v, nil, ref) })
	known := make([]int, len(front)) // the number of vectors that had been picked when it was found
	var out [][]float64
	for len(out) < n {
		most := floats.MaxIdx(gain)
		if known[most] == len(out) {
			out, gain[most] = append(out, front[most]), -1
			continue
		}
		gain[most], known[most] = Gain(front[most], out, ref), len(out)
	}
	return out
}

// Growing returns a function that adds vector i, of those given, to the ones added before, and returns by how much the
// volume that they dominate grows.
func Growing(values [][]float64, ref []float64) func(i int) float64 {
	nodes := lists.Of(values, func(v []float64) *node { return &node{v: v} })
	root := balanced(slices.Clone(nodes), nil, 0)
	return func(i int) float64 {
		if root.rank(values[i], 0) > 0 {
			return 0
		}
		gain := root.gain(values[i], ref)
		nodes[i].add(1)
		return gain
	}
}
