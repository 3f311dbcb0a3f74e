package policy

import (
	"context"
	"errors"
	"maps"
	"math"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// An outcome is a measured quantity beside the objective that a suggestion
// weighs: its surrogate and the log head that scores its predictions.
type outcome struct {
	fit  *surrogate.Fitted
	head func(m *gp.Model) acq.Head
}

// outcomes fits one surrogate per constraint, one for configurations that
// failed as infeasible, and one for the logarithm of the cost, as far as there
// are observations of them. The names prefix the hyperparameters in the warm
// start. An acquisition function that multiplies with nothing hears of failures
// through withRefused alone.
func outcomes(ctx context.Context, st *study.Study, h *history, r Request) (map[string]outcome, error) {
	out := map[string]outcome{}
	add := func(name string, d surrogate.Dataset, floor float64, head func(*gp.Model) acq.Head) error {
		kernel, err := surrogate.NewKernel(st, plainKernelName(st))
		if err != nil {
			return err
		}
		f, err := surrogate.FitOutcome(ctx, st, kernel, d.Within(h.Limit), surrogate.WarmOf(r.Warm, name), r.Seed, floor)
		var none *gp.FallbackError
		if errors.As(err, &none) {
			return nil // nothing to learn from yet
		}
		if err == nil {
			out[name] = outcome{f, head}
		}
		return err
	}
	for _, c := range st.Constraints {
		sign, limit := 1.0, c.Bound
		if c.AtLeast {
			sign, limit = -1, -c.Bound
		}
		value := func(o study.Observation) (float64, bool) { v, ok := o.Values[c.Name]; return v, ok }
		key := "constraint." + c.Name
		if _, both := out[key]; both { // bounded on the other side, too
			key += otherSide
		}
		err := add(key, surrogate.NewDataset(st, h.Observed, sign, value), 0, func(m *gp.Model) acq.Head {
			at := m.Units().Standard(limit)
			return limited{at, margin(st, h.Observed, func(t *study.Trial) float64 {
				return m.Units().Standard(sign*t.Values[c.Name]) - at
			})}
		})
		if err != nil {
			return nil, err
		}
	}
	if _, alone := logHead(headName(st)); len(h.Infeasible) > 0 && alone == nil {
		if err := add("feasibility", surrogate.FeasibilityData(st, h.Data), labelNoise, func(m *gp.Model) acq.Head {
			return cautious{acq.Feasibility(m.Units().Standard(0.5))}
		}); err != nil {
			return nil, err
		}
	}
	if c := st.Cost; c != nil && c.Exponent > 0 {
		value := func(o study.Observation) (float64, bool) {
			if o.Cost == nil || *o.Cost <= 0 {
				return 0, false
			}
			return math.Log(*o.Cost), true
		}
		if err := add("cost", surrogate.NewDataset(st, h.Observed, 1, value), 0, func(m *gp.Model) acq.Head {
			return acq.LogCost(c.Exponent, m.Units().Value(1)-m.Units().Value(0))
		}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// otherSide ends the name of the second bound of an outcome.
const otherSide = ".other"

// labelNoise is the least noise variance of a surrogate of labels 0 and 1: their
// steps are fitted best without noise and with lengthscales so short that nothing
// is learnt about other configurations.
const labelNoise = 0.05

// cautious counts a log probability feasibilityWeight times. A failure costs a
// trial and says nothing about the objective, which looks promising beyond the
// edge of the feasible.
type cautious struct{ acq.Head }

// feasibilityWeight and labelNoise were compared where the optimum was on the edge
// (docs/benchmarks.md).
const feasibilityWeight = 3

// Score implements acq.Head.
func (h cautious) Score(mean, variance float64) (s, dmean, dvar float64) {
	s, dmean, dvar = h.Head.Score(mean, variance)
	return feasibilityWeight * s, feasibilityWeight * dmean, feasibilityWeight * dvar
}

// Bound implements acq.Head.
func (h cautious) Bound(mean, variance float64) float64 {
	return feasibilityWeight * h.Head.Bound(mean, variance)
}

// fitRecord is what the journal keeps of the fits, the next warm start.
func fitRecord(f *surrogate.Fitted, others map[string]outcome) map[string]float64 {
	all := maps.Clone(f.Warm)
	for name, o := range others {
		for k, v := range o.fit.Report.Warm {
			all[name+"/"+k] = v
		}
	}
	return all
}

// factor is the outcome's part of a product, averaged over posterior samples.
func (o outcome) factor() acq.Acquisition {
	var members []acq.Member
	for _, m := range o.fit.Model.Samples() {
		members = append(members, acq.Member{{Head: o.head(m), Surrogate: func() acq.Surrogate { return m.Standard() }}})
	}
	return acq.NewEnsemble(members...)
}

// logHead is the logarithmic form of an acquisition function, for products.
func logHead(name string) (string, error) {
	switch name {
	case "ei", "logei", "cei", "eipu":
		return "logei", nil
	case "pi", "logpi":
		return "logpi", nil
	}
	return "", study.Errorf(study.Usage, "use logei, or leave acquisition.name out",
		"acquisition.name: %s does not multiply with constraints, costs or priors", name)
}

// CheckAcquisition tells whether a study's acquisition function goes with what
// else the study asks for.
func CheckAcquisition(st *study.Study) error {
	if len(st.Constraints) == 0 && (st.Cost == nil || st.Cost.Exponent == 0) && !hasPrior(st.Space) {
		return nil
	}
	_, err := logHead(headName(st))
	return err
}
