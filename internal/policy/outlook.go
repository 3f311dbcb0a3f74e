package policy

import (
	"context"
	"errors"
	"slices"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// An outlook is what the surrogates say to a request: the scores by which a
// suggestion would be chosen, and the predictions behind them.
type outlook struct {
	st     *study.Study
	h      *history
	r      Request
	fit    *surrogate.Fitted
	others map[string]outcome
}

// A fitter is fitBest, for questions of today, or fitTurn, as for a suggestion.
type fitter func(ctx context.Context, st *study.Study, h *history, warm map[string]float64, seed uint64) (*surrogate.Fitted, error)

// look fits the surrogates to the trials that the request may know.
//
// The error is a *study.Error with code NoResult when there is too little to fit.
func look(ctx context.Context, st *study.Study, trials []study.Trial, r Request, fit fitter) (*outlook, error) {
	o := &outlook{st: st, h: ReadHistory(st, trials, r.Number), r: r}
	o.h.Sources = r.Sources
	if r.Few {
		o.h = o.h.few()
	}
	var err error
	if o.fit, err = fit(ctx, st, o.h, r.Warm, r.Seed); err != nil {
		return nil, Unfit(o.h, err)
	}
	o.others, err = outcomes(ctx, st, o.h, r)
	return o, err
}

// Unfit says what to do when the trials allow no surrogate.
func Unfit(h *history, err error) error {
	var none *gp.FallbackError
	if errors.As(err, &none) {
		why := none.Reason
		switch why {
		case "empty":
			why = "there is nothing to learn from"
		case "flat":
			why = "all their values are equal"
		}
		return study.Errorf(study.NoResult, "observe more trials first", "no surrogate can be fitted to %s: %s", study.Count(len(h.Observed), "observed trial"), why)
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
func thompsonModel(st *study.Study, f *surrogate.Fitted, others map[string]outcome, h *history, r Request) (*gp.Model, error) {
	if len(others) > 0 || hasPrior(st.Space) {
		_, err := logHead("ts")
		return nil, err
	}
	samples := f.Model.Samples()
	m := samples[generator(r, streamFantasy).IntN(len(samples))]
	m, err := withRefused(m, pointsOf(st, h.Infeasible), f.X)
	if err != nil {
		return nil, err
	}
	conditioned, err := withPending(st, m, pointsOf(st, h.pending), slices.Max(f.Y), r)
	if err != nil {
		return nil, err
	}
	return conditioned[0], nil
}

// ScoreAbove counts the configurations with a better score than conf, the suggestion r
// asked for, among n random ones of the region it was sought in, or else of its branch.
func ScoreAbove(ctx context.Context, st *study.Study, trials []study.Trial, r Request, conf space.Configuration, n int) (int, error) {
	o, err := look(ctx, st, trials, r, fitTurn)
	if err != nil {
		return 0, err
	}
	domain := space.NewDomain(st.Space, r.Fixed)
	g, guard := neglected(st, o.h, r, domain)
	in := g.part
	if guard && in.holds(st.Space.EncodeAll([]space.Configuration{conf}), 0) {
		o.h = g.view
	} else {
		in = branch(domain, st.Space, st.Space.BranchKey(conf))
	}
	confs := []space.Configuration{conf}
	sample := in.Sample(generator(r, streamExplain), n)
	for i := range sample.Len() {
		confs = append(confs, st.Space.Decode(sample, i))
	}
	score, err := o.scores(confs)
	above := 0
	for _, s := range score {
		if s > score[0] {
			above++
		}
	}
	return above, err
}
