package report

import (
	"bytes"
	"math"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
)

// density is the number of dots of a PNG for each pixel of the figure.
const density = 2

// PNG draws the figure on white, two dots to a pixel, with the Go fonts, which
// have Latin, Greek and Cyrillic letters; others become boxes.
func (f Figure) PNG() ([]byte, error) {
	width, height, _, _, _, _ := f.size()
	p := &png{Context: gg.NewContext(width*density, height*density)}
	var err error
	if p.regular, err = face(goregular.TTF); err != nil {
		return nil, err
	}
	if p.bold, err = face(gobold.TTF); err != nil {
		return nil, err
	}
	p.SetHexColor("#ffffff")
	p.Clear()
	f.draw(p)
	var out bytes.Buffer
	err = p.EncodePNG(&out)
	return out.Bytes(), err
}

func face(ttf []byte) (font.Face, error) {
	f, err := opentype.Parse(ttf)
	if err != nil {
		return nil, err
	}
	return opentype.NewFace(f, &opentype.FaceOptions{Size: textSize * density, DPI: 72})
}

// png is the canvas of PNG.
type png struct {
	*gg.Context
	regular, bold font.Face
	left, top     float64 // where coordinates start
}

func (p *png) at(x, y float64) (float64, float64) {
	return density * bounded(p.left+x), density * bounded(p.top+y)
}

func (p *png) text(x, y float64, at anchor, l look, s string) {
	p.SetFontFace(p.regular)
	if l == strong {
		p.SetFontFace(p.bold)
	}
	p.SetHexColor(ink)
	x, y = p.at(x, y)
	if l == upright {
		p.Push()
		p.RotateAbout(-math.Pi/2, x, y)
		defer p.Pop()
	}
	p.DrawStringAnchored(Visible(s), x, y, float64(at)/2, 0)
}

func (p *png) stroke(x, y []float64, pen pen) {
	p.tint(pen.colour, pen.opacity)
	p.SetLineWidth(pen.width * density)
	p.SetDash()
	if pen.dashed {
		p.SetDash(6*density, 4*density)
	}
	p.polygon(x, y)
	p.Stroke()
}

func (p *png) fill(x, y []float64, colour string, opacity float64) {
	p.tint(colour, opacity)
	p.polygon(x, y)
	p.ClosePath()
	p.Fill()
}

func (p *png) dot(x, y, r float64, colour string, opacity float64) {
	p.tint(colour, opacity)
	x, y = p.at(x, y)
	p.DrawCircle(x, y, r*density)
	p.Fill()
}

func (p *png) inside(x, y, w, h float64, draw func()) {
	left, top := p.left, p.top
	cx, cy := p.at(x, y)
	p.DrawRectangle(cx, cy, w*density, h*density)
	p.Clip()
	p.left, p.top = left+x, top+y
	draw()
	p.left, p.top = left, top
	p.ResetClip()
}

func (p *png) polygon(x, y []float64) {
	for k := range x {
		px, py := p.at(x[k], y[k])
		p.LineTo(px, py)
	}
}

// tint is the colour of what follows, #rrggbb.
func (p *png) tint(colour string, opacity float64) {
	if opacity == 0 {
		opacity = 1
	}
	p.SetHexColor(colour + hex(opacity))
}

func hex(opacity float64) string {
	const digits = "0123456789abcdef"
	v := int(math.Round(255 * opacity))
	return string([]byte{digits[v>>4], digits[v&15]})
}
