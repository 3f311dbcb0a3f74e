package kernels

import (
	"math"
	"slices"

	"bohier/internal/points"
)

// An axis is one coordinate as a kernel sees it.
type axis struct {
	c         int
	levels    int       // > 0: a vertex or a name, else a number
	positions []float64 // where the levels of an ordered choice lie; with levels == 0
	inactive  bool      // a name may be; see Coord.Conditional
	warpA     hyper     // hyperparameters of the Kumaraswamy warping; −1: none
	warpB     hyper
	span      float64 // logarithm of the ratio of the range's ends, where they are many decades apart; 0: they are not
}

// nameAxis sees a coordinate as an index.
func nameAxis(c int, co Coord) axis {
	return axis{c: c, levels: co.Levels, inactive: co.Conditional, warpA: -1, warpB: -1}
}

// same reports whether b sees the coordinate as a does.
func (a *axis) same(b *axis) bool {
	return a.c == b.c && a.levels == b.levels && slices.Equal(a.positions, b.positions) && a.inactive == b.inactive &&
		a.warpA == b.warpA && a.warpB == b.warpB
}

// free reports whether the coordinate takes part in gradients.
func (a *axis) free() bool { return a.levels == 0 && a.positions == nil }

// A boundAxis is an axis of the reference points, prepared once, and of one more point x, loaded per row. Numbers are
// warped; inactive ones are stored as 0 and inactive names as the extra index `levels`, so that no stand-in is read.
// Coordinates that need no change are those of y itself.
type boundAxis struct {
	axis *axis
	y    *points.Set
	a, b float64 // warping exponents

	u      []float64 // numbers, or codes of names
	on     []float64 // 1 active, 0 not; nil: all active
	ua, ub []float64 // ∂u/∂a, ∂u/∂b when warped
	slope  []float64 // ∂(warped u)/∂u when warped

	few []int // the reference points where it is active, if they are few; nil: they are not

	x, xOn      float64 // the loaded point; xOn is 0 or 1
	xAt         int     // the reference point that it is; −1: none
	raw, warped float64 // a number and its warped value
}

func (a *axis) bind(theta []float64, y *reference) *boundAxis {
	col := a.over(y.Set)
	col.set(theta)
	return col
}

// over is bind without the parts that depend on hyperparameters, which set sets.
func (a *axis) over(y *points.Set) *boundAxis {
	col := &boundAxis{axis: a, y: y}
	n := y.Len()
	values, mask := y.Col(a.c), y.Activity(a.c)
	if mask != nil {
		col.on = make([]float64, n)
		for t, active := range mask {
			if active {
				col.on[t] = 1
				col.few = append(col.few, t)
			}
		}
		if fewOf*len(col.few) > n {
			col.few = nil
		}
	}
	if a.warpA >= 0 {
		col.ua, col.ub, col.slope = make([]float64, n), make([]float64, n), make([]float64, n)
	}
	if col.u = values; mask != nil || a.positions != nil || a.warpA >= 0 {
		col.u = make([]float64, n)
		for t := range values {
			if col.u[t] = float64(a.levels); mask == nil || mask[t] {
				col.u[t] = a.number(y, t)
			}
		}
	}
	return col
}

// set warps the numbers.
func (c *boundAxis) set(theta []float64) {
	a := c.axis
	if a.warpA < 0 || c.a == theta[a.warpA] && c.b == theta[a.warpB] {
		return
	}
	c.a, c.b, c.raw, c.warped = theta[a.warpA], theta[a.warpB], 0, 0
	for t := range c.u {
		if c.y.Active(a.c, t) {
			c.u[t], c.slope[t], c.ua[t], c.ub[t] = a.warp(a.number(c.y, t), c.a, c.b)
		}
	}
}

// fewOf is the number of reference points for each one at which few are active.
const fewOf = 4

// number is a number, or the code of a name, of an active point.
func (a *axis) number(x *points.Set, i int) float64 {
	v := x.At(a.c, i)
	if a.positions != nil {
		return a.positions[int(v)]
	}
	return v
}

// load makes point i of x the current one.
func (c *boundAxis) load(x *points.Set, i int) {
	a := c.axis
	if x == c.y {
		c.recall(i)
		return
	}
	c.x, c.xOn, c.xAt = float64(a.levels), 0, -1
	if !x.Active(a.c, i) {
		return
	}
	c.x, c.xOn = a.number(x, i), 1
	if a.warpA >= 0 {
		if c.x != c.raw { // points that a search compares differ by a few coordinates
			c.raw = c.x
			lnp, _, _ := a.power(c.x, c.a)
			c.warped, _ = bend(c.x, lnp, c.b)
		}
		c.x = c.warped
	}
}

// du is ∂u/∂(number as it was) at the loaded point.
func (c *boundAxis) du() float64 {
	switch {
	case c.axis.warpA < 0 || c.xOn == 0:
		return 1
	case c.xAt >= 0:
		return c.slope[c.xAt]
	}
	_, du, _, _ := c.axis.warp(c.raw, c.a, c.b)
	return du
}

// recall is load of a reference point, whose features are known.
func (c *boundAxis) recall(i int) {
	c.x, c.xOn, c.xAt = c.u[i], 1, i
	if c.on != nil {
		c.xOn = c.on[i]
	}
}

// warp is the distribution function w = 1 − (1 − p)^b with its derivatives by u, a and b. p is u^a (Kumaraswamy), or
// for a range over decades (x^a − l^a) / (h^a − l^a), l and h its ends: the logarithm of x for a → 0 (Box & Cox 1964),
// and u^a for l → 0.
func (x *axis) warp(u, a, b float64) (w, du, da, db float64) {
	lnp, byA, byU := x.power(u, a)
	w, lnq := bend(u, lnp, b)
	s := b * math.Exp((b-1)*lnq) * math.Exp(lnp) // ∂w/∂ ln p
	return w, s * byU, s * byA, -math.Exp(b*lnq) * lnq
}

// power is ln p with its derivatives by a and u. Where one is infinite (at the ends, for exponents below 1) it is cut
// off by moving u inside by 1e-12.
func (x *axis) power(u, a float64) (lnp, byA, byU float64) {
	const edge = 1e-12
	u = min(max(u, edge), 1-edge)
	if x.span == 0 {
		lnu := math.Log(u)
		return a * lnu, lnu, a / u
	}
	rise := math.Expm1(x.span)
	l := math.Log1p(u * rise) // ln(x / l)
	part, whole := -math.Expm1(-a*l), -math.Expm1(-a*x.span)
	return a*(l-x.span) + math.Log(part/whole), l/part - x.span/whole, a * rise / (1 + u*rise) / part
}

// bend is w and ln(1 − p).
func bend(u, lnp, b float64) (w, lnq float64) {
	lnq = math.Log(-math.Expm1(lnp))
	switch {
	case u <= 0:
		return 0, lnq
	case u >= 1:
		return 1, lnq
	}
	return -math.Expm1(b * lnq), lnq
}
