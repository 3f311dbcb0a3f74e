package plot

import (
	"math"
	"slices"

	"bohier/internal/lists"
)

// surface fills the drawing: contours between numbers, cells where an axis is a
// choice. On top, a veil over the forbidden region.
func (d drawing) surface(p Panel, xs, ys scale) {
	f := p.Surface
	worse := make([][]float64, len(f.Z)) // 0 the best, 1 the worst
	for j := range f.Z {
		worse[j] = make([]float64, len(f.Z[j]))
		for k, z := range f.Z[j] {
			worse[j][k] = (z - f.Best) / (f.Worst - f.Best)
			if f.Worst == f.Best && !math.IsNaN(z) {
				worse[j][k] = 0.5
			}
		}
	}
	x, y := lists.Of(f.X, xs.at), lists.Of(f.Y, ys.at)
	if p.X.Names != nil || p.Y.Names != nil {
		d.cells(x, y, worse, f.Veil)
		return
	}
	for k := range Levels {
		least := float64(k) / Levels
		if k == 0 {
			least = math.Inf(-1)
		}
		if areas := region(x, y, worse, least); areas != nil {
			d.fill(areas, pen{tone: ramp0 + Tone(k)})
		}
	}
	if f.Veil != nil {
		d.fill(region(x, y, f.Veil, 0.5), hidden)
	}
}

// hidden draws a veil.
var hidden = pen{tone: Grey, opacity: 0.55, sign: "/"}

// region is where a function on a grid is at least some value: polygons, which meet at the edges of cells. It is linear
// along those; a cell with a corner that is no number is left out.
func region(x, y []float64, z [][]float64, least float64) []line {
	var out []line
	for j := 0; j+1 < len(y); j++ {
		from := -1 // where a row of whole cells began
		for k := 0; k+1 < len(x); k++ {
			corners := [4]float64{z[j][k], z[j][k+1], z[j+1][k+1], z[j+1][k]}
			known := !slices.ContainsFunc(corners[:], math.IsNaN)
			within := len(lists.Only(corners[:], func(v float64) bool { return v >= least }))
			if known && within == 4 {
				if from < 0 {
					from = k
				}
				continue
			}
			if from >= 0 {
				out, from = append(out, rectangle(x[from], y[j], x[k], y[j+1])), -1
			}
			if known && within > 0 {
				out = append(out, clipped([4]float64{x[k], x[k+1], x[k+1], x[k]}, [4]float64{y[j], y[j], y[j+1], y[j+1]}, corners,
					least))
			}
		}
		if from >= 0 {
			out = append(out, rectangle(x[from], y[j], x[len(x)-1], y[j+1]))
		}
	}
	return out
}

// clipped is the part of a cell where the function is at least some value.
func clipped(x, y, z [4]float64, least float64) line {
	var out line
	for a := range 4 {
		b := (a + 1) % 4
		if z[a] >= least {
			out.x, out.y = append(out.x, x[a]), append(out.y, y[a])
		}
		if (z[a] >= least) != (z[b] >= least) {
			f := (least - z[a]) / (z[b] - z[a])
			out.x, out.y = append(out.x, x[a]+f*(x[b]-x[a])), append(out.y, y[a]+f*(y[b]-y[a]))
		}
	}
	return out
}

// cells draws a rectangle for each value, halfway to its neighbours.
func (d drawing) cells(x, y []float64, worse, veil [][]float64) {
	edges := func(at []float64, size float64) []float64 {
		low, high := 0.0, size
		if len(at) > 1 && at[0] > at[len(at)-1] { // pixels may run down
			low, high = high, low
		}
		out := []float64{low}
		for k := 1; k < len(at); k++ {
			out = append(out, (at[k-1]+at[k])/2)
		}
		return append(out, high)
	}
	xe, ye := edges(x, d.w), edges(y, d.h)
	for j := range worse {
		for k, v := range worse[j] {
			if bad(v) {
				continue
			}
			cell := []line{rectangle(xe[k], ye[j], xe[k+1], ye[j+1])}
			d.fill(cell, pen{tone: shade(v)})
			if veil != nil && veil[j][k] > 0.5 {
				d.fill(cell, hidden)
			}
		}
	}
}
