package suggest

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"bohier/internal/pareto"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Expected is a prediction of an objective, in its own units and sign. StdNoisy
// is the standard deviation of a measurement.
type Expected struct {
	Name                string
	Mean, Std, StdNoisy float64
}

// A FrontReason is what the surrogates of several objectives saw in a configuration.
type FrontReason struct {
	// Probability is that of no trial dominating it; NaN where nothing is known. It is exact
	// for two or three objectives.
	Probability float64
	Size        int // configurations on the front
	// Before and After are its neighbours on the front by the first objective that was
	// modelled; nil beyond the ends.
	Before, After *Contender
}

// expected are the predictions of every objective that was modelled, by configuration.
func (s *surrogates) expected(confs []space.Configuration) [][]Expected {
	out := make([][]Expected, len(confs))
	for _, g := range s.goals {
		mean, std, noisy := g.fit.Predict(s.st.Space, confs)
		for i := range out {
			out[i] = append(out[i], Expected{g.plan.Name, mean[i], std[i], noisy[i]})
		}
	}
	return out
}

// placeOnFront finds the neighbours of a prediction on the front, and reports whether the
// predicted means are dominated by none.
func (s *surrogates) placeOnFront(why *FrontReason, mean, std []float64) bool {
	told := s.distinct()
	if len(told) == 0 {
		return true
	}
	known := s.standardised(told)
	front := pareto.Front(known)
	why.Size = len(front)
	slices.SortStableFunc(front, func(a, b int) int { return cmp.Compare(known[a][0], known[b][0]) })
	beats := true
	for _, i := range front {
		beats = beats && !pareto.Dominates(known[i], mean)
		if known[i][0] <= mean[0] {
			why.Before = s.contender(told[i])
		} else if why.After == nil {
			why.After = s.contender(told[i])
		}
	}
	if m := len(mean); m == 2 || m == 3 {
		why.Probability = exactOnFront(known, mean, std)
	} else {
		why.Probability = drawnOnFront(known, mean, std)
	}
	return beats
}

// distinct are the feasible trials, of those with one configuration the first.
func (s *surrogates) distinct() []*study.Trial {
	seen := map[string]bool{}
	return slices.DeleteFunc(feasible(s.st, s.h.Observed), func(t *study.Trial) bool {
		key := s.st.Space.Key(t.Config)
		again := seen[key]
		seen[key] = true
		return again
	})
}

// standardised is what counts as the values of trials, in standardised units.
func (s *surrogates) standardised(told []*study.Trial) [][]float64 {
	out := make([][]float64, len(told))
	for _, g := range s.goals {
		mean, _ := g.fit.Latent(pointsOf(s.st, told))
		for i, t := range told {
			out[i] = append(out[i], g.counting(t, mean[i]))
		}
	}
	return out
}

// contender is a trial with what is believed of its noisy objectives.
func (s *surrogates) contender(t *study.Trial) *Contender {
	c := &Contender{Trial: t}
	for k, e := range s.expected([]space.Configuration{t.Config})[0] {
		if s.goals[k].noisy {
			c.Believed = append(c.Believed, e)
		}
	}
	return c
}

// exactOnFront is the probability that no known vector dominates a prediction of two or
// three quantities: that of the boxes which none dominates.
func exactOnFront(known [][]float64, mean, std []float64) float64 {
	ref := slices.Repeat([]float64{math.Inf(1)}, len(mean))
	sum := 0.0
	for _, b := range pareto.Boxes(known, ref) {
		p := 1.0
		for j := range ref {
			p *= below(b.Upper[j], mean[j], std[j]) - below(b.Lower[j], mean[j], std[j])
		}
		sum += p
	}
	return min(max(sum, 0), 1)
}

// drawnOnFront is exactOnFront of any number of quantities, by so many draws, always the same.
func drawnOnFront(known [][]float64, mean, std []float64) float64 {
	const draws = 4096
	rng, y, on := rand.New(rand.NewPCG(1, 1)), make([]float64, len(mean)), 0
	for range draws {
		for j := range y {
			y[j] = mean[j] + std[j]*rng.NormFloat64()
		}
		if !slices.ContainsFunc(known, func(v []float64) bool { return pareto.Dominates(v, y) }) {
			on++
		}
	}
	return float64(on) / draws
}

// below is the probability that N(mean, std²) is below a value.
func below(v, mean, std float64) float64 {
	if std == 0 {
		if v > mean {
			return 1
		}
		return 0
	}
	return math.Erfc((mean-v)/std/math.Sqrt2) / 2
}
