package report

import (
	"math"

	"bohier/internal/space"
	"bohier/internal/study"
)

// atBound is which bound a numeric parameter of a configuration lies on, to within a thousandth
// of its range: "lower", "upper" or, between them or where it is inactive, "".
func atBound(s *space.Space, c space.Configuration, i int) string {
	p := s.Param(i)
	if p.Kind != space.Float && p.Kind != space.Int || len(c.Active) == 0 || !c.Active[i] {
		return ""
	}
	near := func(end float64) bool { // on the scale of the parameter
		u, v := s.NumberAt(i, end), s.NumberAt(i, math.Abs(end-1e-3))
		return math.Abs(c.Value[i]-u) <= math.Abs(v-u) && (p.Kind == space.Float || c.Value[i] == u)
	}
	switch {
	case near(0):
		return "lower"
	case near(1):
		return "upper"
	}
	return ""
}

// Bounds say which parameters of a trial lie on a bound of their range.
func Bounds(st *study.Study, t *study.Trial) (lines []string) {
	for _, i := range st.Space.Coordinates() {
		if end := atBound(st.Space, t.Config, i); end != "" {
			lines = append(lines, st.Space.Param(i).Name+" is at its "+end+" bound, "+Cell(st.Space, t.Config, i)+"; a wider range may hold better values")
		}
	}
	return lines
}
