package runner

import (
	"context"
	"errors"
	"math"
	"slices"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// An outlook is what the surrogates say to a request: the scores by which a
// suggestion would be chosen, and the predictions behind them.
type outlook struct {
	st     *study.Study
	h      *history
	r      Request
	fit    *fitted
	others map[string]outcome
}

// A fitter is fitBest, for questions of today, or fitTurn, as for a suggestion.
type fitter func(ctx context.Context, st *study.Study, h *history, warm map[string]float64, seed uint64) (*fitted, error)

// look fits the surrogates to the trials that the request may know.
//
// The error is a *study.Error with code NoResult when there is too little to fit.
func look(ctx context.Context, st *study.Study, trials []study.Trial, r Request, fit fitter) (*outlook, error) {
	o := &outlook{st: st, h: readHistory(st, trials, r.Number), r: r}
	o.h.earlier = r.Earlier
	var err error
	if o.fit, err = fit(ctx, st, o.h, r.Warm, r.Seed); err != nil {
		return nil, unfit(o.h, err)
	}
	o.others, err = outcomes(ctx, st, o.h, r)
	return o, err
}

// unfit says what to do when the trials allow no surrogate.
func unfit(h *history, err error) error {
	var none *gp.FallbackError
	if errors.As(err, &none) {
		why := none.Reason
		switch why {
		case "empty":
			why = "there is nothing to learn from"
		case "flat":
			why = "all their values are equal"
		}
		return study.Errorf(study.NoResult, "observe more trials first", "no surrogate can be fitted to %s: %s", study.Count(len(h.told), "observed trial"), why)
	}
	return err
}

// scores are the values of the acquisition function at configurations, larger is
// better; for ts, minus one drawn function. A trial in h.pending counts with what
// is believed of it.
func (o *outlook) scores(confs []space.Configuration) ([]float64, error) {
	q := o.st.Space.EncodeAll(confs)
	if o.st.Acquisition.Name == "ts" {
		m, err := thompsonModel(o.st, o.fit, o.others, o.h, o.r)
		if err != nil {
			return nil, err
		}
		draw, err := m.Sample(generator(o.r, streamSearch), q)
		for i := range draw {
			draw[i] = -draw[i]
		}
		return draw, err
	}
	a, err := acquisition(o.st, o.fit, o.others, o.h, o.r)
	if err != nil {
		return nil, err
	}
	return scoreOf(a, q), nil
}

func scoreOf(a acq.Acquisition, q *points.Set) []float64 {
	score := make([]float64, q.Len())
	a.Fork().Scores(score, q)
	return score
}

// thompsonModel is the posterior that a function is drawn from.
func thompsonModel(st *study.Study, f *fitted, others map[string]outcome, h *history, r Request) (*gp.Model, error) {
	if len(others) > 0 || hasPrior(st.Space) {
		_, err := logHead("ts")
		return nil, err
	}
	samples := f.model.Samples()
	m := samples[generator(r, streamFantasy).IntN(len(samples))]
	m, err := withRefused(m, pointsOf(st, h.refused), f.x)
	if err != nil {
		return nil, err
	}
	conditioned, err := withPending(st, m, pointsOf(st, h.pending), slices.Max(f.y), r)
	if err != nil {
		return nil, err
	}
	return conditioned[0], nil
}

// latent is the posterior of the modelled quantity (transformed, to be
// minimised) at every point of q, averaged over hyperparameter samples.
func (f *fitted) latent(q *points.Set) (mean, std []float64) {
	n, samples := q.Len(), f.model.Samples()
	mean, std = make([]float64, n), make([]float64, n)
	m, v := make([]float64, n), make([]float64, n)
	share := 1 / float64(len(samples))
	square := make([]float64, n)
	for _, s := range samples {
		s.Standard().PredictBatch(m, v, q)
		for i := range m {
			mean[i] += share * m[i]
			square[i] += share * (v[i] + m[i]*m[i])
		}
	}
	for i := range std {
		std[i] = math.Sqrt(max(0, square[i]-mean[i]*mean[i]))
		if len(samples) == 1 { // the difference of squares would lose digits
			std[i] = math.Sqrt(v[i])
		}
	}
	return mean, std
}
