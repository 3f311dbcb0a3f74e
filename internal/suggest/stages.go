package suggest

import (
	"maps"
	"reflect"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/study"
)

// The surrogates of a request are fitted in two stages.
const (
	stageModels = iota
	stageOthers
	stages
)

// A fitted is surrogates after a stage, and what they depend on beside the study. It is not changed.
type fitted struct {
	of fittedOf
	*surrogates
}

type fittedOf struct {
	known   *results
	models  []study.ModelPlan
	factors []study.Factor
	warm    *study.FitRecord // but for its gain
	seed    uint64
	at      float64
	pending bool
}

// once runs a stage, unless a request before did for the same told trials and models. The requests of a batch differ
// in pending trials alone, which no fit knows.
func (s *surrogates) once(stage int, fit func() error) error {
	m, h := s.r.Kept, s.h
	if m == nil || s.r.Told == nil || h.pace != nil || len(h.Sources) > 0 {
		return fit()
	}
	of := fittedOf{h.known, nil, s.plan.Factors, s.r.Warm.Clone(), s.r.Seed, h.At, len(h.pending) > 0}
	gain := of.warm.Gain
	of.warm.Gain = nil
	of.models = lists.Of(s.plan.Goals(s.st), func(g study.ObjectivePlan) study.ModelPlan { return g.Model })
	m.mu.Lock()
	was := m.fitted[stage]
	m.mu.Unlock()
	if was.of.known != h.known || !reflect.DeepEqual(was.of, of) {
		if err := fit(); err != nil {
			return err
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.fitted[stage] = fitted{of, new(surrogates)}
		m.fitted[stage].take(s)
		return nil
	}
	s.take(was.surrogates)
	for _, g := range s.goals {
		k := slices.IndexFunc(s.st.Objectives, func(ob study.Objective) bool { return ob.Name == g.plan.Name })
		g.h, g.plan = h.alone()[k], s.plan.Goals(s.st)[k]
	}
	s.note.Gain = gain
	return nil
}

// take has s copy what was fitted of others, without their history.
func (s *surrogates) take(from *surrogates) {
	s.curves, s.extrapolation = from.curves, from.extrapolation
	s.flat, s.others, s.note = slices.Clone(from.flat), maps.Clone(from.others), from.note.Clone()
	s.goals = lists.Of(from.goals, func(g *goal) *goal { return &goal{plan: g.plan, fit: g.fit, noisy: g.noisy} })
}
