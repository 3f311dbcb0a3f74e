package suggest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/gp"
	"bohier/internal/pareto"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// A goal is one of several objectives, with what was fitted to it. Each is modelled by
// itself, as the objective of a study of one is.
type goal struct {
	st   *study.Study // of this objective alone
	h    *history
	plan study.ObjectivePlan
	fit  *surrogate.Fitted
	// noisy: a value tells of luck as well, and the mean of the surrogate counts in its place.
	noisy bool
}

// fitGoals fits the plan's models of several objectives, one after the other. One whose
// values are all equal drops out; the error is a *gp.FallbackError where all do.
func (s *surrogates) fitGoals(ctx context.Context) error {
	s.note = s.r.Warm.Clone()
	if s.note.Objectives == nil {
		s.note.Objectives = map[string]*study.FitRecord{}
	}
	var none *gp.FallbackError
	for k, h := range s.h.goals {
		one, plan := h.st, s.plan.Objectives[k]
		fit, note, err := fitPlan(ctx, h, plan.Model, s.r.Warm.Of(one), s.r.Seed)
		switch {
		case err == nil:
			s.goals = append(s.goals, &goal{st: one, h: h, plan: plan, fit: fit, noisy: MaterialNoise(one, h.Observed, s.r.Warm)})
			s.note.Objectives[plan.Name] = note
		case errors.As(err, &none):
			s.flat = append(s.flat, plan.Name)
		default:
			return err
		}
	}
	if len(s.goals) == 0 {
		return none
	}
	return nil
}

// warnings are those of the objectives' surrogates.
func (s *surrogates) warnings() []string {
	if s.fit != nil {
		return append(slices.Clone(s.fit.Warnings), s.fit.Stopped()...)
	}
	var out []string
	for _, name := range s.flat {
		out = append(out, fmt.Sprintf("objective %s plays no part yet: there is nothing to learn from its values", name))
	}
	for _, g := range s.goals {
		for _, w := range append(slices.Clone(g.fit.Warnings), g.fit.Stopped()...) {
			out = append(out, g.plan.Name+": "+w)
		}
	}
	return out
}

// leading are the n best feasible trials by their values. With several objectives they are the
// trials of the front that contribute most to its hypervolume.
func leading(st *study.Study, told []*study.Trial, n int) []study.Trial {
	able := feasible(st, told)
	if !st.Several() {
		return st.First(able, n)
	}
	return contributors(st.Front(able), n)
}

// contributors are the n trials of a front that contribute most to its hypervolume; none of
// no front.
func contributors(front *study.Front, n int) []study.Trial {
	if front == nil {
		return nil
	}
	vectors := front.Vectors
	if most := 64; len(vectors) > most { // contributions of more take long
		vectors = vectors[:most]
	}
	_, nadir := pareto.Bounds(vectors)
	least := make([]float64, len(nadir))
	for j := range least {
		least[j] = 1e-9
	}
	share := pareto.Contributions(vectors, pareto.Reference(vectors, least))
	order := make([]int, len(vectors))
	floats.Scale(-1, share) // the largest first
	floats.ArgsortStable(share, order)
	var out []study.Trial
	for _, k := range order[:min(len(order), n)] {
		out = append(out, front.Trials[k])
	}
	return out
}
