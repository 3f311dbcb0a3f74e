package surrogate

import (
	"math"
	"slices"

	"bohier/internal/gp"
	"bohier/internal/study"
)

// A line maps values at one resource to values at the full one.
type line struct{ at, rise float64 } // where it meets 0, and how it rises

// lines are, by resource, those through the trials that are known there and at full
// resource; slope says how much a difference there counts. Where few are known the line is
// parallel to the diagonal, and none falls.
func (d *atResources) lines(slope func(y float64) float64) map[float64]line {
	end := map[float64]float64{}
	for i, s := range d.resource {
		if s == 1 {
			end[d.trial[i]] = d.y[i]
		}
	}
	pairs := map[float64][][3]float64{} // value, end, weight
	for i, s := range d.resource {
		if e, known := end[d.trial[i]]; known && s < 1 {
			pairs[s] = append(pairs[s], [3]float64{d.y[i], e, square(slope(e))})
		}
	}
	out := map[float64]line{}
	for s, list := range pairs {
		n, w, x, y, xx, xy := float64(len(list)), 0.0, 0.0, 0.0, 0.0, 0.0
		for _, p := range list {
			w, x, y = w+p[2], x+p[2]*p[0], y+p[2]*p[1]
		}
		x, y = x/w, y/w
		for _, p := range list {
			xx, xy = xx+p[2]*square(p[0]-x), xy+p[2]*(p[0]-x)*(p[1]-y)
		}
		rise := 1.0
		if n > 2 && xx > 0 {
			rise = max(0, (n*xy/xx+priorEnds)/(n+priorEnds))
		}
		if l := (line{y - rise*x, rise}); !math.IsNaN(l.at+rise) && !math.IsInf(l.at+rise, 0) { // squares may overflow
			out[s] = l
		}
	}
	return out
}

// toEnds is align by the lines through the values, for a model with the transform of r.
// Absurd values decide no line, and are pulled in afterwards, whole curves alike.
func (d *atResources) toEnds(r study.ModelSpec) {
	tame := *d
	tame.y = slices.Clone(d.y)
	if r.Winsorise {
		tame.winsorise()
	}
	slope := func(float64) float64 { return 1 }
	if t, err := gp.NewTransform(r.Transform, tame.reference(1)); err == nil {
		slope = func(y float64) float64 { return math.Exp(t.LogSlope(y)) }
	}
	d.align(tame.lines(slope))
	if r.Winsorise {
		y, _ := gp.Winsorise(d.y)
		copy(d.y, y)
	}
}

// align maps values on the way to values at full resource, so that on the transformed scale,
// too, a curve is neither above nor below its end only for what all curves have yet to fall. A
// resource without a line of its own takes the nearest one.
func (d *atResources) align(lines map[float64]line) {
	for i, s := range d.resource {
		near, found := 0.0, false
		for r := range lines {
			if a, b := math.Abs(math.Log(r/s)), math.Abs(math.Log(near/s)); !found || a < b || a == b && r < near {
				near, found = r, true
			}
		}
		if found && s < 1 {
			d.y[i] = bounded(lines[near].at + lines[near].rise*d.y[i])
		}
	}
}
