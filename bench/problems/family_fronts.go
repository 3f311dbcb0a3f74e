package problems

import (
	"fmt"
	"math"
	"math/rand/v2"

	"bohier/internal/pareto"
)

// fronts are problems of two objectives.
var fronts = []Family{
	{"frontbranches", false, frontBranches},
	{"frontchoice", true, frontChoice},
}

// A Front is the second objective of a problem. The best of a run is then the share of the
// volume that its front does not yet dominate.
type Front struct {
	Second    func(Point) float64
	Reference [2]float64
	Volume    float64 // what the best front dominates up to the reference
}

// Second is the second objective at a configuration.
func (p *Problem) Second(x map[string]any) (float64, error) {
	point, err := p.Point(x)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", p.Name, err)
	}
	return p.Front.Second(point), nil
}

// Missing is the share of the volume that values of both objectives do not dominate.
func (f *Front) Missing(values [][]float64) float64 {
	return 1 - pareto.Hypervolume(values, f.Reference[:])/f.Volume
}

// curve adds a front to a problem: the second objective is of plain numbers, and g is the
// least second value where the first is y, or infinite.
func (p *Problem) curve(second func(u []float64) float64, g func(y float64) float64) *Problem {
	params := p.Params
	p.Front = &Front{Reference: [2]float64{1.1, 1.1}, Second: func(x Point) float64 {
		u := make([]float64, len(params))
		for i := range params {
			if v, ok := x[params[i].Name]; ok {
				u[i] = params[i].plain(v)
			}
		}
		return second(u)
	}}
	const steps = 20000
	least := math.Inf(1)
	for i := range steps {
		y := 1.1 * (float64(i) + 0.5) / steps
		least = math.Min(least, g(y))
		p.Front.Volume += 1.1 / steps * math.Max(0, 1.1-least)
	}
	p.Optimum = Optimum{}
	return p
}

// frontBranches is two branches with a front each, which cross: t along the front, the
// other numbers a distance from it.
func frontBranches(r *rand.Rand) *Problem {
	params := []Param{categorical("branch", digits(2)), float("t", 0, 1)}
	for a := range 2 {
		for i := range 2 {
			params = append(params, float(indexed("x", 2*a+i), 0, 1, is("branch", indexed("", a))))
		}
	}
	c, swap := inside(r, 4, 0.15), r.IntN(2)
	away := func(u []float64) float64 {
		a := int(u[0])
		return 2 * (sq(u[2+2*a]-c[2*a]) + sq(u[3+2*a]-c[2*a+1]))
	}
	// A branch that is good at either end: (t, h(t)) with h convex or the other way round.
	h := func(a int, t float64) float64 {
		if a == swap {
			return (1-t)*(1-t)*(1-t)*0.8 + 0.2
		}
		return 1 - math.Pow(t, 0.5)
	}
	p := made("two objectives whose front crosses two branches", params, nil,
		func(u []float64) float64 { return u[1] + away(u) })
	return p.curve(func(u []float64) float64 { return h(int(u[0]), u[1]) + away(u) }, func(y float64) float64 {
		if y > 1 {
			return math.Inf(1)
		}
		return math.Min(h(0, y), h(1, y))
	})
}

// frontChoice is a choice of four and four numbers, after ZDT1: the choice and all numbers
// but the first are a distance from the front.
func frontChoice(r *rand.Rand) *Problem {
	c, pick := inside(r, 4, 0.1), float64(r.IntN(4))
	params := append(nominals(1, 4), reals(r, 4)...)
	away := func(u []float64) float64 {
		d := meanOver(minus(u[2:], c[1:]), sq)
		if u[0] != pick {
			d += 0.1
		}
		return 1 + 6*d
	}
	p := made("two objectives, a choice and numbers", params, nil, func(u []float64) float64 { return u[1] })
	return p.curve(func(u []float64) float64 { return away(u) * (1 - math.Sqrt(u[1]/away(u))) }, func(y float64) float64 {
		if y > 1 {
			return math.Inf(1)
		}
		return 1 - math.Sqrt(y)
	})
}
