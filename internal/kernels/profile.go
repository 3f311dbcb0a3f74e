package kernels

import "math"

// A profile is a function κ of q = r², with κ(0) = 1. In q all derivatives are
// finite at 0.
type profile interface {
	// apply replaces each q by κ(q).
	apply(q []float64)
	// slope replaces each q by w·κ′(q) and returns Σ w·∂κ/∂α, 0 without α.
	slope(q, w []float64) float64
}

// Bases lists the names of the base functions.
func Bases() []string { return []string{"se", "exp", "matern32", "matern52", "rq"} }

// newProfile returns the base function; alpha is the hyperparameter of rq.
func newProfile(name string, alpha float64) profile {
	switch name {
	case "se":
		return gaussian(0.5)
	case "exp":
		return gaussian(1)
	case "matern32":
		return matern32{}
	case "matern52":
		return matern52{}
	case "rq":
		return rational(alpha)
	}
	panic("kernels: no base " + name)
}

// gaussian c is exp(−c·r²): se for ½, Zaefferer & Horn's form for 1.
type gaussian float64

func (c gaussian) apply(q []float64) { decay(q, nil, float64(c), false, [3]float64{1, 0, 0}) }

func (c gaussian) slope(q, w []float64) float64 {
	decay(q, w, float64(c), false, [3]float64{-float64(c), 0, 0})
	return 0
}

// matern32 is (1 + √3 r) exp(−√3 r).
type matern32 struct{}

func (matern32) apply(q []float64) { decay(q, nil, 3, true, [3]float64{1, 1, 0}) }

func (matern32) slope(q, w []float64) float64 {
	decay(q, w, 3, true, [3]float64{-1.5, 0, 0})
	return 0
}

// matern52 is (1 + √5 r + 5r²/3) exp(−√5 r).
type matern52 struct{}

func (matern52) apply(q []float64) { decay(q, nil, 5, true, [3]float64{1, 1, 1.0 / 3}) }

func (matern52) slope(q, w []float64) float64 {
	decay(q, w, 5, true, [3]float64{-5.0 / 6, -5.0 / 6, 0})
	return 0
}

// rational α is (1 + r²/2α)^−α.
type rational float64

func (a rational) apply(q []float64) {
	for t, v := range q {
		q[t] = math.Exp(-float64(a) * math.Log1p(v/(2*float64(a))))
	}
}

func (a rational) slope(q, w []float64) float64 {
	sum := 0.0
	for t, v := range q {
		z := v / (2 * float64(a))
		l := math.Log1p(z)
		k := math.Exp(-float64(a) * l)
		sum += w[t] * k * (z/(1+z) - l)
		q[t] = -0.5 * w[t] * k / (1 + z)
	}
	return sum
}
