package plot

import (
	"bohier/internal/text"
	"cmp"
)

// A canvas takes the shapes of a figure. Coordinates are pixels from the upper left corner.
type canvas interface {
	// text writes one line with its left end, middle or right end at x.
	text(x, y float64, at anchor, look look, tone Tone, s string)
	// stroke draws open lines.
	stroke(lines []line, p pen)
	// fill fills polygons.
	fill(areas []line, p pen)
	// marks draws a glyph at each point of a line.
	marks(kind Kind, at line, tone Tone, who owners)
	// group draws the group that a page looks for under that name.
	group(name string, draw func())
	// inside draws with its coordinates from (x, y) on, and clips it to the rectangle, which has these scales.
	inside(x, y, w, h float64, xs, ys scale, draw func())
}

// A line is points in pixels; low is the other end of a bar or band there.
type line struct {
	x, y, low []float64
	of        []int // the points of a series
}

// owners are the trials of points or polygons, and their tips; either may be shorter than the list of points.
type owners struct {
	trials []int
	tips   []string
}

// An anchor is where a text has its place, in SVG.
type anchor string

const (
	atStart  anchor = ""
	atMiddle anchor = ` text-anchor="middle"`
	atEnd    anchor = ` text-anchor="end"`
)

// A look is a class of a style sheet.
type look string

const (
	plain   look = ""
	strong  look = " b" // for legends and panels
	heading look = " h" // for the figure
	halo    look = " o" // legible in front of lines
)

// A pen draws lines and areas; an opacity of 0 stands for 1.
type pen struct {
	tone    Tone
	width   float64
	opacity float64
	dashes  string // lengths of dashes and gaps in pixels; empty: a whole line
	sign    string // where there are only characters; empty: - or |
	owners         // of the lines, one of each
}

const (
	textStep = 6.8 // mean width of a character of 12 pixels
	lineStep = 17  // from line to line
)

// A frame is where the panels of a figure are.
type frame struct {
	width, height, top int // of the figure; of the part above the panels
	w, h, across       int // of a panel; panels a row
	note               []string
}

func (f Figure) frame() frame {
	r := frame{w: cmp.Or(f.Width, 640), h: cmp.Or(f.Height, 400), across: min(max(f.Columns, 1), max(len(f.Panels), 1))}
	r.width = r.across * r.w
	if f.Title != "" {
		r.top = 30
	}
	if f.Note != "" {
		r.note = text.Wrap(f.Note, int(float64(r.width-24)/textStep))
		r.top += lineStep*len(r.note) + 4
	}
	r.height = r.top + (len(f.Panels)+r.across-1)/r.across*r.h
	return r
}

// draw puts the figure on a canvas of its size.
func (f Figure) draw(c canvas) {
	r := f.frame()
	y := 22.0
	if f.Title != "" {
		c.text(12, y, atStart, heading, ink, f.Title)
		y += lineStep + 2
	}
	for _, s := range r.note {
		c.text(12, y, atStart, plain, soft, s)
		y += lineStep
	}
	for k, p := range f.Panels {
		d := drawing{c, float64(k % r.across * r.w), float64(r.top + k/r.across*r.h), float64(r.w), float64(r.h)}
		c.group("panel", func() { d.draw(p) })
	}
}

// A drawing is one panel's rectangle on a canvas.
type drawing struct {
	canvas
	x, y, w, h float64
}

func (d drawing) rule(x1, y1, x2, y2 float64, tone Tone) {
	d.stroke([]line{{x: []float64{x1, x2}, y: []float64{y1, y2}}}, pen{tone: tone, width: 1})
}

func (d drawing) draw(p Panel) {
	if p.Parallel != nil {
		d.parallel(p)
		return
	}
	across, upright := p.values()
	xlo, xhi := p.X.extent(across)
	ylo, yhi := p.Y.extent(upright)
	left, right := 14.0, d.w-16
	top, bottom := p.margins(d.head(p) - d.y)
	bottom = d.h - bottom
	up := p.Y.ticks(ylo, yhi, min(max(int((bottom-top)/45), 2), 6))
	for _, t := range up {
		left = max(left, min(14+width(t.label), 0.38*d.w))
	}
	for _, s := range p.Series {
		for _, word := range s.Words {
			right = min(right, d.w-20-width(word))
		}
	}
	right = max(right, left+20)
	bottom = max(bottom, top+20)
	xs := scale{xlo, xhi, d.x + left, d.x + right, p.X.Log, p.X.Names != nil}
	ys := scale{ylo, yhi, d.y + bottom, d.y + top, p.Y.Log, p.Y.Names != nil}
	if p.Y.Down {
		ys.from, ys.to = ys.to, ys.from
	}
	if p.Y.Label != "" {
		d.text(d.x+12, d.y+top-10, atStart, plain, soft, text.Shorten(p.Y.Label, int((d.w-24)/textStep)))
	}
	d.group("y", func() {
		for _, t := range up {
			at := ys.at(t.at)
			if p.Y.Names == nil {
				d.rule(xs.from, at, xs.to, at, rule)
			}
			d.text(xs.from-6, at+4, atEnd, plain, soft, text.Middle(t.label, int((left-12)/textStep)))
		}
	})
	d.bottom(p, xs, d.y+top, d.y+bottom, xlo, xhi)
	if p.X.Label != "" {
		d.text((xs.from+xs.to)/2, d.y+d.h-8, atMiddle, plain, soft, text.Shorten(p.X.Label, int((d.w-24)/textStep)))
	}
	dx, dy := xs.from, d.y+top
	d.inside(dx, dy, right-left, bottom-top, xs.moved(dx), ys.moved(dy), func() {
		in := drawing{d.canvas, 0, 0, right - left, bottom - top}
		if p.Surface != nil {
			in.surface(p, xs.moved(dx), ys.moved(dy))
		}
		for _, s := range p.Series {
			in.series(s, xs.moved(dx), ys.moved(dy))
		}
	})
	for _, s := range p.Series { // beyond the ends of bars
		for k, word := range s.Words {
			d.text(xs.at(s.X[k])+2*textStep, ys.at(s.Y[k])+4, atStart, plain, ink, word)
		}
	}
}

// margins are the room above and below the axes; the part above them ends at head.
func (p Panel) margins(head float64) (top, bottom float64) {
	top, bottom = head+10, 26
	if p.Y.Label != "" {
		top += lineStep
	}
	if p.X.Label != "" {
		bottom += lineStep
	}
	return top, bottom
}

// bottom draws the ticks of the x axis, labels only where they do not touch.
func (d drawing) bottom(p Panel, xs scale, top, bottom, lo, hi float64) {
	ticks := p.X.ticks(lo, hi, max(int((xs.to-xs.from)/60), 2))
	d.group("x", func() {
		d.rule(xs.from, bottom, xs.to, bottom, soft)
		free := xs.from - 40
		for _, t := range ticks {
			at := xs.at(t.at)
			label := t.label
			if n := len(p.X.Names); n > 0 {
				label = text.Middle(label, max(int((xs.to-xs.from)/float64(n)/textStep), 3))
			} else if p.Surface == nil && label != "" {
				d.rule(at, top, at, bottom, rule)
			}
			d.rule(at, bottom, at, bottom+4, soft)
			if half := width(label) / 2; label != "" && at-half > free {
				d.text(at, bottom+18, atMiddle, plain, soft, label)
				free = at + half + 6
			}
		}
	})
}

// width is about that of a text.
func width(s string) float64 { return textStep * float64(text.Columns(s)) }

// bounded keeps a coordinate within the range of viewers.
func bounded(v float64) float64 { return min(max(v, -1e5), 1e5) }
