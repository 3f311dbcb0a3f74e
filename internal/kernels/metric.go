package kernels

import "math"

// Embeddings lists the distances that embed in a Euclidean space and so may modulate frequencies; ico does not. Each is
// the kernel of that name, too.
func Embeddings() []string { return []string{"arc", "imp", "imparc", "box", "const", "flat"} }

// Bounds of weights, radii and stand-ins in natural units.
const (
	weightLo, weightHi   = 1e-6, 1e6
	radiusLo, radiusHi   = 1e-3, 1e3
	standInLo, standInHi = -2, 3
	angleLo, angleHi     = 1e-3, 1
)

// metric is the distance of the given name along coordinate c, a row of the table in the package's documentation.
// Coordinates that are never inactive lack the hyperparameters of inactivity.
func (b *builder) metric(name string, c int) []term {
	cond, numeric, m := b.coords[c].Conditional, b.coords[c].Numeric(), b.coords[c].Levels
	usual, arcs := namesPrior(b.named), namesPrior(b.named)
	if numeric {
		r := radiusPrior(b.dim, b.base)
		usual, arcs = weightPrior(b.dim, b.base), LogNormal{2 * r.Mu, 2 * r.Sigma} // of β₁ = ω²
	}
	theta := func(kind string, prior LogNormal) weight {
		i := b.positive(b.name(kind, c), weightLo, weightHi, prior)
		b.params[i].Weight = b.spec.ARD
		return weight{[]hyper{i}, 1}
	}
	fixed := func(kind string, standIn float64) term { // names have a further one in its place
		if numeric {
			return linear(theta(kind, usual), -1, standIn)
		}
		return names(m, theta(kind, usual), 1, -1)
	}
	turned := func(w weight, angle string) term {
		if numeric {
			return arc(w, b.interval(b.name(angle, c), 0.5, angleLo, angleHi, nil))
		}
		return names(m, w, 2, -1)
	}
	offset := func(kind string) []term {
		if !cond {
			return nil
		}
		// Choices switch parameters on and off, so that the step adds to their θ and has the same median.
		step := LogNormal{namesPrior(b.named).Mu, unitPrior.Sigma}
		h := weight{[]hyper{b.positive(b.name(kind, c), weightLo, weightHi, step)}, 1}
		return []term{&nominal{levels: 1, weight: h, mixed: 1, equal: -1, activity: true}}
	}
	imp := func(kind, standIn string) term {
		w, at := theta(kind, usual), hyper(-1)
		switch {
		case cond && numeric:
			at = b.interval(b.name(standIn, c), 0.5, standInLo, standInHi, standInPrior)
		case cond: // per parameter even without ARD: values of different choices do not compare
			at = b.param(Param{
				Name: standIn + "[" + b.coords[c].Name + "]",
				Init: float64(m), Lo: 0, Hi: float64(m), Choices: m + 1,
			})
		}
		if numeric {
			return linear(w, at, 0)
		}
		return names(m, w, 1, at)
	}
	switch name {
	case "plain":
		return []term{fixed("plain.theta", 0)}
	case "flat":
		return []term{fixed("flat.theta", 0.5)}
	case "const":
		return []term{fixed("flat.theta", b.spec.Constant)}
	case "arc":
		return []term{turned(b.radius(c), "arc.rho")}
	case "imp":
		return []term{imp("imp.theta", "imp.rho")}
	case "box":
		return append([]term{imp("imp.theta", "imp.rho")}, offset("box.h")...)
	case "imparc":
		return []term{turned(theta("imparc.arc", arcs), "imparc.rho_arc"), imp("imparc.imp", "imparc.rho_imp")}
	case "ico":
		w := theta("ico.theta", usual)
		var own term = &nominal{levels: m, weight: w, diff: 1, equal: -1}
		if numeric {
			own = ico(w)
		}
		return append([]term{own}, offset("ico.rho")...)
	}
	panic("kernels: no distance " + name)
}

// radius is ω² of arc: free, or the product of the weights of the coordinate and its ancestors
// (Hutter & Osborne 2013, arXiv:1310.5738, Eq. 6).
func (b *builder) radius(c int) weight {
	if b.spec.Weights == "ancestors" {
		of := []hyper{b.positive("arc.scale", radiusLo, radiusHi, radiusPrior(b.dim, b.base))}
		for _, j := range append([]int{c}, b.coords[c].Ancestors...) {
			of = append(of, b.interval("arc.gamma["+b.coords[j].Name+"]", 0.9, angleLo, 1, nil))
		}
		return weight{of, 2}
	}
	prior := unitPrior
	if b.coords[c].Numeric() {
		prior = radiusPrior(b.dim, b.base)
	}
	return weight{[]hyper{b.positive(b.name("arc.omega", c), radiusLo, radiusHi, prior)}, 2}
}

// A weight is (Π_j θ_j)^pow over the hyperparameters of: how a squared distance is scaled by a
// weight θ (pow 1), a radius ω (2), a lengthscale (−2) or the weights of all ancestors (2).
type weight struct {
	of  []hyper
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
