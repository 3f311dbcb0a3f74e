package pareto

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Dominates reports whether a is no worse than b in every entry and better in one.
func Dominates(a, b []float64) bool { return notWorse(a, b) && !slices.Equal(a, b) }

func notWorse(a, b []float64) bool {
	for j, v := range a {
		if v > b[j] {
			return false
		}
	}
	return true
}

// Front are the indices of the vectors that no other one dominates, in their order.
// Equal vectors are all in it or none is.
func Front(values [][]float64) []int {
	var out []int
	for i, on := range onFront(values) {
		if on {
			out = append(out, i)
		}
	}
	return out
}

// manyVectors is the number from which ranking all of more than three entries takes less time
// than comparing each with the front.
const manyVectors = 2000

// onFront compares every vector with the undominated ones before it in lexicographic order: a
// vector is dominated by an earlier one only. With three entries at most the undominated ones are
// a staircase of the entries behind the first (Kung, Luccio & Preparata 1975). Vectors that the one
// of the least sum dominates, most of many, need no order.
func onFront(values [][]float64) []bool {
	out := make([]bool, len(values))
	var left []int
	if len(values) > 0 {
		least := slices.MinFunc(values, func(a, b []float64) int { return cmp.Compare(floats.Sum(a), floats.Sum(b)) })
		for i, v := range values {
			if !Dominates(least, v) {
				left = append(left, i)
			}
		}
	}
	if len(left) > manyVectors && len(values[0]) > 3 {
		for k, r := range Ranks(listed(values, left)) {
			out[left[k]] = r == 1
		}
		return out
	}
	left = lexicographic(values, left)
	dominated := untested(listed(values, left))
	for k, i := range left {
		if k > 0 && slices.Equal(values[i], values[left[k-1]]) {
			out[i] = out[left[k-1]]
		} else {
			out[i] = !dominated(k)
		}
	}
	return out
}

// listed are the vectors of a list of indices.
func listed(values [][]float64, list []int) [][]float64 {
	out := make([][]float64, len(list))
	for k, i := range list {
		out[k] = values[i]
	}
	return out
}

// untested returns what tells of unlike vectors, asked for in their lexicographic order, whether
// one of those before dominates the next.
func untested(values [][]float64) func(k int) bool {
	var kept [][]float64
	if len(values) == 0 || len(values[0]) > 3 {
		return func(k int) bool {
			if slices.ContainsFunc(kept, func(o []float64) bool { return Dominates(o, values[k]) }) {
				return true
			}
			kept = append(kept, values[k])
			return false
		}
	}
	plane := make([][]float64, len(values))
	for k, v := range values {
		plane[k] = append(make([]float64, 0, 2), v[1:]...)[:2]
	}
	s := newStaircase(plane, []float64{math.Inf(1), math.Inf(1)})
	return func(k int) bool {
		is := s.top(k) <= plane[k][1]
		s.add(k)
		return is
	}
}

// lexicographic puts indices of vectors in their order.
func lexicographic(values [][]float64, order []int) []int {
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(slices.Compare(values[a], values[b]), a-b) })
	return order
}

// Reduce is the front of the vectors that are below ref in every entry, each once, in
// lexicographic order: all that the dominated volume depends on.
func Reduce(values [][]float64, ref []float64) [][]float64 {
	var in [][]float64
	for _, v := range values {
		if below(v, ref) {
			in = append(in, v)
		}
	}
	var out [][]float64
	for _, i := range Front(in) {
		out = append(out, in[i])
	}
	slices.SortFunc(out, slices.Compare[[]float64])
	return slices.CompactFunc(out, slices.Equal[[]float64])
}

// every are the indices of n vectors.
func every(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

func below(v, ref []float64) bool {
	for j := range v {
		if !(v[j] < ref[j]) {
			return false
		}
	}
	return true
}

// Bounds are the least and the largest entries: the ideal and the nadir point of a
// front. There must be a vector.
func Bounds(values [][]float64) (ideal, nadir []float64) {
	ideal, nadir = slices.Clone(values[0]), slices.Clone(values[0])
	for _, v := range values[1:] {
		for j, x := range v {
			ideal[j], nadir[j] = min(ideal[j], x), max(nadir[j], x)
		}
	}
	return ideal, nadir
}

// Reference is the reference point of a front: a tenth of the front's extent beyond
// its nadir, in each entry. Where the extent is less than least, that counts.
func Reference(front [][]float64, least []float64) []float64 {
	ideal, nadir := Bounds(front)
	for j := range nadir {
		nadir[j] = min(nadir[j]+0.1*max(nadir[j]-ideal[j], least[j]), math.MaxFloat64)
	}
	return nadir
}

// augmentation is the weight of the sum in an achievement function.
const augmentation = 0.05

// Achievement is maxⱼ wⱼ·ȳⱼ + 0.05·Σⱼ wⱼ·ȳⱼ of each vector, ȳ the vector with the
// front's bounds at 0 and 1: least for the compromise that the weights ask for. An
// entry in which the front has no extent plays no part.
func Achievement(values [][]float64, weights, ideal, nadir []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		largest, sum := 0.0, 0.0
		for j, x := range v {
			if span := nadir[j] - ideal[j]; span > 0 {
				x = weights[j] * (x - ideal[j]) / span
				largest, sum = max(largest, x), sum+x
			}
		}
		out[i] = largest + augmentation*sum
	}
	return out
}

// Slopes are, for each vector, those of its Achievement by the entries.
func Slopes(values [][]float64, weights, ideal, nadir []float64) [][]float64 {
	out := make([][]float64, len(values))
	for i, v := range values {
		out[i] = make([]float64, len(v))
		largest, at := 0.0, -1
		for j, x := range v {
			if span := nadir[j] - ideal[j]; span > 0 {
				out[i][j] = augmentation * weights[j] / span
				if x = weights[j] * (x - ideal[j]) / span; at < 0 || x > largest {
					largest, at = x, j
				}
			}
		}
		if at >= 0 {
			out[i][at] += weights[at] / (nadir[at] - ideal[at])
		}
	}
	return out
}

// byEntry orders vectors by one entry, then by the others in order.
func byEntry(j int) func(a, b []float64) int {
	return func(a, b []float64) int {
		if c := cmp.Compare(a[j], b[j]); c != 0 {
			return c
		}
		return slices.Compare(a, b)
	}
}
