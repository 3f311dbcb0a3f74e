package kernels

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/points"
)

// ownPart begins the names of the second term's hyperparameters.
const ownPart = "own."

// effectsKernel is w·κ(D) + κ(D′)·(v₀ + Σ_c v_c·1[x_c = x′_c]·κ(D_c)): D is the distance of box over all coordinates, c
// runs over the choices, D_c is over the numbers that choice c governs, and D′ over the other numbers, with weights of
// their own. The second term is the effect of a choice's value and its numbers whatever the other choices are; another
// value changes nothing else. Under κ(D) alone, all choices have to be alike before one trial informs about another
// (overlap of choices times κ: Ru et al. 2020; sums over the number of parameters that interact: Duvenaud, Nickisch &
// Rasmussen 2011).
func (b *builder) effectsKernel() part {
	full := *b
	full.spec.Name = "box"
	spreads := full.spreads()
	alpha := full.alpha(full.base)
	own := full
	own.prefix, own.spec.Over = b.prefix+ownPart, nil
	blocks := map[int][]string{} // by choice, the numbers that it governs
	for c, co := range b.own() {
		switch g := b.governor(c); {
		case co.Numeric() && g >= 0:
			blocks[g] = append(blocks[g], co.Name)
		case co.Numeric():
			own.spec.Over = append(own.spec.Over, co.Name)
		}
	}
	w := b.component("effects.all", 0.5, true)
	labels := &distance{}
	l := &radial{base: complement, part: labels} // v₀ + Σ_c v_c·1[x_c = x′_c] of choices without a block
	l.alpha = append(l.alpha, b.component("effects.none", 0.5, false))
	effects := &weighted{parts: []part{l}, weight: []hyper{-1}}
	weights := slices.Clone(l.alpha)
	for c, co := range b.own() {
		if co.Numeric() {
			continue
		}
		v := b.component("effects.of["+co.Name+"]", 0.5, false)
		weights = append(weights, v)
		if blocks[c] == nil {
			l.alpha = append(l.alpha, v)
			labels.spreads = append(labels.spreads,
				axisTerms{nameAxis(c, co), []term{names(co.Levels, weight{[]hyper{v}, 1}, 1, -1)}})
			continue
		}
		same := &radial{base: complement, part: &distance{[]axisTerms{
			{nameAxis(c, co), []term{names(co.Levels, weight{pow: 1}, 1, -1)}}}}}
		block := own
		block.spec.Name, block.spec.Over = "flat", blocks[c]
		block.size(b.spec)
		effects.parts = append(effects.parts, product{same, &radial{full.base, alpha, &distance{block.spreads()}}})
		effects.weight = append(effects.weight, v)
	}
	for _, v := range weights { // together as much as the first term
		p, k := &b.params[v], float64(len(weights))
		p.Init, p.Prior = p.Init/k, LogNormal{-math.Log(k), unitPrior.Sigma}
	}
	var second part = effects
	if own.spec.Over != nil {
		second = product{&radial{full.base, alpha, &distance{own.spreads()}}, effects}
	}
	return &weighted{parts: []part{&radial{full.base, alpha, &distance{spreads}}, second}, weight: []hyper{w, -1}}
}

// governor is the nearest choice that the condition of coordinate c depends on; -1: none.
func (b *builder) governor(c int) int {
	at := -1
	for a := range b.own() {
		if slices.Contains(b.coords[c].Ancestors, a) && !b.coords[a].Numeric() &&
			(at < 0 || len(b.coords[a].Ancestors) >= len(b.coords[at].Ancestors)) {
			at = a
		}
	}
	return at
}

// linearKernel is Bayesian linear regression: Σ_c w_c·φ_c(x)φ_c(x′), φ = ũ − ½ for a number, where ũ is a constant if
// it is inactive, and an effect of each value for a choice, inactive being one more.
func (b *builder) linearKernel() part {
	var parts []part
	var weights []string
	for c, co := range b.own() {
		if co.Numeric() {
			parts = append(parts, &inner{b.number(c), b.spec.Constant - 0.5})
		} else {
			different := names(co.Levels, weight{pow: 1}, 1, -1)
			parts = append(parts, &radial{base: complement,
				part: &distance{[]axisTerms{{nameAxis(c, co), []term{different}}}}})
		}
		weights = append(weights, b.name("linear.weight", c))
	}
	return b.sum(parts, weights...)
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

func (k *inner) bind(theta []float64, y *reference) rows {
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

func (b *boundInner) pull(dx, w []float64, x *points.Set, i, lo int) {
	if b.load(x, i); b.col.axis.free() {
		dx[b.col.axis.c] += floats.Dot(w, b.f[lo:][:len(w)]) * b.col.xOn * b.col.du()
	}
}

func (b *boundInner) gram(dst lower, _ *Tape) { rowByRow(b, dst, b.col.y) }

func (b *boundInner) pullGram(dtheta []float64, w lower, _ *Tape) {
	for i := 0; b.col.ua != nil && i < w.n; i++ {
		for t, v := range w.row(i)[:i+1] {
			dtheta[b.col.axis.warpA] += v * (b.f[t]*b.col.ua[i] + b.f[i]*b.col.ua[t])
			dtheta[b.col.axis.warpB] += v * (b.f[t]*b.col.ub[i] + b.f[i]*b.col.ub[t])
		}
	}
}
