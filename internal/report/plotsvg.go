package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

const (
	textSize = 12
	textStep = 6.6 // mean width of a character of that size
)

// SVG draws the figure: one self-contained file without scripts or fonts, on a
// transparent background, legible on light and dark pages. Equal figures give
// equal bytes.
func (f Figure) SVG() []byte {
	columns, w, h := max(f.Columns, 1), f.Width, f.Height
	if w <= 0 {
		w = 640
	}
	if h <= 0 {
		h = 400
	}
	top := 0
	if f.Title != "" {
		top = 28
	}
	columns = min(columns, max(len(f.Panels), 1))
	rows := (len(f.Panels) + columns - 1) / columns
	var d drawing
	fmt.Fprintf(&d.Buffer, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="%d" fill="%s" role="img">`+"\n",
		columns*w, top+rows*h, columns*w, top+rows*h, textSize, ink)
	if f.Title != "" {
		d.WriteString("<title>")
		d.escape(f.Title)
		d.WriteString("</title>\n")
		d.text(float64(columns*w)/2, 20, "middle", ` font-weight="bold"`, f.Title)
	}
	for k, p := range f.Panels {
		d.panel(p, float64(k%columns*w), float64(top+k/columns*h), float64(w), float64(h))
	}
	d.WriteString("</svg>\n")
	return d.Bytes()
}

type drawing struct{ bytes.Buffer }

func (d *drawing) escape(s string) { _ = xml.EscapeText(&d.Buffer, []byte(Visible(s))) }

func (d *drawing) text(x, y float64, anchor, style, s string) {
	fmt.Fprintf(&d.Buffer, `<text x="%s" y="%s" text-anchor="%s"%s>`, px(x), px(y), anchor, style)
	d.escape(s)
	d.WriteString("</text>\n")
}

func (d *drawing) line(x1, y1, x2, y2 float64, style string) {
	fmt.Fprintf(&d.Buffer, `<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s"%s/>`+"\n", px(x1), px(y1), px(x2), px(y2), ink, style)
}

// panel draws p in the rectangle at (x, y).
func (d *drawing) panel(p Panel, x, y, w, h float64) {
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
		d.text(x+w/2, y+18, "middle", "", p.Title)
		top += 18
	}
	top = d.legend(p.Series, x+left, y, right-left, top)
	xs := scale{xlo, xhi, x + left, x + right, p.X.Log}
	ys := scale{ylo, yhi, y + bottom, y + top, p.Y.Log}

	for _, t := range ticks {
		at := ys.at(t.at)
		d.line(xs.from, at, xs.to, at, ` stroke-opacity="0.25"`)
		d.text(xs.from-6, at+4, "end", "", t.label)
	}
	room := int((right - left) / 70)
	for _, t := range p.X.ticks(xlo, xhi, max(room, 2)) {
		at := xs.at(t.at)
		d.line(at, ys.from, at, ys.from+4, "")
		d.text(at, ys.from+18, "middle", "", clipText(t.label, p.X, right-left))
	}
	fmt.Fprintf(&d.Buffer, `<rect x="%s" y="%s" width="%s" height="%s" fill="none" stroke="%s"/>`+"\n",
		px(xs.from), px(ys.to), px(xs.to-xs.from), px(ys.from-ys.to), ink)
	if p.X.Label != "" {
		d.text((xs.from+xs.to)/2, y+h-8, "middle", "", p.X.Label)
	}
	if p.Y.Label != "" {
		cx, cy := x+16, (ys.from+ys.to)/2
		d.text(cx, cy, "middle", fmt.Sprintf(` transform="rotate(-90 %s %s)"`, px(cx), px(cy)), p.Y.Label)
	}
	// A nested view cuts off what lies outside the axes.
	fmt.Fprintf(&d.Buffer, `<svg x="%s" y="%s" width="%s" height="%s">`+"\n", px(xs.from), px(ys.to), px(xs.to-xs.from), px(ys.from-ys.to))
	xs.from, xs.to = 0, xs.to-xs.from
	ys.from, ys.to = ys.from-ys.to, 0
	for _, s := range p.Series {
		d.series(s, xs, ys)
	}
	d.WriteString("</svg>\n")
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
func (d *drawing) legend(list []Series, x, y, room, top float64) float64 {
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
		d.text(x+at+swatch, y+top+9, "start", "", s.Label)
		at += need
	}
	if used {
		top += 20
	}
	return top
}

func (d *drawing) series(s Series, xs, ys scale) {
	c := colour(s.Tone)
	switch s.Kind {
	case Band:
		for _, run := range runs(s, xs, ys) {
			fmt.Fprintf(&d.Buffer, `<path fill="%s" fill-opacity="0.2" d="`, c)
			d.path(run.x, run.y)
			for k := len(run.x) - 1; k >= 0; k-- {
				fmt.Fprintf(&d.Buffer, "L%s %s", px(run.x[k]), px(run.low[k]))
			}
			d.WriteString("Z\"/>\n")
		}
	case Line, Dashed, Stairs:
		dash := ""
		if s.Kind == Dashed {
			dash = ` stroke-dasharray="6 4"`
		}
		for _, run := range runs(s, xs, ys) {
			fmt.Fprintf(&d.Buffer, `<path fill="none" stroke="%s" stroke-width="1.8"%s d="`, c, dash)
			if s.Kind == Stairs {
				run = run.stairs()
			}
			d.path(run.x, run.y)
			d.WriteString("\"/>\n")
		}
	default:
		for _, run := range runs(s, xs, ys) {
			for k := range run.x {
				x, y := run.x[k], run.y[k]
				switch s.Kind {
				case Bars:
					fmt.Fprintf(&d.Buffer, `<path stroke="%s" stroke-width="1.8" d="M%s %sV%s"/>`+"\n", c, px(x), px(run.low[k]), px(y))
				case Crosses:
					fmt.Fprintf(&d.Buffer, `<path stroke="%s" stroke-width="2" d="M%s %sl8 8m0 -8l-8 8"/>`+"\n", c, px(x-4), px(y-4))
				default:
					fmt.Fprintf(&d.Buffer, `<circle cx="%s" cy="%s" r="3" fill="%s" fill-opacity="0.8"/>`+"\n", px(x), px(y), c)
				}
			}
		}
	}
}

func (d *drawing) path(x, y []float64) {
	for k := range x {
		c := 'L'
		if k == 0 {
			c = 'M'
		}
		fmt.Fprintf(&d.Buffer, "%c%s %s", c, px(x[k]), px(y[k]))
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

// px is a pixel coordinate to a hundredth, kept to what viewers take.
func px(v float64) string {
	v = math.Round(min(max(v, -1e5), 1e5)*100) / 100
	return strconv.FormatFloat(v+0, 'f', -1, 64) // + 0: no −0
}

// width is about that of a text.
func width(s string) float64 { return textStep * float64(columns(s)) }
