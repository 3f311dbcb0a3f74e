package figures

import (
	"bohier/internal/plot"
	"bohier/internal/report"
)

// Importance shows the share of each parameter in the variation of the surrogate's predictions, and the rest, which
// only several parameters together explain. Where constraints tie parameters together, shares overlap.
func Importance(s Source) plot.Figure {
	own, rest := plot.Series{Kind: plot.Rows, Tone: 0}, 1.0
	p := plot.Panel{X: plot.Axis{Label: "% of the variance", High: 1}, Y: plot.Axis{Down: true}}
	for k, imp := range s.Importance {
		p.Y.Names = append(p.Y.Names, imp.Name)
		own.X, own.Low, own.Y = append(own.X, 100*imp.Share), append(own.Low, 0), append(own.Y, float64(k))
		own.Words = append(own.Words, report.Percent(imp.Share))
		own.Tips = append(own.Tips, imp.Name+"\n"+report.Percent(imp.Share)+" by itself")
		p.X.High = max(p.X.High, 100*imp.Share)
		rest -= imp.Share
	}
	p.Series = []plot.Series{own}
	note := "Share of the variation of the predicted objective over the whole space; of a conditional parameter, where " +
		"it is active."
	switch {
	case s.Study.Space.Coupled():
		note += " Constraints tie parameters together: shares overlap and need not add up to 100 %."
	case rest > 0.005:
		p.Series = append(p.Series, plot.Series{
			Kind: plot.Rows, Tone: plot.Grey, X: []float64{100 * rest}, Low: []float64{0},
			Y:     []float64{float64(len(s.Importance))},
			Words: []string{report.Percent(rest)}, Tips: []string{"explained only by several parameters together"},
		})
		p.Y.Names, p.X.High = append(p.Y.Names, "interactions"), max(p.X.High, 100*rest)
		note += " Interactions are the rest to 100 %."
	}
	return plot.Figure{Title: s.title("importance"), Note: note, Height: 60 + 26*max(len(p.Y.Names), 2),
		Panels: []plot.Panel{p}}
}
