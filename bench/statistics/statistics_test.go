package statistics

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Against scipy.stats 1.17 (wilcoxon exact, mannwhitneyu without continuity).
func TestStatistics(t *testing.T) {
	near(t, "signed ranks", SignedRanks([]float64{-1.2, 0.4, -0.3, -2.5, -0.9, 0.1, -1.7, 0.6}), 0.1953125, 1e-9)
	near(t, "signed ranks, a zero, a tie", SignedRanks([]float64{1, -1, 0}), 1, 1e-9)
	near(t, "one sign", SignedRanks([]float64{1, 2, 3, 4, 5}), 2.0/32, 1e-9)
	better, p := MannWhitney([]float64{1, 2, 2, 3, 5, 8}, []float64{2, 4, 4, 6, 7, 9, 9})
	near(t, "probability", better, 32.0/42, 1e-9)
	near(t, "p", p, 0.11307037495798453, 1e-9)
	if better, p := MannWhitney([]float64{1, 1}, []float64{1, 1, 1}); better != 0.5 || p != 1 {
		t.Errorf("all equal: %v, p %v", better, p)
	}
	for k, want := range []float64{0.03, 0.072, 0.072, 1} {
		near(t, "holm", Holm([]float64{0.0075, 0.024, 0.03, 1})[k], want, 1e-9)
	}
}

// Against scipy.stats 1.17 (friedmanchisquare, studentized_range with infinitely many
// degrees of freedom) and Demšar 2006, Table 5.
func TestBlocks(t *testing.T) {
	blocks := [][]float64{{1.2, 0.4, 0.9, 3}, {2, 2, 1, 5}, {0.1, 0.2, 0.3, 0.4}, {7, 1, 1, 1}, {3, 1, 2, 9}}
	chi2, p := Friedman(blocks)
	near(t, "statistic of Friedman", chi2, 7.133333333333335, 1e-12)
	near(t, "its p", p, 0.06776725005192953, 1e-12)
	if chi2, p := Friedman([][]float64{{1}, {2}}); chi2 != 0 || p != 1 {
		t.Errorf("one treatment: %v, p %v", chi2, p)
	}
	if chi2, p := Friedman([][]float64{{1, 1}, {2, 2}}); chi2 != 0 || p != 1 {
		t.Errorf("all tied: %v, p %v", chi2, p)
	}
	near(t, "range of 4", RangeSurvival(3, 4), 0.14627148104765975, 1e-9)
	near(t, "range of 6", RangeSurvival(4.030, 6), 0.0500091758360105, 1e-9)
	near(t, "range of 3", RangeSurvival(1, 3), 0.7592873587706612, 1e-9)

	ranks := MeanRanks(blocks)
	for k, want := range []float64{2.7, 1.7, 2, 3.6} {
		near(t, "mean rank", ranks[k], want, 1e-12)
	}
	n := Nemenyi(blocks)
	near(t, "a pair", n[0][1], RangeSurvival(1/math.Sqrt(20.0/60), 4), 1e-12)
	if n[1][0] != n[0][1] || n[2][2] != 1 {
		t.Errorf("the matrix of p is not symmetric with ones on the diagonal: %v", n)
	}
}

func TestSummaries(t *testing.T) {
	x := []float64{4, 1, math.Inf(1), 2}
	near(t, "median", Median(x), 3, 0)
	near(t, "quarter", Quantile(x, 0.25), 1.75, 1e-12)
	if !math.IsInf(Quantile(x, 1), 1) || !math.IsInf(Median([]float64{math.Inf(1), math.Inf(1)}), 1) || x[0] != 4 {
		t.Error("the largest is not infinite, or the values moved")
	}
	near(t, "standard error", StandardError([]float64{1, 2, 3, 6}), math.Sqrt(14.0/3/4), 1e-12)
}
