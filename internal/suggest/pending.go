package suggest

import (
	"math/rand/v2"
	"slices"
	"sync"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
)

// counted are the pending trials that count: all, or the leaders by the score.
func counted(p *study.PendingPlan, m *gp.Model, score func(best float64) (acq.Head, error), good,
	pending *points.Set) (*points.Set, error) {
	if p == nil || pending == nil || pending.Len() <= p.Most {
		return pending, nil
	}
	head, err := score(incumbentsOf([]*gp.Model{m}, good)[0])
	if err != nil {
		return nil, err
	}
	return pending.Select(m.Leading(pending, p.Most, func(mean, variance float64) float64 {
		s, _, _ := head.Score(mean, variance)
		return s
	})), nil
}

// withPending conditions a model on joint draws of the outcomes of pending trials; without any it
// is the model itself.
func (s *surrogates) withPending(m *gp.Model, pending *points.Set, rng *rand.Rand) ([]*gp.Model, error) {
	if pending == nil {
		return []*gp.Model{m}, nil
	}
	count := policy.Draws
	if s.plan.Pending != nil {
		count = s.plan.Pending.Draws
	}
	draws, err := m.Draws(rng, pending, count)
	if err != nil {
		return nil, err
	}
	return m.ConditionEach(pending, draws)
}

// believer is a model with the pending trials, or none, at their predicted means.
func believer(m *gp.Model, pending *points.Set) (*gp.Model, error) {
	if pending == nil {
		return m, nil
	}
	return m.Condition(pending, meansAt(m, pending))
}

// meansAt are the means of a model at points, in the units of its values.
func meansAt(m *gp.Model, q *points.Set) []float64 {
	mean := make([]float64, q.Len())
	m.Predictor().Means(mean, q)
	return mean
}

// penaliseInfeasible conditions a model on the configurations that failed as
// infeasible, as if each had the predicted value or the quantile of those predicted
// for the good ones, whichever is worse.
func penaliseInfeasible(m *gp.Model, infeasible, good *points.Set, quantile float64) (*gp.Model, error) {
	if infeasible == nil || quantile == 0 {
		return m, nil
	}
	known, believed := meansAt(m, good), meansAt(m, infeasible)
	slices.Sort(known)
	for k := range believed {
		believed[k] = max(believed[k], known[int(quantile*float64(len(known)))])
	}
	return m.Condition(infeasible, believed)
}

// avoid recognises configurations that are not to be proposed: those tried before
// and the surroundings of pending ones.
func avoid(h *history) func(q *points.Set, i int) bool {
	m, pending := space.NewGower(h.st.Space), pointsOf(h.st, h.pending)
	keys := sync.Pool{New: func() any { return new([]byte) }}
	return func(q *points.Set, i int) bool {
		for j := 0; pending != nil && j < pending.Len(); j++ {
			if m.Within(q, i, pending, j, acq.Separation) {
				return true
			}
		}
		key := keys.Get().(*[]byte)
		defer keys.Put(key)
		*key = h.st.Space.AppendKey((*key)[:0], h.st.Space.Decode(q, i))
		return h.seen[string(*key)]
	}
}

// TooClose are the choices of a suggestion, as trials, that lie too close to a
// trial that became pending after the state they were computed from; none when no
// choice would be left. Processes that ask at once find the same optima.
func TooClose(sp *space.Space, sug *study.Suggestion, then, now []*study.Trial) []*study.Trial {
	if sug.Source != "model" {
		return nil
	}
	m := space.NewGower(sp)
	confs := append([]space.Configuration{sug.Config}, sug.Spare...)
	choices := sp.EncodeAll(confs)
	known := map[int]bool{}
	for _, t := range then {
		known[t.Number] = true
	}
	near := make([]bool, choices.Len())
	n := 0
	for _, t := range now {
		if known[t.Number] || t.Outside {
			continue
		}
		at := sp.EncodeAll([]space.Configuration{t.Config})
		for k := range near {
			if !near[k] && m.Within(choices, k, at, 0, acq.Separation) {
				near[k] = true
				n++
			}
		}
	}
	if n == len(near) {
		return nil
	}
	var out []*study.Trial
	for k, is := range near {
		if is {
			out = append(out, &study.Trial{Config: confs[k]})
		}
	}
	return out
}
