package zaefferer

import (
	"fmt"
	"os"
	"path/filepath"

	"bohier/bench/orders"
	"bohier/internal/plot"
)

// draw writes figures of the paper into a directory: the median errors (Figure 2) and the
// ordered graphs (Figures 4 and 5).
func draw(e *evidence, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var list []*orders.Order
	titles := []string{"All situations"}
	list = append(list, e.order(paper, Situations))
	for at := range letters(Situations) {
		titles, list = append(titles, "Situation "+at), append(list, e.order(paper, at))
	}
	for name, data := range map[string][]byte{
		"zaefferer-models.svg":   medians(e).SVG(plot.Auto),
		"zaefferer-searches.svg": orders.SVG(titles, list),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// medians shows the median error of every kernel over d, a panel for each b and c.
func medians(e *evidence) plot.Figure {
	f := plot.Figure{Title: "Median RMSE of models of ten points", Columns: 4, Width: 300, Height: 260}
	for _, b := range []float64{0, 0.1} {
		for _, c := range []float64{.2, .4, .6, .8} {
			p := plot.Panel{
				Title: fmt.Sprintf("b = %g, c = %g", b, c),
				X:     plot.Axis{Label: "d", Low: 0, High: 1}, Y: plot.Axis{Label: "RMSE", Low: 0, High: 0.2},
			}
			for tone, k := range paper {
				s := plot.Series{Label: k, Kind: plot.Line, Tone: plot.Tone(tone)}
				if len(f.Panels) > 0 {
					s.Label = "" // one legend is enough
				}
				for _, d := range []float64{.1, .3, .5, .7, .9} {
					s.X, s.Y = append(s.X, d), append(s.Y, e.median(Model{k, protocol}, Setting{b, c, d}))
				}
				p.Series = append(p.Series, s)
			}
			f.Panels = append(f.Panels, p)
		}
	}
	return f
}
