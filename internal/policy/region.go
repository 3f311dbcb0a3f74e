package policy

import (
	"slices"

	"bohier/internal/space"
	"bohier/internal/study"
)

// guardEvery is the share of suggestions that look only at what was tried least:
// one in five, in turn the branch with the fewest trials, where a configuration
// competes with those of its branch alone, and the configurations in which some
// choice has its rarest value. A surrogate that is sure of the wrong branch or
// choice does not notice by itself (measurements in docs/benchmarks.md). Once the
// best is merely polished, it is every other suggestion: when in the last stale
// trials it gained less than a share of polish of its lead over the first ones.
const (
	guardEvery   = 5
	guardStalled = 2
	stale        = 10
	polish       = 1e-3
)

// coverageTurn tells whether it is the guard's turn.
func coverageTurn(st *study.Study, h *history) bool {
	if !settledIn(st, h) {
		return false
	}
	if stalled(st, h) {
		return h.turn()%guardStalled == guardStalled-1
	}
	return h.turn()%guardEvery == guardEvery-1
}

// settledIn tells whether there are trials enough of the study's own to doubt what
// they say; a warm start suggests before that.
func settledIn(st *study.Study, h *history) bool {
	return len(h.Observed)+len(h.Infeasible) >= initialCount(st)
}

// stalled tells whether the latest feasible trials gained next to nothing.
func stalled(st *study.Study, h *history) bool {
	var y []float64
	for _, t := range h.Observed {
		if st.Feasible(t) {
			y = append(y, st.Objective.Direction.Sign()*t.Values[st.Objective.Name])
		}
	}
	if len(y) < 2*stale {
		return false
	}
	best, before := slices.Min(y), slices.Min(y[:len(y)-stale])
	return before-best <= polish*(median(y[:min(initialCount(st), stale)])-best)
}

// within is the history as seen from a part of the domain.
func (h *history) within(st *study.Study, p part) *history {
	out := *h
	out.only = func(c space.Configuration) bool {
		return p.holds(st.Space.EncodeAll([]space.Configuration{c}), 0)
	}
	return &out
}

// A glance is what a guard's turn looks at.
type glance struct {
	part
	view *history  // what the part's configurations compete with
	rare *rareness // what they have one of; nil: the part is a branch
}

// neglected is what to look at in the guard's turns; ok is false in other turns,
// and where the space has no branches or choices.
func neglected(st *study.Study, h *history, r Request, d *space.Domain) (g glance, ok bool) {
	if len(r.Fixed) > 0 || !coverageTurn(st, h) {
		return glance{}, false
	}
	branches := st.Space.Branches()
	if len(branches) < 2 || h.turn()/2%2 == 1 {
		sample := d.Sample(generator(r, streamGuard), possible)
		if rare := rarest(st, h, sample); rare != nil {
			return glance{part{d, rare.values.in}, h, rare}, true
		}
	}
	if len(branches) < 2 {
		return glance{}, false
	}
	p := branch(d, st.Space, leastTried(st, h, branches))
	return glance{p, h.within(st, p), nil}, true
}

// leastTried is the key of the branch with the fewest trials.
func leastTried(st *study.Study, h *history, branches [][]bool) string {
	tried := map[string]int{}
	for _, c := range h.configurations() {
		tried[st.Space.BranchKey(c)]++
	}
	least := ""
	for k, active := range branches {
		key := st.Space.BranchKey(space.Configuration{Active: active})
		if k == 0 || tried[key] < tried[least] {
			least = key
		}
	}
	return least
}
