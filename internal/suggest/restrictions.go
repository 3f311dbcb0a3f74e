package suggest

import (
	"context"
	"math"
	"slices"

	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
)

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
				out[k] *= math.Erfc((mean[k]-o.limit)/max(std[k], 1e-300)/math.Sqrt2) / 2
			}
		}
		return out
	}, nil
}
