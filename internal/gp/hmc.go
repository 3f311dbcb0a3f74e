package gp

import (
	"math"
	"slices"
)

// hmc draws by Hamiltonian Monte Carlo with the step size of dual averaging (Hoffman &
// Gelman 2014, The No-U-Turn Sampler, J. Mach. Learn. Res. 15, algorithms 4 and 5) in
// the optimised coordinates, where the posterior is a density already: the Jacobian is
// in it. At a bound of the coordinates a trajectory is reflected (Neal 2011, MCMC using
// Hamiltonian dynamics, §5.5.1.5).
type hmc struct {
	*chain
	g       []float64 // gradient of the log density at x
	epsilon float64
	average float64 // of ln ε, weighted towards the last
	misses  float64 // mean shortfall of the acceptance
	centre  float64 // that ln ε shrinks to
	tuned   int     // trajectories that set the step size
}

const (
	acceptance = 0.8 // share of trajectories accepted that the step size aims at
	trajectory = 2.0 // length; posteriors of logarithms have deviations around 1
	mostSteps  = 32  // of a trajectory
)

func newHMC(c *chain) *hmc {
	h := &hmc{chain: c, g: make([]float64, len(c.x)), epsilon: 0.5}
	h.at = h.slope(c.x, h.g)
	// The step at which a trajectory of one step is accepted half of the time.
	start, up := h.try(1), 0
	for range 20 {
		if start > math.Log(0.5) == (up < 0) && up != 0 {
			break
		}
		if up = 1; start <= math.Log(0.5) {
			up = -1
		}
		h.epsilon = math.Ldexp(h.epsilon, up)
		start = h.try(1)
	}
	h.centre = math.Log(10 * h.epsilon)
	return h
}

// slope is the log density at x, whose gradient it puts into g.
func (c *chain) slope(x, g []float64) float64 {
	value := -c.st.objective(x, g)
	for i := range g {
		g[i] = -g[i]
	}
	return value
}

// try is the log acceptance of a trajectory of so many steps, which is not taken.
func (h *hmc) try(steps int) float64 {
	_, _, _, gain := h.leap(steps)
	return gain
}

// leap follows a trajectory with a fresh momentum and returns its end, density and
// gradient there, and the logarithm of the probability, not capped, to accept it.
func (h *hmc) leap(steps int) (x, g []float64, at, gain float64) {
	x, g, at = slices.Clone(h.x), slices.Clone(h.g), h.at
	p := make([]float64, len(x))
	energy := at
	for i := range p {
		p[i] = h.rng.NormFloat64()
		energy -= p[i] * p[i] / 2
	}
	for range steps {
		for i := range x {
			p[i] += h.epsilon / 2 * g[i]
			x[i] += h.epsilon * p[i]
			if wall := min(max(x[i], h.st.lo[i]), h.st.hi[i]); wall != x[i] {
				x[i], p[i] = 2*wall-x[i], -p[i]
			}
			if x[i] < h.st.lo[i] || x[i] > h.st.hi[i] { // across the whole box: no use
				return x, g, at, math.Inf(-1)
			}
		}
		if at = h.slope(x, g); math.IsInf(at, 0) || math.IsNaN(at) {
			return x, g, at, math.Inf(-1)
		}
		for i := range p {
			p[i] += h.epsilon / 2 * g[i]
		}
	}
	gain = at - energy
	for _, v := range p {
		gain -= v * v / 2
	}
	return x, g, at, gain
}

// sweep takes one trajectory; while tune is set, it adjusts the step size.
func (h *hmc) sweep(tune bool) {
	steps := int(min(max(math.Round(trajectory/h.epsilon), 1), mostSteps))
	x, g, at, gain := h.leap(steps)
	accepted := min(1, math.Exp(gain)) // 0 for −Inf
	if h.rng.Float64() < accepted {
		h.x, h.g, h.at = x, g, at
	}
	if !tune {
		if h.tuned > 0 {
			h.epsilon = math.Exp(h.average)
		}
		return
	}
	h.tuned++
	t := float64(h.tuned)
	h.misses += (acceptance - accepted - h.misses) / (t + 10)
	step := h.centre - math.Sqrt(t)/0.05*h.misses
	h.average += math.Pow(t, -0.75) * (step - h.average)
	h.epsilon = math.Exp(step)
}
