package kernels

import "math"

// A modulation is the function f(λ, s) of a frequency modulated kernel (Oh,
// Gavves & Welling 2021), written in b = βλ, the distance s and the strength α.
type modulation interface {
	bind(theta []float64) boundModulation
	// shared lists hyperparameters that all choices share.
	shared() []int
}

type boundModulation interface {
	value(b, s, alpha float64) float64
	// slopes returns f and its derivatives by b, s and α.
	slopes(b, s, alpha float64) (f, db, ds, dalpha float64)
	// extra adds c times the derivatives by the shared hyperparameters to dst.
	extra(dst []float64, c, b, s, alpha float64)
}

// reciprocal is 1/(δ + b + αs): modlap with δ = 1; lap with s = 0; modnn and
// modkernel with s = 1 − k of a kernel k ≤ 1 (Proposition 3). It respects the
// frequency modulation principle.
type reciprocal struct{ delta int } // hyperparameter; −1: δ = 1

type boundReciprocal float64 // δ

func (r reciprocal) bind(theta []float64) boundModulation {
	if r.delta < 0 {
		return boundReciprocal(1)
	}
	return boundReciprocal(theta[r.delta])
}

func (r reciprocal) shared() []int {
	if r.delta < 0 {
		return nil
	}
	return []int{r.delta}
}

func (d boundReciprocal) value(b, s, alpha float64) float64 { return 1 / (float64(d) + b + alpha*s) }

func (d boundReciprocal) slopes(b, s, alpha float64) (f, db, ds, dalpha float64) {
	f = 1 / (float64(d) + b + alpha*s)
	g := -f * f
	return f, g, g * alpha, g * s
}

func (d boundReciprocal) extra(dst []float64, c, b, s, alpha float64) {
	f := d.value(b, s, alpha)
	dst[0] -= c * f * f
}

// diffusion is exp(−(1 + αs)b): moddif; dif with s = 0. It does not respect the
// frequency modulation principle: the constant frequency is never modulated.
type diffusion struct{}

func (diffusion) bind([]float64) boundModulation { return diffusion{} }
func (diffusion) shared() []int                  { return nil }

func (diffusion) value(b, s, alpha float64) float64 {
	if b == 0 {
		return 1
	}
	return math.Exp(-(1 + alpha*s) * b)
}

func (diffusion) slopes(b, s, alpha float64) (f, db, ds, dalpha float64) {
	f = diffusion{}.value(b, s, alpha)
	return f, -(1 + alpha*s) * f, -alpha * b * f, -s * b * f
}

func (diffusion) extra([]float64, float64, float64, float64, float64) {}

// terms is Σ_n a_n (1 + b + α s^(τ_n/2))^−ρ_n (Proposition 1 with a finite
// measure). For τ < 2 the derivative by s at s = 0 is infinite; it is defined
// as 0 there.
type terms struct {
	weight []int // hyperparameters a_n; nil: one term of weight 1
	power  []int // hyperparameters τ_n
	order  []float64
}

type boundTerms struct {
	a, tau, order []float64
}

func (k *terms) bind(theta []float64) boundModulation {
	b := &boundTerms{order: k.order}
	for n := range k.order {
		a := 1.0
		if k.weight != nil {
			a = theta[k.weight[n]]
		}
		b.a, b.tau = append(b.a, a), append(b.tau, theta[k.power[n]])
	}
	return b
}

func (k *terms) shared() []int { return append(append([]int(nil), k.weight...), k.power...) }

func (k *boundTerms) value(b, s, alpha float64) float64 {
	f := 0.0
	for n, a := range k.a {
		f += a * math.Pow(1+b+alpha*distancePower(s, k.tau[n]), -k.order[n])
	}
	return f
}

func (k *boundTerms) slopes(b, s, alpha float64) (f, db, ds, dalpha float64) {
	for n, a := range k.a {
		q := distancePower(s, k.tau[n])
		z := 1 + b + alpha*q
		p := a * math.Pow(z, -k.order[n])
		g := -k.order[n] * p / z
		f += p
		db += g
		dalpha += g * q
		switch {
		case k.tau[n] == 2:
			ds += g * alpha
		case s > 0:
			ds += g * alpha * k.tau[n] / 2 * q / s
		}
	}
	return f, db, ds, dalpha
}

func (k *boundTerms) extra(dst []float64, c, b, s, alpha float64) {
	powers := dst[len(dst)-len(k.a):] // weights first, where they are free
	for n, a := range k.a {
		q := distancePower(s, k.tau[n])
		z := 1 + b + alpha*q
		p := math.Pow(z, -k.order[n])
		if len(dst) > len(k.a) {
			dst[n] += c * p
		}
		if s > 0 {
			powers[n] -= c * a * k.order[n] * p / z * alpha * q * math.Log(s) / 2
		}
	}
}

// distancePower is s^(τ/2), the power τ of the distance √s.
func distancePower(s, tau float64) float64 {
	switch {
	case tau == 2:
		return s
	case s <= 0:
		return 0
	}
	return math.Pow(s, tau/2)
}
