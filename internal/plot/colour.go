package plot

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// A Tone is a colour by its role.
type Tone int

// Tones is the number of colours, counted from 0 and repeated after that; Grey is
// what is beside the point.
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

// looks is how a tone looks on light and on dark. The six are those of Okabe & Ito
// (2008), which people who see few colours can tell apart, darker or lighter for
// a contrast of 3 with the background; the ramp is viridis (van der Walt & Smith
// 2015), the best end the one with more contrast.
var looks = map[Tone][2]string{
	0: {"#0072b2", "#56b4e9"}, 1: {"#d55e00", "#ff9a4d"}, 2: {"#00805e", "#2fc69a"},
	3: {"#b0578d", "#e29bc4"}, 4: {"#946c00", "#e0b13c"}, 5: {"#3d8fc2", "#a5d8f3"},
	Grey: {"#7d838c", "#8f96a0"}, ink: {"#1f2328", "#e6e8eb"}, soft: {"#59626d", "#a3abb5"},
	rule: {"#e4e7eb", "#333a43"}, back: {"#ffffff", "#16191d"},
}

var viridis = [Levels]string{"#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58",
	"#b5de2b", "#fde725"}

func init() {
	for k := range viridis {
		looks[ramp0+Tone(k)] = [2]string{viridis[k], viridis[Levels-1-k]}
	}
	// Its dark end could not be seen on dark.
	looks[ramp0+Levels-2] = [2]string{viridis[Levels-2], "#54448f"}
	looks[ramp0+Levels-1] = [2]string{viridis[Levels-1], "#5f3180"}
}

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
		fmt.Fprintf(&b, ".p .o{stroke:%s}", looks[back][dark])
		for _, tone := range slices.Sorted(maps.Keys(looks)) {
			c := looks[tone][dark]
			fmt.Fprintf(&b, ".p .s%s{stroke:%s}.p .f%s{fill:%s}", tone.class(), c, tone.class(), c)
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
