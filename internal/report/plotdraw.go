package report

import (
	"math"
	"unicode/utf8"
)

// A canvas takes the shapes of a figure. Coordinates are pixels from the upper
// left corner; colours are written #rrggbb.
type canvas interface {
	// text writes one line with its left end, middle or right end at x.
	text(x, y float64, at anchor, look look, s string)
	// stroke draws an open line through the points.
	stroke(x, y []float64, p pen)
	// fill fills the polygon of the points.
	fill(x, y []float64, colour string, opacity float64)
	// dot fills a circle.
	dot(x, y, r float64, colour string, opacity float64)
	// inside draws with its coordinates from (x, y) on, and cuts off what lies
	// outside the rectangle.
	inside(x, y, w, h float64, draw func())
}

type anchor int

const (
	atStart anchor = iota
	atMiddle
	atEnd
)

type look int

const (
	plain look = iota
	strong
	upright // turned to read from below
)

// A pen draws lines; an opacity of 0 stands for 1.
type pen struct {
	colour  string
	width   float64
	opacity float64
	dashed  bool
}

const (
	textSize = 12
	textStep = 6.6 // mean width of a character of that size
)

// size is that of the whole figure and of a panel, in pixels.
func (f Figure) size() (width, height, top, w, h, across int) {
	across, w, h = max(f.Columns, 1), f.Width, f.Height
	if w <= 0 {
		w = 640
	}
	if h <= 0 {
		h = 400
	}
	if f.Title != "" {
		top = 28
	}
	across = min(across, max(len(f.Panels), 1))
	rows := (len(f.Panels) + across - 1) / across
	return across * w, top + rows*h, top, w, h, across
}

// draw puts the figure on a canvas of its size.
func (f Figure) draw(c canvas) {
	width, _, top, w, h, across := f.size()
	if f.Title != "" {
		c.text(float64(width)/2, 20, atMiddle, strong, f.Title)
	}
	d := drawing{c}
	for k, p := range f.Panels {
		d.panel(p, float64(k%across*w), float64(top+k/across*h), float64(w), float64(h))
	}
}

type drawing struct{ canvas }

func (d drawing) line(x1, y1, x2, y2, opacity float64) {
	d.stroke([]float64{x1, x2}, []float64{y1, y2}, pen{colour: ink, width: 1, opacity: opacity})
}

// panel draws p in the rectangle at (x, y).
func (d drawing) panel(p Panel, x, y, w, h float64) {
	xlo, xhi := p.X.extent(p.xs)
	ylo, yhi := p.Y.extent(p.ys)
	ticks := p.Y.ticks(ylo, yhi, 5)
	left, right, top, bottom := 12.0, w-14, 10.0, h-26
	for _, t := range ticks {
		left = max(left, 12+width(t.label))
	}
	if p.Y.Label != "" {
		left += 20
	}
	if p.X.Label != "" {
		bottom -= 18
	}
	if p.Title != "" {
		d.text(x+w/2, y+18, atMiddle, plain, p.Title)
		top += 18
	}
	top = d.legend(p.Series, x+left, y, right-left, top)
	xs := scale{xlo, xhi, x + left, x + right, p.X.Log}
	ys := scale{ylo, yhi, y + bottom, y + top, p.Y.Log}

	for _, t := range ticks {
		at := ys.at(t.at)
		d.line(xs.from, at, xs.to, at, 0.25)
		d.text(xs.from-6, at+4, atEnd, plain, t.label)
	}
	room := int((right - left) / 70)
	for _, t := range p.X.ticks(xlo, xhi, max(room, 2)) {
		at := xs.at(t.at)
		d.line(at, ys.from, at, ys.from+4, 1)
		d.text(at, ys.from+18, atMiddle, plain, clipText(t.label, p.X, right-left))
	}
	d.stroke([]float64{xs.from, xs.to, xs.to, xs.from, xs.from}, []float64{ys.to, ys.to, ys.from, ys.from, ys.to}, pen{colour: ink, width: 1})
	if p.X.Label != "" {
		d.text((xs.from+xs.to)/2, y+h-8, atMiddle, plain, p.X.Label)
	}
	if p.Y.Label != "" {
		d.text(x+16, (ys.from+ys.to)/2, atMiddle, upright, p.Y.Label)
	}
	d.inside(xs.from, ys.to, xs.to-xs.from, ys.from-ys.to, func() {
		xs.from, xs.to = 0, xs.to-xs.from
		ys.from, ys.to = ys.from-ys.to, 0
		for _, s := range p.Series {
			d.series(s, xs, ys)
		}
	})
}

// clipText shortens the name of a value where names would overlap.
func clipText(label string, a Axis, room float64) string {
	if len(a.Names) == 0 {
		return label
	}
	most := max(int(room/float64(len(a.Names))/textStep), 2)
	if utf8.RuneCountInString(label) <= most {
		return label
	}
	return string([]rune(label)[:most-1]) + "…"
}

// legend names the series in rows above the axes and returns where it ends.
func (d drawing) legend(list []Series, x, y, room, top float64) float64 {
	const swatch, gap = 22, 14
	at, used := 0.0, false
	for _, s := range list {
		if s.Label == "" {
			continue
		}
		need := swatch + width(s.Label) + gap
		if used && at+need > room {
			at, top = 0, top+17
		}
		used = true
		key := Series{Kind: s.Kind, Tone: s.Tone, X: []float64{0, 1}, Y: []float64{0.5, 0.5}, Low: []float64{0, 0}}
		switch s.Kind {
		case Dots, Crosses, Bars:
			key.X, key.Y, key.Low = []float64{0.5}, []float64{0.5}, []float64{0}
		case Band:
			key.Y = []float64{1, 1}
		}
		if s.Kind == Bars {
			key.Y[0] = 1
		}
		d.series(key, scale{0, 1, x + at, x + at + swatch - 6, false}, scale{0, 1, y + top + 10, y + top, false})
		d.text(x+at+swatch, y+top+9, atStart, plain, s.Label)
		at += need
	}
	if used {
		top += 20
	}
	return top
}

func (d drawing) series(s Series, xs, ys scale) {
	c := colour(s.Tone)
	for _, run := range runs(s, xs, ys) {
		switch s.Kind {
		case Band:
			x, y := run.x, run.y
			for k := len(run.x) - 1; k >= 0; k-- {
				x, y = append(x, run.x[k]), append(y, run.low[k])
			}
			d.fill(x, y, c, 0.2)
		case Stairs:
			run = run.stairs()
			d.stroke(run.x, run.y, pen{colour: c, width: 1.8})
		case Line, Dashed:
			d.stroke(run.x, run.y, pen{colour: c, width: 1.8, dashed: s.Kind == Dashed})
		default:
			for k := range run.x {
				d.mark(s.Kind, run.x[k], run.y[k], run.low[k], c)
			}
		}
	}
}

func (d drawing) mark(kind Kind, x, y, low float64, colour string) {
	switch kind {
	case Bars:
		d.stroke([]float64{x, x}, []float64{low, y}, pen{colour: colour, width: 1.8})
	case Crosses:
		p := pen{colour: colour, width: 2}
		d.stroke([]float64{x - 4, x + 4}, []float64{y - 4, y + 4}, p)
		d.stroke([]float64{x - 4, x + 4}, []float64{y + 4, y - 4}, p)
	default:
		d.dot(x, y, 3, colour, 0.8)
	}
}

// A run is consecutive points of a series in pixels.
type run struct{ x, y, low []float64 }

// runs cuts a series at what cannot be drawn.
func runs(s Series, xs, ys scale) []run {
	var out []run
	open := false
	for k := range s.X {
		x, y, low := xs.at(s.X[k]), ys.at(s.Y[k]), 0.0
		if s.Kind == Band || s.Kind == Bars {
			low = ys.at(s.Low[k])
		}
		if v := x + y + low; math.IsNaN(v) || math.IsInf(v, 0) {
			open = false
			continue
		}
		if !open {
			out, open = append(out, run{}), true
		}
		r := &out[len(out)-1]
		r.x, r.y, r.low = append(r.x, x), append(r.y, y), append(r.low, low)
	}
	return out
}

// stairs is the run with a corner before each change.
func (r run) stairs() run {
	var out run
	for k := range r.x {
		if k > 0 {
			out.x, out.y = append(out.x, r.x[k]), append(out.y, r.y[k-1])
		}
		out.x, out.y = append(out.x, r.x[k]), append(out.y, r.y[k])
	}
	return out
}

// width is about that of a text.
func width(s string) float64 { return textStep * float64(columns(s)) }

// bounded keeps a coordinate to what viewers take.
func bounded(v float64) float64 { return min(max(v, -1e5), 1e5) }
