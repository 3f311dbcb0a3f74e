package plot

import (
	"cmp"
	"math"
	"strings"

	"bohier/internal/text"
)

// Text draws the figure for a terminal so many columns wide: each panel a grid of characters
// with the ticks of its axes, and below it the meaning of the characters. Where series share a
// place, the last shows.
func (f Figure) Text(width int) []byte {
	var b strings.Builder
	width = min(max(width, 40), 100)
	if f.Title != "" {
		b.WriteString(text.Visible(f.Title) + "\n")
	}
	if note := cmp.Or(f.Plain, f.Note); note != "" {
		b.WriteString(strings.Join(text.Wrap(text.Visible(note), width), "\n") + "\n")
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
		key = append(key, strings.TrimSpace(text.Visible(f.Label)+" ")+shadings[0]+" "+brief(f.Best)+" to blank "+
			brief(f.Worst))
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
