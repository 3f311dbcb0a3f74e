package space

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"bohier/internal/csp"
)

// A grid numbers values of a parameter by integers, its places: all values of a choice, an int or a number with a step;
// of other numbers the multiples of a power of ten that lie in range.
type grid struct {
	s      *parameters
	param  int
	lo, hi int64
	list   []float64 // of a number with significant digits, by place; nil: none
	digits int       // of a number without a step: places are multiples of 10^−digits
	steps  bool      // places count from the low end, or the values of a choice
}

// mostListed is the largest number of values that are numbered one by one.
const mostListed = 4096

func (s *parameters) newGrid(i int) grid {
	p, r := &s.params[i], &s.codecs[i]
	g := grid{s: s, param: i}
	switch {
	case !p.IsNumber():
		g.steps = true
		g.hi = int64(len(p.Values) - 1)
	case p.Precision > 0 && s.count(i) <= mostListed:
		g.list = s.values(i)
		g.hi = int64(len(g.list) - 1)
	case r.step > 0 || r.whole && p.Precision == 0 && !r.coarse:
		g.steps = true
		g.hi = int64(math.Round((r.last - r.low) / r.stride()))
	case r.continuous:
		g.setDigits(r.fewestDecimals())
	default:
		g.setDigits(min(-decade(max(r.quantum(r.low, +1), r.quantum(r.last, -1))), r.fewestDecimals()))
	}
	return g
}

// setDigits chooses the power of ten. Places next to an end whose values encoding cannot tell
// from that end are left out.
func (g *grid) setDigits(d int) {
	r := &g.s.codecs[g.param]
	g.digits = d
	g.lo, g.hi = int64(math.Ceil(g.at(r.low))), int64(math.Floor(g.at(r.last)))
	outside := func(place int64) bool { v := g.value(place); return g.lo <= g.hi && r.round(v) != v }
	for outside(g.lo) {
		g.lo++
	}
	for outside(g.hi) {
		g.hi--
	}
}

// long reports whether places are multiples of a power of ten, which may be another one.
func (g *grid) long() bool { return !g.steps && g.list == nil }

// value is the raw value of a place.
func (g *grid) value(place int64) float64 {
	r := &g.s.codecs[g.param]
	switch {
	case g.list != nil:
		return g.list[place]
	case g.steps && r.step > 0:
		return r.at(float64(place))
	case g.steps:
		return r.low + float64(place)
	case g.digits >= 0 && g.digits <= 22:
		return float64(place) / powerOfTen(g.digits)
	}
	v, _ := strconv.ParseFloat(fmt.Sprintf("%de%d", place, -g.digits), 64)
	return v
}

// at is the place of a raw value as a real number.
func (g *grid) at(v float64) float64 {
	r := &g.s.codecs[g.param]
	switch {
	case g.list != nil:
		k, _ := slices.BinarySearch(g.list, v)
		if k == len(g.list) || k > 0 && v-g.list[k-1] < g.list[k]-v {
			k--
		}
		return float64(k)
	case g.steps:
		return (v - r.low) / r.stride()
	}
	beyond := max(g.digits-300, 0) // a power of ten that may be above all doubles
	return v * powerOfTen(beyond) * powerOfTen(g.digits-beyond)
}

// place is the place nearest to a raw value.
func (g *grid) place(v float64) int64 {
	return min(max(int64(math.Round(g.at(v))), g.lo), g.hi)
}

// exact are the numbers base and quantum with value = base + place·quantum, for a parameter that is no list.
func (g *grid) exact() (base, quantum *big.Rat) {
	if r := &g.s.codecs[g.param]; g.steps {
		return decimal(r.low), decimal(r.stride())
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(g.digits, -g.digits))), nil)
	quantum = new(big.Rat).SetInt(ten)
	if g.digits > 0 {
		quantum.Inv(quantum)
	}
	return new(big.Rat), quantum
}

// stride is the distance of the values of an int, or of a number with a step.
func (r *codec) stride() float64 { return cmp.Or(r.step, 1) }

// weight is the part of the parameter's scale that one place takes near a value.
func (g *grid) weight(v float64) float64 {
	p := &g.s.params[g.param]
	if p.Choice() {
		return 1
	}
	r := &g.s.codecs[g.param]
	var quantum float64
	switch {
	case g.list != nil:
		quantum = (r.high - r.low) / float64(len(g.list))
	case g.steps:
		quantum = r.stride()
	default:
		quantum = powerOfTen(-g.digits)
	}
	return quantum * r.slope(min(max(v, r.low), r.high))
}

// variable is the parameter as one of an integer problem.
func (g *grid) variable() csp.Var {
	p, r := &g.s.params[g.param], &g.s.codecs[g.param]
	v := csp.Var{Lo: g.lo, Hi: g.hi, Number: g.s.Numeric(g.param) || p.Discrete}
	if v.Number && r.scale != Linear {
		v.Density = func(place int64) float64 { return r.slope(g.value(place)) }
		v.Draw = func(lo, hi int64, u float64) int64 {
			set := g.s.interval(g.param, r.round(g.value(lo)), r.round(g.value(hi)))
			return min(max(g.place(g.s.draw(g.param, &set, u)), lo), hi)
		}
	}
	return v
}

// slope is the derivative of the unit coordinate at v.
func (r *codec) slope(v float64) float64 {
	switch r.scale {
	case Log:
		return 1 / (v * r.span)
	case Logit:
		return 1 / (v * (1 - v) * r.span)
	case ReverseLog:
		return 1 / ((r.low + (r.high - v)) * r.span)
	}
	return 1 / r.span
}
