package suggest

import (
	"math"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/policy"
	"bohier/internal/study"
)

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
			return u.Standard(sign*t.Values[c.Name]) - u.Standard(limit)
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
