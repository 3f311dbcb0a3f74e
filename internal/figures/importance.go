package figures

import (
	"fmt"

	"bohier/internal/plot"
)

// Importance shows the share of each parameter in the variation of what the
// surrogate predicts, and the rest, which only several parameters together explain.
// coupled says that constraints tie parameters together, so that shares overlap.
func Importance(s Source, coupled bool) plot.Figure {
	own := plot.Series{Kind: plot.Rows, Tone: 0}
	rest := plot.Series{Kind: plot.Rows, Tone: plot.Grey}
	y := plot.Axis{Down: true}
	sum := 0.0
	for k, imp := range s.Importance {
		y.Names = append(y.Names, imp.Name)
		own.X, own.Low, own.Y = append(own.X, 100*imp.Share), append(own.Low, 0), append(own.Y, float64(k))
		own.Words = append(own.Words, percent(imp.Share))
		own.Tips = append(own.Tips, imp.Name+"\n"+percent(imp.Share)+" by itself")
		sum += imp.Share
	}
	note := "Share of the variation of the predicted objective over the whole space; of a conditional parameter, where it is active."
	switch left := 1 - sum; {
	case coupled:
		note += " Constraints tie parameters together: shares overlap and need not add up to 100 %."
	case left > 0.005:
		y.Names = append(y.Names, "interactions")
		rest.X, rest.Low, rest.Y = []float64{100 * left}, []float64{0}, []float64{float64(len(s.Importance))}
		rest.Words, rest.Tips = []string{percent(left)}, []string{"what only several parameters together explain"}
		note += " Interactions are the rest to 100 %."
	}
	p := plot.Panel{X: plot.Axis{Label: "% of the variance"}, Y: y, Series: []plot.Series{own}}
	most := 0.0
	for _, v := range append(own.X, rest.X...) {
		most = max(most, v)
	}
	p.X.Low, p.X.High = 0, max(most, 1)
	if len(rest.X) > 0 {
		p.Series = append(p.Series, rest)
	}
	return plot.Figure{Title: s.title("importance"), Note: note, Height: 60 + 26*max(len(y.Names), 2), Panels: []plot.Panel{p}}
}

// Permutation shows how much of the variation is lost with each parameter's value, what it
// does together with others included.
func Permutation(s Source) plot.Figure {
	own := plot.Series{Kind: plot.Rows, Tone: 0}
	y := plot.Axis{Down: true}
	sum, most := 0.0, 1.0
	for k, imp := range s.Importance {
		y.Names = append(y.Names, imp.Name)
		own.X, own.Low, own.Y = append(own.X, 100*imp.Share), append(own.Low, 0), append(own.Y, float64(k))
		own.Words = append(own.Words, percent(imp.Share))
		own.Tips = append(own.Tips, imp.Name+"\n"+percent(imp.Share)+" is lost without its value")
		sum, most = sum+imp.Share, max(most, 100*imp.Share)
	}
	note := fmt.Sprintf("Share of the variation of the predicted objective that is lost where a parameter's values are shuffled among the configurations in which it is active. Shares of parameters that interact overlap: here they add up to %.0f %%.", 100*sum)
	p := plot.Panel{X: plot.Axis{Label: "% of the variance", Low: 0, High: most}, Y: y, Series: []plot.Series{own}}
	return plot.Figure{Title: s.title("importance by permutation"), Note: note, Height: 60 + 26*max(len(y.Names), 2), Panels: []plot.Panel{p}}
}

func percent(v float64) string {
	if v > 0 && v < 0.005 {
		return "< 1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*v)
}
