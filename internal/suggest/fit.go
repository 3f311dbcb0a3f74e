package suggest

import (
	"context"
	"math"

	"bohier/internal/policy"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// With so many observations or coordinates the many starts of a model's first fit are dear: it
// begins at the model used before. With fewer this is worse than a fit from many starts
// (docs/benchmarks/speed.md).
const (
	dearObservations = 100
	dearCoordinates  = 64
)

// fitPlan fits what a plan models the objective with, and returns what the journal keeps of it.
// It takes the better one of two models.
func fitPlan(ctx context.Context, h *history, m study.ModelPlan, warm *study.FitRecord,
	seed uint64) (*surrogate.Fitted, *study.FitRecord, error) {
	note := warm.Clone()
	if m.Spec.Curves() { // what rules choose are models of ends
		m.Challenger, m.Spec.Mean = nil, ""
		if policy.ObjectiveModel(h.st).Warping == study.WarpingOff {
			m.Spec.Warping = study.WarpingOff
		}
	}
	fit := func(s study.ModelSpec) (*surrogate.Fitted, error) {
		start := note.Models[s.Name()].Hyper
		if start.Values == nil && (len(h.Told()) >= dearObservations || len(h.st.Space.Coordinates()) > dearCoordinates) {
			start.Values = note.Models[note.Used].Hyper.Values
		}
		f, err := surrogate.Fit(ctx, h.st, s, h.Data, start, seed)
		if err == nil {
			note.Used = s.Name()
			note.Models[s.Name()] = study.ModelFit{Hyper: hyper(f, h),
				Density: max(-math.MaxFloat64, min(f.Density(), math.MaxFloat64))}
		}
		return f, err
	}
	f, won, err := fitBetter(m, h, len(h.Told()), note, fit)
	if err != nil {
		return nil, nil, err
	}
	note.Used = won.Name()
	return f, note, nil
}

// fitBetter fits what a plan models n observations with, or of two models the better one, and
// notes which of the two that was.
func fitBetter(m study.ModelPlan, h *history, n int, note *study.FitRecord,
	fit func(study.ModelSpec) (*surrogate.Fitted, error)) (f *surrogate.Fitted, won study.ModelSpec, err error) {
	if f, err = fit(m.Spec); err != nil || m.Challenger == nil || f.Report.Cut { // for want of time nothing is compared
		return f, m.Spec, err
	}
	won = m.Spec
	came := study.Comparison{Observations: n}
	other, err := fit(*m.Challenger)
	switch {
	case err == nil && other.Report.Cut:
		return f, won, nil
	case err == nil:
		came.Challenger = better(m.Rule, other, f, n)
	case !noSurrogate(err):
		return nil, won, err
	}
	if came.Challenger {
		f, won = other, *m.Challenger
	}
	if note.Compared == nil {
		note.Compared = map[string]study.Comparison{}
	}
	note.Compared[m.Rule] = came
	return f, won, nil
}

// How many nats the challenger must predict better: warped axes in all, for every exponent, and
// another transform for every observation, since the better half alone judges it.
const (
	warpGain      = 0.5
	transformGain = 0.5
)

// better reports whether the challenger of a comparison predicts n observations left out better
// than f does; transforms by the better half of the values.
func better(comparison string, challenger, f *surrogate.Fitted, n int) bool {
	gain, least := challenger.Density()-f.Density(), 0.0
	switch comparison {
	case study.TransformComparison:
		gain, least = challenger.BetterDensity()-f.BetterDensity(), transformGain*float64(n)
	case study.WarpingComparison:
		least = warpGain * float64(len(challenger.Report.Hyper)-len(f.Report.Hyper))
	}
	return float64(n)*gain > least
}

// hyper is what the journal keeps of a fit's hyperparameters. Where trials are under way
// it says what they were fitted to: others may ask before there is a new result, and none
// of them fits again.
func hyper(f *surrogate.Fitted, h *history) study.HyperSet {
	return f.Kept(len(h.pending) > 0)
}

// FitObjective fits what models the objective, for questions about a study.
func FitObjective(ctx context.Context, h *history, r Request) (*surrogate.Fitted, error) {
	whole := *h
	whole.At = h.st.Fidelity.High() // questions are about the full resource, unless they say otherwise (Fitted.At)
	f, _, err := fitPlan(ctx, &whole, policy.Decide(newView(h, r), policy.InForce(h.st)).Model, r.Warm.Of(h.st), r.Seed)
	return f, err
}
