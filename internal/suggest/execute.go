package suggest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"bohier/internal/acq"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// spares is how many further configurations a suggestion carries for the case
// that another process takes the first.
const spares = 16

// execute searches the plan's region for the best score of what was fitted, or, where nothing
// new is left of it, the whole space. The suggestion carries the plan and
// what the journal keeps of the fits.
func (s *surrogates) execute(ctx context.Context) (*study.Suggestion, error) {
	h, r := s.h, s.r
	source := "model"
	if s.missing != nil {
		if !feasibilityModelled(s.others) {
			return furtherPoint(h, r, "fallback:"+s.missing.Reason)
		}
		source = "fallback:feasibility"
	}
	found, stats, err := s.search(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if _, wrong := errors.AsType[*study.Error](err); wrong {
		return nil, err
	}
	if h.repeatable && source == "model" {
		sug, err := s.repeat(nil)
		if sug == nil || err != nil {
			return nil, h.exhausted
		}
		sug.Plan = s.plan
		sug.Warnings = append(s.warnings(), sug.Warnings...)
		return sug, nil
	}
	if err != nil || found[0].Tried {
		sug, err := untried(h, r, "fallback:search")
		if err != nil {
			return nil, err
		}
		if stats.Stopped {
			sug.Cut, sug.Fit = stats.Steps, s.note
			sug.Warnings = append(sug.Warnings,
				"the deadline stopped the search before it found anything new: this is a random configuration")
		}
		sug.Plan = s.plan
		return sug, nil
	}
	sug := s.suggestion(source, found, stats)
	if source != "model" {
		return sug, nil
	}
	if s.repeats() {
		more, err := s.repeat(&sug.Config)
		if err != nil {
			return nil, err
		}
		if more != nil {
			more.Plan, more.Details, more.Cut = s.plan, sug.Details, sug.Cut
			more.Warnings = append(sug.Warnings, more.Warnings...)
			return more, nil
		}
	}
	s.noteExpected(sug.Config)
	return sug, nil
}

// suggestion is what was found, the best first.
func (s *surrogates) suggestion(source string, found []acq.Candidate, stats acq.Stats) *study.Suggestion {
	sug := &study.Suggestion{Source: source, Plan: s.plan, Fit: s.note, Warnings: s.warnings(),
		Details: s.details(found, stats)}
	if s.note.Cut > 0 {
		sug.Warnings = append(sug.Warnings,
			"the deadline ended the fit of the surrogate: these are the best hyperparameters found by then")
	}
	if stats.Stopped {
		sug.Cut = stats.Steps
		sug.Warnings = append(sug.Warnings, "the deadline stopped the search: this is the best found by then")
	}
	sug.Config = s.st.Space.DecodeWith(found[0].Point, 0, s.r.Fixed)
	for _, c := range found[1:] {
		if !c.Tried {
			sug.Spare = append(sug.Spare, s.st.Space.DecodeWith(c.Point, 0, s.r.Fixed))
		}
	}
	return sug
}

// search looks for the best score over the plan's region, then over the space.
func (s *surrogates) search(ctx context.Context) ([]acq.Candidate, acq.Stats, error) {
	st, r := s.st, s.r
	domain := space.NewDomain(st.Space, r.Fixed)
	if err := domain.Err(); err != nil {
		return nil, acq.Stats{}, err
	}
	if !r.Until.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, r.Until)
		defer cancel()
	}
	o := acq.Options{
		Rand:       generator(r, streamSearch),
		Incumbents: s.incumbents(centres),
		Candidates: st.Acquisition.Candidates,
		Starts:     st.Acquisition.Starts,
		Optimizer:  st.Acquisition.Optimizer,
		Avoid:      avoid(s.h),
		Keep:       1 + spares,
		Workers:    surrogate.Workers(),
		Cut:        r.Cut,
	}
	a, _, err := s.acquisition(s.plan)
	if err != nil {
		return nil, acq.Stats{}, err
	}
	before := 0 // steps of a search that found nothing
	if s.plan.Region != nil {
		inside := o
		in := regionOf(domain, st.Space, s.plan.Region)
		inside.Incumbents = s.centresIn(in)
		found, stats, err := acq.Maximize(ctx, a, in, inside)
		if err == nil && !found[0].Tried || stats.Stopped {
			return found, stats, err
		}
		if before = stats.Steps; o.Cut > 0 { // nothing new is left there
			o.Cut -= before
		}
		if a, _, err = s.acquisition(s.whole()); err != nil {
			return nil, acq.Stats{}, err
		}
	}
	found, stats, err := acq.Maximize(ctx, a, domain, o)
	stats.Steps += before
	return found, stats, err
}

// feasible are those of the trials in the space that hold every constraint.
func feasible(st *study.Study, told []*study.Trial) []*study.Trial {
	return slices.DeleteFunc(slices.Clone(told), func(t *study.Trial) bool { return t.Outside || !st.Feasible(t) })
}

// feasiblePoints are the configurations of feasible; nil for none.
func feasiblePoints(st *study.Study, told []*study.Trial) *points.Set {
	return pointsOf(st, feasible(st, told))
}

// centres is the number of trials that a search starts around.
const centres = 5

// centresIn are what a search of a region starts around: the best trials in it, and the
// points of it that are one move away from the best of all, which often lies outside.
func (s *surrogates) centresIn(in subdomain) *points.Set {
	all := s.incumbents(len(s.h.Told()))
	out := in.keep(all, centres)
	if all.Len() > 0 {
		out = points.Concat(out, in.Neighbors(generator(s.r, streamRegion), all, 0))
	}
	return out
}

// incumbents are the n best told trials, and the best of earlier studies: the
// centres of the local search.
func incumbents(h *history, n int) *points.Set {
	return centresAt(h, leading(h.st, h.Observed, n))
}

// centresAt are the configurations of trials, and the best of earlier studies.
func centresAt(h *history, trials []study.Trial) *points.Set {
	confs := make([]space.Configuration, len(trials))
	for k := range trials {
		confs[k] = trials[k].Config
	}
	for _, e := range h.Sources {
		confs = append(confs, e.Best(centres)...)
	}
	return h.st.Space.EncodeAll(confs)
}

// pointsOf are the trials' configurations that fit the space; nil for none.
func pointsOf(st *study.Study, trials []*study.Trial) *points.Set {
	var confs []space.Configuration
	for _, t := range trials {
		if !t.Outside {
			confs = append(confs, t.Config)
		}
	}
	if len(confs) == 0 {
		return nil
	}
	return st.Space.EncodeAll(confs)
}

// expectationsKept is how many of the latest suggestions tell what predictions are off by.
const expectationsKept = 10

// noteExpected keeps what is expected of the configuration that is suggested, also under an
// acquisition function with which the rule does not act: a study may change it.
func (s *surrogates) noteExpected(c space.Configuration) {
	if !policy.KeepsExpectations(s.st) || len(s.goals) == 0 {
		return
	}
	mean, _, sd := s.goals[0].fit.Predict(s.st.Space, []space.Configuration{c})
	latest := append(slices.Clone(s.r.Warm.Clone().Expected),
		study.Expectation{Trial: s.r.Number, Mean: mean[0], SD: sd[0]})
	s.note.Expected = latest[max(0, len(latest)-expectationsKept):]
}

// details tell what a suggestion of the surrogates took, a line for each step.
func (s *surrogates) details(found []acq.Candidate, stats acq.Stats) []study.Detail {
	h, sp := s.h, s.st.Space
	out := []study.Detail{{
		Text: fmt.Sprintf("told: %s, %d infeasible, %d pending",
			study.Count(len(h.Observed), "trial"), len(h.Infeasible), len(h.pending)),
		Fields: map[string]any{"event": "told", "told": len(h.Observed), "infeasible": len(h.Infeasible),
			"pending": len(h.pending)},
	}}
	for _, g := range s.goals {
		name := "objective"
		if s.st.Several() {
			name = g.plan.Name
		}
		out = append(out, fitDetails(name, g.fit)...)
	}
	for _, name := range slices.Sorted(maps.Keys(s.others)) {
		out = append(out, fitDetails(name, s.others[name].fit)...)
	}
	best := found[0]
	return append(out,
		study.Detail{
			Text: fmt.Sprintf("search: %d configurations scored, %d gradients, %d steps, %d candidates kept", stats.Scored,
				stats.Gradients, stats.Steps, len(found)),
			Fields: map[string]any{"event": "search", "scored": stats.Scored, "gradients": stats.Gradients,
				"steps": stats.Steps, "candidates": len(found)},
		},
		study.Detail{
			Text: fmt.Sprintf("chosen: score %.6g, from %s: %s", best.Score, best.Source,
				sp.AppendJSON(nil, sp.Decode(best.Point, 0))),
			Fields: map[string]any{"event": "chosen", "score": best.Score, "from": best.Source},
		})
}

// fitDetails tell how one quantity was fitted.
func fitDetails(name string, f *surrogate.Fitted) []study.Detail {
	r := f.Report
	what := fmt.Sprintf("fit of %s: ", name)
	if f.Kernel != "" {
		what += fmt.Sprintf("kernel %s, transform %s, ", f.Kernel, f.Transform.Name())
	}
	what += fmt.Sprintf("%s (hyperparameters from %d), %d likelihoods, log posterior %.6g, log loss of values left out "+
		"%.4g",
		study.Count(r.Points, "point"), r.FitPoints, r.Evaluations, r.LogPosterior, r.LOO.LogLoss)
	var values []string
	for _, key := range slices.Sorted(maps.Keys(r.Hyper)) {
		values = append(values, fmt.Sprintf("%s=%.4g", key, r.Hyper[key]))
	}
	return []study.Detail{
		{Text: what, Fields: map[string]any{
			"event": "fit", "outcome": name, "points": r.Points, "fit_points": r.FitPoints,
			"likelihoods": r.Evaluations, "log_posterior": r.LogPosterior, "log_loss": r.LOO.LogLoss,
		}},
		{Text: "hyperparameters of " + name + ": " + strings.Join(values, " "), Fields: map[string]any{
			"event": "hyperparameters", "outcome": name, "hyperparameters": r.Hyper,
		}},
	}
}

// A subdomain is the points of a domain for which holds is true.
type subdomain struct {
	*space.Domain
	holds func(q *points.Set, i int) bool
}

// branch is the subdomain of one activity pattern.
func branch(d *space.Domain, s *space.Space, active []bool) subdomain {
	key, coords, hidden := s.BranchKey(space.Configuration{Active: active}), s.Coordinates(), false
	for i := range active {
		hidden = hidden || s.Conditional(i) && s.Param(i).Kind == space.Constant // which points do not show
	}
	return subdomain{d.Branch(active), func(q *points.Set, i int) bool {
		for co, p := range coords {
			if q.Active(co, i) != active[p] {
				return false
			}
		}
		return !hidden || s.BranchKey(s.Decode(q, i)) == key
	}}
}

func (p subdomain) keep(q *points.Set, n int) *points.Set {
	var in []int
	for i := range q.Len() {
		if len(in) < n && p.holds(q, i) {
			in = append(in, i)
		}
	}
	return q.Select(in)
}

// Sample draws from the domain until n points are in the subdomain, or 61·n points were
// drawn.
func (p subdomain) Sample(r *rand.Rand, n int) *points.Set {
	out := p.keep(p.Domain.Sample(r, n), n)
	for range 30 {
		if out.Len() == n {
			break
		}
		out = points.Concat(out, p.keep(p.Domain.Sample(r, 2*n), n-out.Len()))
	}
	return out
}

// Neighbors are those of the domain that stay in the subdomain.
func (p subdomain) Neighbors(r *rand.Rand, q *points.Set, i int) *points.Set {
	near := p.Domain.Neighbors(r, q, i)
	return p.keep(near, near.Len())
}

// Repair refuses what leaves the subdomain.
func (p subdomain) Repair(q *points.Set, i int) bool { return p.Domain.Repair(q, i) && p.holds(q, i) }

// regionOf is the part of a domain that a plan looks at: a branch, or the configurations
// with one of some values.
func regionOf(d *space.Domain, sp *space.Space, r *study.Region) subdomain {
	if r.Branch != nil {
		all := sp.Branches()
		named := func(active []bool) bool { return slices.Equal(activeNames(sp, active), *r.Branch) }
		if k := slices.IndexFunc(all, named); k >= 0 {
			return branch(d, sp, all[k])
		}
	}
	wanted := map[int][]bool{} // by coordinate and level
	for co, i := range sp.Coordinates() {
		for _, rv := range r.Values {
			if p := sp.Param(i); p.Name == rv.Name {
				wanted[co] = make([]bool, p.Levels())
				for k, text := range p.Values {
					wanted[co][k] = slices.Contains(rv.Values, text)
				}
			}
		}
	}
	return subdomain{d, func(q *points.Set, i int) bool {
		for co, levels := range wanted {
			if q.Active(co, i) && levels[int(q.At(co, i))] {
				return true
			}
		}
		return false
	}}
}
