package suggest

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/lists"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// spares is how many further configurations a suggestion carries for the case that another process takes the first.
const spares = 16

// choice finds the configuration with the best score.
type choice struct{ scoring }

// execute searches the plan's region for the best score of the fitted models, or, where nothing new
// is left of it, the whole space. The suggestion carries the plan and the fits for the journal.
func (s choice) execute(ctx context.Context) (*study.Suggestion, error) {
	h, r := s.h, s.r
	source := "model"
	if s.missing != nil {
		if !feasibilityModelled(s.others) {
			return pointOf(h, r, sequence(h.st), "fallback:"+s.missing.Reason)
		}
		source = "fallback:feasibility"
	}
	if s.plan.Design && s.missing == nil {
		sug, err := pointOf(h, r, sequence(h.st), "model")
		if err != nil {
			return nil, err
		}
		sug.Plan, sug.Fit, sug.Warnings = s.plan, s.note, s.warnings()
		return sug, nil
	}
	found, stats, err := s.search(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if _, wrong := errors.AsType[*study.Error](err); wrong {
		return nil, err
	}
	if h.repeatable && source == "model" {
		sug, err := s.repeat()
		if sug == nil || err != nil {
			return nil, h.exhausted
		}
		sug.Warnings = append(s.warnings(), sug.Warnings...)
		return sug, nil
	}
	if err != nil || found[0].Tried {
		sug, err := untried(h, r, "fallback:search")
		if err != nil {
			return nil, err
		}
		if stats.Stopped || s.note.Cut > 0 {
			sug.Fit = s.note
		}
		if stats.Stopped {
			sug.Cut.Search = stats.Steps
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
		more, err := s.repeat(sug.Config)
		if err != nil {
			return nil, err
		}
		if more != nil {
			more.Details, more.Cut = sug.Details, sug.Cut
			more.Warnings = append(sug.Warnings, more.Warnings...)
			return more, nil
		}
	}
	if gain := max(s.gain(found[0].Score), leastGain); s.plan.Region == nil && !math.IsInf(gain, 1) {
		s.note.Gain = &gain
	}
	return sug, nil
}

// sequence is the design whose points are asked for after the initial ones: of low discrepancy, because
// plain draws would leave gaps.
func sequence(st *study.Study) string {
	if policy.Design(st) == "sobol" {
		return "sobol"
	}
	return "halton"
}

// suggestion is the result of the search, the best first.
func (s choice) suggestion(source string, found []acq.Candidate, stats acq.Stats) *study.Suggestion {
	sug := &study.Suggestion{Source: source, Plan: s.plan, Fit: s.note, Warnings: s.warnings(),
		Details: func() []study.Detail { return s.details(found, stats) }}
	if s.note.Cut > 0 {
		sug.Warnings = append(sug.Warnings,
			"the deadline ended the fit of the surrogate: these are the best hyperparameters found by then")
	}
	if stats.Stopped {
		sug.Cut.Search = stats.Steps
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

// search looks for the best score in one place after the other, until something new is found, in a
// branch with a gain: the plan's region, the space without its corners, the space.
func (s choice) search(ctx context.Context) ([]acq.Candidate, acq.Stats, error) {
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
		Workers:    surrogate.SearchWorkers(st, len(s.h.Told())),
		Cut:        r.Cut.Search,
	}
	type place struct {
		domain  acq.Domain
		plan    *study.Plan
		centres *points.Set
	}
	places, inside := []place{{domain, s.whole(), o.Incumbents}}, func(*points.Set, int) bool { return true }
	plane := func(g *goal) bool { return g.fit != nil && g.fit.Spec.Mean == "linear" }
	if slices.ContainsFunc(s.goals, plane) { // that a rule chose
		inside = offCorners(st.Space)
		places = slices.Insert(places, 0, place{subdomain{domain, inside}, s.whole(), o.Incumbents})
	}
	if s.plan.Region != nil {
		in := regionOf(domain, st.Space, s.plan.Region)
		holds := in.holds
		in.holds = func(q *points.Set, i int) bool { return holds(q, i) && inside(q, i) }
		places = slices.Insert(places, 0, place{in, s.plan, s.centresIn(in)})
	}
	before := 0 // steps of searches that found nothing
	for k, p := range places {
		a, _, err := s.acquisition(p.plan)
		if err != nil {
			return nil, acq.Stats{}, err
		}
		o.Incumbents = p.centres
		found, stats, err := acq.Maximize(ctx, a, p.domain, o)
		if o.Cut > 0 {
			o.Cut -= stats.Steps
		}
		before += stats.Steps
		hopeless := p.plan.Baseline == study.BaselineRegion && err == nil && s.gain(found[0].Score) < s.asks(p.plan)
		if err == nil && !found[0].Tried && !hopeless || stats.Stopped || k == len(places)-1 {
			stats.Steps = before
			return found, stats, err
		}
	}
	panic("suggest: no place to search")
}

// asks is the logarithm of the gain with which the best of a plan's region would be the best of all after as many
// trials again as there are.
func (s choice) asks(p *study.Plan) float64 {
	lead := s.h.leading(len(s.h.Observed))
	own := slices.IndexFunc(lead, func(t *study.Trial) bool { return t.Number == p.Incumbent })
	if own < 0 || s.missing != nil {
		return math.Inf(-1)
	}
	at := meansOf([][]*gp.Model{{s.goals[0].fit.Model}}, pointsOf(s.st, []*study.Trial{lead[own], lead[0]}))[0]
	return math.Log(max(0, at[0][0]-at[1][0]) / float64(len(s.h.own())))
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

// centresIn are the points around which a search of a region starts: the best trials in it, and the
// points of it that are one move away from the best of all, which often lies outside.
func (s choice) centresIn(in subdomain) *points.Set {
	all := s.incumbents(len(s.h.Told()))
	out := in.keep(all, centres)
	if all.Len() > 0 {
		out = points.Concat(out, in.Neighbors(generator(s.r, streamRegion), all, 0))
	}
	return out
}

// centresAt are the configurations of trials, and the best of earlier studies.
func centresAt(h *history, trials []*study.Trial) *points.Set {
	confs := lists.Of(trials, configuration)
	for _, e := range h.Sources {
		confs = append(confs, e.Best(centres)...)
	}
	return h.st.Space.EncodeAll(confs)
}

// pointsOf are the trials' configurations that fit the space; nil for none.
func pointsOf(st *study.Study, trials []*study.Trial) *points.Set {
	fitting := lists.Only(trials, func(t *study.Trial) bool { return !t.Outside })
	if fitting == nil {
		return nil
	}
	return st.Space.EncodeAll(lists.Of(fitting, configuration))
}

func configuration(t *study.Trial) space.Configuration { return t.Config }

// leastGain keeps the logarithm of a gain that underflows a number of JSON.
const leastGain = -1000

// gain is the logarithm of the gain that a search expects. It is infinite where the score does not
// show it: costs and the user's prior would count as gains.
func (s choice) gain(score float64) float64 {
	_, cost := s.plan.Factor("cost")
	_, prior := s.plan.Factor("prior")
	if s.plan.Acquisition != "logei" || cost || prior || math.IsNaN(score) {
		return math.Inf(1)
	}
	return score
}

// details describe the work of a suggestion of the surrogates, step by step.
func (s choice) details(found []acq.Candidate, stats acq.Stats) []study.Detail {
	h, sp, best := s.h, s.st.Space, found[0]
	out := []study.Detail{{"event", "observed", "observed", len(h.Observed), "infeasible", len(h.Infeasible),
		"pending", len(h.pending)}}
	for _, g := range s.goals {
		out = append(out, fitDetails(g.plan.Name, g.fit)...)
	}
	for _, name := range slices.Sorted(maps.Keys(s.others)) {
		out = append(out, fitDetails(name, s.others[name].fit)...)
	}
	return append(out,
		study.Detail{"event", "search", "scored", stats.Scored, "gradients", stats.Gradients, "steps", stats.Steps,
			"candidates", len(found)},
		study.Detail{"event", "chosen", "score", best.Score, "from", best.Source,
			"params", json.RawMessage(sp.AppendJSON(nil, sp.Decode(best.Point, 0)))})
}

// fitDetails describe how one quantity was fitted.
func fitDetails(name string, f *surrogate.Fitted) []study.Detail {
	r := f.Report
	return []study.Detail{
		{"event", "fit", "outcome", name, "kernel", f.Kernel, "transform", f.Transform.Name(), "points", r.Points,
			"fit_points", r.FitPoints, "likelihoods", r.Evaluations, "log_posterior", r.LogPosterior,
			"log_loss", r.LOO().LogLoss},
		{"event", "hyperparameters", "outcome", name, "hyperparameters", r.Hyper},
	}
}
