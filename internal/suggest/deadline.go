package suggest

import (
	"context"
	"errors"
	"slices"
	"time"

	"bohier/internal/parallel"
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
func (h *history) few() *history {
	out := *h
	out.Limit = fewPoints
	out.Infeasible, out.pending = spread(h.Infeasible, fewPoints), spread(h.pending, fewPoints)
	if h.goals == nil && !h.st.Fidelity.Early() && len(h.Observed) > fewTrials {
		keep := map[int]bool{}
		for _, t := range spread(h.Observed, fewTrials) {
			keep[t.Number] = true
		}
		for _, t := range leading(h.st, h.Observed, 5) { // those are never missing
			keep[t.Number] = true
		}
		out.Observed = slices.DeleteFunc(slices.Clone(h.Observed), func(t *study.Trial) bool { return !keep[t.Number] })
	}
	out.goals = nil
	for _, g := range h.goals {
		out.goals = append(out.goals, g.few())
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
// the objective there are others only where they can choose by themselves. The error is
// Exhausted where the study is over by what they say.
func (s *surrogates) fitAll(ctx context.Context) error {
	st, h := s.st, s.h
	err := s.fitModels(ctx)
	if errors.As(err, &s.missing) {
		if len(st.Constraints) == 0 || feasiblePoints(st, h.Observed) != nil || CheckAcquisition(st) != nil {
			return nil
		}
		s.fit, s.note, err = &surrogate.Fitted{}, s.r.Warm.Clone(), nil // the objective does not matter yet
	}
	if err != nil {
		return err
	}
	s.note.Limit = h.Limit
	if s.fit != nil && s.fit.Model != nil {
		if err := s.regretReached(ctx); err != nil {
			return err
		}
	}
	if s.fit != nil && s.missing == nil || len(s.goals) > 0 {
		if err := s.targetReached(); err != nil {
			return err
		}
		if err := s.levelled(); err != nil {
			return err
		}
	}
	err = s.fitOthers(ctx)
	for name, o := range s.others {
		s.note.Outcomes[name] = hyper(o.fit, h)
	}
	return err
}

// fitInTime is fitAll to all observations or, where they are many and half of the time
// until a deadline is over before, to few. It returns what was fitted.
func (s *surrogates) fitInTime(ctx context.Context) (*surrogates, error) {
	if !s.r.Few && (s.r.Until.IsZero() || len(s.h.Told())+len(s.h.Infeasible) <= 2*fewPoints) {
		return s, s.fitAll(ctx)
	}
	began, few := time.Now(), *s
	few.h = s.h.few()
	if err := few.fitAll(ctx); err != nil || s.r.Few {
		return &few, err
	}
	left := time.Duration(fitShare * float64(time.Until(s.r.Until)))
	if left < fewTimes*time.Since(began) {
		return &few, nil
	}
	limited, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	all := make(chan error, 1)
	go func() { all <- parallel.Call(func() error { return s.fitAll(limited) }) }()
	select {
	case err := <-all:
		if limited.Err() == nil || err == nil {
			return s, err
		}
	case <-limited.Done(): // a step of the fit may take longer than there is time
	}
	return &few, nil // when ctx has ended, the search says so
}
