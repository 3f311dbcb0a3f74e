package suggest

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/lists"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
)

// scoring makes acquisition functions of fitted models.
type scoring struct{ *surrogates }

// acquisition scores the predictions of the objective and of the other outcomes, as the plan says. Pending trials count
// with their posterior. While no trial is feasible, feasibility alone decides. The names are those of the factors.
func (s scoring) acquisition(p *study.Plan) (acq.Acquisition, []string, error) {
	head := p.Acquisition
	prior, believes := p.Factor("prior")
	if len(s.others) > 0 || believes {
		var err error
		if head, err = policy.LogAcquisition(head); err != nil {
			return nil, nil, err
		}
	}
	good := s.good()
	if good == nil && !feasibilityModelled(s.others) { // nothing to judge feasibility by
		good = s.goals[0].fit.X
	}
	var factors []acq.Acquisition
	var names []string
	if good != nil {
		e, err := s.improvement(p, head, good)
		if err != nil {
			return nil, nil, err
		}
		factors, names = append(factors, e), append(names, p.Acquisition)
	}
	for _, name := range slices.Sorted(maps.Keys(s.others)) {
		if good != nil || name != "cost" {
			factors = append(factors, s.others[name].acquisition())
			names = append(names, strings.TrimSuffix(name, policy.OtherSide))
		}
	}
	if believes {
		believed := newUserPrior(s.st.Space, prior.Weight)
		factors, names = append(factors, func() acq.Scorer { return believed }), append(names, "prior")
	}
	names = slices.Compact(names)
	if len(factors) == 1 {
		return factors[0], names, nil
	}
	return acq.Product(factors...), names, nil
}

// feasibilityModelled reports whether anything says where configurations are feasible.
func feasibilityModelled(others map[string]outcome) bool {
	_, costed := others["cost"]
	return len(others) > 1 || len(others) == 1 && !costed
}

// improvement scores the objectives, averaged over the posterior of the pending trials: draw k of
// every objective belongs together. An improvement is one on the means at the promising or pending
// trials, or at the good or pending ones in the plan's region.
func (s scoring) improvement(p *study.Plan, head string, good *points.Set) (acq.Acquisition, error) {
	st, several := s.st, s.st.Several()
	pending, infeasible := pointsOf(st, s.h.pending), pointsOf(st, s.h.Infeasible)
	promising, told := s.promising(good)
	rivals := []*points.Set{promising, pending}
	if p.Baseline == study.BaselineRegion { // which may hold none of the best trials of all
		in := regionOf(space.NewDomain(st.Space, nil), st.Space, p.Region)
		if promising, rivals[0] = good, in.keep(good, good.Len()); pending != nil {
			rivals[1] = in.keep(pending, pending.Len())
		}
	}
	noise, beliefs := make([]float64, len(s.goals)), 1
	believed := make([][]*gp.Model, len(s.goals)) // by objective, then by the posterior of pending trials
	for j, g := range s.goals {
		m, err := penaliseInfeasible(g.fit.Model, infeasible, good, p.Pessimism)
		if err != nil {
			return nil, err
		}
		waiting := s.pendingPoints(pointsOf(st, g.h.pending))
		if !several {
			if waiting, err = s.counted(p, head, m, promising, waiting); err != nil {
				return nil, err
			}
		}
		r := s.r
		r.Seed += uint64(j) * 0x9e3779b97f4a7c15 // draws of its own
		if believed[j], err = s.withPending(m, waiting, generator(r, streamFantasy)); err != nil {
			return nil, err
		}
		if beliefs = max(beliefs, len(believed[j])); g.plan.Augmented {
			noise[j] = measurementError(g.fit, m)
		}
	}
	surrogates, joints := make([]func() acq.Surrogate, len(s.goals)), make([]acq.Joint, beliefs)
	for j, one := range believed {
		if len(one) < beliefs { // the objective has a value of every pending trial
			believed[j] = slices.Repeat(one, beliefs)
		}
		surrogates[j] = func() acq.Surrogate { return gp.Together(believed[j]) }
	}
	tried := meansOf(believed, rivals...)
	if several {
		s.measured(tried, told)
	}
	for f := range joints {
		joint, err := s.joint(p, head, tried[f])
		if err != nil {
			return nil, err
		}
		joints[f] = acq.Augmented(joint, noise)
	}
	return acq.Ensemble(joints, surrogates...), nil
}

// mostRivals is the number of best trials among which the lowest predicted mean is sought.
const mostRivals = 250

// promising are the feasible trials, which good has the points of; of very many that are complete
// the front and trials of the next ranks, which are the best values of one objective.
func (s scoring) promising(good *points.Set) (*points.Set, []*study.Trial) {
	able := feasible(s.st, s.h.Observed)
	if good.Len() <= mostRivals || good.Len() > len(able) {
		return good, able
	}
	able = once(s.h, "promising", func() []*study.Trial {
		in := s.st.Standing(able)
		able, rank := in.Trials, in.Ranks()
		slices.SortStableFunc(able, func(a, b *study.Trial) int { return rank[a.Number] - rank[b.Number] })
		n := min(mostRivals, len(able))
		for n < len(able) && rank[able[n].Number] == 1 {
			n++
		}
		return able[:n]
	})
	return pointsOf(s.st, able), able
}

// counted are the pending trials that count: all, or the leaders by the score. Unfinished trials, which
// the plan does not count, may be very many.
func (s scoring) counted(p *study.Plan, head string, m *gp.Model, good, pending *points.Set) (*points.Set, error) {
	most := policy.MostCounted
	if p.Pending != nil {
		most = p.Pending.Most
	}
	if pending == nil || pending.Len() <= most || p.Pending == nil && pending.Len() <= mostRivals {
		return pending, nil
	}
	h, err := acq.NewHead(head, lowest(meansOf([][]*gp.Model{{m}}, good)[0]), s.st.Acquisition.Kappa)
	if err != nil {
		return nil, err
	}
	return pending.Select(m.Leading(pending, most, func(mean, variance float64) float64 {
		score, _, _ := h.Score(mean, variance)
		return score
	})), nil
}

// withPending conditions a model on joint draws of the outcomes of pending trials; without any it is the model itself.
func (s scoring) withPending(m *gp.Model, pending *points.Set, rng *rand.Rand) ([]*gp.Model, error) {
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

// meansAt are the means of a model at points, in the units of its values.
func meansAt(m *gp.Model, q *points.Set) []float64 {
	mean := make([]float64, q.Len())
	m.Standard().Means([][]float64{mean}, q)
	return lists.Of(mean, m.Units().Value)
}

// penaliseInfeasible conditions a model on the configurations that failed as infeasible, as if each had the predicted
// value or the quantile of those predicted for the good ones, whichever is worse.
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

// avoid recognises configurations that are not to be proposed: those tried before and the surroundings of pending ones.
func avoid(h *history) func(q *points.Set, i int) bool {
	m, pending := space.NewGower(h.st.Space), pointsOf(h.st, h.pending)
	keys := sync.Pool{New: func() any { return new([]byte) }}
	return func(q *points.Set, i int) bool {
		if besides(m, q, i, pending) {
			return true
		}
		key := keys.Get().(*[]byte)
		defer keys.Put(key)
		*key = h.st.Space.AppendKey((*key)[:0], h.st.Space.Decode(q, i))
		return h.seen.has(*key)
	}
}

// TooClose are the choices of a suggestion, as trials, that lie too close to a trial that is pending
// now and was not then, when they were computed, by number; none when no choice would be left.
// Processes that ask at once find the same optima.
func TooClose(sp *space.Space, sug *study.Suggestion, then []int, now []*study.Trial) []*study.Trial {
	if sug.Source != "model" {
		return nil
	}
	fresh := lists.Only(now, func(t *study.Trial) bool { return !slices.Contains(then, t.Number) && !t.Outside })
	confs := append([]space.Configuration{sug.Config}, sug.Spare...)
	m, choices, taken := space.NewGower(sp), sp.EncodeAll(confs), sp.EncodeAll(lists.Of(fresh, configuration))
	close := lists.Where(len(confs), func(k int) bool { return besides(m, choices, k, taken) })
	if len(close) == len(confs) {
		return nil
	}
	return lists.Of(close, func(k int) *study.Trial { return &study.Trial{Config: confs[k]} })
}

// besides reports whether point i of q is hardly another than one of others; nil: there is none.
func besides(m space.Gower, q *points.Set, i int, others *points.Set) bool {
	for j := 0; others != nil && j < others.Len(); j++ {
		if m.Within(q, i, others, j, acq.Separation) {
			return true
		}
	}
	return false
}
