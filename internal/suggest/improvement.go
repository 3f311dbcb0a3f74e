package suggest

import (
	"maps"
	"math"
	"slices"
	"strings"

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

// improvement scores the objective, averaged over what is
// believed of the pending trials, each with its own incumbent: the lowest mean of the
// promising or pending trials, or of the good or pending ones in the plan's region, less ξ.
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
	count, err := counted(p.Pending, m, score, promising, s.pendingPoints(pending))
	if err != nil {
		return nil, err
	}
	out := fantasyEnsemble{}
	if out.models, err = s.withPending(m, count, generator(s.r, streamFantasy)); err != nil {
		return nil, err
	}
	for _, best := range incumbentsOf(out.models, rivals...) {
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
		out.heads = append(out.heads, head)
	}
	return out, nil
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

// fantasyEnsemble is the average of heads on models that differ in what they believe of pending
// trials, and share most of the work.
type fantasyEnsemble struct {
	models []*gp.Model
	heads  []acq.Head
}

// Fork implements acq.Acquisition.
func (a fantasyEnsemble) Fork() acq.Scorer {
	members := make([]acq.Member, len(a.models))
	for k, p := range gp.SharedPredictors(a.models) {
		members[k] = acq.Member{{Head: a.heads[k], Surrogate: func() acq.Surrogate { return p }}}
	}
	return acq.NewEnsemble(members...).Fork()
}

// incumbentsOf is for every model the lowest predicted mean among the points it knows,
// in standardised units: with noise, the lowest observation would be too good.
func incumbentsOf(models []*gp.Model, sets ...*points.Set) []float64 {
	out, shared := slices.Repeat([]float64{math.Inf(1)}, len(models)), gp.SharedPredictors(models)
	for _, x := range sets {
		if x == nil || x.Len() == 0 {
			continue
		}
		mean := make([]float64, x.Len())
		for k, p := range shared {
			p.Means(mean, x)
			out[k] = min(out[k], slices.Min(mean))
		}
	}
	return out
}
