package policy

import (
	"context"
	"errors"
	"time"

	"bohier/internal/gp"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// fewPoints is the number of points that surrogates rest on where a deadline leaves
// no time for more; up to twice as many observations take no longer than that.
const fewPoints = 150

// fitShare is the share of the time that fits to all observations may take; the
// rest is for the search. Those take at least fewTimes as long as fits to few.
const (
	fitShare = 0.5
	fewTimes = 4
)

// fewKey marks the fit record of a suggestion whose surrogates rest on few points,
// so that it can be computed again.
const fewKey = "points"

// Few tells from the fit record of a suggestion whether a deadline left time for
// surrogates on few points only.
func Few(fit map[string]float64) bool { return fit[fewKey] > 0 }

// few is the history with surrogates on few points.
func (h *history) few() *history {
	out := *h
	out.Limit = fewPoints
	if n := len(h.Infeasible); n > fewPoints {
		out.Infeasible = nil
		for k := range fewPoints {
			out.Infeasible = append(out.Infeasible, h.Infeasible[k*n/fewPoints])
		}
	}
	return &out
}

// models are the surrogates of a suggestion.
type models struct {
	h         *history
	objective *surrogate.Fitted
	others    map[string]outcome
	missing   *gp.FallbackError // why the objective has none; nil: it has
}

// fitModels fits the surrogates of the objective and of the other outcomes. Without
// one of the objective there are others only where they can choose by themselves.
func fitModels(ctx context.Context, st *study.Study, h *history, r Request) (*models, error) {
	m := &models{h: h}
	var err error
	m.objective, err = fitTurn(ctx, st, h, r.Warm, r.Seed)
	if errors.As(err, &m.missing) {
		if len(st.Constraints) == 0 || feasiblePoints(st, h.Observed) != nil || CheckAcquisition(st) != nil {
			return m, nil
		}
		m.objective, err = &surrogate.Fitted{Warm: map[string]float64{}}, nil // the objective does not matter yet
	}
	if err != nil {
		return nil, err
	}
	delete(m.objective.Warm, fewKey)
	if h.Limit > 0 {
		m.objective.Warm[fewKey] = float64(h.Limit)
	}
	if err := settled(ctx, st, m.objective, h, r); err != nil {
		return nil, err
	}
	m.others, err = outcomes(ctx, st, h, r)
	return m, err
}

// modelsInTime is fitModels to all observations or, where they are many and half of
// the time until a deadline is over before, to few.
func modelsInTime(ctx context.Context, st *study.Study, h *history, r Request) (*models, error) {
	if r.Few {
		return fitModels(ctx, st, h.few(), r)
	}
	if r.Until.IsZero() || len(h.Observed)+len(h.Infeasible) <= 2*fewPoints {
		return fitModels(ctx, st, h, r)
	}
	began := time.Now()
	few, err := fitModels(ctx, st, h.few(), r)
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
		m   *models
		err error
	}
	all := make(chan fit, 1)
	go func() {
		m, err := fitModels(limited, st, h, r)
		all <- fit{m, err}
	}()
	select {
	case f := <-all:
		if limited.Err() == nil || f.err == nil {
			return f.m, f.err
		}
	case <-limited.Done(): // a step of the fit may take longer than there is time
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return few, nil
}
