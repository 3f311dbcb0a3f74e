package zaefferer

import (
	"fmt"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A Setting is one test function.
type Setting struct{ B, C, D float64 }

// settings are the paper's 40.
func settings() (out []Setting) {
	for _, b := range []float64{0, 0.1} {
		for _, c := range []float64{.2, .4, .6, .8} {
			for _, d := range []float64{.1, .3, .5, .7, .9} {
				out = append(out, Setting{b, c, d})
			}
		}
	}
	return out
}

func (s Setting) String() string { return fmt.Sprintf("b %g, c %g, d %g", s.B, s.C, s.D) }

// Situations are the paper's five groups of settings, which Situation tells apart.
const Situations = "ABCDE"

// Situation is A to E: where the optimum lies and whether imputing ½ is right.
func (s Setting) Situation() string {
	switch inactive := s.D < s.C; {
	case inactive && s.B == 0:
		return "A"
	case inactive:
		return "B"
	case s.B == 0:
		return "C"
	case s.B < (s.C-s.D)*(s.C-s.D):
		return "D"
	}
	return "E"
}

func (s Setting) value(x1, x2 float64) float64 {
	y := (x1 - s.D) * (x1 - s.D)
	if x1 > s.C {
		y += (x2-0.5)*(x2-0.5) + s.B
	}
	return y
}

// coords are the two coordinates as a kernel sees them; without hierarchy the second is always active.
func coords(hierarchy bool) []kernels.Coord {
	return []kernels.Coord{{Name: "x1"}, {Name: "x2", Conditional: hierarchy}}
}

// encode makes points of n pairs x.
func (s Setting) encode(x [][2]float64, hierarchy bool) *points.Set {
	set := points.New(len(x), 2)
	for i, p := range x {
		set.Set(0, i, p[0], true)
		if active := p[0] > s.C || !hierarchy; active {
			set.Set(1, i, p[1], true)
		} else {
			set.Set(1, i, 0.5, false)
		}
	}
	return set
}
