package kernels

import (
	"math"
	"slices"
)

// A Variance is the logarithm of the mean of k(x, x) over the configurations of a space, as a function of the
// hyperparameters. It adds c times its gradient to dtheta, unless that is nil. Kernels on graphs are not 1 there: on
// a product over many choices the variance spans orders of magnitude, and its factor has to follow. (Oh, Gavves &
// Welling 2021, arXiv:2102.12792, divide every factor by its mean diagonal in their code.)
type Variance func(theta, dtheta []float64, c float64) float64

// varianceOf is that of a part; nil: 1.
func varianceOf(p part) (v Variance) {
	switch p := p.(type) {
	case product:
		for _, q := range p {
			v = v.times(varianceOf(q), 1)
		}
	case *weighted:
		return p.variance
	case *radial:
		if p.base == complement && p.alpha != nil {
			return p.variance
		}
	case *modulated: // 1 where all factors have a unit diagonal and s is 0 there
		if p.centre() != nil || slices.ContainsFunc(p.factors, func(f factor) bool { return !f.unit }) {
			return p.variance
		}
	}
	return v
}

// uniformVariance reports whether the variance of a part is known to be the same at all points.
func uniformVariance(p part) bool {
	switch p := p.(type) {
	case *radial:
		return p.base != complement || p.alpha != nil
	case product:
		return !slices.ContainsFunc(p, func(q part) bool { return !uniformVariance(q) })
	case *weighted:
		return !slices.ContainsFunc(p.parts, func(q part) bool { return !uniformVariance(q) })
	}
	return false
}

// at is v there, or 0 where v is 1.
func (v Variance) at(theta, dtheta []float64, c float64) float64 {
	if v == nil {
		return 0
	}
	return v(theta, dtheta, c)
}

// times is v·w^power.
func (v Variance) times(w Variance, power float64) Variance {
	if w == nil {
		return v
	}
	return func(theta, dtheta []float64, c float64) float64 {
		return v.at(theta, dtheta, c) + power*w(theta, dtheta, c*power)
	}
}

// variance is ln Σ w·v.
func (s *weighted) variance(theta, dtheta []float64, c float64) float64 {
	sum, terms := 0.0, make([]float64, len(s.parts))
	for j, q := range s.parts {
		terms[j] = math.Exp(varianceOf(q).at(theta, nil, 0)) * s.weight[j].of(theta, 1)
		sum += terms[j]
	}
	if dtheta != nil {
		for j, q := range s.parts {
			share := c * terms[j] / sum
			s.weight[j].add(dtheta, share/s.weight[j].of(theta, 1))
			varianceOf(q).at(theta, dtheta, share)
		}
	}
	return math.Log(sum)
}

// variance is ln Σ θ of a complement: distances from a point to itself are 0.
func (r *radial) variance(theta, dtheta []float64, c float64) float64 {
	sum := r.sum(theta)
	for _, v := range r.alpha {
		if dtheta != nil {
			dtheta[v] += c / sum
		}
	}
	return math.Log(sum)
}

// centre is the kernel of numbers whose complement s is, where that is not 0 for equal
// points: it is looked at in the middle of their ranges.
func (k *modulated) centre() *neural {
	if r, ok := k.s.(*radial); ok {
		nn, _ := r.part.(*neural)
		return nn
	}
	return nil
}

// variance is Σ_p ln(Σ_i f_p(λ_i, s)/m_p).
func (k *modulated) variance(theta, dtheta []float64, c float64) float64 {
	nn, s, bias := k.centre(), 0.0, 0.0
	if nn != nil {
		s, bias = nn.apart(theta)
	}
	sum, slope := 0.0, 0.0
	for p := range k.factors {
		l, ds := k.factors[p].logVariance(theta, dtheta, c, s)
		sum, slope = sum+l, slope+ds
	}
	if nn != nil && dtheta != nil {
		dtheta[nn.bias] += slope * bias
	}
	return sum
}

// apart is 1 − k at the point in the middle of all ranges, with its derivative by the bias.
func (k *neural) apart(theta []float64) (s, bias float64) {
	b := 1 + 2*theta[k.bias]
	r := 1 - 1/b
	return 1 - 2/math.Pi*math.Asin(r), -2 / math.Pi / math.Sqrt(1-r*r) * 2 / (b * b)
}

// logVariance is ln(Σ_i f(λ_i, s)/m), whose gradient times c it adds to dtheta, unless that
// is nil, with c times its derivative by s.
func (p *factor) logVariance(theta, dtheta []float64, c, s float64) (l, ds float64) {
	if p.unit {
		return 0, 0
	}
	b := p.open(theta)
	mean := 0.0
	for g, share := range p.spectrum.share {
		f, _, _, _ := b.f.slopes(b.delta, b.b[g], s, b.alpha)
		mean += share * f
	}
	if dtheta != nil {
		for g, share := range p.spectrum.share {
			ds += b.gatherAt(g, s, c*share/mean)
		}
		b.flush(dtheta)
	}
	return math.Log(mean), ds
}
