package policy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

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

// propose asks the surrogate.
func propose(ctx context.Context, st *study.Study, h *history, r Request) (*study.Suggestion, error) {
	m, err := modelsInTime(ctx, st, h, r)
	if err != nil {
		return nil, err
	}
	source := "model"
	if m.missing != nil {
		if !judged(m.others) {
			return untried(st, h, r, "fallback:"+m.missing.Reason)
		}
		source = "fallback:feasibility"
	}
	h, f, others := m.h, m.objective, m.others
	found, stats, err := search(ctx, st, f, others, h, r)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var wrong *study.Error
	if errors.As(err, &wrong) {
		return nil, err
	}
	if err != nil || found[0].Tried {
		s, err := untried(st, h, r, "fallback:search")
		if err == nil && stats.Stopped {
			s.Cut = stats.Steps
			s.Warnings = append(s.Warnings, "the deadline stopped the search before it found anything new: this is a random configuration")
		}
		return s, err
	}
	s := &study.Suggestion{Source: source, Fit: fitRecord(f, others), Warnings: f.Warnings, Details: m.details(found, stats, st.Space)}
	if h.Limit > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("the deadline left time for a surrogate of %d of the trials only", h.Limit))
	}
	if stats.Stopped {
		s.Cut = stats.Steps
		s.Warnings = append(s.Warnings, "the deadline stopped the search: this is the best found by then")
	}
	for k, c := range found {
		conf := st.Space.Decode(c.Point, 0)
		if k == 0 {
			s.Config = conf
		} else if !c.Tried {
			s.Spare = append(s.Spare, conf)
		}
	}
	return s, nil
}

// search looks for the best score over the space.
func search(ctx context.Context, st *study.Study, f *surrogate.Fitted, others map[string]outcome, h *history, r Request) ([]acq.Candidate, acq.Stats, error) {
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
		Incumbents: incumbents(st, h),
		Candidates: st.Acquisition.Candidates,
		Starts:     st.Acquisition.Starts,
		Optimizer:  st.Acquisition.Optimizer,
		Avoid:      avoid(st, h),
		Keep:       1 + spares,
		Workers:    surrogate.Workers(),
		Cut:        r.Cut,
	}
	if st.Acquisition.Name == "ts" {
		m, err := thompsonModel(st, f, others, h, r)
		if err != nil {
			return nil, acq.Stats{}, err
		}
		return acq.Thompson(ctx, m, func() acq.Surrogate { return m.Predictor() }, domain, o)
	}
	before := 0 // steps of a search that found nothing
	if g, ok := neglected(st, h, r, domain); ok {
		a, err := acquisition(st, f, others, g.view, r)
		if err != nil {
			return nil, acq.Stats{}, err
		}
		o.Incumbents = incumbents(st, g.view)
		found, stats, err := acq.Maximize(ctx, a, g, o)
		if err == nil && !found[0].Tried || stats.Stopped {
			return found, stats, err
		}
		o.Incumbents = incumbents(st, h) // nothing new is left there
		if before = stats.Steps; o.Cut > 0 {
			o.Cut -= before
		}
	}
	a, err := acquisition(st, f, others, h, r)
	if err != nil {
		return nil, acq.Stats{}, err
	}
	found, stats, err := acq.Maximize(ctx, a, domain, o)
	stats.Steps += before
	return found, stats, err
}

// acquisition scores the predictions of the objective and of the other
// outcomes. Pending trials count with what the surrogate believes about them.
// While no trial is feasible, feasibility alone decides.
func acquisition(st *study.Study, f *surrogate.Fitted, others map[string]outcome, h *history, r Request) (acq.Acquisition, error) {
	name := headName(st)
	prior, drawn := hasPrior(st.Space), drawnInward(st, h)
	if len(others) > 0 || prior || drawn {
		var err error
		if name, err = logHead(name); err != nil {
			return nil, err
		}
	}
	good := feasiblePoints(st, h.Observed)
	if good == nil && !judged(others) {
		good = f.X // nothing to judge feasibility by
	}
	var factors acq.Product
	if good != nil {
		e, err := improvement(st, f, name, good, h, r)
		if err != nil {
			return nil, err
		}
		factors = append(factors, e)
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		if good != nil || name != "cost" {
			factors = append(factors, others[name].factor())
		}
	}
	if prior {
		factors = append(factors, newBelief(st.Space, priorWeight(st, h)))
	}
	if drawn {
		factors = append(factors, inward(st, h))
	}
	if len(factors) == 1 {
		return factors[0], nil
	}
	return factors, nil
}

// judged tells whether anything says where configurations are feasible.
func judged(others map[string]outcome) bool {
	_, costed := others["cost"]
	return len(others) > 1 || len(others) == 1 && !costed
}

// improvement scores the objective, averaged over hyperparameter samples and what
// is believed of the pending trials, each with its own incumbent among the rivals
// that are good or pending; where there are none, their place is taken by the
// median of the good. Where the objective goes in steps the incumbent is set lower.
func improvement(st *study.Study, f *surrogate.Fitted, name string, good *points.Set, h *history, r Request) (acq.Acquisition, error) {
	pending, refused := pointsOf(st, h.pending), pointsOf(st, h.Infeasible)
	rivals, rank := []*points.Set{good, pending}, slices.Min[[]float64]
	if h.only != nil {
		rivals = []*points.Set{feasiblePoints(st, h.rivals(h.Observed)), pointsOf(st, h.rivals(h.pending))}
		if rivals[0] == nil && rivals[1] == nil {
			rivals, rank = []*points.Set{good}, median
		}
	}
	gain := max(required(st, h.rivals(h.Observed)), doubt(f.Report.LOO))
	var out fantasyEnsemble
	for _, m := range f.Model.Samples() {
		m, err := withRefused(m, refused, good)
		if err != nil {
			return nil, err
		}
		conditioned, err := withPending(st, m, pending, slices.Max(f.Y), r)
		if err != nil {
			return nil, err
		}
		out.models = append(out.models, conditioned...)
		for _, best := range incumbentsOf(conditioned, rank, rivals...) {
			head, err := acq.NewHead(name, acq.HeadOptions{Incumbent: best - gain, Kappa: st.Acquisition.Kappa})
			if err != nil {
				return nil, err
			}
			out.heads = append(out.heads, head)
		}
	}
	return out, nil
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
	for k, p := range gp.Kin(a.models) {
		members[k] = acq.Member{{Head: a.heads[k], Surrogate: func() acq.Surrogate { return p }}}
	}
	return acq.NewEnsemble(members...).Fork()
}

// feasiblePoints are the trials that hold every constraint; nil for none.
func feasiblePoints(st *study.Study, told []*study.Trial) *points.Set {
	var confs []space.Configuration
	for _, t := range told {
		if !t.Outside && st.Feasible(t) {
			confs = append(confs, t.Config)
		}
	}
	if len(confs) == 0 {
		return nil
	}
	return st.Space.EncodeAll(confs)
}

// incumbentsOf is for every model the lowest predicted mean (or what rank takes)
// among the points it knows, in standardised units: with noise, the lowest
// observation would be too good.
func incumbentsOf(models []*gp.Model, rank func([]float64) float64, sets ...*points.Set) []float64 {
	means := make([][]float64, len(models))
	kin := gp.Kin(models)
	for _, x := range sets {
		if x == nil || x.Len() == 0 {
			continue
		}
		for k, p := range kin {
			mean := make([]float64, x.Len())
			p.Means(mean, x)
			means[k] = append(means[k], mean...)
		}
	}
	out := make([]float64, len(models))
	for k := range out {
		if out[k] = math.Inf(1); len(means[k]) > 0 {
			out[k] = rank(means[k])
		}
	}
	return out
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// incumbents are the best told trials, and the best of earlier studies: the
// centres of the local search.
func incumbents(st *study.Study, h *history) *points.Set {
	trials := make([]study.Trial, 0, len(h.Observed))
	for _, t := range h.rivals(h.Observed) {
		if !t.Outside && st.Feasible(t) {
			trials = append(trials, *t)
		}
	}
	st.Sort(trials)
	trials = trials[:min(len(trials), 5)]
	confs := make([]space.Configuration, len(trials))
	for k := range trials {
		confs[k] = trials[k].Config
	}
	for _, e := range h.Sources {
		confs = append(confs, e.Best(5)...)
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
