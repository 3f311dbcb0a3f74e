package kernels

import (
	"fmt"
	"math"
)

// A builder collects the hyperparameters of a kernel under construction. Asking
// twice for one name gives the same index: that is how parts share them.
type builder struct {
	spec   Spec
	coords []Coord
	dim    int    // simultaneously active numeric coordinates, for priors
	base   string // base function, for priors
	prefix string // of names, where one kernel holds two copies of a part
	params []Param
	index  map[string]int
}

func (b *builder) param(p Param) int {
	p.Name = b.prefix + p.Name
	if i, ok := b.index[p.Name]; ok {
		return i
	}
	b.params = append(b.params, p)
	b.index[p.Name] = len(b.params) - 1
	return len(b.params) - 1
}

// name is "kind[p]", or "kind" where all coordinates share one value.
func (b *builder) name(kind string, c int) string {
	if !b.spec.ARD {
		return kind
	}
	return fmt.Sprintf("%s[%s]", kind, b.coords[c].Name)
}

// positive declares a hyperparameter > 0 in the log coordinate, starting from
// the median of its prior.
func (b *builder) positive(name string, lo, hi float64, prior LogNormal) int {
	init := min(max(math.Exp(prior.Mu), lo), hi)
	return b.param(Param{Name: name, Init: init, Lo: lo, Hi: hi, Scale: Log, Prior: prior})
}

// interval declares a hyperparameter in [lo, hi].
func (b *builder) interval(name string, init, lo, hi float64, prior Prior) int {
	return b.param(Param{Name: name, Init: init, Lo: lo, Hi: hi, Scale: Logit, Prior: prior})
}

// component declares the weight of a component of the kernel, in units of the
// objective squared.
func (b *builder) component(name string, init float64, degree int) int {
	return b.param(Param{
		Name: name, Init: init, Lo: 1e-6, Hi: 1e6, Scale: Log, Prior: unitPrior,
		Variance: true, Degree: degree,
	})
}

// number is the axis of a numeric coordinate, warped if asked for.
func (b *builder) number(c int) axis {
	a := numberAxis(c, b.coords[c])
	if b.spec.Warp && b.coords[c].Levels == 0 {
		p := b.coords[c].Name
		a.warpA = b.positive("warp.a["+p+"]", 1e-2, 1e2, warpPrior)
		a.warpB = b.positive("warp.b["+p+"]", 1e-2, 1e2, warpPrior)
	}
	return a
}

// alpha is the shape of rq, −1 for other bases.
func (b *builder) alpha(base string) int {
	if base != "rq" {
		return -1
	}
	return b.positive("rq.alpha", 1e-2, 1e4, unitPrior)
}
