package pareto

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/lists"
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
	if len(values) == 0 {
		return nil
	}
	least := slices.MinFunc(values, func(a, b []float64) int { return cmp.Compare(floats.Sum(a), floats.Sum(b)) })
	// Most of many are dominated by the one of the least sum.
	left := lists.Where(len(values), func(i int) bool { return !Dominates(least, values[i]) })
	on := ranks(values, left, 1)
	return lists.Where(len(values), func(i int) bool { return on[i] == 1 })
}

// lexicographic puts indices of vectors in their order.
func lexicographic(values [][]float64, order []int) []int {
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(slices.Compare(values[a], values[b]), a-b) })
	return order
}

// Reduce is the front of the vectors that are below ref in every entry, each once, in
// lexicographic order: all that the dominated volume depends on.
func Reduce(values [][]float64, ref []float64) [][]float64 {
	in := lists.Only(values, func(v []float64) bool { return below(v, ref) })
	out := lists.At(in, Front(in))
	slices.SortFunc(out, slices.Compare[[]float64])
	return slices.CompactFunc(out, slices.Equal[[]float64])
}

func below(v, ref []float64) bool {
	for j := range v {
		if !(v[j] < ref[j]) {
			return false
		}
	}
	return true
}

// Bounds are the least and the largest entries: the ideal and the nadir point of a front. There must be a vector.
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

// Achievement is maxⱼ wⱼ·ȳⱼ + 0.05·Σⱼ wⱼ·ȳⱼ of each vector, ȳ the vector with the front's bounds at 0 and 1: least for
// the compromise that the weights ask for. An entry in which the front has no extent plays no part.
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
