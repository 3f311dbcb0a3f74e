package plot

import (
	"bytes"
	"math"
	"sync"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"

	"bohier/internal/text"
)

// density is the number of dots of a PNG for each pixel of the figure.
const density = 2

// PNG draws the figure, two dots to a pixel, with the Go fonts, which have Latin,
// Greek and Cyrillic letters; others become boxes.
func (f Figure) PNG(t Theme) ([]byte, error) {
	r := f.frame(false)
	p := &png{Context: gg.NewContext(r.width*density, r.height*density), theme: t}
	list, err := faces()
	if err != nil {
		return nil, err
	}
	p.faces = list
	p.tint(back, 1)
	p.Clear()
	f.draw(p, false)
	var out bytes.Buffer
	err = p.EncodePNG(&out)
	return out.Bytes(), err
}

// faces are those of the looks.
func faces() (out [3]font.Face, err error) {
	fonts, err := parsed()
	if err != nil {
		return out, err
	}
	for l, size := range []float64{plain: textSize, strong: textSize, heading: textSize + 2} {
		out[l], err = opentype.NewFace(fonts[min(l, 1)], &opentype.FaceOptions{Size: size * density, DPI: 72})
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

var parsed = sync.OnceValues(func() (out [2]*opentype.Font, err error) {
	for k, ttf := range [][]byte{goregular.TTF, gobold.TTF} {
		if out[k], err = opentype.Parse(ttf); err != nil {
			return out, err
		}
	}
	return out, nil
})

// png is the canvas of PNG.
type png struct {
	*gg.Context
	theme     Theme
	faces     [3]font.Face
	left, top float64 // where coordinates start
}

func (p *png) at(x, y float64) (float64, float64) {
	return density * bounded(p.left+x), density * bounded(p.top+y)
}

func (p *png) text(x, y float64, at anchor, l look, tone Tone, s string) {
	p.SetFontFace(p.faces[l%halo])
	x, y = p.at(x, y)
	s = text.Visible(s)
	if l == halo {
		p.tint(back, 0.6)
		for dx := -2.0; dx <= 2; dx += 2 {
			for dy := -2.0; dy <= 2; dy += 2 {
				p.DrawStringAnchored(s, x+dx, y+dy, float64(at)/2, 0)
			}
		}
	}
	p.tint(tone, 1)
	p.DrawStringAnchored(s, x, y, float64(at)/2, 0)
}

func (p *png) stroke(lines []line, pen pen) {
	p.tint(pen.tone, pen.opacity)
	p.SetLineWidth(pen.width * density)
	p.SetLineCapButt()
	p.SetDash()
	if pen.dashed {
		p.SetDash(6*density, 4*density)
	}
	for _, l := range lines {
		p.polygon(l)
	}
	p.Stroke()
}

func (p *png) fill(areas []line, tone Tone, opacity float64, _ owners) {
	p.tint(tone, opacity)
	for _, a := range areas {
		p.polygon(a)
		p.ClosePath()
	}
	p.Fill()
}

func (p *png) marks(kind Kind, at line, tone Tone, _ owners) {
	p.SetDash()
	p.SetLineWidth(1.8 * density)
	for k := range at.x {
		x, y := p.at(at.x[k], at.y[k])
		r := 3.5 * density
		p.tint(tone, 1)
		switch kind {
		case Crosses:
			p.DrawLine(x-r, y-r, x+r, y+r)
			p.DrawLine(x-r, y+r, x+r, y-r)
			p.Stroke()
		case Rings:
			p.DrawCircle(x, y, 3*density)
			p.tint(back, 1)
			p.FillPreserve()
			p.tint(tone, 1)
			p.SetLineWidth(1.4 * density)
			p.Stroke()
		case Rug:
			p.DrawLine(x, y, x, y-8*density)
			p.Stroke()
		case Stars:
			p.star(x, y)
		default:
			p.tint(tone, 0.8)
			p.DrawCircle(x, y, 3.25*density)
			p.Fill()
		}
	}
}

func (p *png) star(x, y float64) {
	for k := range 10 {
		r, angle := 8.0*density, math.Pi*float64(k)/5-math.Pi/2
		if k%2 == 1 {
			r *= 0.42
		}
		p.LineTo(x+r*math.Cos(angle), y+r*math.Sin(angle))
	}
	p.ClosePath()
	p.FillPreserve()
	p.tint(back, 1)
	p.SetLineWidth(density)
	p.Stroke()
}

func (p *png) group(_ string, draw func()) { draw() }

func (p *png) inside(x, y, w, h float64, _, _ scale, draw func()) {
	left, top := p.left, p.top
	cx, cy := p.at(x, y)
	p.DrawRectangle(cx, cy, w*density, h*density)
	p.Clip()
	p.left, p.top = left+x, top+y
	draw()
	p.left, p.top = left, top
	p.ResetClip()
}

func (p *png) polygon(l line) {
	for k := range l.x {
		x, y := p.at(l.x[k], l.y[k])
		if k == 0 {
			p.MoveTo(x, y)
			continue
		}
		p.LineTo(x, y)
	}
}

// tint is the colour of what follows.
func (p *png) tint(tone Tone, opacity float64) {
	if opacity == 0 {
		opacity = 1
	}
	p.SetHexColor(p.theme.colour(tone) + hex(opacity))
}

func hex(opacity float64) string {
	const digits = "0123456789abcdef"
	v := int(math.Round(255 * opacity))
	return string([]byte{digits[v>>4], digits[v&15]})
}
