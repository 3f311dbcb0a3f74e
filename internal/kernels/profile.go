package kernels

import (
	"math"

	"bohier/internal/points"
)

// A profile is a function κ of q = r², with κ(0) = 1 but for a complement. In q all derivatives are
// finite at 0.
type profile interface {
	// apply replaces each q by κ(q).
	apply(q []float64)
	// slope replaces each q by w·κ′(q) and returns sum + Σ w·∂κ/∂α, sum alone without α.
	slope(q, w []float64, sum float64) float64
}

// A profile without hyperparameters of its own may give value and slope at once.
type fused interface {
	// both replaces each q by κ(q) and sets d to κ′(q).
	both(q, d []float64)
}

// Bases lists the names of the base functions.
func Bases() []string { return []string{"se", "exp", "matern32", "matern52", "rq"} }

// complement is the base function that makes a correlation of a distance, or the reverse.
const complement = "complement"

// newProfile returns the base function; alpha is the hyperparameter of rq, and what a complement falls from.
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

// decayed is a profile p(z)·exp(−z) with slope s(z)·exp(−z), where z is √(k·q) or,
// without root, k·q.
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

func (p decayed) apply(q []float64) { decay(q, nil, p.k, p.root, p.value, decaying{}) }

func (p decayed) slope(q, w []float64, sum float64) float64 {
	decay(q, nil, p.k, p.root, p.deriv, decaying{})
	times(q, w)
	return sum
}

func (p decayed) both(q, d []float64) { decay(q, d, p.k, p.root, p.value, p.deriv) }

// rational α is (1 + r²/2α)^−α.
type rational float64

func (a rational) apply(q []float64) {
	for t, v := range q {
		q[t] = math.Exp(-float64(a) * math.Log1p(v/(2*float64(a))))
	}
}

func (a rational) slope(q, w []float64, sum float64) float64 {
	row := 0.0
	for t, v := range q {
		z := v / (2 * float64(a))
		l := math.Log1p(z)
		k := math.Exp(-float64(a) * l)
		row += w[t] * k * (z/(1+z) - l)
		q[t] = -0.5 * w[t] * k / (1 + z)
	}
	return sum + row
}

// falling α is α − q.
type falling float64

func (a falling) apply(q []float64) {
	for t, v := range q {
		q[t] = float64(a) - v
	}
}

func (a falling) slope(q, w []float64, sum float64) float64 {
	for t, v := range w {
		q[t] = -v
		sum += v
	}
	return sum
}

// radial is κ(√D²). Its α is the sum of hyperparameters, 1 for none.
type radial struct {
	base  string
	alpha []int
	part  part
}

type boundRadial struct {
	*radial
	kappa profile
	inner rows
	y     *points.Set
	work  []float64
}

func (r *radial) bind(theta []float64, y *reference) rows {
	return &boundRadial{r, newProfile(r.base, r.sum(theta)), r.part.bind(theta, y), y.Set, make([]float64, y.Len())}
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
	b.kappa.apply(dst)
}

func (b *boundRadial) pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	q := b.work[:len(w)]
	if b.base != complement { // whose slope is the same everywhere
		b.inner.row(q, x, i, lo)
	}
	b.pullAlpha(dtheta, b.kappa.slope(q, w, 0))
	b.inner.pull(dtheta, dx, q, x, i, lo)
}

func (b *boundRadial) pullAlpha(dtheta []float64, sum float64) {
	for _, h := range b.alpha {
		if dtheta != nil {
			dtheta[h] += sum
		}
	}
}
