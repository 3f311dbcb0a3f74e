package report

import (
	"math"
	"strings"
)

// Text draws the figure for a terminal so many columns wide: each panel a grid of
// characters with the ticks of its axes, and below it what the characters stand
// for. What series share a place, the last shows.
func (f Figure) Text(width int) []byte {
	var b strings.Builder
	if f.Title != "" {
		b.WriteString(Visible(f.Title) + "\n")
	}
	for _, p := range f.Panels {
		b.WriteByte('\n')
		p.text(&b, min(max(width, 40), 100))
	}
	return []byte(b.String())
}

// marks are the characters of the kinds of series.
var marks = map[Kind]string{Line: "*", Dashed: "-", Stairs: "#", Dots: "o", Crosses: "x", Band: ".", Bars: "|"}

// mark is the character of a series: grey dots are small.
func (s Series) mark() string {
	if s.Kind == Dots && s.Tone == Grey {
		return "·"
	}
	return marks[s.Kind]
}

// A grid is rows of single characters, the uppermost first.
type grid [][]string

func (g grid) set(x, y float64, mark string) {
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
	const rows = 16
	xlo, xhi := p.X.extent(p.xs)
	ylo, yhi := p.Y.extent(p.ys)
	ys := scale{ylo, yhi, rows - 1, 0, p.Y.Log}
	labels := make([]string, rows)
	left := 0
	for _, t := range p.Y.ticks(ylo, yhi, 5) {
		if r := int(math.Round(ys.at(t.at))); r >= 0 && r < rows {
			labels[r] = Fit(Visible(t.label), width/3)
			left = max(left, columns(labels[r]))
		}
	}
	cells := max(width-left-2, 10)
	xs := scale{xlo, xhi, 0, float64(cells - 1), p.X.Log}
	g := make(grid, rows)
	for r := range g {
		g[r] = make([]string, cells)
		for c := range g[r] {
			g[r][c] = " "
		}
	}
	for _, s := range p.Series {
		g.series(s, xs, ys)
	}
	if head := strings.TrimSpace(p.Title); head != "" {
		b.WriteString(Visible(head) + "\n")
	}
	if p.Y.Label != "" {
		b.WriteString(Visible(p.Y.Label) + "\n")
	}
	for r := range g {
		b.WriteString(strings.Repeat(" ", left-columns(labels[r])) + labels[r] + " |" + strings.TrimRight(strings.Join(g[r], ""), " ") + "\n")
	}
	b.WriteString(strings.Repeat(" ", left+1) + "+" + strings.Repeat("-", cells) + "\n")
	ticks := p.X.ticks(xlo, xhi, max(cells/8, 3))
	line, taken := "", 0
	for _, t := range ticks {
		label := Visible(t.label)
		if n := len(p.X.Names); n > 0 {
			label = Fit(label, max(cells/n-1, 1))
		}
		at := left + 2 + int(math.Round(xs.at(t.at))) - columns(label)/2
		at = min(at, width-columns(label))
		if at < taken || at < 0 {
			continue
		}
		line += strings.Repeat(" ", at-columns(line)) + label
		taken = at + columns(label) + 1
	}
	b.WriteString(line + "\n")
	if p.X.Label != "" {
		text := Visible(p.X.Label)
		b.WriteString(strings.Repeat(" ", max(left+2+(cells-columns(text))/2, 0)) + text + "\n")
	}
	var key []string
	for _, s := range p.Series {
		if s.Label != "" {
			key = append(key, s.mark()+" "+Visible(s.Label))
		}
	}
	b.WriteString(strings.Join(key, "   ") + "\n")
}

func (g grid) series(s Series, xs, ys scale) {
	for _, r := range runs(s, xs, ys) {
		if s.Kind == Stairs {
			r = r.stairs()
		}
		for k := range r.x {
			switch s.Kind {
			case Bars:
				g.down(r.x[k], r.low[k], r.y[k], s.mark())
			case Dots, Crosses:
				g.set(r.x[k], r.y[k], s.mark())
			default:
				g.segment(r, k, s)
			}
		}
	}
}

// segment draws from the point before k to point k, column by column.
func (g grid) segment(r run, k int, s Series) {
	from := max(k-1, 0)
	steps := max(math.Abs(r.x[k]-r.x[from]), math.Abs(r.y[k]-r.y[from]), 1)
	if steps > 1e4 {
		steps = 1e4
	}
	for i := 0.0; i <= steps; i++ {
		f := i / steps
		x, y := r.x[from]+f*(r.x[k]-r.x[from]), r.y[from]+f*(r.y[k]-r.y[from])
		if s.Kind == Band {
			g.down(x, r.low[from]+f*(r.low[k]-r.low[from]), y, s.mark())
			continue
		}
		if s.Kind == Dashed && int(math.Round(x))%2 != 0 {
			continue
		}
		g.set(x, y, s.mark())
	}
}
