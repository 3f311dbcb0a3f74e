package policy

import (
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// history sorts a study's trials by what they tell the next suggestion.
type history struct {
	surrogate.Data
	pending []*study.Trial
	seen    map[string]bool // configurations not to be proposed again
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

func ReadHistory(st *study.Study, trials []study.Trial, number int) *history {
	h := &history{seen: map[string]bool{}}
	for k := range trials {
		t := &trials[k]
		if t.Number == number {
			continue
		}
		switch {
		case t.State == study.Complete && st.Measured(t):
			h.Observed = append(h.Observed, t)
		case t.State == study.Failed && t.Failure == study.Infeasible:
			h.Infeasible = append(h.Infeasible, t)
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

// turn counts the trials known so far and those that others are choosing; what
// changes from one suggestion to the next goes by it, among processes that ask at
// once as well.
func (h *history) turn() int { return len(h.Observed) + len(h.Infeasible) + len(h.pending) + h.ahead }

// configurations are those that were tried, refused or handed out and fit the
// space.
func (h *history) configurations() []space.Configuration {
	var out []space.Configuration
	for _, list := range [][]*study.Trial{h.Observed, h.Infeasible, h.pending} {
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
