package policy

import (
	"fmt"

	"bohier/internal/study"
)

// augmentedRule discounts what a further measurement cannot tell. Expected improvement counts
// the whole standard deviation at a noisy leader, although one measurement removes little of
// it, and would measure there for the rest of the study.
func augmentedRule(v *View, p *study.Plan) string {
	if !v.Noisy {
		return ""
	}
	p.Augmented = true
	return noiseWords(v.Fit)
}

// materialNoise is the least variance of noise, in units of that of the values,
// with which the best value tells of luck as well.
const materialNoise = 0.01

// NoisyFit reports whether a fit found material noise.
func NoisyFit(fit *study.FitRecord) bool { return noiseShare(fit) >= materialNoise }

// noiseShare is the variance of noise that a fit found, in units of that of the values; where
// ends of curves are modelled by themselves theirs: how values on the way scatter is no noise.
func noiseShare(fit *study.FitRecord) float64 {
	if ends, ok := fit.Outcomes[study.EndsFit]; ok {
		return ends.Values["relative.noise"]
	}
	return fit.Models[fit.Used].Hyper.Values["relative.noise"]
}

// noiseWords say how noise was noticed.
func noiseWords(fit *study.FitRecord) string {
	if NoisyFit(fit) {
		return fmt.Sprintf("noise is %.2g of the variance of the values", noiseShare(fit))
	}
	return "measurements differ, or have a standard error"
}
