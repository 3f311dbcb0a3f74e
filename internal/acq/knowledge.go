package acq

import (
	"cmp"
	"math"
	"slices"

	"bohier/internal/lists"
)

// KnowledgeGradient is E maxᵢ(aᵢ + bᵢ·Z) − maxᵢ aᵢ for standard normal Z: the expected worth of
// one measurement, after which means are aᵢ + bᵢ·Z, if the largest is taken (Frazier, Powell &
// Dayanik 2009, doi:10.1287/ijoc.1080.0314, algorithm 1). There must be a pair, and as many of a as of b.
func KnowledgeGradient(a, b []float64) float64 {
	type line struct{ a, b float64 }
	lines := lists.Make(len(a), func(i int) line { return line{a[i], b[i]} })
	slices.SortFunc(lines, func(x, y line) int { return cmp.Or(cmp.Compare(x.b, y.b), cmp.Compare(x.a, y.a)) })
	var top []line     // lines of the upper envelope, slopes rising
	var from []float64 // where each begins to be the highest
	for _, l := range lines {
		start := math.Inf(-1)
		for n := len(top); n > 0; n = len(top) {
			if last := top[n-1]; l.b > last.b {
				start = (last.a - l.a) / (l.b - last.b)
				if start > from[n-1] {
					break
				}
				start = math.Inf(-1)
			}
			top, from = top[:n-1], from[:n-1]
		}
		top, from = append(top, l), append(from, start)
	}
	sum := 0.0
	for i := 1; i < len(top); i++ {
		logh, _ := logImprovement(-math.Abs(from[i]))
		sum += (top[i].b - top[i-1].b) * math.Exp(logh)
	}
	return sum
}
