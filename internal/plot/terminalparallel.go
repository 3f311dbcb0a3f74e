package plot

import (
	"math"
	"strings"

	"bohier/internal/text"
)

// text draws parallel coordinates: the front, or the best tenth of the threads, as *, others
// as ·.
func (q Parallel) text(b *strings.Builder, width int) {
	const rows, least = 14, 7
	shown := q
	if n := max((width-8)/least+1, 2); len(q.Axes) > n { // the last is the objective
		shown.Axes = append(append([]Axis{}, q.Axes[:n-1]...), q.Axes[len(q.Axes)-1])
		shown.Threads = nil
		for _, t := range q.Threads {
			t.At = append(append([]float64{}, t.At[:n-1]...), t.At[len(t.At)-1])
			shown.Threads = append(shown.Threads, t)
		}
	}
	n := len(shown.Axes)
	if n == 0 {
		return
	}
	at, ys := shown.places(1, float64(width-7), 0, rows-1)
	g := newGrid(rows, width)
	for k := range at {
		g.down(at[k], 0, rows-1, "|")
	}
	for _, i := range byShade(shown.Threads) {
		t := shown.Threads[i]
		s := Series{Kind: Line}
		for k := range at {
			s.X, s.Y = append(s.X, at[k]), append(s.Y, ys[k].at(t.At[k]))
		}
		for _, r := range s.bridges() {
			g.segment(r, 0, Line, ":")
		}
		sign := "·"
		if t.Shade <= 0.1 || q.Front && t.Shade <= 1 {
			sign = "*"
		}
		for _, r := range runs(s, scale{0, 1, 0, 1, false, false}, scale{0, 1, 0, 1, false, false}) {
			for k := range r.x {
				g.segment(r, k, Line, sign)
			}
		}
	}
	ends := func(high bool) {
		g := newGrid(1, width)
		for k, a := range shown.Axes {
			label := ""
			for _, t := range a.ticks(ys[k].lo, ys[k].hi, 4) {
				if t.label == "" || ys[k].at(t.at) < -0.5 || ys[k].at(t.at) > rows-0.5 {
					continue
				}
				if label == "" || high {
					label = t.label
				}
			}
			g.write(int(math.Round(at[k])), text.Fit(text.Visible(label), max(width/n-1, 3)))
		}
		b.WriteString(g.row(0) + "\n")
	}
	ends(true)
	for r := range g {
		b.WriteString(g.row(r) + "\n")
	}
	ends(false)
	for row := range 2 { // names in two rows, so that they have room
		g := newGrid(1, width)
		for k, a := range shown.Axes {
			if k%2 == row {
				g.write(int(math.Round(at[k])), text.Middle(text.Visible(a.Label), max(2*width/n-2, 3)))
			}
		}
		b.WriteString(g.row(0) + "\n")
	}
	best := "the best tenth"
	if q.Front {
		best = "the front"
	}
	b.WriteString("* " + best + "   · others\n")
	if len(shown.Axes) < len(q.Axes) {
		b.WriteString("(axes left out for want of columns)\n")
	}
}
