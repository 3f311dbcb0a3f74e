package kernels

import "math"

// A monomial is scale·(Π_j θ_j)^pow over the hyperparameters idx: how a squared
// distance is scaled by a weight θ (pow 1), a radius ω (2), a lengthscale (−2)
// or the weights of all ancestors (2).
type monomial struct {
	idx []int
	pow float64
	// scale is a constant; 0 means 1.
	scale float64
}

func (m monomial) value(theta []float64) float64 {
	p := 1.0
	for _, j := range m.idx {
		p *= theta[j]
	}
	return m.constant() * power(p, m.pow)
}

func (m monomial) constant() float64 {
	if m.scale == 0 {
		return 1
	}
	return m.scale
}

// chain adds dw times the gradient of the value to dtheta.
func (m monomial) chain(dtheta, theta []float64, dw float64) {
	p := 1.0
	for _, j := range m.idx {
		p *= theta[j]
	}
	outer := dw * m.constant() * m.pow * power(p, m.pow-1)
	for k, j := range m.idx {
		others := 1.0
		for l, i := range m.idx {
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
