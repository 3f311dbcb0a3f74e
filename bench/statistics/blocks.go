package statistics

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// MeanRanks ranks the treatments within every block, 1 for the least value and mid-ranks for ties, and returns each
// treatment's mean over the blocks. Blocks is n×k: n blocks of k treatments each.
func MeanRanks(blocks [][]float64) []float64 {
	out := make([]float64, len(blocks[0]))
	for _, b := range blocks {
		r, _ := Ranks(b)
		for k, v := range r {
			out[k] += v / float64(len(blocks))
		}
	}
	return out
}

// Friedman is the statistic of Friedman (1937), corrected for ties, that k treatments differ over n blocks, and its p
// by the χ² distribution with k − 1 degrees of freedom. Where every block is tied, and of one treatment, p is 1.
func Friedman(blocks [][]float64) (chi2, p float64) {
	n, k := float64(len(blocks)), float64(len(blocks[0]))
	ties := 0.0
	for _, b := range blocks {
		_, t := Ranks(b)
		ties += t
	}
	for _, r := range MeanRanks(blocks) {
		chi2 += (r - (k+1)/2) * (r - (k+1)/2)
	}
	chi2 *= 12 * n / (k * (k + 1))
	untied := 1 - ties/(n*k*(k*k-1))
	if !(untied > 0) { // also of one treatment, where it is 0/0
		return 0, 1
	}
	chi2 /= untied
	return chi2, distuv.ChiSquared{K: k - 1}.Survival(chi2)
}

// Nemenyi is the p of every pair of treatments after Friedman's test (Nemenyi 1963 in the form of Demšar 2006): the
// difference of the mean ranks in units of √(k(k+1)/(12n)) against the studentized range of k means. The matrix is
// symmetric, with 1 on the diagonal.
func Nemenyi(blocks [][]float64) [][]float64 {
	ranks := MeanRanks(blocks)
	n, k := float64(len(blocks)), len(ranks)
	unit := math.Sqrt(float64(k*(k+1)) / (12 * n))
	p := make([][]float64, k)
	for i := range p {
		p[i] = make([]float64, k)
		for j := range p[i] {
			p[i][j] = RangeSurvival(math.Abs(ranks[i]-ranks[j])/unit, k)
		}
	}
	return p
}

// RangeSurvival is the probability that the range of k independent standard normal variables exceeds q (Tukey's
// studentized range with infinitely many degrees of freedom): 1 − k ∫ φ(z) (Φ(z) − Φ(z − q))^(k−1) dz.
func RangeSurvival(q float64, k int) float64 {
	if q <= 0 {
		return 1
	}
	// The trapezoidal rule on an analytic integrand that vanishes at both ends errs by less than rounding at this step.
	const step, end = 0.05, 9.0
	inside := 0.0
	for z := -end; z <= end+q; z += step {
		inside += step * distuv.UnitNormal.Prob(z) * math.Pow(distuv.UnitNormal.CDF(z)-distuv.UnitNormal.CDF(z-q),
			float64(k-1))
	}
	return max(0, 1-float64(k)*inside)
}

// Median is the middle value, the mean of both where there are two; x is not changed.
func Median(x []float64) float64 { return Quantile(x, 0.5) }
