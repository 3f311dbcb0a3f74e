package problems

import (
	"math"
	"math/rand/v2"
	"strconv"
)

// choices are problems of bools, tables and branches.
var choices = []Family{
	{"bools20", false, quadratic(20, 14)},
	{"bools40", false, quadratic(40, 6)},
	{"bools60", true, quadratic(60, 6)},
	{"table5x12", false, table(5, 12, 0)},
	{"table8x4", true, table(8, 4, 0)},
	{"table3x30", true, table(3, 30, 0)},
	{"table4x6and3", false, table(4, 6, 3)},
	{"ladders", true, ladders},
	{"needs", false, needs(3, 3)},
	{"needs5", true, needs(5, 6)},
	{"needlebranch", true, needleBranch},
	{"switches", true, switches},
	{"trees", false, func(r *rand.Rand) *Problem { return RandomTree(r.Uint64() >> 1) }},
	{"nearties", true, func(r *rand.Rand) *Problem { return NearTie(r.Uint64() >> 1) }},
}

// quadratic is Σ q_ij b_i b_j of n bools, each tied to so many others before it in an order
// that is not the study file's; standardized.
func quadratic(n, ties int) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		q, order, norm := make([][]float64, n), r.Perm(n), 0.0
		for i := range q {
			q[i] = make([]float64, min(i, ties)+1) // with itself, and with those before it
			for j := range q[i] {
				q[i][j] = r.NormFloat64()
				norm += q[i][j] * q[i][j]
			}
		}
		scale := 4 / math.Sqrt(norm)
		value := func(i int, before int) float64 { // of bool i true, bit j of before the one j+1 before it
			sum := q[i][0]
			for j, a := range q[i][1:] {
				if before>>j&1 == 1 {
					sum += a
				}
			}
			return scale * sum
		}
		best, place := lowest(n, ties, value), make([]float64, n)
		for i, k := range order {
			place[k] = best[i]
		}
		return made("a quadratic form of bools", bools(n), place, func(u []float64) float64 {
			sum, before := 0.0, 0
			for i, k := range order {
				if u[k] == 1 {
					sum += value(i, before)
				}
				before = (before<<1 | int(u[k])) & (1<<ties - 1)
			}
			return sum
		})
	}
}

// lowest finds the bits whose sum of value(i, those before) over the set ones is least, by
// dynamic programming over the last so many bits.
func lowest(n, ties int, value func(i, before int) float64) []float64 {
	mask := 1<<ties - 1
	least, from := make([]float64, mask+1), make([][]bool, n) // from: the bit that fell out
	for s := range least {
		least[s] = math.Inf(1)
	}
	least[0] = 0
	for i := range n {
		next := make([]float64, mask+1)
		from[i] = make([]bool, mask+1)
		for s := range next {
			next[s] = math.Inf(1)
		}
		for s, y := range least {
			if math.IsInf(y, 1) {
				continue
			}
			for bit := range 2 {
				z := y
				if bit == 1 {
					z += value(i, s)
				}
				if to := (s<<1 | bit) & mask; z < next[to] {
					next[to], from[i][to] = z, s>>(ties-1)&1 == 1
				}
			}
		}
		least = next
	}
	state := 0
	for s, y := range least {
		if y < least[state] {
			state = s
		}
	}
	bits := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		bits[i] = float64(state & 1)
		fell := from[i][state]
		if state >>= 1; fell {
			state |= 1 << (ties - 1)
		}
	}
	return bits
}

// table is n choices of k with an effect each and one of every pair, and a bowl of some
// numbers whose place depends on the first choice.
func table(n, k, numbers int) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		single, pair := make([][]float64, n), make([][][]float64, n)
		for i := range n {
			single[i], pair[i] = normals(r, k, 1), make([][]float64, n)
			for j := range i {
				pair[i][j] = normals(r, k*k, 0.7)
			}
		}
		value := func(c []int) float64 {
			sum := 0.0
			for i, a := range c {
				sum += single[i][a]
				for j, b := range c[:i] {
					sum += pair[i][j][a*k+b]
				}
			}
			return sum
		}
		least, best, c := math.Inf(1), make([]int, n), make([]int, n)
		for more := true; more; {
			if y := value(c); y < least {
				least = y
				copy(best, c)
			}
			more = false
			for i := range c { // counts up
				if c[i]++; c[i] < k {
					more = true
					break
				}
				c[i] = 0
			}
		}
		centre, place := make([][]float64, k), make([]float64, n)
		for a := range centre {
			centre[a] = inside(r, numbers, 0.1)
		}
		for i, a := range best {
			place[i] = float64(a)
		}
		place = append(place, centre[best[0]]...)
		return made("a table of choices with interactions", append(nominals(n, k), reals(r, numbers)...), place,
			func(u []float64) float64 {
				for i := range c {
					c[i] = int(u[i])
				}
				y := value(c)
				if numbers > 0 {
					y += 10 * meanOver(minus(u[n:], centre[c[0]]), sq)
				}
				return y
			})
	}
}

func normals(r *rand.Rand, n int, sd float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = sd * r.NormFloat64()
	}
	return x
}

// ladders are six choices of eight that hide an order, with two numbers.
func ladders(r *rand.Rand) *Problem {
	const n, k = 6, 8
	rungs, place := make([][]int, n), make([]float64, n)
	for i := range rungs {
		rungs[i] = r.Perm(k)
	}
	target := inside(r, n+2, 0.1)
	for i := range place {
		for a, rung := range rungs[i] {
			if rung == int(target[i]*k) {
				place[i] = float64(a)
			}
		}
		target[i] = math.Floor(target[i]*k) / k
	}
	turn := rotation(r, n+2)
	return made("choices that hide an order", append(nominals(n, k), reals(r, 2)...), append(place, target[n:]...),
		func(u []float64) float64 {
			v := make([]float64, len(u))
			for i := range n {
				v[i] = float64(rungs[i][int(u[i])])/k - target[i]
			}
			v[n], v[n+1] = u[n]-target[n], u[n+1]-target[n+1]
			return rippled(turned(turn, v), 0.1)
		})
}

// needs is a choice of k beside n numbers on log scales. One value works only where the first number is among its
// largest, and is then the best; elsewhere it fails, as the others do where their own numbers are wrong.
func needs(k, n int) func(r *rand.Rand) *Problem {
	return func(r *rand.Rand) *Problem {
		params := nominals(1, k)
		for i := range n {
			params = append(params, logFloat(indexed("x", i), 1e-3, 1e3))
		}
		winner, centre, floor := r.IntN(k), make([][]float64, k), make([]float64, k)
		for a := range centre {
			centre[a], floor[a] = inside(r, n, 0.1), 0.9+0.3*r.Float64()
		}
		floor[winner], centre[winner][0] = 0, 0.85+0.1*r.Float64()
		return made("a choice that works only with the right number", params,
			append([]float64{float64(winner)}, centre[winner]...), func(u []float64) float64 {
				a := int(u[0])
				y, bad := floor[a]+4*meanOver(minus(u[1:], centre[a]), sq), 6.0
				if a == winner && u[1] < 0.7 {
					return bad
				}
				return math.Min(y, bad)
			})
	}
}

// switches is nine bools, each of which has a number of its own when it is on. A bool that is on costs a little and
// gains the less the more the others gain.
func switches(r *rand.Rand) *Problem {
	const n = 9
	params, c := bools(n), inside(r, n, 0.1)
	gain, cost := make([]float64, n), make([]float64, n)
	for i := range n {
		params = append(params, float(indexed("x", i), 0, 1, is(params[i].Name, "true")))
		gain[i], cost[i] = 0.1+0.8*r.Float64()*float64(r.IntN(2)), 0.05+0.25*r.Float64()
	}
	value := func(u []float64) float64 {
		gained, paid := 0.0, 0.0
		for i := range n {
			gained += u[i] * gain[i] * (1 - 3*sq(u[n+i]-c[i]))
			paid += u[i] * cost[i]
		}
		return 4*math.Exp(-gained) + paid
	}
	best, at := math.Inf(1), make([]float64, 2*n)
	for on := range 1 << n {
		u := append(make([]float64, n), c...)
		for i := range n {
			u[i] = float64(on >> i & 1)
		}
		if v := value(u); v < best {
			best, at = v, u
		}
	}
	return made("bools that each have a number when on", params, at, value)
}

// needleBranch is a choice of four branches with numbers of their own: broad valleys, and one that is narrow and best.
func needleBranch(r *rand.Rand) *Problem {
	const k, n = 4, 2
	params, winner := []Param{categorical("branch", digits(k)), float("shared", 0, 1)}, r.IntN(k)
	centre, floor := make([][]float64, k), make([]float64, k)
	best := at{"branch": strconv.Itoa(winner)}
	for a := range k {
		centre[a], floor[a] = inside(r, n+1, 0.15), 0.3+0.2*r.Float64()
		for i := range n {
			params = append(params, float("x"+strconv.Itoa(a)+"_"+strconv.Itoa(i), 0, 1, is("branch", strconv.Itoa(a))))
		}
	}
	for i := range n {
		best["x"+strconv.Itoa(winner)+"_"+strconv.Itoa(i)] = centre[winner][i]
	}
	best["shared"] = centre[winner][n]
	return &Problem{Params: params, Note: "a needle in one of four branches", Optimum: Optimum{At: best},
		f: func(x Point) (float64, error) {
			a := int(x["branch"])
			u := []float64{x["x"+strconv.Itoa(a)+"_0"], x["x"+strconv.Itoa(a)+"_1"], x["shared"]}
			d := distance(u, centre[a])
			if a == winner {
				return 1.5 * (1 - math.Exp(-sq(d/0.2))), nil
			}
			return floor[a] + sq(d), nil
		}}
}
