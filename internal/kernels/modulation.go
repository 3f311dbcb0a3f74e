package kernels

import "math"

// A modulation is the function f(λ, s) of a frequency modulated kernel (Oh,
// Gavves & Welling 2021, arXiv:2102.12792), written in δ, b = βλ, the distance s and the strength α.
type modulation interface {
	// slopes returns f and its derivatives by b, s and α.
	slopes(delta, b, s, alpha float64) (f, db, ds, dalpha float64)
}

// reciprocal is 1/(δ + b + αs): modlap with δ = 1; lap with s = 0; modnn and
// modkernel with s = 1 − k of a kernel k ≤ 1 (Proposition 3). It respects the
// frequency modulation principle.
type reciprocal struct{}

func (reciprocal) slopes(delta, b, s, alpha float64) (f, db, ds, dalpha float64) {
	f = 1 / (delta + b + alpha*s)
	g := -f * f
	return f, g, g * alpha, g * s
}

// diffusion is exp(−(1 + αs)b): moddif; dif with s = 0. It does not respect the
// frequency modulation principle: the constant frequency is never modulated.
type diffusion struct{}

func (diffusion) slopes(_, b, s, alpha float64) (f, db, ds, dalpha float64) {
	if f = 1; b != 0 {
		f = math.Exp(-(1 + alpha*s) * b)
	}
	return f, -(1 + alpha*s) * f, -alpha * b * f, -s * b * f
}
