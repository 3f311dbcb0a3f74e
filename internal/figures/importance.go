package figures

import (
	"fmt"

	"bohier/internal/plot"
)

// Importance shows the share of each parameter in the variation of what the
// surrogate predicts, and the rest, which only several parameters together explain.
// coupled says that constraints tie parameters together, so that shares overlap.
func Importance(s Source, coupled bool) plot.Figure {
	p, sum := s.bars(" by itself")
	note := "Share of the variation of the predicted objective over the whole space; of a conditional parameter, where " +
		"it is active."
	switch left := 1 - sum; {
	case coupled:
		note += " Constraints tie parameters together: shares overlap and need not add up to 100 %."
	case left > 0.005:
		p.Series = append(p.Series, plot.Series{
			Kind: plot.Rows, Tone: plot.Grey, X: []float64{100 * left}, Low: []float64{0},
			Y:     []float64{float64(len(s.Importance))},
			Words: []string{percent(left)}, Tips: []string{"what only several parameters together explain"},
		})
		p.Y.Names, p.X.High = append(p.Y.Names, "interactions"), max(p.X.High, 100*left)
		note += " Interactions are the rest to 100 %."
	}
	return barChart(s.title("importance"), note, p)
}

// Permutation shows how much of the variation is lost with each parameter's value, what it
// does together with others included.
func Permutation(s Source) plot.Figure {
	p, sum := s.bars(" is lost without its value")
	note := "Share of the variation of the predicted objective that is lost where a parameter's values are shuffled " +
		"among the configurations in which it is active. Shares of parameters that interact overlap: here they add up to " +
		"%.0f %%."
	return barChart(s.title("importance by permutation"), fmt.Sprintf(note, 100*sum), p)
}

// bars is a bar for each parameter, and the sum of all; of them says what a share is.
func (s Source) bars(of string) (p plot.Panel, sum float64) {
	own := plot.Series{Kind: plot.Rows, Tone: 0}
	p.X, p.Y = plot.Axis{Label: "% of the variance", High: 1}, plot.Axis{Down: true}
	for k, imp := range s.Importance {
		p.Y.Names = append(p.Y.Names, imp.Name)
		own.X, own.Low, own.Y = append(own.X, 100*imp.Share), append(own.Low, 0), append(own.Y, float64(k))
		own.Words = append(own.Words, percent(imp.Share))
		own.Tips = append(own.Tips, imp.Name+"\n"+percent(imp.Share)+of)
		sum += imp.Share
		p.X.High = max(p.X.High, 100*imp.Share)
	}
	p.Series = []plot.Series{own}
	return p, sum
}

func barChart(title, note string, p plot.Panel) plot.Figure {
	return plot.Figure{Title: title, Note: note, Height: 60 + 26*max(len(p.Y.Names), 2), Panels: []plot.Panel{p}}
}

func percent(v float64) string {
	if v > 0 && v < 0.005 {
		return "< 1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*v)
}
