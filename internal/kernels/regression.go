package kernels

import "bohier/internal/points"

// linearKernel is Bayesian linear regression: Σ_c w_c·φ_c(x)φ_c(x′), φ = ũ − ½ for a number,
// where ũ is a constant if it is inactive, and an effect of each value for a choice,
// inactive being one more.
func (b *builder) linearKernel() part {
	var parts []part
	var names []string
	for c, co := range b.own() {
		if co.Numeric() {
			parts = append(parts, &inner{b.number(c), b.spec.Constant - 0.5})
		} else {
			parts = append(parts, indicator(c, co))
		}
		names = append(names, b.name("linear.weight", c))
	}
	return b.sum(parts, func(k int) string { return names[k] })
}

// inner is φ(x)·φ(x′) with φ = u − ½ where the number is active and off elsewhere.
type inner struct {
	axis axis
	off  float64
}

type boundInner struct {
	*inner
	col *boundAxis
	f   []float64
}

func (k *inner) bind(theta []float64, y *points.Set) rows {
	b := &boundInner{k, k.axis.bind(theta, y), make([]float64, y.Len())}
	for t, u := range b.col.u {
		b.f[t] = u - 0.5
		if b.col.on != nil && b.col.on[t] == 0 {
			b.f[t] = k.off
		}
	}
	return b
}

func (b *boundInner) load(x *points.Set, i int) float64 {
	b.col.load(x, i)
	if b.col.xOn == 0 {
		return b.off
	}
	return b.col.x - 0.5
}

func (b *boundInner) row(dst []float64, x *points.Set, i, lo int) {
	f := b.load(x, i)
	for t := range dst {
		dst[t] = f * b.f[lo+t]
	}
}

func (b *boundInner) pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	f, col, sum := b.load(x, i), b.col, 0.0
	for t, v := range w {
		sum += v * b.f[lo+t]
	}
	if dx != nil && col.axis.free() {
		dx[col.axis.c] += sum * col.xOn * col.xSlope
	}
	if dtheta == nil || col.ua == nil {
		return
	}
	da, db := sum*col.xa, sum*col.xb
	for t, v := range w {
		da += v * f * col.ua[lo+t]
		db += v * f * col.ub[lo+t]
	}
	dtheta[col.axis.warpA] += da
	dtheta[col.axis.warpB] += db
}

// indicator is 1 where a choice has the same value in both points, inactive being one; else 0.
func indicator(c int, co Coord) part {
	different := names(co.Levels, weight{pow: 1}, 1, -1)
	return complement{&distance{[]axisTerms{{nameAxis(c, co), []term{different}}}}}
}
