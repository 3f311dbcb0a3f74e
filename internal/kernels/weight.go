package kernels

import "math"

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
