package kernels

import "math"

// Embeddings lists the distances that embed in a Euclidean space and so may modulate
// frequencies; ico does not.
func Embeddings() []string { return []string{"arc", "imp", "imparc", "box", "const", "flat"} }

// Bounds of weights, radii and stand-ins in natural units.
const (
	weightLo, weightHi   = 1e-6, 1e6
	radiusLo, radiusHi   = 1e-3, 1e3
	standInLo, standInHi = -2, 3
	angleLo, angleHi     = 1e-3, 1
)

// metric is the distance of the given name along coordinate c, a row of the
// table in the package's documentation. Coordinates that are never
// inactive lack the hyperparameters of inactivity.
func (b *builder) metric(name string, c int) []term {
	if b.coords[c].Numeric() {
		return b.numeric(name, c)
	}
	return b.nominal(name, c)
}

func (b *builder) numeric(name string, c int) []term {
	cond := b.coords[c].Conditional
	theta := func(kind string) weight {
		return weight{[]int{b.positive(b.name(kind, c), weightLo, weightHi, weightPrior(b.dim, b.base))}, 1}
	}
	angle := func(kind string) int { return b.interval(b.name(kind, c), 0.5, angleLo, angleHi, nil) }
	imp := func(weightName, standIn string) *linear {
		l := &linear{weight: theta(weightName), standIn: -1}
		if cond {
			l.standIn = b.interval(b.name(standIn, c), 0.5, standInLo, standInHi, standInPrior)
		}
		return l
	}
	switch name {
	case "plain":
		return []term{&linear{weight: theta("plain.theta"), standIn: -1}}
	case "flat":
		return []term{&linear{weight: theta("flat.theta"), standIn: -1, fixed: 0.5}}
	case "const":
		return []term{&linear{weight: theta("flat.theta"), standIn: -1, fixed: b.spec.Constant}}
	case "arc":
		return []term{&arc{weight: b.radius(c), rho: angle("arc.rho")}}
	case "imp":
		return []term{imp("imp.theta", "imp.rho")}
	case "box":
		return b.withOffset(c, imp("imp.theta", "imp.rho"))
	case "imparc":
		beta := b.positive(b.name("imparc.arc", c), weightLo, weightHi, arcWeightPrior(b.dim, b.base))
		a := &arc{weight: weight{[]int{beta}, 1}, rho: angle("imparc.rho_arc")}
		return []term{a, imp("imparc.imp", "imparc.rho_imp")}
	case "ico":
		o := &ico{theta: theta("ico.theta").of[0], rho: -1}
		if cond {
			o.rho = b.apart(c)
		}
		return []term{o}
	}
	panic("kernels: no distance " + name)
}

func (b *builder) nominal(name string, c int) []term {
	cond, m := b.coords[c].Conditional, b.coords[c].Levels
	theta := func(kind string) weight {
		return weight{[]int{b.positive(b.name(kind, c), weightLo, weightHi, namesPrior(b.named))}, 1}
	}
	imp := func(weightName, standIn string) *nominal {
		w, equal := theta(weightName), -1
		if cond { // per parameter even without ARD: values of different choices do not compare
			equal = b.param(Param{
				Name: standIn + "[" + b.coords[c].Name + "]",
				Init: float64(m), Lo: 0, Hi: float64(m), Choices: m + 1,
			})
		}
		return names(m, w, 1, equal)
	}
	switch name {
	case "plain":
		return []term{names(m, theta("plain.theta"), 1, -1)}
	case "flat", "const":
		return []term{names(m, theta("flat.theta"), 1, -1)}
	case "arc":
		return []term{names(m, b.radius(c), 2, -1)}
	case "imp":
		return []term{imp("imp.theta", "imp.rho")}
	case "box":
		return b.withOffset(c, imp("imp.theta", "imp.rho"))
	case "imparc":
		return []term{names(m, theta("imparc.arc"), 2, -1), imp("imparc.imp", "imparc.rho_imp")}
	case "ico":
		th, rho := theta("ico.theta").of[0], -1
		if cond {
			rho = b.apart(c)
		}
		return []term{isolatedNames(m, th, rho)}
	}
	panic("kernels: no distance " + name)
}

// radius is ω² of arc: free, or the product of the weights of the coordinate and its ancestors
// (Hutter & Osborne 2013, arXiv:1310.5738, Eq. 6).
func (b *builder) radius(c int) weight {
	if b.spec.Weights == "ancestors" {
		of := []int{b.positive("arc.scale", radiusLo, radiusHi, radiusPrior(b.dim, b.base))}
		for _, j := range append([]int{c}, b.coords[c].Ancestors...) {
			of = append(of, b.interval("arc.gamma["+b.coords[j].Name+"]", 0.9, angleLo, 1, nil))
		}
		return weight{of, 2}
	}
	prior := unitPrior
	if b.coords[c].Numeric() {
		prior = radiusPrior(b.dim, b.base)
	}
	return weight{[]int{b.positive(b.name("arc.omega", c), radiusLo, radiusHi, prior)}, 2}
}

func (b *builder) withOffset(c int, imp term) []term {
	if !b.coords[c].Conditional {
		return []term{imp}
	}
	return []term{imp, &activityOffset{b.positive(b.name("box.h", c), weightLo, weightHi, unitPrior)}}
}

func (b *builder) apart(c int) int {
	return b.positive(b.name("ico.rho", c), weightLo, weightHi, unitPrior)
}

// A weight is (Π_j θ_j)^pow over the hyperparameters of: how a squared distance is scaled by a
// weight θ (pow 1), a radius ω (2), a lengthscale (−2) or the weights of all ancestors (2).
type weight struct {
	of  []int
	pow float64
}

func (w weight) value(theta []float64) float64 {
	p := 1.0
	for _, j := range w.of {
		p *= theta[j]
	}
	return power(p, w.pow)
}

// chain adds dw times the gradient of the value to dtheta.
func (w weight) chain(dtheta, theta []float64, dw float64) {
	p := 1.0
	for _, j := range w.of {
		p *= theta[j]
	}
	outer := dw * w.pow * power(p, w.pow-1)
	for k, j := range w.of {
		others := 1.0
		for l, i := range w.of {
			if l != k {
				others *= theta[i]
			}
		}
		dtheta[j] += outer * others
	}
}

func power(p, e float64) float64 {
	switch e {
	case 0:
		return 1
	case 1:
		return p
	case 2:
		return p * p
	}
	return math.Pow(p, e)
}
