package acq

import (
	"fmt"
	"math"
	"slices"
)

// chebyshevRho is the weight of the sum in the augmented Chebyshev scalarisation.
const chebyshevRho = 0.05

// NewChebyshev returns the logarithm of the expected improvement of the augmented Chebyshev scalarisation g = maxⱼ
// wⱼ·f̄ⱼ + 0.05·Σ wⱼ·f̄ⱼ below incumbent, with f̄ⱼ = (fⱼ − ideal[j])/span[j] (Knowles 2006,
// doi:10.1109/TEVC.2005.851274). The maximum is taken exactly, from P(max ≤ t) = ∏ Φ((t/wⱼ − μⱼ)/σⱼ); the sum at the
// predicted means. It refuses numbers that are not finite, weights that are negative or all 0, and spans that are not
// positive.
func NewChebyshev(weights, ideal, span []float64, incumbent float64) (Joint, error) {
	c := &chebyshev{incumbent: incumbent}
	if notFinite(incumbent) {
		return Joint{}, fmt.Errorf("the scalarised incumbent must be finite, not %v", incumbent)
	}
	for j, w := range weights {
		if notFinite(w) || w < 0 || notFinite(ideal[j]) || !(span[j] > 0) || math.IsInf(span[j], 1) {
			return Joint{}, fmt.Errorf("weight %v, ideal %v, span %v: no scalarisation", w, ideal[j], span[j])
		}
		c.parts = append(c.parts, part{w, ideal[j], span[j]})
	}
	if !slices.ContainsFunc(weights, func(w float64) bool { return w > 0 }) {
		return Joint{}, fmt.Errorf("weights %v: one must be positive", weights)
	}
	return Joint{true, c.score, c.bound}, nil
}

type chebyshev struct {
	parts     []part
	incumbent float64
}

// A part scales one quantity.
type part struct{ weight, ideal, span float64 }

// A scaled prediction of one quantity: of f̄, with its weight; moves as in deviation.
type scaled struct {
	weight, mean, sd float64
	moves            bool
}

// scale holds the parameters of a score: the predictions that have a weight, and the end of the integral.
func (c *chebyshev) scale(mean, variance []float64) (s []scaled, end float64) {
	s = make([]scaled, len(c.parts))
	end = c.incumbent
	for j, p := range c.parts {
		sd, moves := deviation(variance[j])
		s[j] = scaled{p.weight, (mean[j] - p.ideal) / p.span, sd / p.span, moves}
		end -= chebyshevRho * p.weight * s[j].mean
	}
	return s, end
}

// logProduct is log ∏ Φ((t/wⱼ − μⱼ)/σⱼ).
func logProduct(s []scaled, t float64) float64 {
	sum := 0.0
	for _, p := range s {
		if p.weight > 0 {
			l, _ := logProbability((t/p.weight - p.mean) / p.sd)
			sum += l
		}
	}
	return sum
}

// The integral is split where the integrand has fallen by so many nats, and around
// the steps of its factors, at so many standard deviations.
var (
	falls = [...]float64{0.5, 3, 10, 40}
	steps = [...]float64{-6, -3.5, -1.5, 0, 1.5, 3.5, 6}
)

// panels are the ends of the parts into which the integral is split, from the right, as distances to the left of end.
func panels(s []scaled, end float64) []float64 {
	step, atEnd, last := math.Inf(1), logProduct(s, end), 0.0
	for _, p := range s {
		if p.weight > 0 {
			step = min(step, p.weight*p.sd)
		}
	}
	out := []float64{0}
	for _, fall := range falls {
		last = fallen(s, end, atEnd-fall, last, step)
		out = append(out, last)
	}
	for _, p := range s {
		for _, z := range steps {
			if d := end - p.weight*(p.mean+z*p.sd); d > 0 && d < last {
				out = append(out, d)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// score is ∫ up to the end of the product of probabilities, which falls ever faster to the left.
func (c *chebyshev) score(mean, variance, dmean, dvar []float64) float64 {
	s, end := c.scale(mean, variance)
	ends := panels(s, end)
	at, logs := make([]float64, 0, 8*len(ends)), make([]float64, 0, 8*len(ends))
	var ratios []float64 // φ/Φ of every quantity at every node
	for k, left := range ends[1:] {
		right := ends[k]
		width := math.Log(left - right)
		for _, n := range legendre8 {
			t := end - right - n.at*(left-right)
			sum := math.Log(n.weight) + width
			for _, p := range s {
				l, ratio := 0.0, 0.0
				if p.weight > 0 {
					l, ratio = logProbability((t/p.weight - p.mean) / p.sd)
				}
				if sum += l; dmean != nil {
					ratios = append(ratios, ratio)
				}
			}
			at, logs = append(at, t), append(logs, sum)
		}
	}
	top := slices.Max(logs)
	sum := 0.0
	for k, l := range logs {
		logs[k] = math.Exp(l - top)
		sum += logs[k]
	}
	score := top + math.Log(sum)
	if dmean == nil {
		return score
	}
	clear(dmean)
	clear(dvar)
	atEnd := math.Exp(logProduct(s, end) - score) // slope by the end of the integral
	for j, p := range s {
		if p.weight == 0 {
			continue
		}
		for k, t := range at {
			z := (t/p.weight - p.mean) / p.sd
			w := logs[k] / sum * ratios[k*len(s)+j]
			dmean[j] -= times(w, 1/p.sd)
			dvar[j] -= times(w, z/(2*p.sd*p.sd))
		}
		dmean[j] -= chebyshevRho * p.weight * atEnd
		dmean[j] /= c.parts[j].span
		if dvar[j] /= c.parts[j].span * c.parts[j].span; !p.moves {
			dvar[j] = 0
		}
	}
	return score
}

// fallen is about how far to the left of end the product has fallen to a level; from is not as far.
func fallen(s []scaled, end, level, from, step float64) float64 {
	low, high := from, from+step
	for k := 0; k < 200 && logProduct(s, end-high) > level; k++ {
		low, high = high, from+2*(high-from)
	}
	for range 12 {
		if middle := (low + high) / 2; logProduct(s, end-middle) > level {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// bound is a bound: no quantity alone expects less, and the expectation grows with the variance.
func (c *chebyshev) bound(mean, variance []float64) float64 {
	s, end := c.scale(mean, variance)
	bound := math.Inf(1)
	for _, p := range s {
		if p.weight > 0 {
			l, _ := logImprovement((end/p.weight - p.mean) / p.sd)
			bound = min(bound, l+math.Log(p.weight*p.sd))
		}
	}
	return bound + 1e-7*max(1, math.Abs(bound))
}
