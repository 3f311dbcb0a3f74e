package suggest

import (
	"context"
	"errors"
	"slices"
	"strings"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// surrogates are what was fitted for a request: the scores by which a suggestion would
// be chosen, and the predictions behind them.
type surrogates struct {
	st     *study.Study
	h      *history
	r      Request
	plan   *study.Plan
	fit    *surrogate.Fitted // of the objective; nil where there are several
	curves *surrogate.Fitted // of the objective's curves, where fit is of their ends
	// extrapolation is how well the curves have told ends; nil: nobody asked yet.
	extrapolation *surrogate.Extrapolation
	goals         []*goal            // the surrogates of several objectives that could be fitted
	flat          []string           // the names of the others
	others        map[string]outcome // constraints, feasibility and cost
	note          *study.FitRecord   // what the journal keeps
	// missing says why there is no surrogate of the objective; nil: there is one.
	missing *gp.FallbackError
}

// whole is the plan for the whole space.
func (s *surrogates) whole() *study.Plan {
	p := *s.plan
	p.Region = nil
	if p.Baseline == study.BaselineRegion {
		p.Baseline, p.Incumbent = study.BaselineAll, bestOf(s.st, s.h.Observed)
	}
	p.Rules = slices.DeleteFunc(slices.Clone(p.Rules),
		func(r study.RuleUse) bool { return strings.HasPrefix(r.Name, "region.") })
	return &p
}

// fitSurrogates fits what a plan asks for; that of the request, or else of today's
// rules.
//
// The error is a *study.Error with code NoResult when there is too little to fit.
func fitSurrogates(ctx context.Context, st *study.Study, trials []study.Trial, r Request) (*surrogates, error) {
	s := readSurrogates(st, trials, r)
	if err := s.fitModels(ctx); err != nil {
		return nil, Unfit(s.h, err)
	}
	return s, s.fitOthers(ctx)
}

// fitOthers fits the ends of curves and the outcomes beside the objective.
func (s *surrogates) fitOthers(ctx context.Context) (err error) {
	if err = s.fitEnds(ctx); err == nil {
		s.others, err = s.outcomes(ctx)
	}
	return err
}

// fitWhole fits what questions about the whole space are answered by.
//
// The error is a *study.Error with code NoResult when there is too little to fit.
func fitWhole(ctx context.Context, st *study.Study, trials []study.Trial, r Request) (*surrogates, error) {
	s := readSurrogates(st, trials, r)
	s.plan = s.whole()
	var err error
	if !st.Fidelity.Early() {
		err = s.fitModels(ctx)
	} else { // they are about the full resource
		s.fit, err = FitObjective(ctx, s.h, s.r)
	}
	if err != nil {
		return nil, Unfit(s.h, err)
	}
	s.others, err = s.outcomes(ctx)
	return s, err
}

// newSurrogates are those to be fitted to a history, for the plan of the request or else of
// today's rules.
func newSurrogates(h *history, r Request) *surrogates {
	s := &surrogates{st: h.st, h: h.paced(newPace(r)), r: r, plan: r.Plan}
	if s.plan == nil {
		s.plan = policy.Decide(newView(h, r), policy.InForce(h.st))
	}
	return s
}

// readSurrogates are newSurrogates for the trials before that of the request.
func readSurrogates(st *study.Study, trials []study.Trial, r Request) *surrogates {
	return newSurrogates(readRequest(st, trials, r), r)
}

// Unfit says what to do when the trials allow no surrogate.
func Unfit(h *history, err error) error {
	none, ok := errors.AsType[*gp.FallbackError](err)
	if !ok {
		return err
	}
	why := none.Reason
	switch why {
	case "empty":
		why = "there is nothing to learn from"
	case "flat":
		why = "all their values are equal"
		if h.st.Among > 0 {
			why = "all their values of " + h.st.Objective().Name + " are equal"
		}
	}
	fit := slices.DeleteFunc(slices.Clone(h.Observed), func(t *study.Trial) bool { return t.Outside })
	return study.Errorf(study.NoResult, "observe more trials first", "no surrogate can be fitted to %s: %s",
		study.Count(len(fit), "observed trial"), why)
}

// noSurrogate reports whether an error is that data allow no surrogate.
func noSurrogate(err error) bool {
	_, ok := errors.AsType[*gp.FallbackError](err)
	return ok
}

// scores are the values of the acquisition function at configurations, larger is
// better. A trial in h.pending counts with what
// is believed of it.
func (s *surrogates) scores(confs []space.Configuration) ([]float64, error) {
	q := s.st.Space.EncodeAll(confs)
	a, _, err := s.acquisition(s.plan)
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
