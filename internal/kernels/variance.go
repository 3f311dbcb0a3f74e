package kernels

import (
	"math"
	"slices"
)

// A Variance is the mean of k(x, x) over the configurations of a space, as a function of the
// hyperparameters. Kernels on graphs are not 1 there: on a product over many choices the
// variance spans orders of magnitude, and what scales it has to follow. (Oh, Gavves & Welling
// divide every factor by its mean diagonal in their code.)
type Variance interface {
	// Log returns ln v and adds c times its gradient to dtheta, unless that is nil.
	Log(theta, dtheta []float64, c float64) float64
}

// MeanVariance is that of a kernel; nil: 1.
func MeanVariance(k Kernel) Variance {
	if v, ok := k.(interface{ MeanVariance() Variance }); ok {
		return v.MeanVariance()
	}
	return nil
}

// MeanVariance is that of the root.
func (f *composed) MeanVariance() Variance { return varianceOf(f.root) }

// varied is a part whose k(x, x) is not 1.
type varied interface{ variance() Variance }

// varianceOf is that of a part; nil: 1.
func varianceOf(p part) Variance {
	if v, ok := p.(varied); ok {
		return v.variance()
	}
	return nil
}

// UniformVariance reports whether k(x, x) is known to be the same at all points.
func UniformVariance(k Kernel) bool {
	f, ok := k.(*composed)
	return ok && uniformVariance(f.root)
}

func uniformVariance(p part) bool {
	switch p := p.(type) {
	case *radial, *labelled:
		return true
	case product:
		return !slices.ContainsFunc(p, func(q part) bool { return !uniformVariance(q) })
	case *weighted:
		return !slices.ContainsFunc(p.parts, func(q part) bool { return !uniformVariance(q) })
	}
	return false
}

// logOf is v.Log, or 0 where v is 1.
func logOf(v Variance, theta, dtheta []float64, c float64) float64 {
	if v == nil {
		return 0
	}
	return v.Log(theta, dtheta, c)
}

// powers is Π v^power.
type powers []struct {
	v     Variance
	power float64
}

func (p powers) Log(theta, dtheta []float64, c float64) float64 {
	sum := 0.0
	for _, q := range p {
		sum += q.power * q.v.Log(theta, dtheta, c*q.power)
	}
	return sum
}

// with is the product with v^power.
func (p powers) with(v Variance, power float64) powers {
	if v == nil {
		return p
	}
	return append(p, struct {
		v     Variance
		power float64
	}{v, power})
}

// orOne is the product, or nil where nothing is multiplied.
func (p powers) orOne() Variance {
	if len(p) == 0 {
		return nil
	}
	return p
}

// shifted is the variance of a part whose hyperparameters begin at from.
type shifted struct {
	Variance
	from int
}

func shift(v Variance, from int) Variance {
	if v == nil {
		return nil
	}
	return shifted{v, from}
}

func (s shifted) Log(theta, dtheta []float64, c float64) float64 {
	if dtheta != nil {
		dtheta = dtheta[s.from:]
	}
	return s.Variance.Log(theta[s.from:], dtheta, c)
}

func (p product) variance() Variance {
	var out powers
	for _, q := range p {
		out = out.with(varianceOf(q), 1)
	}
	return out.orOne()
}

func (s *weighted) variance() Variance { return s }

// Log is ln Σ w·v.
func (s *weighted) Log(theta, dtheta []float64, c float64) float64 {
	sum, terms := 0.0, make([]float64, len(s.parts))
	for j, q := range s.parts {
		terms[j] = math.Exp(logOf(varianceOf(q), theta, nil, 0))
		if h := s.weight[j]; h >= 0 {
			terms[j] *= theta[h]
		}
		sum += terms[j]
	}
	if dtheta != nil {
		for j, q := range s.parts {
			share := c * terms[j] / sum
			if h := s.weight[j]; h >= 0 {
				dtheta[h] += share / theta[h]
			}
			logOf(varianceOf(q), theta, dtheta, share)
		}
	}
	return math.Log(sum)
}

func (l *labelled) variance() Variance { return l }

// Log is ln Σ v.
func (l *labelled) Log(theta, dtheta []float64, c float64) float64 {
	sum := 0.0
	for _, v := range l.weights {
		sum += theta[v]
	}
	if dtheta != nil {
		for _, v := range l.weights {
			dtheta[v] += c / sum
		}
	}
	return math.Log(sum)
}

func (p *atResource) variance() Variance { return varianceOf(p.inner) }

// variance is 1 where all factors have a unit diagonal and s is 0 there.
func (k *modulated) variance() Variance {
	if k.centre() != nil {
		return k
	}
	for _, f := range k.factors {
		if !f.unit {
			return k
		}
	}
	return nil
}

// centre is the kernel of numbers whose complement s is, where that is not 0 for equal
// points: it is looked at in the middle of their ranges.
func (k *modulated) centre() *neural {
	c, _ := k.s.(complement)
	nn, _ := c.part.(*neural)
	return nn
}

// Log is Σ_p ln(Σ_i f_p(λ_i, s)/m_p).
func (k *modulated) Log(theta, dtheta []float64, c float64) float64 {
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
		mean += share * b.f.value(b.delta, b.b[g], s, b.alpha)
	}
	if dtheta != nil {
		for g, share := range p.spectrum.share {
			ds += b.gatherAt(g, s, c*share/mean, true)
		}
		b.flush(dtheta)
	}
	return math.Log(mean), ds
}
