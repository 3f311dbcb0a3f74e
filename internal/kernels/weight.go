package kernels

import "math"

// A weight is θ^pow of hyperparameter of: how a squared distance is scaled by a weight θ
// (pow 1), a radius ω (2) or a lengthscale (−2).
type weight struct {
	of  int
	pow float64
}

func (w weight) value(theta []float64) float64 { return power(theta[w.of], w.pow) }

// chain adds dw times the gradient of the value to dtheta.
func (w weight) chain(dtheta, theta []float64, dw float64) {
	dtheta[w.of] += dw * w.pow * power(theta[w.of], w.pow-1)
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
