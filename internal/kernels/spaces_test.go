package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// Kinds selects the coordinates of a random space.
type Kinds struct {
	Numeric, Discrete bool
	Conditional       bool
}

// A Space is coordinates with a rule for activity: coordinate c is active if
// its parent is and holds a value of the set.
type Space struct {
	Coords []kernels.Coord
	parent []int // −1: always active
	when   []float64
}

// RandomSpace draws 2 to 6 coordinates of the kinds, at least one of each.
func RandomSpace(r *rand.Rand, k Kinds) Space {
	var s Space
	n := 2 + r.IntN(5)
	for c := range n {
		co := kernels.Coord{Name: fmt.Sprintf("p%d", c), Decades: float64(c % 2 * 4)}
		discrete := k.Discrete && (!k.Numeric || c == 0 || c > 1 && r.IntN(2) == 0)
		if discrete {
			co.Levels = 2 + r.IntN(4)
			switch r.IntN(4) {
			case 0:
				co.Positions = make([]float64, co.Levels)
				for v := range co.Positions {
					co.Positions[v] = float64(v) / float64(co.Levels-1)
				}
			case 1:
				co.Graph = kernels.PathGraph(co.Levels)
				if co.Levels > 2 { // a cycle
					co.Graph.Edges = append(co.Graph.Edges, points.Edge{From: co.Levels - 1, To: 0})
				}
				for e := range co.Graph.Edges {
					co.Graph.Edges[e].Weight = 0.2 + r.Float64()
				}
			case 2:
				co.Graph = kernels.StarGraph(co.Levels)
			}
		}
		parent := -1
		if k.Conditional && c > 0 && (c == n-1 || r.IntN(2) == 0) {
			parent = r.IntN(c)
			co.Conditional = true
			co.Ancestors = append([]int{parent}, s.Coords[parent].Ancestors...)
		}
		s.Coords = append(s.Coords, co)
		s.parent = append(s.parent, parent)
		s.when = append(s.when, 0)
		if parent >= 0 && s.Coords[parent].Levels == 0 {
			s.when[c] = 0.3 + 0.4*r.Float64()
		}
	}
	return s
}

// Points draws n points, numbers in [0.02, 0.98]. Inactive slots hold a legal value drawn at random.
func (s Space) Points(r *rand.Rand, n int) *points.Set {
	x := points.New(n, len(s.Coords))
	for i := range n {
		for c, co := range s.Coords {
			v := 0.02 + 0.96*r.Float64() // room for differences
			if co.Levels > 0 {
				v = float64(r.IntN(co.Levels))
			}
			active := true
			if p := s.parent[c]; p >= 0 {
				u := x.At(p, i)
				active = x.Active(p, i) && (s.Coords[p].Levels > 0 && u == 0 || s.Coords[p].Levels == 0 && u < s.when[c])
			}
			x.Set(c, i, v, active)
		}
	}
	return x
}

// Garbage is a copy of x with other numbers in the inactive slots.
func Garbage(x *points.Set, coords []kernels.Coord) *points.Set {
	out := x.Clone()
	for c, mask := range masks(x) {
		for i := range mask {
			if !mask[i] {
				out.Col(c)[i] = 1e6 + float64(i)
			}
		}
	}
	return out
}

func masks(x *points.Set) [][]bool {
	var out [][]bool
	for c := range x.Dim() {
		out = append(out, x.Activity(c))
	}
	return out
}

// Theta draws hyperparameters, moderate multiples of 1 inside their bounds.
func Theta(r *rand.Rand, params []kernels.Param) []float64 {
	theta := make([]float64, len(params))
	for j, p := range params {
		switch {
		case p.Choices > 0:
			theta[j] = float64(r.IntN(p.Choices))
		case p.Lo == p.Hi:
			theta[j] = p.Lo
		case p.Scale == kernels.Log:
			theta[j] = math.Exp(r.NormFloat64() * 0.7)
		default:
			theta[j] = p.Lo + (p.Hi-p.Lo)*(0.05+0.9*r.Float64())
		}
		theta[j] = min(max(theta[j], p.Lo), p.Hi)
	}
	return theta
}
