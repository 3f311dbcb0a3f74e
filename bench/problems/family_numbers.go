package problems

import (
	"math"
	"math/rand/v2"
)

// fewMatter are problems of many parameters of which few matter.
var fewMatter = []Family{
	{"few50", false, func(r *rand.Rand) *Problem { return few(r, 50, 0, 0, 2) }},
	{"few60", false, func(r *rand.Rand) *Problem { return few(r, 60, 0, 0, 6) }},
	{"few100", true, func(r *rand.Rand) *Problem { return few(r, 100, 0, 0, 6) }},
	{"fewmixed100", false, func(r *rand.Rand) *Problem { return few(r, 60, 30, 10, 4) }},
	{"fewmixed300", true, func(r *rand.Rand) *Problem { return few(r, 200, 60, 40, 4) }},
	{"fading30", false, func(r *rand.Rand) *Problem {
		c, w := inside(r, 30, 0.1), make([]float64, 30)
		for rank, i := range r.Perm(30) {
			w[i] = math.Pow(0.75, float64(rank))
		}
		return made("a bowl whose axes matter less and less", reals(r, 30), c,
			func(u []float64) float64 { return weighted(minus(u, c), w) })
	}},
}

// few are numbers, bools and tables of five choices of which so many numbers, up to two
// bools and up to two tables matter: two ripples in a bowl, bent.
func few(r *rand.Rand, numbers, twos, fives, matter int) *Problem {
	params := append(append(reals(r, numbers), bools(twos)...), nominals(fives, 5)...)
	best := append(inside(r, numbers, 0.15), make([]float64, twos+fives)...)
	for i := range twos {
		best[numbers+i] = float64(r.IntN(2))
	}
	for i := range fives {
		best[numbers+twos+i] = float64(r.IntN(5))
	}
	which := r.Perm(numbers)[:matter]
	for _, range2 := range [][2]int{{numbers, twos}, {numbers + twos, fives}} {
		for _, i := range r.Perm(range2[1])[:min(2, range2[1])] {
			which = append(which, range2[0]+i)
		}
	}
	turn := rotation(r, matter)
	order := r.Perm(len(params)) // which stand where in the study file
	shuffled, place := make([]Param, len(params)), make([]float64, len(params))
	for to, from := range order {
		shuffled[to], place[to] = params[from], best[from]
	}
	return made("many parameters of which few matter", shuffled, place, func(u []float64) float64 {
		v := make([]float64, len(params))
		for to, from := range order {
			v[from] = u[to]
		}
		d, miss := make([]float64, matter), 0.0
		for k, i := range which {
			if k < matter {
				d[k] = v[i] - best[i]
			} else if v[i] != best[i] {
				miss += 0.3
			}
		}
		return -1 + miss + rippled(turned(turn, d), 0.1)
	})
}

// weighted is Σ w v² / Σ w, about 1 for coordinates drawn at random.
func weighted(v, w []float64) float64 {
	sum, all := 0.0, 0.0
	for i, x := range v {
		sum, all = sum+w[i]*x*x, all+w[i]
	}
	return 6 * sum / all
}

// rippled is a bowl with a shallow ripple on each axis.
func rippled(v []float64, height float64) float64 {
	return 6 * meanOver(v, func(x float64) float64 { return x*x + height*sq(math.Sin(2*math.Pi*x)) })
}

// smooth are functions of numbers that all matter.
var smooth = []Family{
	{"bowl6", false, bowl(6)},
	{"bowl10", true, bowl(10)},
	{"bowl15", false, bowl(15)},
	{"bowl20", true, bowl(20)},
	{"bowl30", false, bowl(30)},
	{"edge10", false, edge(10)},
	{"edge20", true, edge(20)},
	{"linear15", false, linear(15, 1)},
	{"bent15", true, linear(15, 3)},
	{"ackley6", false, shifted(6, 0.5, func(v []float64) float64 {
		for i := range v {
			v[i] *= 10
		}
		return ackley(v) / 10
	})},
	{"rastrigin4", false, shifted(4, 0.3, func(v []float64) float64 {
		return meanOver(v, func(x float64) float64 { return 6*x*x + 0.3*(1-math.Cos(8*math.Pi*x)) })
	})},
	{"levy8", true, shifted(8, 0.3, func(v []float64) float64 {
		sum := 0.0
		for i, x := range v {
			w := 1 + 2*x
			if i == 0 {
				sum += sq(math.Sin(math.Pi * w))
			}
			if i < len(v)-1 {
				sum += sq(w-1) * (1 + 10*sq(math.Sin(math.Pi*w+1)))
			} else {
				sum += sq(w-1) * (1 + sq(math.Sin(2*math.Pi*w)))
			}
		}
		return sum / float64(len(v))
	})},
	{"valley5", true, shifted(5, 0.3, func(v []float64) float64 {
		sum := 0.0
		for i := 1; i < len(v); i++ {
			a, b := 1+2*v[i-1], 1+2*v[i]
			sum += 20*sq(b-a*a) + sq(1-a)
		}
		return sum / 20
	})},
	{"hartmann6", false, hartmann},
}

func bowl(n int) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		c, w := inside(r, n, 0.2), make([]float64, n)
		for i := range w {
			w[i] = math.Exp(r.NormFloat64() * 0.7)
		}
		return made("a bowl with its optimum inside", reals(r, n), c,
			func(u []float64) float64 { return 2 + weighted(minus(u, c), w) })
	}
}

// edge is a bowl whose optimum lies outside the box on half of the axes.
func edge(n int) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		c := inside(r, n, 0.2)
		best := append([]float64(nil), c...)
		for _, i := range r.Perm(n)[:n/2] {
			side := float64(r.IntN(2))
			best[i], c[i] = side, side+(2*side-1)*0.3*r.Float64()
		}
		return made("a bowl with its optimum at an edge", reals(r, n), best, func(u []float64) float64 {
			return -3 + 4*meanOver(minus(u, c), sq)
		})
	}
}

// linear is monotone in every number: power 1 is a plane.
func linear(n int, power float64) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		best, w := make([]float64, n), make([]float64, n)
		for i := range best {
			best[i], w[i] = float64(r.IntN(2)), r.ExpFloat64()/float64(n)
		}
		return made("monotone in every number", reals(r, n), best, func(u []float64) float64 {
			sum := 0.0
			for i := range u {
				sum += 2 * w[i] * math.Pow(math.Abs(u[i]-best[i]), power)
			}
			return sum
		})
	}
}

// shifted is a function with its minimum at 0, shifted and turned.
func shifted(n int, margin float64, f func(v []float64) float64) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		c, turn, floor := inside(r, n, margin/2), rotation(r, n), r.NormFloat64()
		return made("a function with several valleys, shifted and turned", reals(r, n), c, func(u []float64) float64 {
			return floor + f(turned(turn, minus(u, c)))
		})
	}
}

// hartmann is Hartmann's function of six numbers, its axes in another order, some mirrored.
func hartmann(r *rand.Rand) *Problem {
	a := [4][6]float64{{10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8},
		{17, 8, 0.05, 10, 0.1, 14}}
	c := [4][6]float64{{.1312, .1696, .5569, .0124, .8283, .5886}, {.2329, .4135, .8307, .3736, .1004, .9991},
		{.2348, .1451, .3522, .2883, .3047, .6650}, {.4047, .8828, .8732, .5743, .1091, .0381}}
	alpha := [4]float64{1, 1.2, 3, 3.2}
	least := [6]float64{0.20168952, 0.15001069, 0.47687398, 0.27533243, 0.31165162, 0.65730054}
	order, best, mirror := r.Perm(6), make([]float64, 6), [6]bool{}
	for k, i := range order {
		mirror[k] = r.IntN(2) == 1
		if best[k] = least[i]; mirror[k] {
			best[k] = 1 - best[k]
		}
	}
	return made("Hartmann's function of six numbers", reals(r, 6), best, func(u []float64) float64 {
		sum := 0.0
		for j := range a {
			d := 0.0
			for k, i := range order {
				v := u[k]
				if mirror[k] {
					v = 1 - v
				}
				d += a[j][i] * sq(v-c[j][i])
			}
			sum -= alpha[j] * math.Exp(-d)
		}
		return sum
	})
}
