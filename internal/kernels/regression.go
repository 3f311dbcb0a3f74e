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
			parts = append(parts, &indicator{axis: nameAxis(c, co)})
		}
		names = append(names, b.name("linear.weight", c))
	}
	return b.sum(parts, listed(names...))
}

// treeKernel is a sum of kernels, one for the parameters without a condition and one for
// those under each condition, which is 0 where one of the two configurations lacks
// them: what branches have in common is shared, what each has alone is apart (after
// Jenatton, Archambeau, González & Seeger 2017).
func (b *builder) treeKernel() part {
	b.base = b.spec.Base
	if b.base == "" {
		b.base = "matern52"
	}
	alpha := b.alpha(b.base)
	var nodes []*distance
	var names []string
	at := map[int]int{}
	for c, co := range b.own() {
		k, ok := at[co.Branch]
		if !ok {
			k = len(nodes)
			at[co.Branch] = k
			nodes, names = append(nodes, &distance{}), append(names, "tree.weight["+co.Name+"]")
		}
		sp := axisTerms{axis: nameAxis(c, co), terms: b.metric("plain", c)}
		if co.Numeric() {
			sp.axis = b.number(c)
		}
		nodes[k].spreads = append(nodes[k].spreads, sp)
	}
	var parts []part
	for _, d := range nodes {
		var node part = &radial{b.base, alpha, d}
		if ax := d.spreads[0].axis; b.coords[ax.c].Conditional {
			node = product{&indicator{axis: ax, both: true}, node}
		}
		parts = append(parts, node)
	}
	return b.sum(parts, listed(names...))
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

// indicator is 1 where a choice has the same value in both points, inactive being one,
// or, if both is set, where a parameter is active in both; else 0.
type indicator struct {
	axis axis
	both bool
}

type boundIndicator struct {
	*indicator
	y *points.Set
}

func (k *indicator) bind(_ []float64, y *points.Set) rows { return &boundIndicator{k, y} }

func (b *boundIndicator) row(dst []float64, x *points.Set, i, lo int) {
	c := b.axis.c
	on := x.Active(c, i)
	for t := range dst {
		active := b.y.Active(c, lo+t)
		same := on && active
		if !b.both {
			same = on == active && (!on || x.At(c, i) == b.y.At(c, lo+t))
		}
		dst[t] = 0
		if same {
			dst[t] = 1
		}
	}
}

func (b *boundIndicator) pull(_, _, _ []float64, _ *points.Set, _, _ int) {}
