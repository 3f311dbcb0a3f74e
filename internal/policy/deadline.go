package policy

import (
	"context"
	"errors"
	"slices"
	"time"

	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// fewPoints is the number of points that surrogates rest on where a deadline leaves
// no time for more; up to twice as many observations take no longer than that. They
// are chosen from few trials, too: to choose from all costs in proportion to those.
const (
	fewPoints = 150
	fewTrials = 10 * fewPoints
)

// fitShare is the share of the time that fits to all observations may take; the
// rest is for the search. Those take at least fewTimes as long as fits to few.
const (
	fitShare = 0.5
	fewTimes = 4
)

// few is the history with surrogates on few points.
func (h *history) few(st *study.Study) *history {
	out := *h
	out.Limit = fewPoints
	out.Infeasible, out.pending = spread(h.Infeasible, fewPoints), spread(h.pending, fewPoints)
	if h.goals == nil && st.Fidelity == nil && len(h.Observed) > fewTrials {
		keep := map[int]bool{}
		for _, t := range spread(h.Observed, fewTrials) {
			keep[t.Number] = true
		}
		for _, t := range leading(st, h.Observed, 5) { // those are never missing
			keep[t.Number] = true
		}
		out.Observed = slices.DeleteFunc(slices.Clone(h.Observed), func(t *study.Trial) bool { return !keep[t.Number] })
	}
	out.goals = nil
	for k, g := range h.goals {
		out.goals = append(out.goals, g.few(st.For(k)))
	}
	return &out
}

// spread is n of many trials, evenly from the first to the last.
func spread(trials []*study.Trial, n int) []*study.Trial {
	if len(trials) <= n {
		return trials
	}
	out := make([]*study.Trial, n)
	for k := range out {
		out[k] = trials[k*len(trials)/n]
	}
	return out
}

// fitAll fits the surrogates of the objective and of the other outcomes. Without one of
// the objective there are others only where they can choose by themselves.
func fitAll(ctx context.Context, st *study.Study, h *history, plan *study.Plan, r Request) (*surrogates, error) {
	s := &surrogates{st: st, h: h, r: r, plan: plan}
	err := s.fitModels(ctx)
	if errors.As(err, &s.missing) {
		if len(st.Constraints) == 0 || feasiblePoints(st, h.Observed) != nil || CheckAcquisition(st) != nil {
			return s, nil
		}
		s.fit, s.note, err = &surrogate.Fitted{}, r.Warm.Clone(), nil // the objective does not matter yet
	}
	if err != nil {
		return nil, err
	}
	s.note.Limit = h.Limit
	if s.fit != nil && s.fit.Model != nil {
		if err := regretReached(ctx, st, s.fit, h, r); err != nil {
			return nil, err
		}
	}
	if s.fit != nil && s.missing == nil || len(s.goals) > 0 {
		if err := s.targetReached(); err != nil {
			return nil, err
		}
		if err := s.levelled(); err != nil {
			return nil, err
		}
	}
	if err := s.fitEnds(ctx); err != nil {
		return nil, err
	}
	s.others, err = outcomes(ctx, st, h, plan, r)
	for name, o := range s.others {
		s.note.Outcomes[name] = hyper(o.fit, h)
	}
	return s, err
}

// fitInTime is fitAll to all observations or, where they are many and half of the time
// until a deadline is over before, to few.
func fitInTime(ctx context.Context, st *study.Study, h *history, plan *study.Plan, r Request) (*surrogates, error) {
	if r.Few {
		return fitAll(ctx, st, h.few(st), plan, r)
	}
	if r.Until.IsZero() || len(h.Told())+len(h.Infeasible) <= 2*fewPoints {
		return fitAll(ctx, st, h, plan, r)
	}
	began := time.Now()
	few, err := fitAll(ctx, st, h.few(st), plan, r)
	if err != nil {
		return nil, err
	}
	left := time.Duration(fitShare * float64(time.Until(r.Until)))
	if left < fewTimes*time.Since(began) {
		return few, nil
	}
	limited, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	type fit struct {
		s   *surrogates
		err error
	}
	all := make(chan fit, 1)
	go func() {
		s, err := fitAll(limited, st, h, plan, r)
		all <- fit{s, err}
	}()
	select {
	case f := <-all:
		if limited.Err() == nil || f.err == nil {
			return f.s, f.err
		}
	case <-limited.Done(): // a step of the fit may take longer than there is time
	}
	return few, nil // when ctx has ended, the search says so
}
