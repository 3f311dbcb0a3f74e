package policy

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/gp"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// materialNoise is the least variance of noise, in units of that of the values,
// with which the best value tells of luck as well.
const materialNoise = 0.01

// MaterialNoise reports whether a study's objective, or one of several, is noisy enough for
// its best value to be luck: the newest fit, as the journal has it, found as much, a
// standard error was reported, or measurements of one configuration differ. No surrogate
// is fitted to tell.
func MaterialNoise(st *study.Study, trials []study.Trial, fit *study.FitRecord) bool {
	return anyNoisy(st, pointers(trials), fit)
}

// anyNoisy is noisy of one of several objectives.
func anyNoisy(st *study.Study, trials []*study.Trial, fit *study.FitRecord) bool {
	for k := range st.Goals() {
		if noisy(st.For(k), trials, fit) {
			return true
		}
	}
	return false
}

// noisy is MaterialNoise of one objective.
func noisy(st *study.Study, trials []*study.Trial, fit *study.FitRecord) bool {
	if known := st.Objective.Noise; known.None || known.SD > 0 {
		return known.SD > 0
	}
	if fit = fit.Of(st); fit != nil && noisyFit(fit) {
		return true
	}
	first := map[string]float64{}
	for _, t := range trials {
		if t.State != study.Complete || t.Outside {
			continue
		}
		key := st.Space.Key(t.Config)
		for _, o := range t.Observations() {
			v, ok := o.Values[st.Objective.Name]
			if !ok {
				continue
			}
			if se := o.ErrorOf(st.Objective.Name); se != nil && *se > 0 {
				return true
			}
			if known, again := first[key]; again && v != known {
				return true
			}
			first[key] = v
		}
	}
	return false
}

// noisyFit reports whether a fit found material noise.
func noisyFit(fit *study.FitRecord) bool { return noiseShare(fit) >= materialNoise }

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
	if noisyFit(fit) {
		return fmt.Sprintf("noise is %.2g of the variance of the values", noiseShare(fit))
	}
	return "measurements differ, or have a standard error"
}

// augmentedRule discounts what a further measurement cannot tell. Expected improvement
// counts the whole standard deviation at a noisy leader, of which one measurement
// removes little, and would measure there for the rest of the study.
func augmentedRule(v *View, p *study.Plan) string {
	if !v.Noisy {
		return ""
	}
	p.Augmented = true
	return noiseWords(v.Fit)
}

// gains reports whether an acquisition function counts what a measurement would gain.
func gains(head string) bool {
	return slices.Contains([]string{"logei", "logpi", "cei", "eipu", "logehvi", "parego"}, head)
}

// measurementError is the standard deviation of the noise of one measurement, in
// standardised units: the fitted one and the median of those reported.
func measurementError(f *surrogate.Fitted, m *gp.Model) float64 {
	variance, unit := m.StandardNoise(), m.Units().Deviation(1)
	var reported []float64
	for _, sd := range f.Stderr {
		if sd > 0 {
			reported = append(reported, sd/unit)
		}
	}
	if len(reported) > 0 {
		sd := gp.Median(reported)
		variance += sd * sd
	}
	return math.Sqrt(variance)
}
