package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
)

// SVG draws the figure: one self-contained file without scripts or fonts, on a
// transparent background, legible on light and dark pages. Equal figures give
// equal bytes.
func (f Figure) SVG() []byte {
	width, height, _, _, _, _ := f.size()
	var s svg
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="%d" fill="%s" role="img">`+"\n",
		width, height, width, height, textSize, ink)
	if f.Title != "" {
		s.WriteString("<title>")
		s.escape(f.Title)
		s.WriteString("</title>\n")
	}
	f.draw(&s)
	s.WriteString("</svg>\n")
	return s.Bytes()
}

// svg is the canvas of SVG.
type svg struct{ bytes.Buffer }

func (s *svg) escape(text string) { _ = xml.EscapeText(&s.Buffer, []byte(Visible(text))) }

func (s *svg) text(x, y float64, at anchor, l look, text string) {
	style := map[look]string{
		strong:  ` font-weight="bold"`,
		upright: fmt.Sprintf(` transform="rotate(-90 %s %s)"`, px(x), px(y)),
	}
	fmt.Fprintf(s, `<text x="%s" y="%s" text-anchor="%s"%s>`, px(x), px(y), []string{"start", "middle", "end"}[at], style[l])
	s.escape(text)
	s.WriteString("</text>\n")
}

func (s *svg) stroke(x, y []float64, p pen) {
	style := ""
	if p.opacity != 0 && p.opacity != 1 {
		style += fmt.Sprintf(` stroke-opacity="%g"`, p.opacity)
	}
	if p.dashed {
		style += ` stroke-dasharray="6 4"`
	}
	fmt.Fprintf(s, `<path fill="none" stroke="%s" stroke-width="%g"%s d="`, p.colour, p.width, style)
	s.points(x, y)
	s.WriteString("\"/>\n")
}

func (s *svg) fill(x, y []float64, colour string, opacity float64) {
	fmt.Fprintf(s, `<path fill="%s" fill-opacity="%g" d="`, colour, opacity)
	s.points(x, y)
	s.WriteString("Z\"/>\n")
}

func (s *svg) dot(x, y, r float64, colour string, opacity float64) {
	fmt.Fprintf(s, `<circle cx="%s" cy="%s" r="%g" fill="%s" fill-opacity="%g"/>`+"\n", px(x), px(y), r, colour, opacity)
}

// inside is a nested view, which cuts off what lies outside.
func (s *svg) inside(x, y, w, h float64, draw func()) {
	fmt.Fprintf(s, `<svg x="%s" y="%s" width="%s" height="%s">`+"\n", px(x), px(y), px(w), px(h))
	draw()
	s.WriteString("</svg>\n")
}

func (s *svg) points(x, y []float64) {
	for k := range x {
		c := 'L'
		if k == 0 {
			c = 'M'
		}
		fmt.Fprintf(s, "%c%s %s", c, px(x[k]), px(y[k]))
	}
}

// px is a pixel coordinate to a hundredth.
func px(v float64) string {
	return strconv.FormatFloat(math.Round(bounded(v)*100)/100+0, 'f', -1, 64) // + 0: no −0
}
