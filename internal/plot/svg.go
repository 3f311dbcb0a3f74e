package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/text"
)

// SVG draws the figure: one self-contained file without scripts or fonts. Tips
// show on hovering. Equal figures give equal bytes.
func (f Figure) SVG() []byte {
	r := f.frame()
	var s svg
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" class="p" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n",
		r.width, r.height, r.width, r.height)
	for _, part := range [][2]string{{"title", f.Title}, {"desc", f.Note}} {
		if part[1] != "" {
			fmt.Fprintf(&s, "<%s>%s</%s>\n", part[0], escaped(part[1]), part[0])
		}
	}
	s.WriteString("<style>" + Style() + "</style>\n")
	fmt.Fprintf(&s, `<path class="fcb" d="M0 0H%dV%dH0Z"/>`+"\n", r.width, r.height)
	f.draw(&s)
	s.WriteString("</svg>\n")
	return s.Bytes()
}

// Inline draws the figure without title, note and style for a page that has its own. Instead of tips it tells the page
// whose points there are: data-t of a path lists the trials of its subpaths, data-x and data-y of a nested svg are low
// end, high end, 1 for a log scale or 2 for names, and the pixels of both ends.
func (f Figure) Inline() []byte {
	label := escaped(strings.TrimSpace(f.Title + ". " + f.Note))
	f.Title, f.Note = "", ""
	r := f.frame()
	s := svg{inline: true}
	fmt.Fprintf(&s, `<svg class="p" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="%s">`+"\n",
		r.width, r.height, r.width, r.height, label)
	f.draw(&s)
	s.WriteString("</svg>\n")
	return s.Bytes()
}

// svg is the canvas of SVG.
type svg struct {
	bytes.Buffer
	inline bool
}

func escaped(v string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text.Visible(v))) // no error of a Builder
	return b.String()
}

func (s *svg) text(x, y float64, at anchor, l look, tone Tone, v string) {
	fmt.Fprintf(s, `<text x="%s" y="%s" class="f%s%s"%s>`, px(x), px(y), tone.class(), l, at)
	s.WriteString(escaped(v) + "</text>\n")
}

func (s *svg) stroke(lines []line, p pen) {
	style := p.style()
	if p.dashes != "" {
		style += ` stroke-dasharray="` + p.dashes + `"`
	}
	if p.width != 1 {
		style += fmt.Sprintf(` stroke-width="%s"`, px(p.width))
	}
	s.paths("s"+p.tone.class(), style, p.owners, len(lines), func(k int) { s.points(lines[k], "") })
}

func (s *svg) fill(areas []line, p pen) {
	s.paths("f"+p.tone.class(), p.style(), p.owners, len(areas), func(k int) { s.points(areas[k], "Z") })
}

func (p pen) style() string {
	if p.opacity == 0 {
		return ""
	}
	return fmt.Sprintf(` opacity="%g"`, p.opacity)
}

// glyphs are the shapes behind a point's M in a path.
var glyphs = map[Kind]string{
	Dots:    "h0",
	Crosses: "m-3.5-3.5l7 7m0-7l-7 7",
	Rings:   "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
	Stars:   "m0-8l1.9 5.4 5.7.1-4.5 3.5 1.6 5.5-4.7-3.3-4.7 3.3 1.6-5.5-4.5-3.5 5.7-.1z",
	Rug:     "v-8",
}

func (s *svg) marks(kind Kind, at line, tone Tone, who owners) {
	class, style := "s"+tone.class(), ` stroke-width="1.8"`
	switch kind {
	case Dots:
		style = ` stroke-width="6.5" stroke-linecap="round" opacity="0.8"`
	case Rings:
		class, style = class+" f"+back.class(), ` stroke-width="1.4"`
	case Stars:
		class, style = "f"+tone.class()+" s"+back.class(), ` stroke-width="1"`
	}
	s.paths(class, style, who, len(at.x), func(k int) {
		fmt.Fprintf(s, "M%s %s%s", px(at.x[k]), px(at.y[k]), glyphs[kind])
	})
}

// paths writes n subpaths as one path; who are their owners. Where each has a tip of its own, which
// a page would show itself, they are n paths.
func (s *svg) paths(class, style string, who owners, n int, draw func(k int)) {
	tip := part(who.tips, 0)
	if !s.inline && len(who.tips) > 1 {
		for k := range n {
			s.paths(class, style, owners{tips: []string{part(who.tips, k)}}, 1, func(int) { draw(k) })
		}
		return
	}
	fmt.Fprintf(s, `<path class="%s"%s`, class, style)
	if s.inline && len(who.trials) > 0 {
		s.WriteString(` data-t="` + strings.Trim(fmt.Sprint(who.trials), "[]") + `"`)
	}
	s.WriteString(` d="`)
	for k := range n {
		draw(k)
	}
	if s.inline || tip == "" {
		s.WriteString("\"/>\n")
		return
	}
	lines := lists.Of(strings.Split(tip, "\n"), escaped)
	s.WriteString(`"><title>` + strings.Join(lines, "\n") + "</title></path>\n")
}

func (s *svg) group(name string, draw func()) {
	if !s.inline {
		draw()
		return
	}
	fmt.Fprintf(s, `<g class="%s">`, name)
	draw()
	s.WriteString("</g>\n")
}

// inside is a nested view, which clips its content.
func (s *svg) inside(x, y, w, h float64, xs, ys scale, draw func()) {
	fmt.Fprintf(s, `<svg x="%s" y="%s" width="%s" height="%s"`, px(x), px(y), px(w), px(h))
	if s.inline {
		fmt.Fprintf(s, ` data-x="%s" data-y="%s"`, xs, ys)
	}
	s.WriteString(">\n")
	draw()
	s.WriteString("</svg>\n")
}

// String is a scale for scripts.
func (s scale) String() string {
	kind := 0
	switch {
	case s.log:
		kind = 1
	case s.names:
		kind = 2
	}
	return fmt.Sprintf("%v %v %d %s %s", s.lo, s.hi, kind, px(s.from), px(s.to))
}

func (s *svg) points(l line, end string) {
	for k := range l.x {
		c := 'L'
		if k == 0 {
			c = 'M'
		}
		fmt.Fprintf(s, "%c%s %s", c, px(l.x[k]), px(l.y[k]))
	}
	s.WriteString(end)
}

// px is a pixel coordinate to a tenth.
func px(v float64) string {
	return strconv.FormatFloat(math.Round(bounded(v)*10)/10+0, 'f', -1, 64) // + 0: no −0
}
