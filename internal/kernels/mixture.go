package kernels

import "math"

// A mixture is that of exponential decays e^(−λs) over λ ~ Gamma(shape α, mean
// λ̄), c = λ̄/α, in relative resource s ∈ (0, 1] (Swersky, Snoek & Adams 2014):
// κ(t) = (1 + c·t)^(−α). All differences are written so that nothing cancels.
type mixture struct {
	alpha, c, s0 float64
	pinned0      jet // π(s₀, s₀)
	fall0        jet // κ(s₀)/κ(1) − 1
}

// A jet is a value with its derivatives by α and by λ̄.
type jet struct{ v, alpha, rate float64 }

func newMixture(alpha, rate, s0 float64) mixture {
	d := mixture{alpha: alpha, c: rate / alpha, s0: s0}
	d.pinned0, d.fall0 = d.pinned(s0, s0), d.fall(s0)
	return d
}

// pinned is π(s, s′) = κ(s+s′) − κ(s+1)κ(1+s′)/κ(2), the covariance of e^(−λs) and
// e^(−λs′) given e^(−λ): 0 at full resource.
func (d mixture) pinned(s, t float64) jet {
	if s >= 1 || t >= 1 {
		return jet{}
	}
	c, alpha := d.c, d.alpha
	sum := 1 + c*(s+t)
	log := math.Log(sum)
	kappa := math.Exp(-alpha * log)
	delta := c * c * (1 - s) * (1 - t) / (sum * (1 + 2*c))
	l := math.Log1p(delta)
	power := math.Exp(-alpha * l)
	e := -math.Expm1(-alpha * l)
	bydelta := delta * (2/c - (s+t)/sum - 2/(1+2*c)) // ∂δ/∂c
	v := kappa * e
	return jet{
		v: v,
		alpha: v*(c*(s+t)/sum-log) +
			kappa*power*(l-c*bydelta/(1+delta)),
		rate: -v*(s+t)/sum + kappa*power*bydelta/(1+delta),
	}
}

// psi is ψ(s, s′) = π(s, s′)/π(s₀, s₀).
func (d mixture) psi(s, t float64) jet {
	p := d.pinned(s, t)
	return p.over(d.pinned0)
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

// progress is z(s) = (κ(s) − κ(1))/(κ(s₀) − κ(1)): 1 at the lowest level, 0 at full
// resource.
func (d mixture) progress(s float64) jet {
	return d.fall(s).over(d.fall0)
}
