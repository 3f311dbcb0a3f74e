package suggest

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/lists"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// With so many observations, or more than surrogate.DearCoordinates, the many starts of a model's
// first fit are expensive: it begins at the model used before. With fewer this is worse than a fit
// from many starts (bench/notes/speed.md).
const dearObservations = 100

// fitPlan fits the plan's model of the objective, and returns the fit for the journal. It takes the better one of two
// models.
func fitPlan(ctx context.Context, h *history, m study.ModelPlan, warm *study.FitRecord,
	seed uint64) (*surrogate.Fitted, *study.FitRecord, error) {
	note := warm.Clone()
	if m.Spec.Curves() { // rules choose models of ends alone
		m.Challenger, m.Spec.Mean = nil, ""
		if policy.ObjectiveModel(h.st).Warping == study.WarpingOff {
			m.Spec.Warping = study.WarpingOff
		}
	}
	fit := func(s study.ModelSpec) (*surrogate.Fitted, error) {
		start := note.Models[s.Name()].Hyper
		dear := len(h.Told()) >= dearObservations || len(h.st.Space.Coordinates()) > surrogate.DearCoordinates
		if start.Values == nil && dear {
			start.Values = note.Models[note.Used].Hyper.Values
		}
		f, err := surrogate.Fit(ctx, h.st, s, h.Data, start, seed)
		if err == nil {
			note.Used = s.Name()
			density := note.Models[s.Name()].Density
			if !f.Report.Held {
				density = max(-math.MaxFloat64, min(f.Density(), math.MaxFloat64))
			}
			note.Models[s.Name()] = study.ModelFit{Hyper: f.Kept(len(h.pending) > 0), Density: density}
		}
		return f, err
	}
	f, err := fitBetter(m, len(h.Told()), note, fit)
	if err != nil {
		return nil, nil, err
	}
	note.Used = f.Spec.Name()
	return f, note, nil
}

// fitBetter fits the plan's model of n observations, or the better of two models, and notes its choice.
func fitBetter(m study.ModelPlan, n int, note *study.FitRecord,
	fit func(study.ModelSpec) (*surrogate.Fitted, error)) (*surrogate.Fitted, error) {
	f, err := fit(m.Spec)
	if err != nil || m.Challenger == nil || f.Report.Cut { // nothing is compared: there is no time
		return f, err
	}
	other, err := fit(*m.Challenger)
	if err != nil && !noSurrogate(err) || err == nil && other.Report.Cut {
		return f, err
	}
	wins := err == nil && better(m.Rule, other, f, n, note.Compared[m.Rule].Challenger)
	came := study.Comparison{Observations: n, Challenger: wins}
	if note.Compared[m.Rule] = came; came.Challenger {
		f = other
	}
	return f, nil
}

// How many nats the challenger must predict all observations better. Another transform is judged by the better
// half alone, and its ranks fit anything; chosen once, it stays until it predicts worse by as much, because ranks say
// less of the better half the longer a search polishes there. Warped axes pay for every exponent, and more with few
// observations.
const (
	transformGain = 20
	warpGain      = 0.5
	warpGainOfAll = 10 // for each exponent, shared by the observations
)

// better reports whether the challenger of a comparison predicts n observations left out better
// than f does; transforms by the better half of the values. Stays says that it did the last time.
func better(comparison string, challenger, f *surrogate.Fitted, n int, stays bool) bool {
	gain, least := challenger.Density()-f.Density(), 0.0
	switch comparison {
	case study.TransformComparison:
		gain, least = challenger.BetterDensity()-f.BetterDensity(), transformGain
		if stays {
			least = -transformGain
		}
	case study.ScaleComparison, study.WarpingComparison:
		least = max(warpGain, warpGainOfAll/float64(n)) * float64(free(challenger)-free(f))
	}
	return float64(n)*gain > least
}

// free is how many hyperparameters a fit chose.
func free(f *surrogate.Fitted) int {
	return len(lists.Only(f.Report.Ranges, func(r gp.Range) bool { return r.Low != r.High }))
}

// FitObjective fits the model of the objective, for questions about a study. The fit is not to be changed.
func FitObjective(ctx context.Context, h *history, r Request) (*surrogate.Fitted, error) {
	whole, m := *h, policy.Decide(newView(h, r), policy.InForce(h.st)).Model
	whole.At = h.st.Fidelity.High() // questions are about the full resource, unless they say otherwise (Fitted.At)
	warm := r.Warm.Of(h.st)
	of := []any{m, warm, r.Seed, r.Sources, len(h.pending) > 0}
	return kept(h, "objective", of, func() (*surrogate.Fitted, error) {
		f, _, err := fitPlan(ctx, &whole, m, warm, r.Seed)
		return f, err
	})
}

// surrogates are the fitted models of a request: the scores by which a suggestion would be chosen, and the predictions
// behind them. Each step has its methods on a type that is a surrogates and nothing else: fitting, scoring, choice,
// explaining, stopping.
type surrogates struct {
	st     *study.Study
	h      *history
	r      Request
	plan   *study.Plan
	goals  []*goal           // the surrogates of the objectives that could be fitted
	curves *surrogate.Fitted // of the only objective's curves, where its goal is their ends
	// extrapolation rates the curves' predictions of ends; nil: nobody asked yet.
	extrapolation *surrogate.Extrapolation
	flat          []string           // the names of the objectives that could not
	others        map[string]outcome // constraints, feasibility and cost
	note          *study.FitRecord   // the fit for the journal
	// missing is the reason why there is no surrogate of the objective; nil: there is one.
	missing *gp.FallbackError
}

// whole is the plan for the whole space.
func (s *surrogates) whole() *study.Plan {
	p := *s.plan
	p.Region = nil
	if p.Baseline == study.BaselineRegion {
		p.Baseline, p.Incumbent = study.BaselineAll, s.h.best()
	}
	p.Rules = slices.DeleteFunc(slices.Clone(p.Rules),
		func(r study.RuleUse) bool { return strings.HasPrefix(r.Name, "region.") })
	return &p
}

// fitting fits the models of a request.
type fitting struct{ *surrogates }

// fitSurrogates fits the models of a plan; that of the request, or else of today's rules.
//
// The error is a *study.Error with code NoResult when there is too little to fit.
func fitSurrogates(ctx context.Context, st *study.Study, trials []study.Trial, r Request) (*surrogates, error) {
	s := fitting{newSurrogates(History(st, trials, r), r)}
	if err := s.once("models", func() error { return s.fitModels(ctx) }); err != nil {
		return nil, Unfit(s.h, err)
	}
	return s.surrogates, s.once("outcomes", func() error { return s.fitOthers(ctx) })
}

// fitOthers fits the ends of curves and the outcomes beside the objective.
func (s fitting) fitOthers(ctx context.Context) (err error) {
	if err = s.fitEnds(ctx); err == nil {
		s.others, err = s.outcomes(ctx)
	}
	return err
}

// fitWhole fits the models that answer questions about the whole space.
//
// The error is a *study.Error with code NoResult when there is too little to fit.
func fitWhole(ctx context.Context, st *study.Study, trials []study.Trial, r Request) (*surrogates, error) {
	s := fitting{newSurrogates(History(st, trials, r), r)}
	s.plan, s.h.At = s.whole(), st.Fidelity.High()
	err := s.once("whole", func() (err error) {
		if err = s.fitGoals(ctx); err == nil {
			s.others, err = s.outcomes(ctx)
		}
		return err
	})
	if err != nil {
		return nil, Unfit(s.h, err)
	}
	return s.surrogates, nil
}

// newSurrogates are those to be fitted to a history, for the plan of the request or else of today's rules.
func newSurrogates(h *history, r Request) *surrogates {
	s := &surrogates{st: h.st, h: h, r: r, plan: r.Plan}
	if s.plan == nil {
		s.plan = policy.Decide(newView(h, r), policy.InForce(h.st))
	}
	if h.pace = newPace(r); h.pace != nil {
		for _, g := range append(h.goals, h) {
			g.More = h.pace.more
		}
	}
	return s
}

// Unfit advises when the trials allow no surrogate.
func Unfit(h *history, err error) error {
	none, ok := errors.AsType[*gp.FallbackError](err)
	if !ok {
		return err
	}
	of := ""
	if h.st.Among != nil {
		of = " of " + h.st.Objective().Name
	}
	why := map[string]string{
		"empty": "there is nothing to learn from", "flat": "at least two values" + of + " have to differ",
	}
	fit := lists.Only(h.Observed, (*study.Trial).Teaches)
	return study.Errorf(study.NoResult, "observe more trials first", "no surrogate can be fitted to %s: %s",
		study.Count(len(fit), "observed trial"), cmp.Or(why[none.Reason], none.Reason))
}

// noSurrogate reports whether an error is that data allow no surrogate.
func noSurrogate(err error) bool {
	_, ok := errors.AsType[*gp.FallbackError](err)
	return ok
}

// scores are the values of the acquisition function at configurations, larger is better. A trial in
// h.pending counts with its posterior.
func (s scoring) scores(confs []space.Configuration) ([]float64, error) {
	q := s.st.Space.EncodeAll(confs)
	a, _, err := s.acquisition(s.plan)
	if err != nil {
		return nil, err
	}
	return acq.Scores(a(), q), nil
}

// fitShare is the share of the time until a deadline that fits may take; the rest is for the search.
const fitShare = 0.5

// A pace limits the steps of a suggestion's fits.
type pace struct {
	until time.Time // when they end; zero: when they are done
	steps int       // that they asked for
	cut   int       // the one that they were not given, nor any after it; 0: none yet
}

// newPace is that of a request; nil where nothing can end its fits.
func newPace(r Request) *pace {
	switch {
	case r.Cut.Fits > 0:
		return &pace{cut: r.Cut.Fits}
	case !r.Until.IsZero():
		now := time.Now()
		return &pace{until: now.Add(time.Duration(fitShare * float64(r.Until.Sub(now))))}
	}
	return nil
}

// more reports whether fits may take a further step.
func (p *pace) more() bool {
	p.steps++
	if p.cut == 0 && !p.until.IsZero() && !time.Now().Before(p.until) {
		p.cut = p.steps
	}
	return p.cut == 0 || p.steps < p.cut
}

// ended is the step before which fits were ended; 0: they were not.
func (p *pace) ended() int {
	if p == nil || p.steps < p.cut {
		return 0
	}
	return p.cut
}

// fitAll fits the surrogates of the objective and of the other outcomes. If the objective has none, there are others
// only where they can choose by themselves. The error is Exhausted where the study is over by their predictions.
func (s fitting) fitAll(ctx context.Context) error {
	st, h := s.st, s.h
	err := s.once("models", func() error { return s.fitModels(ctx) })
	if errors.As(err, &s.missing) {
		if len(st.Constraints) == 0 || s.good() != nil || checkAcquisition(st) != nil {
			return nil
		}
		s.note, err = s.r.Warm.Clone(), nil // the objective does not matter yet
	}
	if err == nil && s.missing == nil {
		end := stopping(s)
		err = cmp.Or(end.regretReached(ctx), end.targetReached(), end.levelled())
	}
	if err != nil {
		return err
	}
	err = s.once("outcomes", func() error { return s.fitOthers(ctx) })
	for name, o := range s.others {
		s.note.Outcomes[name] = o.fit.Kept(len(h.pending) > 0)
	}
	s.note.Cut = h.pace.ended()
	return err
}
