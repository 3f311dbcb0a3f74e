package kernels

import (
	"math"

	"bohier/internal/points"
)

// A profile is a function κ of q = r², with κ(0) = 1 but for a complement. In q all derivatives are finite at 0.
type profile interface {
	// apply replaces each q by κ(q) and sets d to κ′(q) and a to ∂κ/∂α, unless they are nil. A profile without α
	// leaves a alone.
	apply(q, d, a []float64)
}

// Bases lists the base functions. Each is the ordinary kernel of that name, too.
func Bases() []string { return []string{"matern52", "matern32", "se", "exp", "rq"} }

// complement is the base function that makes a correlation of a distance, or the reverse.
const complement = "complement"

// newProfile returns the base function; alpha is the hyperparameter of rq, and the start of a complement.
func newProfile(name string, alpha float64) profile {
	switch name {
	case "se":
		return gaussian(0.5)
	case "exp":
		return gaussian(1)
	case "matern32":
		return matern32
	case "matern52":
		return matern52
	case "rq":
		return rational(alpha)
	case complement:
		return falling(alpha)
	}
	panic("kernels: no base " + name)
}

// decayed is a profile p(z)·exp(−z) with slope s(z)·exp(−z), where z is √(k·q) or, without root, k·q.
type decayed struct {
	k            float64
	root         bool
	value, deriv decaying
}

// gaussian is exp(−c·r²): se for ½, Zaefferer & Horn's form for 1.
func gaussian(c float64) decayed {
	return decayed{c, false, decaying{1, 0, 0}, decaying{-c, 0, 0}}
}

// matern32 is (1 + √3 r) exp(−√3 r), matern52 (1 + √5 r + 5r²/3) exp(−√5 r).
var (
	matern32 = decayed{3, true, decaying{1, 1, 0}, decaying{-1.5, 0, 0}}
	matern52 = decayed{5, true, decaying{1, 1, 1.0 / 3}, decaying{-5.0 / 6, -5.0 / 6, 0}}
)

func (p decayed) apply(q, d, _ []float64) { decay(q, d, p.k, p.root, p.value, p.deriv) }

// rational α is (1 + r²/2α)^−α.
type rational float64

func (a rational) apply(q, d, alpha []float64) {
	for t, v := range q {
		z := v / (2 * float64(a))
		l := math.Log1p(z)
		k := math.Exp(-float64(a) * l)
		if q[t] = k; d != nil {
			d[t] = -0.5 * k / (1 + z)
		}
		if alpha != nil {
			alpha[t] = k * (z/(1+z) - l)
		}
	}
}

// falling α is α − q.
type falling float64

func (a falling) apply(q, d, alpha []float64) {
	for t, v := range q {
		q[t] = float64(a) - v
	}
	fill(d, -1)
	fill(alpha, 1)
}

// radial is κ(√D²). Its α is the sum of hyperparameters, 1 for none.
type radial struct {
	base  string
	alpha []hyper
	part  part
}

type boundRadial struct {
	*radial
	kappa profile
	inner rows
	work  []float64
	slope []float64
}

func (r *radial) bind(theta []float64, y *reference) rows {
	return &boundRadial{r, newProfile(r.base, r.sum(theta)), r.part.bind(theta, y), make([]float64, y.Len()),
		make([]float64, y.Len())}
}

func (r *radial) sum(theta []float64) (alpha float64) {
	if r.alpha == nil {
		return 1
	}
	for _, h := range r.alpha {
		alpha += theta[h]
	}
	return alpha
}

func (b *boundRadial) row(dst []float64, x *points.Set, i, lo int) {
	b.inner.row(dst, x, i, lo)
	b.kappa.apply(dst, nil, nil)
}

func (b *boundRadial) pull(dx, w []float64, x *points.Set, i, lo int) {
	q, d := b.work[:len(w)], b.slope[:len(w)]
	if b.base != complement { // whose slope is the same everywhere
		b.inner.row(q, x, i, lo)
	}
	b.kappa.apply(q, d, nil)
	times(d, w)
	b.inner.pull(dx, d, x, i, lo)
}

// gram leaves the slopes of the profile on the tape.
func (b *boundRadial) gram(dst lower, tape *Tape) {
	d := tape.plane(first, dst.n)
	b.inner.gram(d, tape.part(0))
	for i := range dst.n {
		row, by := d.row(i), []float64(nil)
		q := b.work[:len(row)]
		copy(q, row)
		if b.alpha != nil {
			by = tape.plane(second, dst.n).row(i)
		}
		b.kappa.apply(q, row, by)
		copy(dst.row(i), q)
	}
}

func (b *boundRadial) pullGram(dtheta []float64, w lower, tape *Tape) {
	d, sum := tape.plane(first, w.n), 0.0
	for i := range w.n {
		wi := w.row(i)[:i+1]
		times(d.row(i)[:i+1], wi)
		if b.alpha != nil {
			for t, v := range tape.plane(second, w.n).row(i)[:i+1] {
				sum += wi[t] * v
			}
		}
	}
	for _, h := range b.alpha {
		dtheta[h] += sum
	}
	b.inner.pullGram(dtheta, d.cut(), tape.part(0))
}
