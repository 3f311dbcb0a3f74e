package kernels

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
)

// A builder collects the hyperparameters of a kernel under construction. Asking
// twice for one name gives the same index: that is how parts share them.
type builder struct {
	spec   Spec
	coords []Coord
	dim    int    // simultaneously active numeric coordinates, for priors
	named  int    // simultaneously active choices, for priors
	base   string // base function, for priors
	prefix string // of names, where one kernel holds two copies of a part
	inner  bool   // the kernel is a part of another one
	*declared
}

// declared collects the hyperparameters of all parts of a kernel.
type declared struct {
	params []Param
	index  map[string]hyper
}

func newBuilder(s Spec, coords []Coord, prefix string, all *declared) *builder {
	b := &builder{spec: s, coords: coords, prefix: prefix, declared: all}
	b.size(s)
	return b
}

// size counts, among the coordinates that the kernel sees, those active at once: at most as many as whole, the settings
// of the whole kernel, say where they do.
func (b *builder) size(whole Spec) {
	b.dim, b.named = 0, 0
	for _, c := range b.own() {
		switch {
		case c.Levels == 0:
			b.dim++
		case !c.Numeric():
			b.named++
		}
	}
	if whole.ActiveDim > 0 {
		b.dim = min(b.dim, whole.ActiveDim)
	}
	if whole.ActiveChoices > 0 {
		b.named = min(b.named, whole.ActiveChoices)
	}
}

// own yields the coordinates that the kernel sees: all, or the coordinates of its spec.
func (b *builder) own() iter.Seq2[int, Coord] {
	return func(yield func(int, Coord) bool) {
		for c, co := range b.coords {
			if b.spec.Over != nil && !slices.Contains(b.spec.Over, co.Name) {
				continue
			}
			if !yield(c, co) {
				return
			}
		}
	}
}

func (b *builder) param(p Param) hyper {
	p.Name = b.prefix + p.Name
	if i, ok := b.index[p.Name]; ok {
		return i
	}
	b.params = append(b.params, p)
	b.index[p.Name] = hyper(len(b.params) - 1)
	return b.index[p.Name]
}

// name is "kind[p]", or "kind" where all coordinates share one value.
func (b *builder) name(kind string, c int) string {
	if !b.spec.ARD {
		return kind
	}
	return fmt.Sprintf("%s[%s]", kind, b.coords[c].Name)
}

// positive declares a hyperparameter > 0 in the log coordinate, starting from the median of its prior.
func (b *builder) positive(name string, lo, hi float64, prior LogNormal) hyper {
	init := min(max(math.Exp(prior.Mu), lo), hi)
	return b.param(Param{Name: name, Init: init, Lo: lo, Hi: hi, Scale: Log, Prior: prior})
}

// divisor declares a positive hyperparameter that is undefined at 0.
func (b *builder) divisor(name string, lo, hi float64, prior LogNormal) hyper {
	h := b.positive(name, lo, hi, prior)
	b.params[h].Divides = true
	return h
}

// interval declares a hyperparameter in [lo, hi].
func (b *builder) interval(name string, init, lo, hi float64, prior Prior) hyper {
	return b.param(Param{Name: name, Init: init, Lo: lo, Hi: hi, Scale: Logit, Prior: prior})
}

// component declares the weight of a component of the kernel, in units of the objective squared. In a part of another
// kernel, which has a scale already, the first component's weight is held and the others are ratios to it.
func (b *builder) component(name string, init float64, first bool) hyper {
	p := Param{Name: name, Init: init, Lo: 1e-6, Hi: 1e6, Scale: Log, Prior: unitPrior}
	switch {
	case !b.inner:
		p.Variance = true
	case first:
		p.Lo, p.Hi = init, init
	}
	return b.param(p)
}

// sum is Σ w·part with a weight for each, by name.
func (b *builder) sum(parts []part, names ...string) *weighted {
	s := &weighted{parts: parts}
	for k, q := range parts {
		w := b.component(names[k], 1/float64(len(parts)), k == 0)
		b.params[w].Of = b.scale(varianceOf(q), varianceOf(parts[0]))
		s.weight = append(s.weight, w)
	}
	return s
}

// scale is that of the weight of a component with variance v, or of its ratio to the first.
func (b *builder) scale(v, first Variance) Variance {
	if b.inner {
		return Variance(nil).times(v, 1).times(first, -1)
	}
	return v
}

// number is the axis of a numeric coordinate, warped if asked for; two copies of a part warp it alike.
func (b *builder) number(c int) axis {
	a := axis{c: c, positions: b.coords[c].Positions, warpA: -1, warpB: -1}
	if b.coords[c].Levels == 0 && (b.spec.Warp || b.spec.WarpDecades && b.coords[c].Decades > 0) {
		p, both := b.coords[c].Name, *b
		both.prefix = strings.TrimSuffix(b.prefix, ownPart)
		least, scale := 1e-2, warpPrior
		if decades := b.coords[c].Decades; decades > 0 { // nearly the logarithm, but perhaps the value
			a.span = min(decades*math.Ln10, 700) // whose exponential a number holds
			least, scale = min(least, 0.1/a.span), LogNormal{math.Log(0.5 / a.span), 1}
		}
		a.warpA = both.positive("warp.a["+p+"]", least, 1e2, scale)
		b.params[a.warpA].Divides = a.span > 0
		lo, hi := 1e-2, 1e2
		if !b.spec.Warp { // from the logarithm to the value a alone leads
			lo, hi = 1, 1
		}
		a.warpB = both.positive("warp.b["+p+"]", lo, hi, warpPrior)
	}
	return a
}

// alpha is the shape of rq; other bases have none.
func (b *builder) alpha(base string) []hyper {
	if base != "rq" {
		return nil
	}
	return []hyper{b.divisor("rq.alpha", 1e-2, 1e4, unitPrior)}
}
