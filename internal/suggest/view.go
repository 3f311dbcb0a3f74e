package suggest

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/lists"
	"bohier/internal/pareto"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
)

// newView summarises the history for the request r.
func newView(h *history, r Request) *policy.View {
	st := h.st
	v := &policy.View{
		Study: st, Number: r.Number, Seed: r.Seed,
		Observed: len(h.Told()), Ends: len(h.Observed), Infeasible: len(h.Infeasible), Penalised: h.penalised,
		Pending: len(h.pending),
		Fit:     r.Warm.Of(st).Clone(),
		Noisy:   h.materialNoise(r.Warm), Best: h.best(),
	}
	if g := v.Fit.Gain; g != nil {
		v.Gain = *g
	}
	v.Poor, v.Inside = func(from int) int { return poor(h, from) }, func() bool { return bestInMiddle(h) }
	for _, g := range h.goals {
		v.Goals = append(v.Goals, newView(g, r))
	}
	if st.Among != nil { // of one of several objectives, only rules about it ask
		v.Floor = once(h, "floor", func() int { return floored(st, h.Observed) })
		return v
	}
	v.Margins = once(h, "margins", func() map[string]float64 { return margins(h) })
	if st.Space.HasPriors() {
		v.PriorWeight = priorWeight(h)
	}
	if settledIn(h) && len(r.Fixed) == 0 {
		ordered := h.leading(len(h.Observed))
		v.Branches, v.Values = branches(h, r, ordered), choices(h, r, ordered)
	}
	return v
}

// bestInMiddle reports whether the best trial that no surrogate suggested is its own middle, and has numbers that it
// moves. The values of a plane are average there, so such a centre point tests for curvature (Box & Wilson 1951,
// doi:10.1111/j.2517-6161.1951.tb00067.x).
func bestInMiddle(h *history) bool {
	sp := h.st.Space
	guessed := lists.Only(h.Observed, func(t *study.Trial) bool {
		return t.Source != "model" && t.Source != SourceReplicate && !t.Outside
	})
	best := h.st.First(guessed, 1)
	if len(best) == 0 {
		return false
	}
	c, mentioned := best[0].Config, sp.Mentioned()
	return lists.Any(len(mentioned), func(i int) bool { return c.Active[i] && sp.Param(i).IsNumber() && !mentioned[i] }) &&
		sp.Proposable(c) == nil && sp.Middle(c).Equal(c)
}

// poorOdds times as many results beat a poor suggestion as it beats: it is worse than three of four guesses.
const poorOdds = 3

// poor counts the poor suggestions of the surrogate, made with so many measured values or more: each compared with the
// results before it that fit and are of this context. A trial that failed as infeasible beats none. A suggestion is
// for all objectives of a study.
func poor(h *history, from int) (count int) {
	st := *h.st
	if st.Among != nil {
		st.Objectives = st.Among
	}
	told := lists.Only(slices.Concat(h.Observed, h.Infeasible), func(t *study.Trial) bool {
		return !t.Outside && (t.State == study.Failed || t.State == study.Complete && st.Measured(t))
	})
	slices.SortFunc(told, func(a, b *study.Trial) int { return cmp.Compare(a.Number, b.Number) })
	values := lists.Of(told, st.Vector)
	beats := func(a, b []float64) bool { return a != nil && (b == nil || pareto.Dominates(a, b)) }
	known := 0
	for k, t := range told {
		var won, lost int
		for _, v := range values[:k] {
			switch {
			case beats(values[k], v):
				won++
			case beats(v, values[k]):
				lost++
			}
		}
		if known >= from && t.Source == "model" && lost > poorOdds*won {
			count++
		}
		if t.State == study.Complete {
			known++
		}
	}
	return count
}

// best is the number of the best feasible observed trial, the first of equals; 0: there is none.
func (h *history) best() int {
	if lead := h.leading(1); len(lead) > 0 {
		return lead[0].Number
	}
	return 0
}

// branches counts and ranks the branches, in the order of the space.
func branches(h *history, r Request, ordered []*study.Trial) []policy.Branch {
	st := h.st
	all := st.Space.Branches()
	if len(all) < 2 {
		return nil
	}
	count := tally(h, ordered, st.Space.BranchKey)
	out := make([]policy.Branch, len(all))
	for k, active := range all {
		key := st.Space.BranchKey(space.Configuration{Active: active})
		out[k] = count(key)
		out[k].Active = activeNames(st.Space, active)
		if out[k].Tried > 0 {
			out[k].Done = func() bool { return done(h, active, r) }
		}
	}
	return out
}

// tally counts the trials whose configurations have a key, and ranks the keys by the first of
// the ordered trials with each.
func tally[K comparable](h *history, ordered []*study.Trial,
	keyOf func(space.Configuration) K) func(key K) policy.Branch {
	best, rank := map[K]int{}, map[K]int{}
	count := func(trials []*study.Trial) map[K]int {
		n := map[K]int{}
		for _, t := range trials {
			if !t.Outside {
				n[keyOf(t.Config)]++
			}
		}
		return n
	}
	tried, failed := count(h.own()), count(h.Infeasible)
	for _, t := range ordered {
		if key := keyOf(t.Config); best[key] == 0 {
			best[key], rank[key] = t.Number, len(rank)+1
		}
	}
	return func(key K) policy.Branch {
		return policy.Branch{Tried: tried[key], Failed: failed[key], Best: best[key],
			Rank: cmp.Or(rank[key], len(rank)+1)}
	}
}

// plenty is how many times more configurations than trials a branch has that is not sampled to see whether it is done.
const plenty = 1000

// done reports whether nothing new is left of a branch, as far as a sample shows.
func done(h *history, active []bool, r Request) bool {
	st, size := h.st, 1.0
	for i, on := range active {
		p := st.Space.Param(i)
		if on && p.Kind == space.Float {
			return false
		}
		if on {
			size *= float64(max(p.Levels(), 1))
		}
	}
	if !st.Space.Coupled() && size > plenty*float64(h.seen.len()) {
		return false
	}
	domain := space.NewDomain(st.Space, nil)
	if domain.Err() != nil {
		return false
	}
	sample := branch(domain, st.Space, active).Sample(generator(r, streamRegion), 32)
	return !lists.Any(sample.Len(), func(i int) bool { return h.new(st.Space.Decode(sample, i)) })
}

// activeNames are the conditional parameters that are active.
func activeNames(sp *space.Space, active []bool) []string {
	on := lists.Where(len(active), func(i int) bool { return active[i] && sp.Conditional(i) })
	return lists.Of(on, func(i int) string { return sp.Param(i).Name })
}

// floored counts the configurations that share the least value of one of several
// objectives, up to rounding: many trade-offs end where an objective is 0.
func floored(st *study.Study, told []*study.Trial) int {
	able := feasible(st, told)
	y := lists.Of(able, func(t *study.Trial) float64 {
		return st.Objective().Direction.Sign() * t.Values.Of(st.Objective().Name)
	})
	if len(y) == 0 {
		return 0
	}
	least, most := floats.Min(y), floats.Max(y)
	on := lists.At(able, lists.Where(len(y), func(k int) bool { return y[k]-least <= 1e-9*(most-least) }))
	return len(lists.Distinct(on, func(t *study.Trial) string { return st.Space.Key(t.Config) }))
}

// possible is the size of the sample that shows which values constraints allow.
const possible = 512

// choices counts and ranks the values of every choice, by parameter. Untried values that
// constraints rule out are left out; configurations without the choice have a rank of their own.
func choices(h *history, r Request, ordered []*study.Trial) map[int][]policy.Branch {
	sp, out := h.st.Space, map[int][]policy.Branch{}
	var sample *points.Set
	for co, i := range sp.Coordinates() {
		p := sp.Param(i)
		if !p.Nominal() {
			continue
		}
		count := tally(h, ordered, func(c space.Configuration) int {
			if c.Active[i] {
				return int(c.Value[i])
			}
			return -1
		})
		for k, value := range p.Values {
			b := count(k)
			b.Values = []study.RegionValues{{Name: p.Name, Values: []string{value}}}
			if b.Tried == 0 {
				if sample == nil {
					domain := space.NewDomain(sp, nil)
					if domain.Err() != nil {
						return nil
					}
					sample = domain.Sample(generator(r, streamRegion), possible)
				}
				has := func(j int) bool { return sample.Active(co, j) && sample.At(co, j) == float64(k) }
				if !lists.Any(sample.Len(), has) {
					continue
				}
			}
			out[i] = append(out[i], b)
		}
	}
	return out
}
