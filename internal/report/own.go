package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// ownText is the value that a trial had for a parameter under another space; empty for none,
// or where today's space writes the same.
func ownText(t *study.Trial, name string) string {
	for _, v := range t.Own {
		if v.Name == name {
			return v.Text
		}
	}
	return ""
}

// paramOf is the value of a parameter of a trial, as it was made with it; nil where it is inactive.
func paramOf(s *space.Space, t *study.Trial, i int) any {
	c := t.Config
	if own := ownText(t, s.Param(i).Name); own != "" || t.Outside && !t.Stale {
		if v, err := strconv.ParseFloat(own, 64); err == nil && s.Param(i).IsNumber() {
			return spelled{v, own}
		}
		return own
	}
	if i >= len(c.Active) || !c.Active[i] {
		return nil
	}
	if s.Param(i).IsNumber() {
		return spelled{c.Value[i], s.FormatValue(i, c.Value[i])}
	}
	return s.FormatValue(i, c.Value[i])
}

// others are the parameters of some of the trials that today's space lacks.
func others(s *space.Space, trials []*study.Trial) []string {
	all := lists.Of(trials, func(t *study.Trial) []string { return othersOf(s, t) })
	return lists.Distinct(slices.Concat(all...), func(name string) string { return name })
}

func othersOf(s *space.Space, t *study.Trial) []string {
	return lists.Some(t.Own, func(v space.Setting) (string, bool) {
		_, known := s.Index(v.Name)
		return v.Name, !known
	})
}

// atBound is which bound a numeric parameter of a configuration lies on, to within a thousandth
// of its range: "lower", "upper" or, between them or where it is inactive, "".
func atBound(s *space.Space, c space.Configuration, i int) string {
	p := s.Param(i)
	if !p.IsNumber() || len(c.Active) == 0 || !c.Active[i] {
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

// Bounds list the parameters of a trial that lie on a bound of their range.
func Bounds(st *study.Study, t *study.Trial) (lines []string) {
	for _, i := range st.Space.Coordinates() {
		if end := atBound(st.Space, t.Config, i); end != "" {
			lines = append(lines, st.Space.Param(i).Name+" is at its "+end+" bound, "+Cell(st.Space, t.Config,
				i)+"; a wider range may hold better values")
		}
	}
	return lines
}

// Changes are the changes of a trial's outcomes and state by a correction, in words: "loss 0.3 → 0.2".
func Changes(st *study.Study, was, now *study.Trial) (words []string) {
	if before, after := stateText(was), stateText(now); before != after {
		words = append(words, before+" → "+after)
	}
	text := func(t *study.Trial, name string) string { return cmp.Or(written(valueOf(t.Values, name), nil), "none") }
	for _, name := range st.Outcomes() {
		if before, after := text(was, name), text(now, name); before != after {
			words = append(words, name+" "+before+" → "+after)
		}
	}
	return words
}
