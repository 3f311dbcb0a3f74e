package kernels

import "math"

// A modulation is the function f(λ, s) of a frequency modulated kernel (Oh,
// Gavves & Welling 2021, arXiv:2102.12792), written in b = βλ, the distance s and the strength α.
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
