package report

import (
	"slices"

	"bohier/internal/space"
	"bohier/internal/study"
)

// elsewhere marks a trial that is data only: of another space or context than today's.
func elsewhere(t *study.Trial) string {
	switch {
	case t.Stale:
		return " (other context)"
	case t.Outside:
		return " (other space)"
	}
	return ""
}

// settings are the values of a trial's active parameters, as it was made with them.
func settings(s *space.Space, t *study.Trial) []space.Setting {
	if t.Outside && !t.Stale {
		return t.Own
	}
	out := s.Settings(t.Config)
	for k := range out {
		if i := slices.IndexFunc(t.Own, func(v space.Setting) bool { return v.Name == out[k].Name }); i >= 0 {
			out[k] = t.Own[i]
		}
	}
	return out
}

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

// trialCell writes a parameter of a trial by format, such as Cell; empty where it is
// inactive.
func trialCell(s *space.Space, t *study.Trial, i int, format func(*space.Space, space.Configuration, int) string) string {
	if own := ownText(t, s.Param(i).Name); own != "" || t.Outside && !t.Stale {
		return own
	}
	return format(s, t.Config, i)
}

// others are the parameters of some of the trials that today's space lacks.
func others(s *space.Space, trials []study.Trial) (out []string) {
	for k := range trials {
		for _, name := range othersOf(s, &trials[k]) {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

func othersOf(s *space.Space, t *study.Trial) (out []string) {
	for _, v := range t.Own {
		if _, known := s.Index(v.Name); !known {
			out = append(out, v.Name)
		}
	}
	return out
}
