package main

import (
	"fmt"

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

func line(values []float64) [][]float64 {
	rows := make([][]float64, len(values))
	for k, v := range values {
		rows[k] = []float64{v}
	}
	return rows
}

// profiles shows the base functions against the distance, by points on a line
// with θ = 1.
func profiles() plot.Figure {
	p := plot.Panel{X: plot.Axis{Label: "distance r", Low: 0, High: 3}, Y: plot.Axis{Label: "κ(r)", Low: 0, High: 1.05}}
	x := grid(150)
	for tone, base := range kernels.Bases() {
		cov := newCovariance(kernels.Spec{Name: base}, []kernels.Coord{{Name: "u"}}, map[string]float64{"plain.theta": 9, "flat.theta": 9, "rq.alpha": 1})
		s := plot.Series{Label: base, Tone: plot.Tone(tone), Y: cov.between([]float64{0}, line(x))}
		for _, v := range x {
			s.X = append(s.X, 3*v)
		}
		p.Series = append(p.Series, s)
	}
	return plot.Figure{Title: "base functions", Width: 520, Height: 320, Panels: []plot.Panel{p}}
}

// lengthSamples shows functions of matern52 for three lengthscales.
func lengthSamples() plot.Figure {
	f := plot.Figure{Title: "functions drawn from matern52", Columns: 3, Width: 280, Height: 230}
	x := grid(120)
	for _, l := range []float64{0.1, 0.3, 1} {
		p := plot.Panel{Title: fmt.Sprintf("lengthscale %v (flat.theta = %.4g)", l, 1/(l*l)), X: plot.Axis{Label: "x", Low: 0, High: 1}}
		cov := newCovariance(kernels.Spec{Name: "matern52"}, []kernels.Coord{{Name: "x"}}, map[string]float64{"plain.theta": 1 / (l * l), "flat.theta": 1 / (l * l)})
		for seed := range 3 {
			p.Series = append(p.Series, plot.Series{Tone: plot.Tone(seed), X: x, Y: cov.sample(line(x), uint64(seed))})
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

var letters = []string{"a", "b", "c", "d", "e"}

// graphs shows k(v, v′) of lap on five values, with v held.
func graphs() plot.Figure {
	f := plot.Figure{Title: "lap: k(v, v′) on three graphs of five values", Columns: 3, Width: 280, Height: 240}
	for _, g := range []struct {
		name  string
		graph *kernels.Graph
		from  float64
	}{{"complete, v = a", nil, 0}, {"path a–b–c–d–e, v = a", kernels.PathGraph(5), 0}, {"star with centre a, v = b", kernels.StarGraph(5), 1}} {
		p := plot.Panel{Title: g.name, X: plot.Axis{Label: "v′", Names: letters}, Y: plot.Axis{Low: 0, High: 1.05}}
		for tone, beta := range []float64{0.1, 1, 10} {
			cov := newCovariance(kernels.Spec{Name: "lap"}, []kernels.Coord{{Name: "v", Levels: 5, Graph: g.graph}}, map[string]float64{"fm.beta": beta})
			y := cov.between([]float64{g.from}, line([]float64{0, 1, 2, 3, 4}))
			p.Series = append(p.Series,
				plot.Series{Label: fmt.Sprintf("β = %v", beta), Tone: plot.Tone(tone), Kind: plot.Dots, X: []float64{0, 1, 2, 3, 4}, Y: y},
				plot.Series{Tone: plot.Tone(tone), X: []float64{0, 1, 2, 3, 4}, Y: y})
		}
		f.Panels = append(f.Panels, p)
	}
	return f
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

// choiceSamples shows one function of a number and a choice of three values.
func choiceSamples() plot.Figure {
	f := plot.Figure{Title: "a function of a number x and a choice, drawn from each kernel", Columns: 4, Width: 280, Height: 240}
	x := grid(60)
	var rows [][]float64
	for v := range 3 {
		for _, u := range x {
			rows = append(rows, []float64{u, float64(v)})
		}
	}
	for _, name := range []string{"matern52", "modlap", "prodlap", "addlap"} {
		y := newCovariance(kernels.Spec{Name: name}, numberAndChoice(), blending).sample(rows, 3)
		p := plot.Panel{Title: name, X: plot.Axis{Label: "x", Low: 0, High: 1}}
		for v := range 3 {
			p.Series = append(p.Series, plot.Series{Label: letters[v], Tone: plot.Tone(v), X: x, Y: y[v*len(x) : (v+1)*len(x)]})
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}
