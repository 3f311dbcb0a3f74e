package acq

import "math"

// An edge a of N(mean, sd²) has z = (a − mean)/sd and ψ(a) = sd·h(z), the expected distance
// below a (h as in logImprovement).
type edge struct {
	z          float64
	logh       float64 // log h(z)
	pdf, below float64 // φ(z)/h(z) and Φ(z)/h(z)

	mirrored              bool    // and then:
	over, beyond, density float64 // h(−z), Φ(−z) and φ(z)
}

func newEdge(z float64) edge {
	if z > tailStart { // the other form is 0/0 at z = 0
		p, c := normalPDF(z), normalCDF(z)
		h := p + z*c
		return edge{z: z, logh: math.Log(h), pdf: p / h, below: c / h}
	}
	e := edge{z: z}
	e.logh, e.pdf = logImprovement(z)
	e.below = (e.pdf - 1) / -max(z, -1e150)
	return e
}

// mirror computes the values at an edge for the slabs above the mean; several slabs share an edge.
func (e *edge) mirror() {
	if !e.mirrored {
		logh, _ := logImprovement(-e.z)
		e.mirrored, e.over, e.beyond, e.density = true, math.Exp(logh), normalCDF(-e.z), normalPDF(e.z)
	}
}

// slab is log[ψ(u) − ψ(l)], the logarithm of the expected length of the part of (l, u)
// above N(mean, sd²), and the derivatives by mean and variance. ψ of an l at −∞ is 0.
//
//	l = −∞           log ψ(u)
//	narrow           log of ∫Φ over (z_l, z_u) by Gauss–Legendre, in logarithms
//	z_l ≥ 0          log of u − l less what is above
//	else             log h(z_u) + log[1 − h(z_l)/h(z_u)]
type slab struct{ log, dmean, dvar float64 }

func newSlab(lower, upper *edge, length, sd, logsd float64) slab {
	if math.IsInf(lower.z, -1) {
		return slab{upper.logh + logsd, -upper.below / sd, upper.pdf / (2 * sd * sd)}
	}
	switch width := length / sd; {
	case width*max(1, math.Abs(lower.z), math.Abs(upper.z)) < 0.25:
		return narrow(lower.z, width, length, sd)
	case lower.z >= 0:
		lower.mirror()
		upper.mirror()
		f := length - sd*(lower.over-upper.over)
		return slab{
			math.Log(f),
			-(lower.beyond - upper.beyond) / f,
			(upper.density - lower.density) / (2 * sd * f),
		}
	}
	x := upper.logh - lower.logh // > 0
	// h(z_u) and h(z_l) as multiples of their difference
	up, low := 1/-math.Expm1(-x), 1/math.Expm1(x)
	return slab{
		upper.logh + math.Log(-math.Expm1(-x)) + logsd,
		-(upper.below*up - lower.below*low) / sd,
		(upper.pdf*up - lower.pdf*low) / (2 * sd * sd),
	}
}

// narrow integrates over an interval in which Φ is smooth; the same nodes give
// Φ(z_u) − Φ(z_l) = ∫φ and φ(z_u) − φ(z_l) = −∫zφ.
func narrow(z, width, length, sd float64) slab {
	var logs, ratios, at [4]float64
	top := math.Inf(-1)
	for k, n := range legendre4 {
		at[k] = z + n.at*width
		logs[k], ratios[k] = logProbability(at[k])
		top = max(top, logs[k])
	}
	sum, pdf, moment := 0.0, 0.0, 0.0
	for k, n := range legendre4 {
		w := n.weight * math.Exp(logs[k]-top)
		sum += w
		pdf += w * ratios[k]
		moment += w * ratios[k] * at[k]
	}
	return slab{math.Log(length) + top + math.Log(sum), -pdf / sum / sd, -moment / sum / (2 * sd * sd)}
}
