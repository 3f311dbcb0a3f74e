package plot

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/text"
)

// Text draws the figure for a terminal so many columns wide, one panel below the other. Where
// marks share a place, the last shows.
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
		p.Title = ""
		p.text(&b, width)
	}
	return []byte(b.String())
}

// text draws a panel: 15 rows, or a row for each name.
func (p Panel) text(b *strings.Builder, width int) {
	d := drawing{w: float64(width+2) * textStep, h: 300}
	below := ""
	if p.Parallel != nil {
		p.Parallel, below = p.Parallel.fitting(width)
	} else {
		rows := 15
		if n := len(p.Y.Names); n > 0 && p.Surface == nil {
			rows = n
		} else if n > 0 {
			rows = max(2*n, 6)
		}
		d.canvas = &cells{} // measures the head, and shows nothing
		top, bottom := p.margins(d.head(p))
		d.h = top + float64(rows*lineStep) + bottom
	}
	c := &cells{top: -6, to: [2]int{width, int(d.h/lineStep) + 1}}
	c.rows = lists.Make(c.to[1], func(int) []string { return slices.Repeat([]string{" "}, width) })
	d.canvas = c
	d.draw(p)
	b.WriteString(c.String() + below)
}

// fitting leaves out the axes that a terminal has no room for, but for the last, which is the
// objective's; below says so and explains the threads.
func (q *Parallel) fitting(width int) (shown *Parallel, below string) {
	const least = 7 // columns of an axis
	shown, below = q, "* the best tenth   · others\n"
	if q.Front {
		below = "* the front   · others\n"
	}
	n := max((width-8)/least+1, 2)
	if len(q.Axes) <= n {
		return shown, below
	}
	last := len(q.Axes) - 1
	shown = &Parallel{Front: q.Front, Axes: append(slices.Clone(q.Axes[:n-1]), q.Axes[last])}
	for _, t := range q.Threads {
		t.At = append(slices.Clone(t.At[:n-1]), t.At[last])
		shown.Threads = append(shown.Threads, t)
	}
	return shown, below + "(axes left out: too few columns)\n"
}

// cells is the canvas of a terminal. A cell is as wide and high as a character of a picture.
type cells struct {
	rows      [][]string
	left, top float64 // of the coordinates that are drawn, in pixels
	from, to  [2]int  // column and row of the first cell that may be drawn in, and behind the last
}

func (c *cells) String() string {
	var b strings.Builder
	for _, row := range c.rows {
		b.WriteString(strings.TrimRight(strings.Join(row, ""), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// cell is the column and the row of a place.
func (c *cells) cell(x, y float64) (column, row int) {
	return int(math.Floor(bounded(x+c.left) / textStep)), int(math.Floor(bounded(y+c.top) / lineStep))
}

func (c *cells) set(column, row int, sign string) {
	if column >= c.from[0] && row >= c.from[1] && column < c.to[0] && row < c.to[1] {
		c.rows[row][column] = sign
	}
}

func (c *cells) text(x, y float64, at anchor, _ look, _ Tone, s string) {
	s = text.Fit(text.Visible(s), c.to[0])
	size := text.Columns(s)
	column, row := c.cell(x, y-4)
	switch at {
	case atMiddle:
		column -= size / 2
	case atEnd:
		column -= size + 1
	}
	column = max(min(column, c.to[0]-size), 0)
	for _, r := range s {
		wide := text.Columns(string(r))
		if wide == 0 && row < c.to[1] && column > 0 { // an accent
			c.rows[row][column-1] += string(r)
			continue
		}
		c.set(column, row, string(r))
		for k := 1; k < wide; k++ {
			c.set(column+k, row, "")
		}
		column += wide
	}
}

func (c *cells) stroke(lines []line, p pen) {
	if p.tone == rule {
		return
	}
	for _, l := range lines {
		for k := range l.x {
			c.segment(l, max(k-1, 0), k, p)
		}
	}
}

// segment draws from one point of a line to another, cell by cell.
func (c *cells) segment(l line, from, to int, p pen) {
	dx, dy := l.x[to]-l.x[from], l.y[to]-l.y[from]
	size := max(math.Abs(dx)/textStep, math.Abs(dy)/lineStep)
	upright := dx == 0
	sign := "-"
	if upright {
		sign = "|"
	}
	sign = cmp.Or(p.sign, sign)
	if p.sign == "" && size < 1 {
		return // a tick
	}
	steps := min(max(size, 1), 1e4)
	for k := 0.0; k <= steps; k++ {
		column, row := c.cell(l.x[from]+k/steps*dx, l.y[from]+k/steps*dy)
		along := column
		if upright {
			along = row
		}
		if p.dashes == "" || along%2 == 0 {
			c.set(column, row, sign)
		}
	}
}

// shadings are from the best to the worst.
var shadings = [5]string{"█", "▓", "▒", "░", " "}

// fill draws the cells in which the place nearest to the middle of one of the areas is in it.
func (c *cells) fill(areas []line, p pen) {
	sign := p.sign
	if p.tone >= ramp0 {
		sign = shadings[(p.tone-ramp0)*5/Levels]
	}
	for _, a := range areas {
		const edge = 1e-3 // of a pixel, which is inside
		x1, x2, y1, y2 := slices.Min(a.x)+edge, slices.Max(a.x)-edge, slices.Min(a.y)+edge, slices.Max(a.y)-edge
		left, top := c.cell(x1, y1)
		right, bottom := c.cell(x2, y2)
		for row := max(top, c.from[1]); row <= min(bottom, c.to[1]-1); row++ {
			for column := max(left, c.from[0]); column <= min(right, c.to[0]-1); column++ {
				x, y := (float64(column)+0.5)*textStep-c.left, (float64(row)+0.5)*lineStep-c.top
				if a.around(min(max(x, x1), x2), min(max(y, y1), y2)) {
					c.rows[row][column] = sign
				}
			}
		}
	}
}

// around reports whether a polygon contains a point: a ray from there crosses it an odd number of times.
func (l line) around(x, y float64) (odd bool) {
	for k := range l.x {
		j := (k + 1) % len(l.x)
		if (l.y[k] > y) != (l.y[j] > y) && x < l.x[k]+(y-l.y[k])/(l.y[j]-l.y[k])*(l.x[j]-l.x[k]) {
			odd = !odd
		}
	}
	return odd
}

func (c *cells) marks(kind Kind, at line, tone Tone, _ owners) {
	for k := range at.x {
		y := at.y[k]
		if kind == Rug {
			y -= 4
		}
		column, row := c.cell(at.x[k], y)
		c.set(column, row, kind.sign(tone))
	}
}

func (c *cells) group(_ string, draw func()) { draw() }

// inside has an axis on its left.
func (c *cells) inside(x, y, w, h float64, _, _ scale, draw func()) {
	outer := *c
	c.from[0], c.from[1] = c.cell(x, y)
	c.to[0], c.to[1] = c.cell(x+w, y+h)
	c.to[0], c.to[1] = min(c.to[0]+1, outer.to[0]), min(c.to[1]+1, outer.to[1])
	for row := c.from[1]; row < c.to[1]; row++ {
		outer.set(c.from[0]-1, row, "|")
	}
	c.left, c.top = c.left+x, c.top+y
	draw()
	*c = outer
}

// signs are the characters of the kinds of series.
var signs = map[Kind]string{
	Line: "*", Dashed: "-", Stairs: "#", Dots: "o", Crosses: "x", Band: ".", Bars: "|",
	Rings: "◦", Stars: "★", Rug: "!", Rows: "█", Strips: "/", Across: "-",
}

// sign is the character of a series: grey dots are small.
func (k Kind) sign(tone Tone) string {
	if k == Dots && tone == Grey {
		return "·"
	}
	if k == Rows && tone != 0 {
		return []string{"▓", "▒", "░"}[(max(int(tone), 0)+2)%3]
	}
	return signs[k]
}
