package gp

import (
	"cmp"
	"math"
	"slices"

	"bohier/internal/kernels"
)

// Coordinates that do not matter. The prior of a lengthscale weight is log-normal, so a fit leaves a little weight on
// every coordinate. One such weight is harmless. Fifty add up: every new place seems uncertain, the search expects
// much of moves that change nothing, and stays on a ledge. So the prior also has a spike at 0 (George & McCulloch 1993,
// doi:10.1080/01621459.1993.10476353; Eriksson & Jankowiak 2021, arXiv:2103.00349, put a horseshoe there): the
// coordinates with the least weights do not matter if the data say so.

// The log likelihood must gain spikeGain nats by coordinates that do not matter, strong evidence (Kass & Raftery 1995,
// doi:10.1080/01621459.1995.10476572), and spikeEach for each of these: a fit maximises the posterior, so its
// likelihood gains up to 0.13 nats a weight even where all coordinates matter alike (bench/notes/families.md).
const (
	spikeGain = 3
	spikeEach = 0.15
)

// fewWeights add up to little: with fewer a spike gains nothing.
const fewWeights = 10

// idleName is how many weights are held at their least, among the names of Report.Warm.
const idleName = "idle"

// sparse returns the hyperparameters, and theta, with the weights of coordinates that do not matter held at their
// least, and how many these are. Hyperparameters that are held from an earlier fit hold the number, too.
func (s *search) sparse(theta []float64, held bool) ([]kernels.Param, []float64, int) {
	params, declared := s.p.params, s.p.kernel.Params()
	weights := slices.DeleteFunc(slices.Clone(s.p.free), func(i int) bool { // a prior of the study's own has no spike
		return !params[i].Weight || params[i].Prior != declared[i].Prior || params[i].Lo != declared[i].Lo
	})
	slices.SortStableFunc(weights, func(a, b int) int { return cmp.Compare(theta[a], theta[b]) })
	idle := 0
	switch {
	case held:
		idle = min(max(0, int(s.o.Warm.Hyper[idleName])), len(weights))
	case len(weights) >= fewWeights && s.p.priors && !s.cut:
		idle = s.idle(theta, weights)
	}
	if idle > 0 {
		params, theta = slices.Clone(params), slices.Clone(theta)
	}
	for _, i := range weights[:idle] {
		q := &params[i]
		theta[i], q.Init, q.Hi = q.Lo, q.Lo, q.Lo
	}
	return params, theta, idle
}

// idle is how many of the weights, the least first, belong to coordinates that do not matter. The candidates are
// nested: each time a quarter fewer coordinates matter.
func (s *search) idle(theta []float64, weights []int) (idle int) {
	e, least := newEvaluator(s.p), slices.Clone(theta)
	likelihood := func() float64 {
		if !e.evaluate(slices.Clone(least)) {
			return math.Inf(-1)
		}
		return e.lml
	}
	fitted := likelihood()
	best := fitted + spikeGain
	for matter := len(weights) * 3 / 4; matter > 0; matter = matter * 3 / 4 {
		n := len(weights) - matter
		for _, i := range weights[:n] {
			least[i] = s.p.params[i].Lo
		}
		lml := likelihood()
		if score := lml - spikeEach*float64(n); score > best {
			best, idle = score, n
		}
		if !(lml > fitted) {
			break
		}
	}
	return idle
}
