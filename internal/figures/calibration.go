package figures

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"

	"bohier/internal/lists"
	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/study"
)

// Calibration shows whether predictions keep their promises: the share of values inside the central intervals of each
// nominal coverage, within the band that holds nine in ten of calibrated surrogates at each of them; and every value
// against its prediction.
func Calibration(s Source, l study.LeftOut) plot.Figure {
	n := len(l.Level)
	var nominal, share, low, high []float64
	for k := range 101 {
		p := float64(k) / 100
		inside := len(lists.Only(l.Level, func(u float64) bool { return math.Abs(2*u-1) <= p }))
		nominal = append(nominal, p)
		share = append(share, float64(inside)/float64(n))
		low = append(low, float64(binomialQuantile(n, p, 0.05))/float64(n))
		high = append(high, float64(binomialQuantile(n, p, 0.95))/float64(n))
	}
	coverage := plot.Panel{
		Title: fmt.Sprintf("coverage of %d values left out", n),
		X:     plot.Axis{Label: "nominal coverage", Low: 0, High: 1},
		Y:     plot.Axis{Label: "observed coverage", Low: 0, High: 1},
		Series: []plot.Series{
			{Kind: plot.Band, Tone: plot.Grey, Label: "90 % of calibrated ones", X: nominal, Y: high, Low: low},
			{Kind: plot.Dashed, Tone: plot.Grey, X: []float64{0, 1}, Y: []float64{0, 1}},
			{Kind: plot.Line, Label: "surrogate", X: nominal, Y: share},
		},
	}
	from, to := math.Inf(1), math.Inf(-1)
	for _, v := range l.Observed {
		from, to = min(from, v), max(to, v)
	}
	pad := 0.04 * (to/2 - from/2)
	from, to = from-pad, to+pad
	predicted := plot.Panel{
		Title: "each value, predicted from the others",
		X:     plot.Axis{Label: "observed " + s.Study.Objective().Name, Low: from, High: to},
		Y:     plot.Axis{Label: "predicted"},
		Series: []plot.Series{
			{Kind: plot.Dashed, Tone: plot.Grey, X: []float64{from, to}, Y: []float64{from, to}},
			{Kind: plot.Bars, Tone: plot.Grey, Label: "90 % interval", X: l.Observed, Y: l.High, Low: l.Low},
			{Kind: plot.Dots, Label: "mean", X: l.Observed, Y: l.Mean, Trials: s.measuring(l.Observed)},
		},
	}
	return plot.Figure{Title: s.title("calibration"), Columns: 2, Width: 440, Height: 420,
		Panels: []plot.Panel{coverage, predicted}}
}

// measuring finds the trials by their values, 0 where several or none have one.
func (s Source) measuring(values []float64) []int {
	by := map[string]int{}
	for k := range s.Trials {
		if v, ok := s.value(&s.Trials[k]); ok {
			by[report.Rounded(v)] = s.Trials[k].Number
		}
	}
	return lists.Of(values, func(v float64) int { return by[report.Rounded(v)] })
}

// binomialQuantile is the least k with P(X ≤ k) ≥ q for X the number of successes in n draws of probability p.
func binomialQuantile(n int, p, q float64) int {
	return sort.Search(n, func(k int) bool {
		// P(X ≤ k) = I_{1−p}(n−k, k+1), the regularised incomplete beta function.
		return mathext.RegIncBeta(float64(n-k), float64(k+1), max(1-p, 0)) >= q
	})
}
