package plot

import (
	_ "embed"
	"fmt"
	"math"
	"strings"

	"bohier/internal/text"
)

// head writes the title of a panel and its legend, in rows, and returns where they end.
func (d drawing) head(p Panel) float64 {
	y := d.y
	if p.Title != "" {
		d.text(d.x+12, y+18, atStart, strong, ink, text.Shorten(p.Title, int((d.w-24)/textStep)))
		y += 20
	}
	const swatch, gap = 3.5 * textStep, 2.5 * textStep
	x, used := 0.0, false
	entry := func(label string, draw func(x, y float64)) {
		label = text.Shorten(label, int((d.w-24-swatch)/textStep))
		need := swatch + width(label) + gap
		if used && x+need > d.w-12 {
			x, y = 0, y+lineStep
		}
		used = true
		draw(d.x+12+x, y+5)
		d.text(d.x+12+x+swatch, y+16, atStart, plain, soft, label)
		x += need
	}
	for _, s := range p.Series {
		if s.Label != "" {
			entry(s.Label, func(x, y float64) { d.swatch(s, x, y) })
		}
	}
	if f := p.Surface; f != nil && f.Veil != nil && f.VeilLabel != "" {
		entry(f.VeilLabel, func(x, y float64) {
			d.fill([]line{rectangle(x, y, x+15, y+12)}, hidden)
		})
	}
	if used {
		y += lineStep + 4
	}
	if f := p.Surface; f != nil {
		d.ramp(f.Best, f.Worst, y)
		y += lineStep
	}
	return y
}

// swatch shows how a series looks, in 15 by 12 pixels.
func (d drawing) swatch(s Series, x, y float64) {
	key := Series{Kind: s.Kind, Tone: s.Tone, X: []float64{0, 1}, Y: []float64{0.5, 0.5}, Low: []float64{0, 0}}
	in := drawing{d.canvas, 0, 0, 15, y + 12}
	switch s.Kind {
	case Dots, Crosses, Rings, Stars, Rug:
		key.X, key.Y = []float64{0.5}, []float64{0.5}
	case Across:
		key.Kind = Dashed
	case Bars:
		key.X, key.Y, key.Low = []float64{0.5}, []float64{1}, []float64{0}
	case Band:
		key.Y = []float64{1, 1}
	case Rows, Strips:
		d.fill([]line{rectangle(x, y, x+15, y+12)}, pen{tone: s.Tone,
			opacity: map[Kind]float64{Rows: 0.85, Strips: 0.22}[s.Kind], sign: s.Kind.sign(s.Tone)})
		return
	}
	in.series(key, scale{0, 1, x, x + 15, false, false}, scale{0, 1, y + 12, y, false, false})
}

// ramp is the legend of shades: from the best value to the worst.
func (d drawing) ramp(best, worst, y float64) {
	ends := [2]string{brief(best), brief(worst)}
	x := d.x + 12
	d.text(x, y+15, atStart, plain, soft, ends[0])
	x += width(ends[0]) + 6
	step := min(12, (d.x+d.w-16-width(ends[1])-x)/Levels)
	if step < 2 {
		return
	}
	for k := range Levels {
		at := x + float64(k)*step
		d.fill([]line{rectangle(at, y+5, at+step+0.3, y+16)}, pen{tone: ramp0 + Tone(k)})
	}
	d.text(x+Levels*step+6, y+15, atStart, plain, soft, ends[1])
}

// A Tone is a colour by its role.
type Tone int

// Tones is the number of colours, counted from 0 and repeated after that; Grey is for unimportant things.
const (
	Tones      = 6
	Grey  Tone = -1

	ink  Tone = -2 // text
	soft Tone = -3 // axes and their text
	rule Tone = -4 // lines behind the data
	back Tone = -5 // the background

	ramp0 Tone = 100 // the first of Levels tones from the best to the worst
)

// Levels is the number of tones of the ramp from the best to the worst.
const Levels = 10

//go:embed palette.txt
var palette string

// shade is the tone of a place on the ramp.
func shade(v float64) Tone {
	if math.IsNaN(v) {
		return Grey
	}
	return ramp0 + Tone(min(max(math.Floor(v*Levels), 0), Levels-1))
}

// class names a tone in style sheets.
func (t Tone) class() string {
	switch {
	case t >= ramp0:
		return fmt.Sprintf("r%d", t-ramp0)
	case t >= 0:
		return fmt.Sprintf("c%d", t%Tones)
	}
	return map[Tone]string{Grey: "cg", ink: "ci", soft: "cs", rule: "cl", back: "cb"}[t]
}

// Style is the style sheet of SVG, which follows the viewer's preference of light or dark;
// pages that take figures Inline need it once.
func Style() string {
	var b strings.Builder
	rules := func(dark int) {
		for line := range strings.Lines(palette) {
			row := strings.Fields(line)
			class, colour := row[0], row[1+dark]
			switch class {
			case "#":
				continue
			case back.class():
				fmt.Fprintf(&b, ".p .o{stroke:%s}", colour)
			}
			fmt.Fprintf(&b, ".p .s%s{stroke:%s}.p .f%s{fill:%s}", class, colour, class, colour)
		}
	}
	b.WriteString(".p{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}.p " +
		"path{fill:none;stroke-linejoin:round}.p .h{font-weight:600;font-size:14px}.p .b{font-weight:600}.p " +
		".o{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}")
	rules(0)
	b.WriteString("@media screen and (prefers-color-scheme:dark){")
	rules(1)
	b.WriteString("}")
	return b.String()
}
