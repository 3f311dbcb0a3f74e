package policy

import (
	"context"
	"math"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// Satisfying fits a surrogate to the outcome of every constraint, and one to which
// configurations failed as infeasible. The function it returns gives, at
// configurations, the probability that all of them hold, as if they were
// independent; nil where nothing restricts outcomes, or nothing was measured of it.
func Satisfying(ctx context.Context, st *study.Study, h *history, r Request) (func([]space.Configuration) []float64, error) {
	type limited struct {
		fit   *surrogate.Fitted
		limit float64
	}
	var all []limited
	add := func(name string, d surrogate.Dataset, limit, floor float64) error {
		f, err := fitOutcome(ctx, st, name, d.Within(h.Limit), floor, r)
		if f != nil {
			all = append(all, limited{f, limit})
		}
		return err
	}
	for k, name := range constraintKeys(st) {
		d, limit := constraintData(st, h, st.Constraints[k])
		if err := add(name, d, limit, 0); err != nil {
			return nil, err
		}
	}
	if len(h.Infeasible) > 0 {
		if err := add("feasibility", surrogate.FeasibilityData(st, h.Data), 0.5, labelNoise); err != nil {
			return nil, err
		}
	}
	if all == nil {
		return nil, nil
	}
	return func(confs []space.Configuration) []float64 {
		out := make([]float64, len(confs))
		for k := range out {
			out[k] = 1
		}
		for _, l := range all {
			mean, std, _ := l.fit.Predict(st.Space, confs)
			for k := range out {
				out[k] *= math.Erfc((mean[k]-l.limit)/max(std[k], 1e-300)/math.Sqrt2) / 2
			}
		}
		return out
	}, nil
}
