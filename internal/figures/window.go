package figures

import (
	"cmp"
	"math"
	"slices"

	"bohier/internal/plot"
	"bohier/internal/study"
)

const (
	logFrom = 31.6 // ratio of good values, a decade and a half, from which their axis is logarithmic
	room    = 1.5  // of the range of the better half, beyond it
	ofFront = 0.5  // of the range of a front, beyond it
	far     = 1.6  // times what is shown, from which poor values are moved to the edge
)

// window has an axis tell good values of an objective apart: those of a front or else the better
// half of all, and others that are kept in any case. The scale is logarithmic where these span a
// decade and a half. It ends where far poorer values would squeeze them: then its label says so,
// and the values of moved move to its edge.
func (s Source) window(a *plot.Axis, ob study.Objective, all, front, kept []float64,
	moved ...[]float64) (clipped bool) {
	sign := ob.Direction.Sign()
	finite := slices.DeleteFunc(slices.Clone(all), math.IsNaN)
	if a.Log = s.Scale == "log"; len(finite) == 0 || s.Scale != "" {
		return false
	}
	slices.SortFunc(finite, func(x, y float64) int { return cmp.Compare(sign*x, sign*y) })
	good, beyond := finite[:(len(finite)+1)/2], room
	if len(front) > 1 && slices.Min(front) < slices.Max(front) {
		good, beyond = front, ofFront
	}
	if good[0] == good[len(good)-1] {
		good = finite[:max(len(finite)*3/4, 1)]
	}
	good = slices.Concat(good, kept)
	lo, hi := slices.Min(good), slices.Max(good)
	worst := finite[len(finite)-1]
	a.Log = lo > 0 && (hi >= logFrom*lo || sign > 0 && min(worst, hi+beyond*(hi-lo)) >= logFrom*lo)
	on, off := func(v float64) float64 { return sign * v }, func(u float64) float64 { return sign * u }
	if a.Log {
		on = func(v float64) float64 { return sign * math.Log(max(v, 1e-300)) }
		off = func(u float64) float64 { return math.Exp(sign * u) }
	}
	least, most := min(on(lo), on(hi)), max(on(lo), on(hi))
	end := most + beyond*(most-least)
	if len(finite) < 5 || most == least || on(worst)-least < far*(end-least) {
		return false
	}
	from, to := off(least-0.04*(end-least)), off(end)
	a.Low, a.High = max(min(from, to), -math.MaxFloat64), min(max(from, to), math.MaxFloat64)
	a.Label += edge
	for _, v := range moved {
		for k := range v {
			v[k] = min(max(v[k], a.Low), a.High)
		}
	}
	return true
}

// edge says in an axis's label that poor values lie at its edge.
const edge = " (poor values at the edge)"
