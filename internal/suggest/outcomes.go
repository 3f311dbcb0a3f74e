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

// An outcome is a measured quantity beside the objective that a suggestion weighs: its surrogate,
// and the factor of the plan that scores its predictions.
type outcome struct {
	study.Factor
	fit   *surrogate.Fitted
	limit float64 // that it is to keep; of the cost none
}

// outcomes fits one surrogate per constraint, one for configurations that failed as infeasible, and one for the
// logarithm of the cost, as far as the plan multiplies with them and there are observations of them.
func (s fitting) outcomes(ctx context.Context) (map[string]outcome, error) {
	st, h := s.st, s.h
	out := map[string]outcome{}
	for k, name := range append(policy.ConstraintFactors(st), "feasibility", "cost") {
		factor, ok := s.plan.Factor(name)
		if !ok {
			continue
		}
		o, t := outcome{Factor: factor}, gp.Transform(gp.Untransformed{})
		var d surrogate.Dataset
		switch name {
		case "feasibility":
			d, o.limit = surrogate.FeasibilityData(st, h.Data), 0.5
		case "cost":
			d = costData(h)
		default:
			if d, _, o.limit = constraintData(h, st.Constraints[k]); !st.Policy.Plain {
				t = gp.PowerAround(d.Values(), o.limit)
			}
		}
		var err error
		if o.fit, err = s.fitOutcome(ctx, name, t, d); err != nil {
			return nil, err
		}
		if o.fit != nil {
			out[name] = o
		}
	}
	return out, nil
}

// fitOutcome fits a surrogate to a quantity beside the objective. It is nil where there is nothing to learn from yet.
func (s fitting) fitOutcome(ctx context.Context, name string, t gp.Transform,
	d surrogate.Dataset) (*surrogate.Fitted, error) {
	kernel, err := surrogate.NewKernel(s.st, policy.OutcomeModel(s.st))
	if err != nil {
		return nil, err
	}
	f, err := surrogate.FitOutcome(ctx, s.st, kernel, t, d, s.h.Data, s.r.Warm.Clone().Outcomes[name], s.r.Seed)
	if noSurrogate(err) {
		return nil, nil
	}
	return f, err
}

// constraintData holds the measurements of a constraint, turned by sign so that it holds up to the limit.
func constraintData(h *history, c study.Constraint) (d surrogate.Dataset, sign, limit float64) {
	if sign = 1; c.AtLeast {
		sign = -1
	}
	d = surrogate.NewDataset(h.st, surrogate.RowsOf(h.Told()), sign, surrogate.Measured(c.Name))
	return d, sign, sign * c.Bound
}

// costData is the logarithm of the positive costs, with a fidelity of those of one unit of the resource.
func costData(h *history) surrogate.Dataset {
	rows, f := surrogate.RowsOf(h.Observed), &h.st.Fidelity
	if f.Early() {
		rows = nil
		for _, t := range h.Told() {
			if r := f.Resource(t.Course); t.Cost != nil && r > 0 {
				unit := *t.Cost / r
				rows = append(rows, surrogate.Row{Trial: t, Observation: study.Observation{Cost: &unit}})
			}
		}
	}
	return surrogate.NewDataset(h.st, rows, 1, func(r surrogate.Row) (float64, bool) {
		if r.Cost == nil || *r.Cost <= 0 {
			return 0, false
		}
		return math.Log(*r.Cost), true
	})
}

// acquisition is the outcome's part of a product.
func (o outcome) acquisition() acq.Acquisition {
	m := o.fit.Model
	head := acq.Feasibility(m.Units().Standard(o.fit.Transform.Forward(o.limit)), o.Margin, o.Weight)
	if o.Name == "cost" {
		head = acq.LogCost(o.Weight, m.Units().Value(1)-m.Units().Value(0))
	}
	return acq.Scored(head, func() acq.Surrogate { return m.Standard() })
}

// Satisfying fits a surrogate to the outcome of every constraint, and one to which configurations failed as infeasible.
// The function it returns gives, at configurations, the probability that all of them hold, as if they were independent;
// nil where nothing restricts outcomes, or nothing was measured of it.
func Satisfying(ctx context.Context, h *history, r Request) (func([]space.Configuration) []float64, error) {
	p := &study.Plan{Factors: []study.Factor{{Name: "feasibility"}}}
	for _, name := range policy.ConstraintFactors(h.st) {
		p.Factors = append(p.Factors, study.Factor{Name: name})
	}
	of := []any{p.Factors, r.Warm.Clone(), r.Seed, len(h.pending) > 0}
	fits, err := kept(h, "satisfying", of, func() (map[string]outcome, error) {
		return fitting{&surrogates{st: h.st, h: h, r: r, plan: p}}.outcomes(ctx)
	})
	if err != nil || len(fits) == 0 {
		return nil, err
	}
	return func(confs []space.Configuration) []float64 {
		out, q := slices.Repeat([]float64{1}, len(confs)), h.st.Space.EncodeAll(confs)
		for _, f := range p.Factors {
			o, ok := fits[f.Name]
			if !ok {
				continue
			}
			for k, p := range o.fit.Reaches(o.limit, q) {
				out[k] *= p
			}
		}
		return out
	}, nil
}

// Where a constraint is active at the optimum, the best product of improvement and feasibility lies just beyond the
// edge once the surrogate is sure of the objective to within the last of its uncertainty about the constraint:
// suggestions then creep along the edge, each infeasible by a little. So a bound is kept with a margin of predicted
// standard deviations, which grows by marginStep with every suggestion that misses it by little and shrinks by as much
// with every feasible one, as step sizes follow the share of successes (Rechenberg 1973). Where the surrogate knows
// nothing its deviations are large, and so only near misses count: those by less than nearMiss standard deviations of
// the measured values. Both numbers were compared on six problems (bench/notes).
const (
	marginStep = 0.25
	nearMiss   = 0.1
)

// margins are those of a study's constraints by factor name, in standard deviations of the measured values.
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

// margin is that of a bound by the results of the surrogate's suggestions: excess is the number of
// standard deviations by which a trial misses the bound, ≤ 0 if it does not. Before the first
// feasible trial there is no edge to keep away from.
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
