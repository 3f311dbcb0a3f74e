package runner

import (
	"math"

	"bohier/internal/space"
	"bohier/internal/study"
)

// history sorts a study's trials by what they tell the next suggestion.
type history struct {
	told    []*study.Trial // complete, with a finite objective
	refused []*study.Trial // infeasible
	pending []*study.Trial
	seen    map[string]bool // configurations not to be proposed again
	earlier []Earlier       // warm start
	ahead   int             // reserved trials with a lower number: others are choosing too

	// only tells which configurations a suggestion competes with; nil: with all.
	only func(c space.Configuration) bool
}

// rivals are the trials a suggestion competes with.
func (h *history) rivals(trials []*study.Trial) []*study.Trial {
	if h.only == nil {
		return trials
	}
	var out []*study.Trial
	for _, t := range trials {
		if !t.Outside && h.only(t.Config) {
			out = append(out, t)
		}
	}
	return out
}

func readHistory(st *study.Study, trials []study.Trial, number int) *history {
	h := &history{seen: map[string]bool{}}
	for k := range trials {
		t := &trials[k]
		if t.Number == number {
			continue
		}
		switch {
		case t.State == study.Complete && finiteObjective(st, t):
			h.told = append(h.told, t)
		case t.State == study.Failed && t.Failure == study.Infeasible:
			h.refused = append(h.refused, t)
		case t.State == study.Pending:
			h.pending = append(h.pending, t)
		case t.State == study.Reserved:
			if t.Number < number {
				h.ahead++
			}
			continue
		default:
			continue
		}
		if !t.Outside {
			h.seen[st.Space.Key(t.Config)] = true
		}
	}
	return h
}

func finiteObjective(st *study.Study, t *study.Trial) bool {
	v, ok := t.Values[st.Objective.Name]
	return ok && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// turn counts the trials known so far and those that others are choosing; what
// changes from one suggestion to the next goes by it, among processes that ask at
// once as well.
func (h *history) turn() int { return len(h.told) + len(h.refused) + len(h.pending) + h.ahead }

// configurations are those that were tried, refused or handed out and fit the
// space.
func (h *history) configurations() []space.Configuration {
	var out []space.Configuration
	for _, list := range [][]*study.Trial{h.told, h.refused, h.pending} {
		for _, t := range list {
			if !t.Outside {
				out = append(out, t.Config)
			}
		}
	}
	return out
}

// new tells whether a configuration has not been tried, refused or handed out.
func (h *history) new(s *space.Space, c space.Configuration) bool { return !h.seen[s.Key(c)] }

// Best returns the n best feasible complete trials, best first, ties by number.
func Best(st *study.Study, trials []study.Trial, n int) []study.Trial {
	var out []study.Trial
	for k := range trials {
		if t := &trials[k]; t.State == study.Complete && finiteObjective(st, t) && feasible(st, t) {
			out = append(out, *t)
		}
	}
	sortByObjective(st, out)
	return out[:min(n, len(out))]
}

// feasible tells whether every measured constraint holds.
func feasible(st *study.Study, t *study.Trial) bool {
	for _, c := range st.Constraints {
		v, ok := t.Values[c.Name]
		if !ok || !c.Holds(v) {
			return false
		}
	}
	return true
}
