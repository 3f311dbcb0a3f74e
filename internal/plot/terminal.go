package plot

import (
	"math"
	"strings"

	"bohier/internal/text"
)

// Text draws the figure for a terminal so many columns wide: each panel a grid of
// characters with the ticks of its axes, and below it what the characters stand
// for. What series share a place, the last shows.
func (f Figure) Text(width int) []byte {
	var b strings.Builder
	width = min(max(width, 40), 100)
	if f.Title != "" {
		b.WriteString(text.Visible(f.Title) + "\n")
	}
	if f.Note != "" {
		b.WriteString(strings.Join(wrap(text.Visible(f.Note), width), "\n") + "\n")
	}
	for _, p := range f.Panels {
		b.WriteByte('\n')
		if head := strings.TrimSpace(p.Title); head != "" {
			b.WriteString(text.Visible(head) + "\n")
		}
		if p.Parallel != nil {
			p.Parallel.text(&b, width)
			continue
		}
		p.text(&b, width)
	}
	return []byte(b.String())
}

// signs are the characters of the kinds of series.
var signs = map[Kind]string{
	Line: "*", Dashed: "-", Stairs: "#", Dots: "o", Crosses: "x", Band: ".", Bars: "|",
	Rings: "◦", Stars: "★", Rug: "!", Rows: "█", Strips: "/",
}

// sign is the character of a series: grey dots are small.
func (s Series) sign() string {
	if s.Kind == Dots && s.Tone == Grey {
		return "·"
	}
	if s.Kind == Rows && s.Tone != 0 {
		return []string{"▓", "▒", "░"}[(max(int(s.Tone), 0)+2)%3]
	}
	return signs[s.Kind]
}

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

func (p Panel) text(b *strings.Builder, width int) {
	rows := 16
	if n := len(p.Y.Names); n > 0 {
		rows = n
		if p.Surface != nil {
			rows = max(2*n, 6)
		}
	}
	xlo, xhi := p.X.extent(p.xs)
	ylo, yhi := p.Y.extent(p.ys)
	ys := scale{ylo, yhi, float64(rows) - 1, 0, p.Y.Log, false}
	if len(p.Y.Names) > 0 { // a row each, not the edges of the axis
		step := float64(rows) / float64(len(p.Y.Names)) / 2
		ys.from, ys.to = ys.from-step+0.5+step, ys.to-0.5
	}
	if p.Y.Down {
		ys.from, ys.to = ys.to, ys.from
	}
	labels := make([]string, rows)
	left := 0
	for _, t := range p.Y.ticks(ylo, yhi, 5) {
		if r := int(math.Round(ys.at(t.at))); r >= 0 && r < rows && t.label != "" {
			labels[r] = text.Middle(text.Visible(t.label), width/3)
			left = max(left, text.Columns(labels[r]))
		}
	}
	cells := max(width-left-2, 10)
	for _, s := range p.Series {
		for _, word := range s.Words {
			cells = max(min(cells, width-left-3-text.Columns(text.Visible(word))), 10)
		}
	}
	xs := scale{xlo, xhi, 0, float64(cells - 1), p.X.Log, false}
	g := newGrid(rows, cells)
	if p.Surface != nil {
		g.surface(p.Surface, xs, ys)
	}
	ends := make([]string, rows)
	for _, s := range p.Series {
		g.series(s, xs, ys)
		for k, word := range s.Words {
			if r := int(math.Round(ys.at(s.Y[k]))); r >= 0 && r < rows {
				ends[r] = " " + text.Visible(word)
			}
		}
	}
	if p.Y.Label != "" {
		b.WriteString(text.Fit(text.Visible(p.Y.Label), width) + "\n")
	}
	for r := range g {
		b.WriteString(strings.Repeat(" ", left-text.Columns(labels[r])) + labels[r] + " |" + g.row(r) + ends[r] + "\n")
	}
	b.WriteString(strings.Repeat(" ", left+1) + "+" + strings.Repeat("-", cells) + "\n")
	p.below(b, xs, left, cells, width)
}

// below writes the ticks of the x axis, its label and the legend.
func (p Panel) below(b *strings.Builder, xs scale, left, cells, width int) {
	line, taken := "", 0
	for _, t := range p.X.ticks(xs.lo, xs.hi, max(cells/8, 3)) {
		label := text.Visible(t.label)
		if n := len(p.X.Names); n > 0 {
			label = text.Fit(label, max(cells/n-1, 1))
		}
		at := left + 2 + int(math.Round(xs.at(t.at))) - text.Columns(label)/2
		at = min(at, width-text.Columns(label))
		if label == "" || at < taken || at < 0 {
			continue
		}
		line += strings.Repeat(" ", at-text.Columns(line)) + label
		taken = at + text.Columns(label) + 1
	}
	b.WriteString(line + "\n")
	if p.X.Label != "" {
		label := text.Fit(text.Visible(p.X.Label), width)
		at := min(left+2+(cells-text.Columns(label))/2, width-text.Columns(label))
		b.WriteString(strings.Repeat(" ", max(at, 0)) + label + "\n")
	}
	var key []string
	for _, s := range p.Series {
		if s.Label != "" {
			key = append(key, s.sign()+" "+text.Visible(s.Label))
		}
	}
	if f := p.Surface; f != nil {
		key = append(key, strings.TrimSpace(text.Visible(f.Label)+" ")+shadings[0]+" "+brief(f.Best)+" to blank "+brief(f.Worst))
		if f.Veil != nil && f.VeilLabel != "" {
			key = append(key, "/ "+text.Visible(f.VeilLabel))
		}
	}
	row := ""
	for _, k := range key {
		if row != "" && text.Columns(row)+3+text.Columns(k) > width {
			b.WriteString(row + "\n")
			row = ""
		}
		if row != "" {
			row += "   "
		}
		row += text.Fit(k, width)
	}
	b.WriteString(row + "\n")
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

// text draws parallel coordinates: the best tenth of the threads as *, others as ·.
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
		sign := "·"
		if t.Shade <= 0.1 {
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
	b.WriteString("* the best tenth   · others\n")
	if len(shown.Axes) < len(q.Axes) {
		b.WriteString("(axes left out for want of columns)\n")
	}
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
