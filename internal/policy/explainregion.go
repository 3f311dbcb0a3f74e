package policy

import (
	"slices"

	"bohier/internal/space"
	"bohier/internal/study"
)

// A Guard says that a suggestion was sought only where little had been tried: in
// a branch of the space, or among the configurations with rare values of choices.
type Guard struct {
	Holds, Fails []string // the branch: conditions that hold in it, and others
	Values       []Rare   // the rare values, of which it has one; nil: a branch
	Tried        int      // trials before it in that branch, or with each of the values
	Beside       bool     // of the values only trials beside the best counted
	Against      string   // what it had to beat, one of the constants below; "": nothing
	Rival        *study.Trial
}

// Rare are the values of a choice that the fewest trials had.
type Rare struct {
	Name   string
	Values []string
}

// What a suggestion of the guard has to beat: the best of all trials, the best of
// its branch, or the median of all trials where the branch has none that counts.
const (
	AgainstAll    = "all"
	AgainstBranch = "branch"
	AgainstMedian = "median"
)

// guarded puts into words what a guard's turn looked at and chose conf from; best
// is the best trial of all, if any.
func (o *outlook) guarded(g glance, conf space.Configuration, best *study.Trial) *Guard {
	sp := o.st.Space
	out := &Guard{}
	if g.rare == nil {
		for _, c := range o.h.configurations() {
			if g.holds(sp.EncodeAll([]space.Configuration{c}), 0) {
				out.Tried++
			}
		}
	} else {
		out.Tried, out.Beside, out.Values = g.rare.tried, g.rare.beside, g.rare.values.named(sp)
	}
	for i := range sp.Params() {
		if g.rare != nil || !sp.Conditional(i) {
			continue
		}
		list := &out.Fails
		switch {
		case conf.Active[i]:
			list = &out.Holds
		case slices.ContainsFunc(sp.Parents(i), func(p int) bool { return !conf.Active[p] }):
			continue // goes without saying
		}
		if text := space.Format(sp.Param(i).Condition, sp); !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	if best == nil || o.st.Acquisition.Name == "lcb" {
		return out // feasibility alone, or a bound, decides
	}
	out.Against, out.Rival = AgainstAll, best
	if g.rare == nil {
		out.Against, out.Rival = o.branchRival(g.view)
	}
	return out
}

// named are the values by the names of their choices, in the order of the space.
func (c choices) named(sp *space.Space) []Rare {
	var out []Rare
	for co, p := range sp.Coordinates() {
		if c[co] == nil {
			continue
		}
		q := sp.Param(p)
		rare := Rare{Name: q.Name}
		for k, in := range c[co] {
			v := float64(k)
			if !q.Choice() {
				v = q.Low + v*max(q.Step, 1)
			}
			if in {
				rare.Values = append(rare.Values, sp.FormatValue(p, v))
			}
		}
		out = append(out, rare)
	}
	return out
}

// branchRival is what a configuration has to beat that competes with its branch.
func (o *outlook) branchRival(view *history) (against string, rival *study.Trial) {
	var told []study.Trial
	for _, t := range view.rivals(view.Observed) {
		told = append(told, *t)
	}
	if best := o.st.Best(told, 1); len(best) > 0 {
		return AgainstBranch, &best[0]
	}
	if len(view.rivals(view.pending)) > 0 {
		return AgainstBranch, nil
	}
	return AgainstMedian, nil
}
