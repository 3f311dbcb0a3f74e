package suggest

import (
	"context"
	"math"
	"slices"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// An outcome is a measured quantity beside the objective that a suggestion
// weighs: its surrogate and the log head that scores its predictions.
type outcome struct {
	fit   *surrogate.Fitted
	limit float64 // that it is to keep; of the cost none
	head  func(m *gp.Model) acq.Head
}

// outcomes fits one surrogate per constraint, one for configurations that
// failed as infeasible, and one for the logarithm of the cost, as far as the plan
// multiplies with them and there are observations of them.
func (s *surrogates) outcomes(ctx context.Context) (map[string]outcome, error) {
	st, h, p := s.st, s.h, s.plan
	out := map[string]outcome{}
	add := func(name string, d surrogate.Dataset, limit, floor float64, head func(*gp.Model) acq.Head) error {
		f, err := s.fitOutcome(ctx, name, d, floor)
		if f != nil {
			out[name] = outcome{f, limit, head}
		}
		return err
	}
	for _, f := range p.Factors {
		k := slices.Index(policy.ConstraintFactors(st), f.Name)
		if k < 0 {
			continue
		}
		d, _, limit := constraintData(h, st.Constraints[k])
		if err := add(f.Name, d, limit, 0,
			func(m *gp.Model) acq.Head { return marginFeasibility{m.Units().Standard(limit), f.Margin} }); err != nil {
			return nil, err
		}
	}
	if f, ok := p.Factor("feasibility"); ok {
		if err := add("feasibility", surrogate.FeasibilityData(st, h.Data), 0.5, labelNoise, func(m *gp.Model) acq.Head {
			return powered{acq.Feasibility(m.Units().Standard(0.5)), f.Weight}
		}); err != nil {
			return nil, err
		}
	}
	if f, ok := p.Factor("cost"); ok {
		value := func(o study.Observation) (float64, bool) {
			if o.Cost == nil || *o.Cost <= 0 {
				return 0, false
			}
			return math.Log(*o.Cost), true
		}
		costed := h.Observed
		if st.Fidelity.Early() {
			costed = perUnit(&st.Fidelity, h.Told())
		}
		if err := add("cost", surrogate.NewDataset(st, costed, 1, value), 0, 0, func(m *gp.Model) acq.Head {
			return acq.LogCost(f.Weight, m.Units().Value(1)-m.Units().Value(0))
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fitOutcome fits a surrogate to a quantity beside the objective, with a noise variance
// of at least floor, in standardised units. It is nil where there is nothing to learn
// from yet.
func (s *surrogates) fitOutcome(ctx context.Context, name string, d surrogate.Dataset,
	floor float64) (*surrogate.Fitted, error) {
	st := s.st
	kernel, err := surrogate.NewKernel(st, policy.OutcomeModel(st))
	if name == "cost" && st.Cost.Linear {
		kernel, err = surrogate.LinearKernel(st)
	}
	if err != nil {
		return nil, err
	}
	f, err := surrogate.FitOutcome(ctx, st, kernel, d, s.h.Data, s.r.Warm.Clone().Outcomes[name], s.r.Seed, floor)
	if noSurrogate(err) {
		return nil, nil
	}
	return f, err
}

// constraintData is what was measured of a constraint, turned by sign so that it holds up to
// the limit.
func constraintData(h *history, c study.Constraint) (d surrogate.Dataset, sign, limit float64) {
	if sign = 1; c.AtLeast {
		sign = -1
	}
	value := func(o study.Observation) (float64, bool) { v, ok := o.Values.Get(c.Name); return v, ok }
	return surrogate.NewDataset(h.st, h.Told(), sign, value), sign, sign * c.Bound
}

// labelNoise is the least noise variance of a surrogate of labels 0 and 1: their
// steps are fitted best without noise and with lengthscales so short that nothing
// is learnt about other configurations. It was compared where the optimum was on the
// edge (bench/notes).
const labelNoise = 0.05

// powered is a log head times weight.
type powered struct {
	acq.Head
	weight float64
}

// Score implements acq.Head.
func (h powered) Score(mean, variance float64) (s, dmean, dvar float64) {
	s, dmean, dvar = h.Head.Score(mean, variance)
	return h.weight * s, h.weight * dmean, h.weight * dvar
}

// Bound implements acq.Head.
func (h powered) Bound(mean, variance float64) float64 {
	return h.weight * h.Head.Bound(mean, variance)
}

// factor is the outcome's part of a product.
func (o outcome) factor() acq.Acquisition {
	m := o.fit.Model
	return acq.Scored(o.head(m), func() acq.Surrogate { return m.Standard() })
}

// Satisfying fits a surrogate to the outcome of every constraint, and one to which
// configurations failed as infeasible. The function it returns gives, at
// configurations, the probability that all of them hold, as if they were
// independent; nil where nothing restricts outcomes, or nothing was measured of it.
func Satisfying(ctx context.Context, h *history, r Request) (func([]space.Configuration) []float64, error) {
	p := &study.Plan{Factors: []study.Factor{{Name: "feasibility"}}}
	for _, name := range policy.ConstraintFactors(h.st) {
		p.Factors = append(p.Factors, study.Factor{Name: name})
	}
	fits, err := (&surrogates{st: h.st, h: h, r: r, plan: p}).outcomes(ctx)
	if err != nil || len(fits) == 0 {
		return nil, err
	}
	return func(confs []space.Configuration) []float64 {
		out := slices.Repeat([]float64{1}, len(confs))
		for _, f := range p.Factors {
			o, ok := fits[f.Name]
			if !ok {
				continue
			}
			mean, std, _ := o.fit.Predict(h.st.Space, confs)
			for k := range out {
				out[k] *= below(o.limit, mean[k], max(std[k], 1e-300))
			}
		}
		return out
	}, nil
}

// Where a constraint is active at the optimum, the best product of improvement and
// feasibility lies just beyond the edge once the surrogate is sure of the objective
// to within the last of its uncertainty about the constraint: suggestions then creep
// along the edge, each infeasible by a little. So a bound is kept with a margin of
// predicted standard deviations, which grows by marginStep with every suggestion
// that misses it by little and shrinks by as much with every feasible one, as step
// sizes follow the share of successes (Rechenberg 1973). Where the surrogate knows
// nothing its deviations are large, and so only near misses count: those by less
// than nearMiss standard deviations of what was measured. Both numbers were compared
// on six problems (bench/notes).
const (
	marginStep = 0.25
	nearMiss   = 0.1
)

// margins are those of a study's constraints by factor name, in standard deviations of
// what was measured.
func margins(h *history) map[string]float64 {
	st := h.st
	out := map[string]float64{}
	for k, name := range policy.ConstraintFactors(st) {
		c := st.Constraints[k]
		d, sign, limit := constraintData(h, c)
		u, flat := gp.UnitsOf(d.Values())
		if flat {
			continue
		}
		out[name] = margin(st, h.Observed, func(t *study.Trial) float64 {
			return u.Standard(sign*t.Values.Of(c.Name)) - u.Standard(limit)
		})
	}
	return out
}

// margin is that of a bound by what became of the surrogate's suggestions: excess
// tells by how many standard deviations a trial misses the bound, ≤ 0 if it does not.
// Before the first feasible trial there is no edge to keep away from.
func margin(st *study.Study, told []*study.Trial, excess func(*study.Trial) float64) float64 {
	sum, found := 0.0, false
	for _, t := range told {
		ok := st.Feasible(t)
		found = found || ok
		if t.Source != "model" || !found {
			continue
		}
		if over := excess(t); ok {
			sum = max(0, sum-marginStep)
		} else if over > 0 && over < nearMiss {
			sum += marginStep
		}
	}
	return sum
}

// marginFeasibility is log Φ((limit − mean)/σ − margin): the log probability that a value keeps
// its limit, with a margin in standard deviations.
type marginFeasibility struct{ limit, margin float64 }

// Log implements acq.Head.
func (marginFeasibility) Log() bool { return true }

// Score implements acq.Head.
func (h marginFeasibility) Score(mean, variance float64) (s, dmean, dvar float64) {
	sd := math.Sqrt(variance)
	s, dmean, dvar = acq.Feasibility(h.limit).Score(mean+h.margin*sd, variance)
	if sd > 0 {
		dvar += dmean * h.margin / (2 * sd)
	}
	return s, dmean, dvar
}

// Bound implements acq.Head. The score grows with the variance where the mean is beyond the
// limit; where it is not, it is 0 without variance.
func (h marginFeasibility) Bound(mean, variance float64) float64 {
	if mean <= h.limit {
		return 0
	}
	return acq.Feasibility(h.limit).Bound(mean+h.margin*math.Sqrt(variance), variance)
}
