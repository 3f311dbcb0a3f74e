package problems

import (
	"math"
	"math/rand/v2"
	"slices"
)

// levels are problems with penalties, plateaus, ties and needles.
var levels = []Family{
	{"penalty", false, penalty(5, 0)},
	{"penaltygrows", true, penalty(5, 1)},
	{"penaltychoice", true, penaltyChoice},
	{"stairs", false, shaped(6, func(q float64) float64 { return math.Floor(40*q) / 40 })},
	{"capped", false, shaped(4, func(q float64) float64 { return math.Min(q, 0.35) })},
	{"rounded", true, shaped(3, func(q float64) float64 { return math.Round(20*q) / 20 })},
	{"clipped", true, shaped(6, func(q float64) float64 { return math.Min(1, math.Max(q, 0.1)) })},
	{"flat", true, shaped(4, func(q float64) float64 { return 1 - math.Pow(10, -4*q) })},
	{"needle2", false, needle(2, 0.1)},
	{"needle3", true, needle(3, 0.17)},
}

// penalty is a bowl with ripples beyond a plane that puts 10^2 … 10^8 on a third to three
// quarters of the space; grows multiplies it by the distance from the plane.
func penalty(n int, grows float64) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		c, turn := inside(r, n, 0.15), rotation(r, n)
		k, share := 2+6*r.Float64(), 0.35+0.4*r.Float64()
		side := make([]float64, 4000)
		for i := range side {
			side[i] = turned(turn, inside(r, n, 0))[0]
		}
		slices.Sort(side)
		bound := side[int((1-share)*float64(len(side)))]
		sign := 1.0
		if turned(turn, c)[0] > bound { // the optimum lies on the other side
			bound, sign = side[int(share*float64(len(side)))], -1
			c = towards(r, turn, n, bound)
		}
		return made("a penalty on a share of the space", reals(r, n), c, func(u []float64) float64 {
			if over := sign * (turned(turn, u)[0] - bound); over > 1e-12 {
				return math.Pow(10, k) * (1 - grows + grows*over)
			}
			return 6 * meanOver(minus(u, c), sq)
		})
	}
}

// towards draws a point beyond the bound of a penalty that lies on the lower side.
func towards(r *rand.Rand, turn [][]float64, n int, bound float64) []float64 {
	c := inside(r, n, 0.05)
	for range 10000 {
		if turned(turn, c)[0] > bound {
			break
		}
		c = inside(r, n, 0.05)
	}
	return c
}

// penaltyChoice fails for pairs of choices and where two numbers are large together.
func penaltyChoice(r *rand.Rand) *Problem {
	params := append(nominals(3, 4), reals(r, 3)...)
	best := append([]float64{float64(r.IntN(4)), float64(r.IntN(4)), float64(r.IntN(4))}, inside(r, 3, 0.1)...)
	var effect [3][4]float64
	var fails [4][4]bool
	for i := range effect {
		for j := range effect[i] {
			effect[i][j] = 0.5 * r.Float64()
		}
		effect[i][int(best[i])] = 0
	}
	for i := range fails {
		for j := range fails[i] {
			fails[i][j] = r.Float64() < 0.4
		}
	}
	fails[int(best[0])][int(best[1])] = false
	height := math.Pow(10, 3+3*r.Float64())
	return made("choices that fail together", params, best, func(u []float64) float64 {
		if fails[int(u[0])][int(u[1])] || u[3]+u[4] > best[3]+best[4]+0.4 {
			return height
		}
		y := 3 * meanOver(minus(u[3:], best[3:]), sq)
		for i := range effect {
			y += effect[i][int(u[i])]
		}
		return y
	})
}

// shaped is a turned bowl, 0 … about 2, seen through a function.
func shaped(n int, g func(q float64) float64) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		c, turn, w := inside(r, n, 0.1), rotation(r, n), make([]float64, n)
		for i := range w {
			w[i] = math.Exp(r.NormFloat64() * 0.5)
		}
		return made("a bowl with steps, ties or plateaus", reals(r, n), c, func(u []float64) float64 {
			return g(weighted(turned(turn, minus(u, c)), w))
		})
	}
}

// needle is a narrow valley with the least value far from a broad one.
func needle(n int, width float64) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		broad := inside(r, n, 0.2)
		c := slices.Clone(broad)
		for distance(c, broad) < 0.4 {
			c = inside(r, n, 0.1)
		}
		params := reals(r, n)
		return made("a needle and a broad valley", params, c, func(u []float64) float64 {
			y := 0.3 + 2*sq(distance(u, broad))
			if d := distance(u, c) / width; d < 1.5 {
				y = math.Min(y, 2*d*d/3) // steeper than the broad valley, and below it
			}
			return y
		})
	}
}

func distance(a, b []float64) float64 {
	return math.Sqrt(float64(len(a)) * meanOver(minus(a, b), sq))
}
