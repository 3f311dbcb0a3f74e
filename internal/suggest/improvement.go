package suggest

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
)

// acquisition scores the predictions of the objective and of the other outcomes, as the
// plan says. Pending trials count with what the surrogate believes about them. While no
// trial is feasible, feasibility alone decides. The names are those of what is
// multiplied.
func (s *surrogates) acquisition(p *study.Plan) (acq.Acquisition, []string, error) {
	head := p.Acquisition
	prior, believes := p.Factor("prior")
	if len(s.others) > 0 || believes {
		var err error
		if head, err = policy.LogAcquisition(head); err != nil {
			return nil, nil, err
		}
	}
	good := feasiblePoints(s.st, s.rivals())
	if good == nil && !feasibilityModelled(s.others) { // nothing to judge feasibility by
		if good = pointsOf(s.st, s.h.Observed); s.fit != nil {
			good = s.fit.X
		}
	}
	var factors acq.Product
	var names []string
	if good != nil {
		improve := s.improvement
		if s.st.Several() {
			improve = s.jointImprovement
		}
		e, err := improve(p, head, good)
		if err != nil {
			return nil, nil, err
		}
		factors, names = append(factors, e), append(names, p.Acquisition)
	}
	for _, name := range slices.Sorted(maps.Keys(s.others)) {
		if good != nil || name != "cost" {
			factors, names = append(factors, s.others[name].factor()), append(names, strings.TrimSuffix(name, policy.OtherSide))
		}
	}
	if believes {
		factors, names = append(factors, newUserPrior(s.st.Space, prior.Weight)), append(names, "prior")
	}
	names = slices.Compact(names)
	if len(factors) == 1 {
		return factors[0], names, nil
	}
	return factors, names, nil
}

// feasibilityModelled reports whether anything says where configurations are feasible.
func feasibilityModelled(others map[string]outcome) bool {
	_, costed := others["cost"]
	return len(others) > 1 || len(others) == 1 && !costed
}

// improvement scores the objective, averaged over what is believed of the pending trials, each
// with its own incumbent: the lowest mean of the promising or pending trials, or of the good or
// pending ones in the plan's region, less ξ.
func (s *surrogates) improvement(p *study.Plan, head string, good *points.Set) (acq.Acquisition, error) {
	st, h := s.st, s.h
	pending, infeasible := pointsOf(st, h.pending), pointsOf(st, h.Infeasible)
	promising, rivals := good, []*points.Set{good, pending}
	if p.Baseline == study.BaselineRegion { // which may hold none of the best trials of all
		in := regionOf(space.NewDomain(st.Space, nil), st.Space, p.Region)
		for k, q := range rivals {
			if q != nil {
				rivals[k] = in.keep(q, q.Len())
			}
		}
	} else {
		promising, _ = s.promising(good)
		rivals[0] = promising
	}
	m, err := penaliseInfeasible(s.fit.Model, infeasible, good, p.Pessimism)
	if err != nil {
		return nil, err
	}
	score := func(best float64) (acq.Head, error) {
		return acq.NewHead(head, acq.HeadOptions{Incumbent: best - p.Xi, Kappa: st.Acquisition.Kappa})
	}
	believed, err := s.believed(p, m, score, promising)
	if err != nil {
		return nil, err
	}
	var joints []acq.Joint
	for _, best := range incumbentsOf(believed, rivals...) {
		head, err := score(best)
		if err != nil {
			return nil, err
		}
		if p.Scale > 0 {
			head = acq.Widened(head, p.Scale)
		}
		if p.Augmented {
			head = acq.Augmented(head, measurementError(s.fit, m))
		}
		joints = append(joints, acq.Alone(head))
	}
	return acq.NewEnsemble(joints, together(believed)), nil
}

// mostRivals is the number of best trials among which the lowest predicted mean is sought.
const mostRivals = 1000

// promising are the feasible trials, which good has the points of; of very many those with the
// best values, of several objectives the front and those of the next ranks.
func (s *surrogates) promising(good *points.Set) (*points.Set, []*study.Trial) {
	able := feasible(s.st, s.h.Observed)
	if good.Len() <= mostRivals || s.st.Fidelity.Early() || len(able) == 0 {
		return good, able
	}
	if !s.st.Several() {
		able = study.Pointers(s.st.First(able, mostRivals))
		return pointsOf(s.st, able), able
	}
	in := s.st.Standing(able)
	able, rank := in.Trials, in.Ranks()
	slices.SortStableFunc(able, func(a, b *study.Trial) int { return rank[a.Number] - rank[b.Number] })
	n := min(mostRivals, len(able))
	for n < len(able) && rank[able[n].Number] == 1 {
		n++
	}
	return pointsOf(s.st, able[:n]), able[:n]
}

// incumbentsOf is for every model the lowest predicted mean among the points it knows,
// in standardised units: with noise, the lowest observation would be too good.
func incumbentsOf(models []*gp.Model, sets ...*points.Set) []float64 {
	out := make([]float64, len(models))
	for f, values := range meansOf([][]*gp.Model{models}, sets...) {
		out[f] = math.Inf(1)
		for _, v := range values {
			out[f] = min(out[f], v[0])
		}
	}
	return out
}

// believed is a model with what is believed of the pending trials that count: all, or the leaders by the score.
func (s *surrogates) believed(p *study.Plan, m *gp.Model, score func(best float64) (acq.Head, error),
	good *points.Set) ([]*gp.Model, error) {
	pending := s.pendingPoints(pointsOf(s.st, s.h.pending))
	if most := p.Pending; most != nil && pending != nil && pending.Len() > most.Most {
		head, err := score(incumbentsOf([]*gp.Model{m}, good)[0])
		if err != nil {
			return nil, err
		}
		pending = pending.Select(m.Leading(pending, most.Most, func(mean, variance float64) float64 {
			s, _, _ := head.Score(mean, variance)
			return s
		}))
	}
	return s.withPending(m, pending, generator(s.r, streamFantasy))
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
	m.Standard().Means([][]float64{mean}, q)
	for i, v := range mean {
		mean[i] = m.Units().Value(v)
	}
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
