// Package statistics holds the tests and summaries by which benchmarks are judged.
package statistics

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

func Mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v / float64(len(x))
	}
	return sum
}

// Bootstrap is the 95 % percentile interval of the difference of the means.
func Bootstrap(g *rand.Rand, a, b []float64) (low, high float64) {
	again := func(x []float64) float64 {
		sum := 0.0
		for range x {
			sum += x[g.IntN(len(x))] / float64(len(x))
		}
		return sum
	}
	d := make([]float64, 4000)
	for k := range d {
		d[k] = again(a) - again(b)
	}
	slices.Sort(d)
	return d[len(d)/40], d[len(d)-1-len(d)/40]
}

// Ranks are mid-ranks, from 1, and the sum of t³ − t over groups of t ties.
func Ranks(x []float64) (out []float64, ties float64) {
	order := make([]int, len(x))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(x[i], x[j]) })
	out = make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, k := range order[from:to] {
			out[k] = float64(from+to+1) / 2
		}
		t := float64(to - from)
		ties += t*t*t - t
		from = to
	}
	return out, ties
}

// MannWhitney is the probability that a value of a is less than one of b, ties half (1 − Â12 of Vargha & Delaney 2000),
// and the two-sided p by the normal approximation with the correction for ties.
func MannWhitney(a, b []float64) (better, p float64) {
	r, ties := Ranks(slices.Concat(a, b))
	m, n := float64(len(a)), float64(len(b))
	u := m*n + m*(m+1)/2
	for k := range a {
		u -= r[k]
	}
	variance := m * n / 12 * (m + n + 1 - ties/((m+n)*(m+n-1)))
	if variance == 0 {
		return u / (m * n), 1
	}
	return u / (m * n), math.Erfc(math.Abs(u-m*n/2) / math.Sqrt(2*variance))
}

// SignedRanks is Wilcoxon's two-sided p that x lies around zero: exact, over all signs
// of the ranks; zeros are left out.
func SignedRanks(x []float64) float64 {
	x = slices.DeleteFunc(slices.Clone(x), func(v float64) bool { return v == 0 })
	size := make([]float64, len(x))
	for k, v := range x {
		size[k] = math.Abs(v)
	}
	r, _ := Ranks(size)
	most, sum := 0, 0
	for k, v := range x {
		twice := int(2 * r[k]) // mid-ranks are halves
		most += twice
		if v > 0 {
			sum += twice
		}
	}
	ways := make([]float64, most+1) // share of the signs with that sum
	ways[0] = 1
	for k := range x {
		twice := int(2 * r[k])
		for s := most; s >= 0; s-- {
			ways[s] /= 2
			if s >= twice {
				ways[s] += ways[s-twice] / 2
			}
		}
	}
	tail := 0.0
	for s := 0; s <= min(sum, most-sum); s++ {
		tail += ways[s]
	}
	return min(1, 2*tail)
}

// Holm adjusts p values for their number (Holm 1979).
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	out, least := make([]float64, len(p)), 0.0
	for k, i := range order {
		least = max(least, min(1, p[i]*float64(len(p)-k)))
		out[i] = least
	}
	return out
}

// Quantile is the q-th quantile, linear between order statistics; x is not changed.
func Quantile(x []float64, q float64) float64 {
	s := slices.Sorted(slices.Values(x))
	at := q * float64(len(s)-1)
	low := int(at)
	if low+1 >= len(s) {
		return s[len(s)-1]
	}
	// Equal ends first: infinite values have no difference.
	if s[low] == s[low+1] {
		return s[low]
	}
	return s[low] + (at-float64(low))*(s[low+1]-s[low])
}

// StandardError is that of the mean.
func StandardError(x []float64) float64 {
	m, sum := Mean(x), 0.0
	for _, v := range x {
		sum += (v - m) * (v - m)
	}
	n := float64(len(x))
	return math.Sqrt(sum / (n - 1) / n)
}
