package zaefferer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"bohier/bench/orders"
	"bohier/internal/plot"
)

// draw writes the paper's figures into a directory: the median errors (Figure 2), slices
// of fitted models (Figure 3) and the ordered graphs (Figures 4 and 5).
func draw(e *evidence, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	fits, err := slices3()
	if err != nil {
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
		"zaefferer-slices.svg":   fits.SVG(plot.Auto),
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
					s.X, s.Y = append(s.X, d), append(s.Y, e.median(Model{k, true, protocol}, Setting{b, c, d}))
				}
				p.Series = append(p.Series, s)
			}
			f.Panels = append(f.Panels, p)
		}
	}
	return f
}

// slices3 shows f and the six models of one design along x1, at two values of x2.
func slices3() (plot.Figure, error) {
	f := plot.Figure{Title: "Models of ten points, b = 0.1, c = 0.4, d = 0.7", Columns: 2, Width: 480, Height: 320}
	setting := Setting{0.1, 0.4, 0.7}
	train := uniform(rand.New(rand.NewPCG(Key{Setting: setting}.seed(), 1)), 10)
	for _, x2 := range []float64{0.5, 0.75} {
		var at [][2]float64
		var x1 []float64
		const n = 200
		for k := range n + 1 {
			x1 = append(x1, float64(k)/n)
			at = append(at, [2]float64{float64(k) / n, x2})
		}
		p := plot.Panel{Title: fmt.Sprintf("x2 = %g", x2), X: plot.Axis{Label: "x1", Low: 0, High: 1}, Y: plot.Axis{Label: "f"}}
		p.Series = append(p.Series, plot.Series{Label: "f", Kind: plot.Dashed, Tone: plot.Grey, X: x1, Y: setting.values(at)})
		for tone, k := range paper {
			m := Model{k, true, protocol}
			x, y := setting.encode(train, m.hierarchy()), setting.values(train)
			fit, rep, err := m.fit(context.Background(), x, y, 1)
			if err != nil {
				return f, err
			}
			mean := make([]float64, len(at))
			if err := m.predict(fit, rep, x, y, setting.encode(at, m.hierarchy()), mean); err != nil {
				return f, err
			}
			p.Series = append(p.Series, plot.Series{Label: k, Kind: plot.Line, Tone: plot.Tone(tone), X: x1, Y: mean})
		}
		f.Panels = append(f.Panels, p)
	}
	return f, nil
}
