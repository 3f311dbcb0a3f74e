package policy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// spares is how many further configurations a suggestion carries for the case
// that another process takes the first.
const spares = 16

// execute fits the plan's models and searches the plan's region for the best score, or,
// where nothing new is left of it, the whole space. The suggestion carries the plan and
// what the journal keeps of the fits.
func execute(ctx context.Context, st *study.Study, h *history, r Request, plan *study.Plan) (*study.Suggestion, error) {
	s, err := fitInTime(ctx, st, h, plan, r)
	if err != nil {
		return nil, err
	}
	source := "model"
	if s.missing != nil {
		if !feasibilityModelled(s.others) {
			return untried(st, h, r, "fallback:"+s.missing.Reason)
		}
		source = "fallback:feasibility"
	}
	found, stats, err := s.search(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var wrong *study.Error
	if errors.As(err, &wrong) {
		return nil, err
	}
	var sug *study.Suggestion
	if h.repeatable && source == "model" {
		if sug, err = s.repeat(nil); sug != nil && err == nil {
			sug.Plan = plan
			sug.Warnings = append(s.warnings(), sug.Warnings...)
			return sug, nil
		}
		return nil, h.exhausted
	}
	if err != nil || found[0].Tried {
		if sug, err = untried(st, h, r, "fallback:search"); err != nil {
			return nil, err
		}
		if stats.Stopped {
			sug.Cut = stats.Steps
			sug.Warnings = append(sug.Warnings, "the deadline stopped the search before it found anything new: this is a random configuration")
		}
		sug.Plan = plan
		return sug, nil
	}
	sug = &study.Suggestion{Source: source, Plan: plan, Fit: s.note, Warnings: s.warnings(), Details: s.details(found, stats)}
	if n := s.h.Limit; n > 0 {
		sug.Warnings = append(sug.Warnings, fmt.Sprintf("the deadline left time for a surrogate of %d of the trials only", n))
	}
	if stats.Stopped {
		sug.Cut = stats.Steps
		sug.Warnings = append(sug.Warnings, "the deadline stopped the search: this is the best found by then")
	}
	for k, c := range found {
		conf := st.Space.Decode(c.Point, 0)
		if k == 0 {
			sug.Config = conf
		} else if !c.Tried {
			sug.Spare = append(sug.Spare, conf)
		}
	}
	if source == "model" && s.repeats() {
		more, err := s.repeat(&sug.Config)
		if err != nil {
			return nil, err
		}
		if more != nil {
			more.Plan, more.Details, more.Cut = plan, sug.Details, sug.Cut
			more.Warnings = append(sug.Warnings, more.Warnings...)
			return more, nil
		}
	}
	if source == "model" {
		s.noteExpected(sug.Config)
	}
	if r.weigh != nil && source == "model" {
		r.weigh(s, sug)
	}
	return sug, nil
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
		Avoid:      avoid(st, s.h),
		Keep:       1 + spares,
		Workers:    surrogate.Workers(),
		Cut:        r.Cut,
	}
	if st.Acquisition.Name == "ts" {
		m, err := s.thompsonModel()
		if err != nil {
			return nil, acq.Stats{}, err
		}
		return acq.Thompson(ctx, m, func() acq.Surrogate { return m.Predictor() }, domain, o)
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

// acquisition scores the predictions of the objective and of the other outcomes, as the
// plan says. Pending trials count with what the surrogate believes about them. While no
// trial is feasible, feasibility alone decides. The names are those of what is
// multiplied.
func (s *surrogates) acquisition(p *study.Plan) (acq.Acquisition, []string, error) {
	head := p.Acquisition
	prior, believes := factorOf(p, "prior")
	if len(s.others) > 0 || believes {
		var err error
		if head, err = logHead(head); err != nil {
			return nil, nil, err
		}
	}
	good := feasiblePoints(s.st, s.rivals(s.h))
	if good == nil && !feasibilityModelled(s.others) {
		good = s.known() // nothing to judge feasibility by
	}
	var factors acq.Product
	var names []string
	if good != nil {
		improve := s.improvement
		if s.st.Several() {
			improve = s.jointImprovement
		}
		e, err := improve(p, head, good)
		if err != nil {
			return nil, nil, err
		}
		factors, names = append(factors, e), append(names, p.Acquisition)
	}
	for _, name := range slices.Sorted(maps.Keys(s.others)) {
		if good != nil || name != "cost" {
			factors, names = append(factors, s.others[name].factor()), append(names, strings.TrimSuffix(name, otherSide))
		}
	}
	if believes {
		factors, names = append(factors, newUserPrior(s.st.Space, prior.Weight)), append(names, "prior")
	}
	names = slices.Compact(names)
	if len(factors) == 1 {
		return factors[0], names, nil
	}
	return factors, names, nil
}

// feasibilityModelled reports whether anything says where configurations are feasible.
func feasibilityModelled(others map[string]outcome) bool {
	_, costed := others["cost"]
	return len(others) > 1 || len(others) == 1 && !costed
}

// improvement scores the objective, averaged over hyperparameter samples and what is
// believed of the pending trials, each with its own incumbent: the lowest mean of the
// promising or pending trials, or of the good or pending ones in the plan's region, less ξ.
func (s *surrogates) improvement(p *study.Plan, head string, good *points.Set) (acq.Acquisition, error) {
	st, h := s.st, s.h
	pending, infeasible := pointsOf(st, h.pending), pointsOf(st, h.Infeasible)
	promising, rivals := good, []*points.Set{good, pending}
	if p.Baseline == study.BaselineRegion { // which may hold none of the best trials of all
		in := regionOf(space.NewDomain(st.Space, nil), st.Space, p.Region)
		for k, q := range rivals {
			if q != nil {
				rivals[k] = in.keep(q, q.Len())
			}
		}
	} else {
		promising = s.promising(good)
		rivals[0] = promising
	}
	var out fantasyEnsemble
	for _, m := range s.fit.Model.Samples() {
		m, err := penaliseInfeasible(m, infeasible, good, p.Pessimism)
		if err != nil {
			return nil, err
		}
		score := func(best float64) (acq.Head, error) {
			return acq.NewHead(head, acq.HeadOptions{Incumbent: best - p.Xi, Kappa: st.Acquisition.Kappa})
		}
		count, err := counted(p.Pending, m, score, promising, s.pendingPoints(pending))
		if err != nil {
			return nil, err
		}
		conditioned, err := withPending(st, m, count, slices.Max(s.fit.Y), p, s.r)
		if err != nil {
			return nil, err
		}
		out.models = append(out.models, conditioned...)
		for _, best := range incumbentsOf(conditioned, rivals...) {
			head, err := score(best)
			if err != nil {
				return nil, err
			}
			if p.Scale > 0 {
				head = acq.Widened(head, p.Scale)
			}
			if p.Augmented {
				head = acq.Augmented(head, measurementError(s.fit, m))
			}
			out.heads = append(out.heads, head)
		}
	}
	return out, nil
}

// mostRivals is the number of best trials among which the lowest predicted mean is sought.
const mostRivals = 1000

// promising are, of very many good configurations, those with the best values.
func (s *surrogates) promising(good *points.Set) *points.Set {
	if good.Len() <= mostRivals || s.st.Fidelity != nil {
		return good
	}
	if q := pointsOf(s.st, pointers(s.st.First(feasible(s.st, s.h.Observed), mostRivals))); q != nil {
		return q
	}
	return good // nothing is known to be feasible
}

// fantasyEnsemble is the average of heads on models that differ in their hyperparameters
// or in what they believe of pending trials. The latter share most of the work.
type fantasyEnsemble struct {
	models []*gp.Model
	heads  []acq.Head
}

// Fork implements acq.Acquisition.
func (a fantasyEnsemble) Fork() acq.Scorer {
	members := make([]acq.Member, len(a.models))
	for k, p := range gp.SharedPredictors(a.models) {
		members[k] = acq.Member{{Head: a.heads[k], Surrogate: func() acq.Surrogate { return p }}}
	}
	return acq.NewEnsemble(members...).Fork()
}

// feasible are those of the trials in the space that hold every constraint.
func feasible(st *study.Study, told []*study.Trial) []*study.Trial {
	return slices.DeleteFunc(slices.Clone(told), func(t *study.Trial) bool { return t.Outside || !st.Feasible(t) })
}

// feasiblePoints are the configurations of feasible; nil for none.
func feasiblePoints(st *study.Study, told []*study.Trial) *points.Set {
	return pointsOf(st, feasible(st, told))
}

// incumbentsOf is for every model the lowest predicted mean among the points it knows,
// in standardised units: with noise, the lowest observation would be too good.
func incumbentsOf(models []*gp.Model, sets ...*points.Set) []float64 {
	out, shared := slices.Repeat([]float64{math.Inf(1)}, len(models)), gp.SharedPredictors(models)
	for _, x := range sets {
		if x == nil || x.Len() == 0 {
			continue
		}
		mean := make([]float64, x.Len())
		for k, p := range shared {
			p.Means(mean, x)
			out[k] = min(out[k], slices.Min(mean))
		}
	}
	return out
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
func incumbents(st *study.Study, h *history, n int) *points.Set {
	return centresAt(st, h, leading(st, h.Observed, n))
}

// centresAt are the configurations of trials, and the best of earlier studies.
func centresAt(st *study.Study, h *history, trials []study.Trial) *points.Set {
	confs := make([]space.Configuration, len(trials))
	for k := range trials {
		confs[k] = trials[k].Config
	}
	for _, e := range h.Sources {
		confs = append(confs, e.Best(centres)...)
	}
	return st.Space.EncodeAll(confs)
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
