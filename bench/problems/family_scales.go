package problems

import (
	"math"
	"math/rand/v2"
	"slices"
)

// scales are problems whose values or parameters do not have the scale that they seem to
// have: decades, logarithms not declared, ranges of integers.
var scales = []Family{
	{"decades", false, decades(5, 10)},
	{"decades3", true, decades(8, 3)},
	{"hidden", false, hiddenLog(false)},
	{"hiddenlinear", true, hiddenLog(true)},
	{"ripples", false, integers(6, func(r *rand.Rand) float64 { return 1000 })},
	{"knobs30", true, integers(30, func(r *rand.Rand) float64 { return math.Round(math.Pow(10, 1+4*r.Float64())) })},
	{"noisy", false, noisyBowl(4, 0)},
	{"noisychoice", true, noisyBowl(3, 3)},
}

// decades are values 1 … 10^k of the far end of a bowl, their logarithm.
func decades(n int, k float64) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		c, turn := inside(r, n, 0.2), rotation(r, n)
		return made("values over many decades", reals(r, n), c, func(u []float64) float64 {
			return math.Pow(10, k*rippled(turned(turn, minus(u, c)), 0.05))
		})
	}
}

// hiddenLog are four numbers whose logarithm matters where they are declared linear, or the other way round.
func hiddenLog(linear bool) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		const low, high = 1e-4, 1
		truth, params, c := logFloat("", low, high), make([]Param, 4), inside(r, 4, 0.25)
		best := slices.Clone(c)
		for i := range params {
			params[i] = float(indexed("x", i), low, high)
			if linear {
				truth, params[i] = float("", low, high), logFloat(indexed("x", i), low, high)
			}
			best[i] = params[i].To(truth.From(c[i]))
		}
		return made("numbers on another scale than declared", params, best, func(u []float64) float64 {
			v := make([]float64, len(u))
			for i := range u {
				v[i] = truth.To(params[i].From(u[i])) - c[i]
			}
			return 0.5 + 6*meanOver(v, sq)
		})
	}
}

// integers are n integers from 1 to a width, a bowl with ripples.
func integers(n int, width func(r *rand.Rand) float64) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		params, c, w := make([]Param, n), inside(r, n, 0.1), make([]float64, n)
		for i := range params {
			params[i] = integer(indexed("n", i), 1, 1+width(r))
			w[i] = math.Exp(r.NormFloat64())
			c[i] = params[i].To(math.Round(params[i].From(c[i])))
		}
		return made("integers over wide ranges, with ripples", params, c, func(u []float64) float64 {
			d := minus(u, c)
			return 10 + weighted(d, w) + 0.1*meanOver(d, func(x float64) float64 { return 1 - math.Cos(20*math.Pi*x) })
		})
	}
}

// noisyBowl is a bowl of n numbers, and a choice of k where k is not 0, told with noise.
func noisyBowl(n, k int) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		params, best, floor := reals(r, n), inside(r, n, 0.15), []float64{0}
		if k > 0 {
			params, best, floor = append(params, nominals(1, k)...), append(best, float64(r.IntN(k))), make([]float64, k)
			for i := range floor {
				if float64(i) != best[n] {
					floor[i] = 0.2 + 0.2*r.Float64()
				}
			}
		}
		p := made("a bowl told with noise", params, best, func(u []float64) float64 {
			y := 6 * meanOver(minus(u[:n], best[:n]), sq)
			if k > 0 {
				y += floor[int(u[n])]
			}
			return y
		})
		p.Noise = 0.15
		return p
	}
}
