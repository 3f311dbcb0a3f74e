package suggest

import (
	"slices"

	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// history sorts a study's trials by what they tell the next suggestion.
type history struct {
	st *study.Study
	surrogate.Data
	pending []*study.Trial
	seen    map[string]bool // configurations not to be proposed again
	lost    map[string]int  // how often configurations of the design were handed out without ever a result
	skipped bool            // trials without a result, of any source, took numbers
	ahead   int             // reserved trials with a lower number: others are choosing too
	// exhausted is the error of a finite space in which nothing is new; repeatable says
	// that the surrogate may suggest measurements of what was tried all the same.
	exhausted  error
	repeatable bool
	goals      []*history // of several objectives, as each is told by itself
	pace       *pace      // of the fits; nil: they take their time
}

// ReadHistory sorts the trials before the one with that number.
func ReadHistory(st *study.Study, trials []study.Trial, number int) *history {
	h := &history{st: st, seen: map[string]bool{}, lost: map[string]int{}}
	for k := range trials {
		t := &trials[k]
		if t.Number == number {
			continue
		}
		switch {
		case t.State == study.Complete && st.Measured(t), t.State == study.Pending && st.Among > 0 && st.Measured(t):
			h.Observed = append(h.Observed, t)
		case t.State == study.Failed && t.Failure == study.Infeasible:
			h.Infeasible = append(h.Infeasible, t)
		case t.State == study.Paused || t.State == study.Stopped:
			h.Partial = append(h.Partial, t)
		case t.State == study.Pending:
			if t.Course != nil && len(t.Course.Points) > 0 {
				h.Partial = append(h.Partial, t)
			}
			h.pending = append(h.pending, t)
		case t.State == study.Reserved:
			if t.Number < number {
				h.ahead++
			}
			continue
		default:
			h.skipped = true
			if t.Source == "design" && !t.Outside {
				h.lost[st.Space.Key(t.Config)]++
			}
			continue
		}
		if !t.Outside {
			h.seen[st.Space.Key(t.Config)] = true
		}
	}
	if st.Several() {
		for k := range st.Objectives {
			h.goals = append(h.goals, ReadHistory(st.For(k), trials, number))
		}
	}
	if st.Fidelity.Early() {
		h.atLevels(trials)
	}
	return h
}

// suggested are the trials whose configuration was suggested, but for the partial ones.
func (h *history) suggested() []*study.Trial {
	return slices.Concat(h.Observed, h.Infeasible, h.pending)
}

// own are the study's trials that are told of, failed as infeasible or are under way, each
// once: one that is under way may have told of a part.
func (h *history) own() []*study.Trial {
	out := slices.Concat(h.Told(), h.Infeasible)
	for _, t := range h.pending {
		if !slices.Contains(h.Partial, t) {
			out = append(out, t)
		}
	}
	return out
}

// pointers and values are trials of the other form.
// learn has a history know what earlier studies tell; of several objectives each learns
// from the values of its name.
func (h *history) learn(sources []surrogate.Source) {
	h.Sources = sources
	if len(sources) > 0 {
		h.At = h.st.Fidelity.High() // what they tell
	}
	for _, g := range h.goals {
		g.Sources = surrogate.SourcesOf(g.st, sources)
	}
}

// new reports whether a configuration has not been tried, refused or handed out.
func (h *history) new(c space.Configuration) bool { return !h.seen[h.st.Space.Key(c)] }

// settledIn reports whether there are trials enough of the study's own to doubt what
// they say; a warm start suggests before that.
func settledIn(h *history) bool {
	return len(h.Told())+len(h.Infeasible) >= h.st.Replicates.Times()*policy.InitialCount(h.st)
}
