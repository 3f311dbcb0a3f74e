package problems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// The prefixes of the names of random trees: tree_7 is the tree of seed 7, neartie_7
// the same with several branches that nearly tie.
const (
	treePrefix    = "tree_"
	nearTiePrefix = "neartie_"
)

// A treeBranch is one leaf of a random tree: the function of its own parameters and what it shares with the others.
type treeBranch struct {
	offset, scale float64
	shape         int            // index of shapes
	names         []string       // of its numbers, in the order of centre
	centre        []float64      // the optimum, in unit coordinates
	labels        []string       // of its choices
	penalties     [][]float64    // by choice and value; the least is 0
	optimum       map[string]any // of all its parameters
}

// shapes are functions of v = u − centre, each coordinate in [−1, 1], that are 0 at 0 and about 1 on average.
var shapes = []func(v []float64) float64{
	func(v []float64) float64 { return 4 * meanOver(v, sq) }, // sphere
	func(v []float64) float64 { return 2 * meanOver(v, math.Abs) },
	func(v []float64) float64 { // ellipsoid with axes from 1 to 10
		sum, all := 0.0, 0.0
		for i, x := range v {
			w := math.Pow(10, float64(i)/float64(max(1, len(v)-1)))
			sum, all = sum+w*sq(x), all+w
		}
		return 4 * sum / all
	},
	func(v []float64) float64 { // ripples: a sphere with local minima
		return 3 * meanOver(v, func(x float64) float64 { return sq(x) + 0.03*(1-math.Cos(6*math.Pi*x)) })
	},
	func(v []float64) float64 { // Ackley's function, narrow near the optimum
		return (20 - 20*math.Exp(-0.4*math.Sqrt(meanOver(v, func(x float64) float64 { return sq(4 * x) })))) / 10
	},
	func(v []float64) float64 { // a bent valley, after Rosenbrock
		sum := sq(v[0])
		for i := 1; i < len(v); i++ {
			sum += 4 * sq(v[i]-0.8*sq(v[i-1]))
		}
		return 2 * sum / float64(len(v))
	},
}

func meanOver(v []float64, f func(float64) float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += f(x)
	}
	return sum / float64(len(v))
}

// RandomTree is the conditional problem of a seed: three to five branches, some split once more, each a known function
// of two to six parameters of its own and of one that all share. The optimum of the second-best branch is 0.02 to 0.03
// above that of the best, and branches differ in shape and scale, so that the first trials mislead.
func RandomTree(seed uint64) *Problem { return growTree(treePrefix, seed, 1) }

// NearTie is the random tree of a seed in which the optima of the three branches behind
// the best are 0.02 to 0.03 above it, so that a search has to try them all in earnest.
func NearTie(seed uint64) *Problem { return growTree(nearTiePrefix, seed, 3) }

// growTree makes a random tree with so many branches that nearly tie with the best.
func growTree(prefix string, seed uint64, near int) *Problem {
	r := rand.New(rand.NewPCG(seed, 0x7ee5))
	p := &Problem{Name: prefix + strconv.FormatUint(seed, 10), Budget: 100,
		Tags: []string{"conditional", "random"}, Note: "a random tree of known functions"}
	roots := 3 + r.IntN(3)
	p.Params = append(p.Params, categorical("branch", digits(roots)), float("shared", 0, 1))

	type place struct {
		when Cond
		pick at // the choices that lead to the leaf
	}
	var leaves []place
	for b := range roots {
		value := strconv.Itoa(b)
		if r.IntN(3) > 0 {
			leaves = append(leaves, place{is("branch", value), at{"branch": value}})
			continue
		}
		name, ways := "split"+value, 2+r.IntN(2)
		p.Params = append(p.Params, categorical(name, digits(ways), is("branch", value)))
		for w := range ways {
			leaf := strconv.Itoa(w)
			leaves = append(leaves, place{is(name, leaf), at{"branch": value, name: leaf}})
		}
	}
	order := r.Perm(len(leaves))
	branches := make([]*treeBranch, len(leaves))
	for k, l := range leaves {
		b := &treeBranch{scale: math.Exp(r.NormFloat64() * 0.5), shape: r.IntN(len(shapes)), optimum: l.pick}
		switch rank := order[k]; {
		case rank == 0:
		case rank <= near:
			b.offset = 0.02 + 0.01*r.Float64()
		default:
			b.offset = 0.03 + 0.4*r.Float64()
		}
		for i := range 2 + r.IntN(5) {
			name := fmt.Sprintf("x%d_%d", k, i)
			u := 0.05 + 0.9*r.Float64()
			switch kind := r.IntN(8); {
			case kind < 4:
				p.Params = append(p.Params, float(name, -2, 3, l.when))
				b.optimum[name] = -2 + 5*u
			case kind < 6:
				p.Params = append(p.Params, logFloat(name, 1e-4, 10, l.when))
				b.optimum[name] = 1e-4 * math.Pow(1e5, u)
			case kind < 7:
				p.Params = append(p.Params, integer(name, 0, 20, l.when))
				n := math.Round(20 * u)
				u, b.optimum[name] = n/20, n
			default:
				n := 2 + r.IntN(4)
				p.Params = append(p.Params, categorical(name, digits(n), l.when))
				best := r.IntN(n)
				penalties := make([]float64, n)
				for v := range penalties {
					if v != best {
						penalties[v] = 0.1 + 0.5*r.Float64()
					}
				}
				b.labels, b.penalties = append(b.labels, name), append(b.penalties, penalties)
				b.optimum[name] = strconv.Itoa(best)
				continue
			}
			b.names, b.centre = append(b.names, name), append(b.centre, u)
		}
		u := 0.1 + 0.8*r.Float64()
		b.names, b.centre = append(b.names, "shared"), append(b.centre, u)
		b.optimum["shared"] = u
		branches[k] = b
		p.leaves = append(p.leaves, b.optimum)
		if order[k] == 0 {
			p.Optimum = Optimum{Value: 0, Kind: "exact", At: b.optimum}
		}
	}
	params := map[string]*Param{}
	for i := range p.Params {
		params[p.Params[i].Name] = &p.Params[i]
	}
	p.f = func(x Point) (float64, error) {
		for k, l := range leaves {
			if !holds(l.when, params, x) {
				continue
			}
			b := branches[k]
			v := make([]float64, len(b.names))
			for i, name := range b.names {
				v[i] = unit(params[name], x[name]) - b.centre[i]
			}
			f := b.offset + b.scale*shapes[b.shape](v)
			for i, name := range b.labels {
				f += b.penalties[i][int(x[name])]
			}
			return f, nil
		}
		return 0, fmt.Errorf("no branch is active")
	}
	return p
}

// holds reports whether a condition of a random tree, of the form "in", is met.
func holds(c Cond, params map[string]*Param, x Point) bool {
	v, active := x[c.Name]
	return active && params[c.Name].Choices[int(v)] == c.Values[0]
}

// unit is a number on the scale of its parameter's range.
func unit(q *Param, v float64) float64 {
	if q.Log {
		return math.Log(v/q.Low) / math.Log(q.High/q.Low)
	}
	return (v - q.Low) / (q.High - q.Low)
}

// randomTree finds the tree that a name stands for; nil where the name is another's.
func randomTree(name string) *Problem {
	for prefix, build := range map[string]func(uint64) *Problem{treePrefix: RandomTree, nearTiePrefix: NearTie} {
		if digits, ok := strings.CutPrefix(name, prefix); ok {
			if seed, err := strconv.ParseUint(digits, 10, 64); err == nil {
				return build(seed)
			}
		}
	}
	return nil
}
