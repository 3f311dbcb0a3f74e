package policy

import (
	"context"
	"errors"

	"bohier/internal/gp"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// endsName is where the journal keeps the hyperparameters of the surrogate of ends.
const endsName = "ends"

// fitObjective fits what models the objective. Where there are no curves yet earlier
// studies tell of ends.
func (s *surrogates) fitObjective(ctx context.Context) (err error) {
	s.fit, s.note, err = fitPlan(ctx, s.st, s.h, s.plan.Model, s.r.Warm, s.r.Seed)
	if s.st.Fidelity != nil && len(s.h.Sources) > 0 && errors.As(err, new(*gp.FallbackError)) {
		s.fit, s.note = &surrogate.Fitted{}, s.r.Warm.Clone()
		if err = s.fitEnds(ctx); err == nil && s.fit.Model == nil {
			err = &gp.FallbackError{Reason: "empty"}
		}
	}
	return err
}

// fitEnds replaces the surrogate of curves, in the search for a configuration, by one of
// what the curves come to at the resource where configurations are compared: a trial's
// value there or, where it has none yet, what its own curve lets expect, with that
// expectation's standard error. The two questions are kept apart because values on the
// way, which are many, would otherwise decide the hyperparameters by which the ends are
// modelled. A study in which nothing is stopped thus searches as one without a fidelity.
func (s *surrogates) fitEnds(ctx context.Context) error {
	st := s.st
	if st.Fidelity == nil || st.Fidelity.Averaged() || s.fit == nil || s.fit.Model != nil && !s.fit.Resources() || s.fit.Model == nil && len(s.h.Sources) == 0 {
		return nil
	}
	curves := s.fit
	at := s.h.At
	data := s.h.Data
	data.Rows = nil
	for _, t := range s.h.Told() {
		if t.Outside {
			continue
		}
		row := surrogate.Row{Trial: t, Resource: at}
		if p := t.Course.Find(at); p != nil {
			row.Observation = p.Observation
		} else if curves.Model != nil {
			mean, std, _ := s.fit.Of(st, t, at).Predict(st.Space, []space.Configuration{t.Config})
			row.Observation = study.Observation{Values: map[string]float64{st.Objective.Name: mean[0]}, Stderr: &std[0]}
		}
		data.Rows = append(data.Rows, row)
	}
	spec := s.plan.Model.Spec
	spec.Fidelity = "final"
	spec.Warping = study.WarpingOff
	if s.fit.Warped {
		spec.Warping = study.WarpingOn
	}
	plain := *st
	plain.Surrogate.Hyper = plain.Surrogate.Hyper.Without("fidelity.")
	ends, err := surrogate.Fit(ctx, &plain, spec, data, s.r.Warm.Clone().Outcomes[endsName], s.r.Seed)
	var none *gp.FallbackError
	if errors.As(err, &none) { // such as: all expected to be equal
		return nil
	}
	if err != nil {
		return err
	}
	s.note.Outcomes[endsName] = hyper(ends, s.h)
	ends.Warnings = s.fit.Warnings
	if s.fit = ends; curves.Model != nil {
		s.curves = curves
	}
	return nil
}
