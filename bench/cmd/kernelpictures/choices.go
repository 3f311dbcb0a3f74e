package main

import (
	"bohier/internal/kernels"
	"bohier/internal/plot"
)

// grid is 0, 1/n, …, 1.
func grid(n int) []float64 {
	out := make([]float64, n+1)
	for k := range out {
		out[k] = float64(k) / float64(n)
	}
	return out
}

func numberAndChoice() []kernels.Coord {
	return []kernels.Coord{{Name: "x"}, {Name: "v", Levels: 3}}
}

var blending = map[string]float64{
	"fm.lengthscale": 0.15, "fm.beta": 1, "fm.alpha": 1, "add.": 0.5, "plain.theta": 40, "plain.theta[v]": 0.5,
}

// modulation shows how the correlation of two values of a choice changes with
// the distance of the numbers: the frequency modulation.
func modulation() plot.Figure {
	p := plot.Panel{
		X: plot.Axis{Label: "|x − x′|", Low: 0, High: 1},
		Y: plot.Axis{Label: "k(a, b) ÷ k(a, a)", Low: 0, High: 1.05},
	}
	x := grid(100)
	for tone, name := range []string{"modlap", "moddif", "prodlap", "addlap"} {
		cov := newCovariance(kernels.Spec{Name: name}, numberAndChoice(), blending)
		var same, other [][]float64
		for _, v := range x {
			same, other = append(same, []float64{v, 0}), append(other, []float64{v, 1})
		}
		y, own := cov.between([]float64{0, 0}, other), cov.between([]float64{0, 0}, same)
		for k := range y {
			y[k] /= own[k]
		}
		p.Series = append(p.Series, plot.Series{Label: name, Tone: plot.Tone(tone), X: x, Y: y})
	}
	return plot.Figure{Title: "how alike two values of a choice are", Width: 520, Height: 320, Panels: []plot.Panel{p}}
}
