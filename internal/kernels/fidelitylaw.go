package kernels

import "math"

// A law makes, of a model's own hyperparameters, the function that links two relative
// resources.
type law func(spec FidelitySpec, own []float64) func(s, t float64) link

// A link is the covariance of two resources, f·k_x + [i = i′]·g + q·k_f, with the
// derivatives of f, g and q by a model's own hyperparameters.
type link struct {
	f, g, q    float64
	df, dg, dq [mostOwn]float64
}

const mostOwn = 4

// curveLaw has alpha, rate, drift and own.
func curveLaw(spec FidelitySpec, own []float64) func(s, t float64) link {
	m, w, v := newMixture(own[0], own[1], spec.Low/spec.High), own[2], own[3]
	return func(s, t float64) link {
		psi := m.pinned(s, t).over(m.pinned0)
		return link{
			f: 1 + w*psi.v, df: [mostOwn]float64{w * psi.alpha, w * psi.rate, psi.v},
			g: v * psi.v, dg: [mostOwn]float64{v * psi.alpha, v * psi.rate, 0, psi.v},
		}
	}
}

// splitLaw has signal and split.
func splitLaw(spec FidelitySpec, own []float64) func(s, t float64) link {
	return func(s, t float64) link {
		per := 1 / (max(s, t) * spec.High)
		return link{f: own[0], df: [mostOwn]float64{1}, q: own[1] * per, dq: [mostOwn]float64{0, per}}
	}
}

// productLaw has lengthscale.
func productLaw(spec FidelitySpec, own []float64) func(s, t float64) link {
	s0, l := spec.Low/spec.High, own[0]
	return func(s, t float64) link {
		r := math.Sqrt(5) * math.Abs(position(s, s0)-position(t, s0)) / l
		e := math.Exp(-r)
		return link{f: (1 + r + r*r/3) * e, df: [mostOwn]float64{r * r * (1 + r) / 3 * e / l}}
	}
}

// position is t = ln(r/low)/ln(high/low).
func position(s, s0 float64) float64 { return 1 - math.Log(s)/math.Log(s0) }
