package policy

import (
	"cmp"

	"bohier/internal/space"
	"bohier/internal/study"
)

// A View is what rules decide from: the study, and plain numbers about its trials. No
// surrogate is behind it.
type View struct {
	Study  *study.Study
	Number int    // of the trial to suggest
	Seed   uint64 // of the study

	Observed, Infeasible, Pending int // trials
	Ends                          int // trials at full resource, of the observed
	Feasible                      int // observed trials that satisfy every constraint

	Fit *study.FitRecord // of the newest suggestion; never nil

	// Goals are the views of several objectives, each by itself. Fit is then theirs alone.
	Goals []*View

	Noisy       bool    // noise is material
	Best        int     // number of the best feasible trial; 0: there is none
	Misses      float64 // how far off the latest predictions were, in standard deviations
	Floor       int     // of one of several objectives: configurations that share its least value
	PriorWeight float64 // of the user's prior; 0: none

	// Regions that rules may choose: none before the study has as many trials of its own as an
	// initial design (a warm start suggests earlier), and none where the caller fixed values.
	Branches []Branch             // none in a space with one branch
	Unseen   []study.RegionValues // values of choices that no trial has, as far as constraints allow them
	Margins  map[string]float64   // of constraints by factor name, in standard deviations
}

// A Branch is an activity pattern of the space.
type Branch struct {
	Active []string // its conditional parameters
	Tried  int      // trials, pending and infeasible ones included
	Best   int      // number of its best feasible trial; 0: none
	Rank   int      // place of that trial among those of all branches; the last for none
	Done   bool     // nothing new is left of it
}

// newView sums up, for the request r, what the history says.
func newView(h *history, r Request) *View {
	st := h.st
	v := &View{
		Study: st, Number: r.Number, Seed: r.Seed,
		Observed: len(h.Told()), Ends: len(h.Observed), Infeasible: len(h.Infeasible), Pending: len(h.pending),
		Fit:   r.Warm.Of(st).Clone(),
		Noisy: !st.Several() && noisy(st, h.Observed, r.Warm), Best: bestOf(st, h.Observed), Misses: misses(h, r.Warm.Clone()),
	}
	for _, t := range h.Observed {
		if st.Feasible(t) {
			v.Feasible++
		}
	}
	for _, g := range h.goals {
		v.Goals = append(v.Goals, newView(g, r))
	}
	if st.Among > 0 { // of one of several objectives, only rules about it ask
		v.Floor = floored(st, h.Observed)
		return v
	}
	v.Margins = margins(h)
	if st.Space.HasPriors() {
		v.PriorWeight = priorWeight(h)
	}
	if settledIn(h) && len(r.Fixed) == 0 {
		v.Branches, v.Unseen = branches(h, r), unseen(h, r)
	}
	return v
}

// bestOf is the number of the best feasible one of trials, the first of equals; 0: there
// is none.
func bestOf(st *study.Study, trials []*study.Trial) int {
	if lead := leading(st, trials, 1); len(lead) > 0 {
		return lead[0].Number
	}
	return 0
}

// branches counts and ranks the branches, in the order of the space.
func branches(h *history, r Request) []Branch {
	st := h.st
	all := st.Space.Branches()
	if len(all) < 2 {
		return nil
	}
	tried, best, rank := map[string]int{}, map[string]int{}, map[string]int{}
	for _, t := range h.own() {
		if !t.Outside {
			tried[st.Space.BranchKey(t.Config)]++
		}
	}
	for _, t := range leading(st, h.Observed, len(h.Observed)) {
		if key := st.Space.BranchKey(t.Config); best[key] == 0 {
			best[key], rank[key] = t.Number, len(rank)+1
		}
	}
	out := make([]Branch, len(all))
	for k, active := range all {
		key := st.Space.BranchKey(space.Configuration{Active: active})
		out[k] = Branch{Active: activeNames(st.Space, active), Tried: tried[key], Best: best[key],
			Rank: cmp.Or(rank[key], len(rank)+1), Done: tried[key] > 0 && done(h, active, key, r)}
	}
	return out
}

// done reports whether nothing new is left of a branch, as far as a sample tells.
func done(h *history, active []bool, key string, r Request) bool {
	st := h.st
	for i, on := range active {
		if on && st.Space.Param(i).Kind == space.Float {
			return false
		}
	}
	domain := space.NewDomain(st.Space, nil)
	if domain.Err() != nil {
		return false
	}
	sample := branch(domain, st.Space, key).Sample(generator(r, streamRegion), 32)
	for i := range sample.Len() {
		if h.new(st.Space.Decode(sample, i)) {
			return false
		}
	}
	return true
}

// activeNames are the conditional parameters that are active.
func activeNames(sp *space.Space, active []bool) []string {
	out := []string{}
	for i, on := range active {
		if on && sp.Conditional(i) {
			out = append(out, sp.Param(i).Name)
		}
	}
	return out
}
