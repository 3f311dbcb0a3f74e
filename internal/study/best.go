package study

import (
	"fmt"
	"sort"
)

// Best returns the n best feasible complete trials, best first, ties by number. Of
// several objectives it is the first n of the front.
func (s *Study) Best(trials []Trial, n int) []Trial {
	if s.Several() {
		if f := s.Front(trials); f != nil {
			return f.Trials[:min(n, len(f.Trials))]
		}
		return nil
	}
	var out []Trial
	for k := range trials {
		if t := &trials[k]; t.State == Complete && s.Measured(t) && s.Feasible(t) {
			out = append(out, *t)
		}
	}
	s.Sort(out)
	return out[:min(n, len(out))]
}

// Shortfall says what the complete trials lack where Best finds none: they satisfy
// no constraint, or measured something else than the objective.
func (s *Study) Shortfall(trials []Trial) string {
	for k := range trials {
		if trials[k].State == Complete && s.Measured(&trials[k]) {
			return "none satisfies every constraint yet"
		}
	}
	if s.Several() {
		return "none has a value of every objective"
	}
	return fmt.Sprintf("none has a value %q", s.Objective.Name)
}

// Sort orders trials from the best to the worst value of the (first) objective, ties
// by number.
func (s *Study) Sort(trials []Trial) {
	name, sign := s.Objective.Name, s.Objective.Direction.Sign()
	sort.SliceStable(trials, func(a, b int) bool {
		va, vb := sign*trials[a].Values[name], sign*trials[b].Values[name]
		if va != vb {
			return va < vb
		}
		return trials[a].Number < trials[b].Number
	})
}

// Measured reports whether the trial has a finite value of every objective.
func (s *Study) Measured(t *Trial) bool { return s.Vector(t) != nil }

// Feasible reports whether every constraint was measured and holds.
func (s *Study) Feasible(t *Trial) bool {
	for _, c := range s.Constraints {
		v, ok := t.Values[c.Name]
		if !ok || !c.Holds(v) {
			return false
		}
	}
	return true
}
