package kernels

import "math"

// driftLaw is 1 + w·ψ, with alpha, rate and drift w.
func driftLaw(spec FidelitySpec, own []float64) func(s, t float64) link {
	psi := ownLaw(spec, own)
	return func(s, t float64) link {
		l := psi(s, t)
		l.v++
		return l
	}
}

// ownLaw is v·ψ, with alpha, rate and own v.
func ownLaw(spec FidelitySpec, own []float64) func(s, t float64) link {
	m, v := newMixture(own[0], own[1], spec.Low/spec.High), own[2]
	return func(s, t float64) link {
		psi := m.pinned(s, t).over(m.pinned0)
		return link{v * psi.v, [mostOwn]float64{v * psi.alpha, v * psi.rate, psi.v}}
	}
}

// splitLaw is 1/max(r, r′).
func splitLaw(spec FidelitySpec, _ []float64) func(s, t float64) link {
	return func(s, t float64) link { return link{v: 1 / (max(s, t) * spec.High)} }
}

// productLaw has lengthscale.
func productLaw(spec FidelitySpec, own []float64) func(s, t float64) link {
	s0, l := spec.Low/spec.High, own[0]
	return func(s, t float64) link {
		r := math.Sqrt(5) * math.Abs(position(s, s0)-position(t, s0)) / l
		e := math.Exp(-r)
		return link{(1 + r + r*r/3) * e, [mostOwn]float64{r * r * (1 + r) / 3 * e / l}}
	}
}

// position is t = ln(r/low)/ln(high/low).
func position(s, s0 float64) float64 { return 1 - math.Log(s)/math.Log(s0) }

// A mixture is that of exponential decays e^(−λs) over λ ~ Gamma(shape α, mean
// λ̄), c = λ̄/α, in relative resource s ∈ (0, 1] (Swersky, Snoek & Adams 2014, arXiv:1406.3896):
// κ(t) = (1 + c·t)^(−α). All differences are written so that nothing cancels.
type mixture struct {
	alpha, c float64
	pinned0  jet // π(s₀, s₀)
	fall0    jet // κ(s₀)/κ(1) − 1
}

// A jet is a value with its derivatives by α and by λ̄.
type jet struct{ v, alpha, rate float64 }

func newMixture(alpha, rate, s0 float64) mixture {
	d := mixture{alpha: alpha, c: rate / alpha}
	d.pinned0, d.fall0 = d.pinned(s0, s0), d.fall(s0)
	return d
}

// pinned is π(s, s′) = κ(s+s′) − κ(s+1)κ(1+s′)/κ(2), the covariance of e^(−λs) and
// e^(−λs′) given e^(−λ): 0 at full resource.
func (d mixture) pinned(s, t float64) jet {
	if s >= 1 || t >= 1 {
		return jet{}
	}
	sum := 1 + d.c*(s+t)
	delta := d.c * d.c * (1 - s) * (1 - t) / (sum * (1 + 2*d.c))
	return d.kappa(s+t).short(d, delta, delta*(2/d.c-(s+t)/sum-2/(1+2*d.c)))
}

// kappa is κ(s).
func (d mixture) kappa(s float64) jet {
	sum := 1 + d.c*s
	log := math.Log(sum)
	v := math.Exp(-d.alpha * log)
	return jet{v, v * (d.c*s/sum - log), -v * s / sum}
}

// short is q·(1 − (1+δ)^(−α)), with δ and its derivative by c.
func (q jet) short(d mixture, delta, bydelta float64) jet {
	l := math.Log1p(delta)
	power, e := math.Exp(-d.alpha*l), -math.Expm1(-d.alpha*l)
	byc := bydelta / (1 + delta)
	return jet{q.v * e, q.alpha*e + q.v*power*(l-d.c*byc), q.rate*e + q.v*power*byc}
}

func (p jet) over(q jet) jet {
	v := p.v / q.v
	return jet{v, (p.alpha - v*q.alpha) / q.v, (p.rate - v*q.rate) / q.v}
}

// fall is κ(s)/κ(1) − 1.
func (d mixture) fall(s float64) jet {
	if s >= 1 {
		return jet{}
	}
	c := d.c
	a := math.Log1p(c * (1 - s) / (1 + c*s))
	byc := (1 - s) / ((1 + c) * (1 + c*s))
	power := math.Exp(d.alpha * a)
	return jet{math.Expm1(d.alpha * a), power * (a - c*byc), power * byc}
}

// progress is z(s) = (κ(s) − κ(1))/(κ(s₀) − κ(1)): 1 at the lowest level, 0 at full resource.
func (d mixture) progress(s float64) jet {
	return d.fall(s).over(d.fall0)
}
