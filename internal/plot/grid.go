package plot

import (
	"math"
	"strings"

	"bohier/internal/text"
)

// A grid is rows of single characters, the uppermost first.
type grid [][]string

func newGrid(rows, cells int) grid {
	g := make(grid, rows)
	for r := range g {
		g[r] = make([]string, cells)
		for c := range g[r] {
			g[r][c] = " "
		}
	}
	return g
}

func (g grid) row(r int) string { return strings.TrimRight(strings.Join(g[r], ""), " ") }

func (g grid) set(x, y float64, mark string) {
	if bad(x + y) {
		return
	}
	c, r := int(math.Round(x)), int(math.Round(y))
	if r >= 0 && r < len(g) && c >= 0 && c < len(g[r]) {
		g[r][c] = mark
	}
}

// down fills a column between two heights.
func (g grid) down(x, from, to float64, mark string) {
	from, to = max(min(from, to), 0), min(max(from, to), float64(len(g)-1))
	for y := math.Round(from); y <= to; y++ {
		g.set(x, y, mark)
	}
}

func (g grid) series(s Series, xs, ys scale) {
	switch s.Kind {
	case Rug:
		for k := range s.X {
			g.set(xs.at(s.X[k]), float64(len(g)-1), s.sign())
		}
		return
	case Rows, Strips:
		for k := range s.X {
			from, to := xs.at(s.Low[k]), xs.at(s.X[k])
			if bad(from + to) {
				continue
			}
			for x := math.Round(max(from, 0)); x <= min(to, xs.to); x++ {
				if s.Kind == Strips {
					g.down(x, 0, float64(len(g)-1), s.sign())
					continue
				}
				g.set(x, ys.at(s.Y[k]), s.sign())
			}
		}
		return
	}
	for _, r := range runs(s, xs, ys) {
		if s.Kind == Stairs {
			r = r.stairs()
		}
		for k := range r.x {
			switch s.Kind {
			case Bars:
				g.down(r.x[k], r.low[k], r.y[k], s.sign())
			case Dots, Crosses, Rings, Stars:
				g.set(r.x[k], r.y[k], s.sign())
			default:
				g.segment(r, k, s.Kind, s.sign())
			}
		}
	}
}

// segment draws from the point before k to point k, column by column.
func (g grid) segment(r line, k int, kind Kind, sign string) {
	from := max(k-1, 0)
	steps := max(math.Abs(r.x[k]-r.x[from]), math.Abs(r.y[k]-r.y[from]), 1)
	if steps > 1e4 {
		steps = 1e4
	}
	for i := 0.0; i <= steps; i++ {
		f := i / steps
		x, y := r.x[from]+f*(r.x[k]-r.x[from]), r.y[from]+f*(r.y[k]-r.y[from])
		if kind == Band {
			g.down(x, r.low[from]+f*(r.low[k]-r.low[from]), y, sign)
			continue
		}
		if kind == Dashed && int(math.Round(x))%2 != 0 {
			continue
		}
		g.set(x, y, sign)
	}
}

// shadings are from the best to the worst.
var shadings = [5]string{"█", "▓", "▒", "░", " "}

// surface fills the grid with the nearest value of the surface.
func (g grid) surface(f *Surface, xs, ys scale) {
	x, y := places(f.X, xs), places(f.Y, ys)
	for r := range g {
		for c := range g[r] {
			j, k := nearest(y, float64(r)), nearest(x, float64(c))
			v := (f.Z[j][k] - f.Best) / (f.Worst - f.Best)
			switch {
			case f.Veil != nil && f.Veil[j][k] < 0.5:
				g[r][c] = "/"
			case !bad(v):
				g[r][c] = shadings[int(min(max(v*5, 0), 4))]
			}
		}
	}
}

func nearest(list []float64, v float64) int {
	best := 0
	for k := range list {
		if math.Abs(list[k]-v) < math.Abs(list[best]-v) {
			best = k
		}
	}
	return best
}

// write puts a text into the first row, moved to the left where it would not fit.
func (g grid) write(x int, s string) {
	cells := strings.Split(s, "")
	x = max(min(x, len(g[0])-text.Columns(s)), 0)
	for _, c := range cells {
		if x < len(g[0]) {
			g[0][x] = c
		}
		for w := text.Columns(c); w > 1; w-- { // a wide character takes the next cell, too
			if x++; x < len(g[0]) {
				g[0][x] = ""
			}
		}
		x++
	}
}
