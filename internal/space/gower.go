package space

import (
	"math"

	"bohier/internal/points"
)

// Gower is a distance between encoded points of mixed coordinates (after Gower 1971): the root of the sum, over the
// coordinates, of the squared difference of unit coordinates or places in an order, 1 for another category, and 1 where
// only one of the two points has the parameter.
type Gower struct {
	places [][]float64 // per coordinate: of ordered levels in [0, 1]; nil: none
	choice []bool      // per coordinate: levels without an order
}

// NewGower is the distance between points of s.
func NewGower(s *Space) Gower {
	var g Gower
	for _, i := range s.Coordinates() {
		g.places = append(g.places, s.LevelPositions(i))
		g.choice = append(g.choice, s.Param(i).Levels() > 0)
	}
	return g
}

// Distance is that between points i of x and j of y.
func (g Gower) Distance(x *points.Set, i int, y *points.Set, j int) float64 {
	return math.Sqrt(g.squared(x, i, y, j, math.Inf(1)))
}

// Within reports whether the distance between points i of x and j of y is less than r; one
// coordinate decides for most points that are farther apart.
func (g Gower) Within(x *points.Set, i int, y *points.Set, j int, r float64) bool {
	return math.Sqrt(g.squared(x, i, y, j, 2*r*r)) < r
}

// squared is the squared distance, or part of it as soon as that exceeds most.
func (g Gower) squared(x *points.Set, i int, y *points.Set, j int, most float64) float64 {
	sum := 0.0
	for c, place := range g.places {
		if sum > most {
			break
		}
		at, to := x.Active(c, i), y.Active(c, j)
		if at != to {
			sum++
		}
		if !at || !to {
			continue
		}
		u, v := x.At(c, i), y.At(c, j)
		switch {
		case place != nil:
			u, v = place[int(u)], place[int(v)]
		case g.choice[c] && u != v:
			u, v = 0, 1
		}
		sum += (u - v) * (u - v)
	}
	return sum
}
