package plot

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
)

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
