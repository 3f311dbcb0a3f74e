package suggest

import (
	"context"

	"bohier/internal/gp"
	"bohier/internal/policy"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// fewEnds is the number of ends, measured or foretold, from which on they are modelled by
// themselves.
const fewEnds = 3

// fitModels fits the plan's models of the objective, or of each of several.
func (s *surrogates) fitModels(ctx context.Context) error {
	if s.st.Several() {
		return s.fitGoals(ctx)
	}
	return s.fitObjective(ctx)
}

// fitObjective fits what models the objective. Where there are no curves yet earlier
// studies tell of ends.
func (s *surrogates) fitObjective(ctx context.Context) (err error) {
	if policy.ObjectiveModel(s.st).Curves() {
		err = s.fitCurves(ctx)
	} else {
		s.fit, s.note, err = fitPlan(ctx, s.h, s.plan.Model, s.r.Warm, s.r.Seed)
	}
	if s.st.Fidelity.Early() && len(s.h.Sources) > 0 && noSurrogate(err) {
		s.fit, s.note = &surrogate.Fitted{}, s.r.Warm.Clone()
		if err = s.fitEnds(ctx); err == nil && s.fit.Model == nil {
			err = &gp.FallbackError{Reason: "empty"}
		}
	}
	return err
}

// fitCurves fits the plan's model of curves or, where others are open and the trials that
// tell them apart have grown by a quarter since they were compared, the one that predicts
// trials left out best: their ends, without their curves and from the beginnings of those,
// or the means of their folds.
func (s *surrogates) fitCurves(ctx context.Context) error {
	told, aligned := len(s.h.Observed), *s.h
	if s.st.Fidelity.Averaged() {
		told = len(s.h.Told())
	} else {
		aligned.Align = true
	}
	models := []study.ModelPlan{s.plan.Model}
	if d := s.r.Warm.Clone().Curves; d == nil && told >= fewEnds || d != nil && float64(told) >= 1.25*float64(d.Ends) {
		for _, spec := range policy.CurveModels(s.st, s.plan.Model.Spec) {
			models = append(models, study.ModelPlan{Spec: spec})
		}
	}
	warm, best := s.r.Warm, 0.0
	for k, m := range models {
		fit, note, err := fitPlan(ctx, &aligned, m, warm, s.r.Seed)
		if k > 0 && noSurrogate(err) {
			continue
		}
		if err != nil {
			return err
		}
		var extrapolation *surrogate.Extrapolation
		density := fit.Density()
		if aligned.Align {
			extrapolation = fit.Extrapolation(s.st, s.h.Observed)
			density = extrapolation.Density
		}
		if k > 0 && !(density > best) {
			note.Used, note.Curves = s.note.Used, s.note.Curves
		} else if s.fit, s.extrapolation, best = fit, extrapolation, density; len(models) > 1 {
			note.Curves = &study.CurvesDecision{Model: m.Spec.Fidelity, Transform: m.Spec.Transform, Ends: told}
		}
		s.note, warm = note, note
	}
	return nil
}

// fitEnds replaces the surrogate of curves, in the search for a configuration, by one of their
// ends at the resource where configurations are compared: a trial's value there or, at full
// resource, the prediction of its own curve. The two questions are kept apart because values on
// the way, which are many, would otherwise decide the hyperparameters by which the ends are
// modelled. A study in which nothing is stopped, or whose curves tell nothing, thus searches as
// one without a fidelity.
func (s *surrogates) fitEnds(ctx context.Context) error {
	st := s.st
	if !st.Fidelity.Early() || st.Fidelity.Averaged() || s.fit == nil || s.fit.Model != nil && !s.fit.Resources() ||
		s.fit.Model == nil && len(s.h.Sources) == 0 {
		return nil
	}
	data := s.h.Data
	data.Rows = s.ends()
	if len(data.Rows) < fewEnds && len(s.h.Sources) == 0 {
		return nil
	}
	of := s.plan.Model
	of.Spec.Fidelity, of.Spec.Transform = "final", policy.ObjectiveModel(st).Transform
	if c := of.Challenger; c != nil {
		other := *c
		other.Fidelity, other.Transform = of.Spec.Fidelity, of.Spec.Transform
		of.Challenger = &other
	}
	plain := *st
	plain.Surrogate.Hyper = plain.Surrogate.Hyper.Without("fidelity.")
	ends, _, err := fitBetter(of, s.h, len(s.h.Observed), s.note, func(spec study.ModelSpec) (*surrogate.Fitted, error) {
		return surrogate.Fit(ctx, &plain, spec, data, s.r.Warm.Clone().Outcomes[study.EndsFit], s.r.Seed)
	})
	if noSurrogate(err) { // such as: all expected to be equal
		return nil
	}
	if err != nil {
		return err
	}
	s.note.Outcomes[study.EndsFit] = hyper(ends, s.h)
	ends.Warnings = s.fit.Warnings
	if s.fit.Model != nil {
		s.curves = s.fit
	}
	s.fit = ends
	return nil
}

// ends are the values of trials at the resource where configurations are compared, and at
// full resource also what their curves tell of them.
func (s *surrogates) ends() (rows []surrogate.Row) {
	st, at := s.st, s.h.At
	var partial []*study.Trial
	for _, t := range s.h.Told() {
		if p := t.Course.Find(at); t.Outside {
		} else if p != nil {
			rows = append(rows, surrogate.Row{Trial: t, Resource: at, Observation: p.Observation})
			if at == st.Fidelity.High() {
				rows = append(rows, furtherRows(&st.Fidelity, t)...)
			}
		} else {
			partial = append(partial, t)
		}
	}
	if at < st.Fidelity.High() || s.fit.Model == nil {
		return rows
	}
	if s.extrapolation == nil {
		s.extrapolation = s.fit.Extrapolation(st, s.h.Observed)
	}
	for k, told := range s.extrapolation.Ends(partial) {
		if told != nil {
			rows = append(rows, surrogate.Row{Trial: partial[k], Resource: at, Observation: *told})
		}
	}
	return rows
}
