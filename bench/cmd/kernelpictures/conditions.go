package main

import (
	"bohier/internal/kernels"
	"bohier/internal/plot"
)

// The space of the pictures with a condition: x is always active, its child is
// active where x > ½. The child is a number, or one of three names.
const threshold = 0.5

func withNumber() []kernels.Coord {
	return []kernels.Coord{{Name: "x"}, {Name: "child", Conditional: true}}
}

func withChoice() []kernels.Coord {
	return []kernels.Coord{{Name: "x"}, {Name: "child", Levels: 3, Conditional: true}}
}

// at is the point (x, child), the child inactive below the threshold.
func at(x, child float64) []float64 {
	if x <= threshold {
		child = off
	}
	return []float64{x, child}
}

// moderate values of the hyperparameters of distances, for pictures.
var moderate = map[string]float64{
	"plain.theta": 12, "flat.theta": 4, "arc.omega": 0.8, "arc.rho": 0.7,
	"imp.theta": 4, "imp.rho": 0.95, "box.h": 0.3, "ico.theta": 4, "ico.rho": 0.6,
	"imparc.arc": 0.3, "imparc.rho_arc": 0.7, "imparc.imp": 3, "imparc.rho_imp": 0.95,
	"fm.lengthscale": 0.35, "fm.beta": 0.4, "fm.inactive": 0.6, "fm.alpha": 1,
}

// moving is x from 0 to 1 with a break at the threshold.
func moving(child float64) (x []float64, rows [][]float64) {
	const n = 100
	for k := range n + 1 {
		v := float64(k) / n
		x, rows = append(x, v), append(rows, at(v, child))
		if v == threshold {
			x, rows = append(x, v+1e-9), append(rows, at(v+1e-9, child))
		}
	}
	return x, rows
}

// crossing shows k(·, x′) while a point moves over the threshold.
func crossing() plot.Figure {
	f := plot.Figure{Title: "k(x, x′) as x crosses the condition x > 0.5 of its child", Columns: 4, Width: 300,
		Height: 270}
	panel := func(title string, cov covariance, near, far float64, words [2]string) {
		p := plot.Panel{Title: title, X: plot.Axis{Label: "x", Low: 0, High: 1}, Y: plot.Axis{Low: 0, High: 1.08}}
		for tone, from := range [][]float64{at(0.4, off), at(0.6, near)} {
			for k, child := range []float64{near, far} {
				x, rows := moving(child)
				s := plot.Series{Tone: plot.Tone(tone), X: x, Y: cov.between(from, rows), Kind: plot.Line}
				if k == 1 {
					s.Kind = plot.Dashed
				}
				p.Series = append(p.Series, s)
			}
			s := plot.Series{Tone: plot.Tone(tone), Kind: plot.Dots, X: []float64{from[0]},
				Y: cov.between(from, [][]float64{from})}
			s.Label = "x′ off"
			if tone == 1 {
				s.Label = "x′ on, child " + words[0]
			}
			p.Series = append(p.Series, s)
		}
		p.Series = append(p.Series,
			plot.Series{Tone: plot.Grey, Kind: plot.Line, Label: "child " + words[0]},
			plot.Series{Tone: plot.Grey, Kind: plot.Dashed, Label: words[1]})
		f.Panels = append(f.Panels, p)
	}
	for _, name := range []string{"matern52", "arc", "imp", "box", "imparc", "ico", "hmodlap"} {
		title := name
		if name == "matern52" {
			title = "matern52 (flat)"
		}
		panel(title, newCovariance(kernels.Spec{Name: name}, withNumber(), moderate), 0.5, 0.95, [2]string{"0.5", "0.95"})
	}
	panel("hmodlap, child a choice", newCovariance(kernels.Spec{Name: "hmodlap", Normalize: true}, withChoice(), moderate),
		0, 1, [2]string{"a", "b"})
	return f
}
