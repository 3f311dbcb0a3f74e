package gp

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/kernels"
)

// describe fills the report from the final model, that of p. A later fit starts from the fitted values, before sparse.
func (s *search) describe(m *Model, rep *Report, p *problem, fitted []float64) {
	theta, lml, u := slices.Clone(m.theta), m.lml, m.units
	constant := p.plane != nil && p.plane.constant > 0
	if constant { // the likelihood is reported given the constant that is printed: by Bayes' theorem
		prior, beside := p.plane.constant, m.weights()[len(p.plane.coords)]
		theta[p.meanAt()] += beside
		lml += (beside*beside/prior - math.Log(1-prior*m.onesK)) / 2
	}
	var grad []float64 // at theta, once a bound is met
	shift := float64(p.total) * u.logScale()
	rep.LogMarginalLikelihood = lml - shift
	rep.LogPosterior = m.posterior - shift
	rep.Hyper, rep.Warm.Hyper = make(map[string]float64), make(map[string]float64)
	for i, q := range p.params {
		if i == p.signalAt() && hasWeights(p.params[:i]) {
			continue // held at 1: weights take its place
		}
		d, v := p.dimension(i), theta[i]
		rep.Hyper[q.Name] = Clamped(d.user(v, u))
		if q.Weight {
			rep.Warm.Hyper[q.Name] = fitted[i]
		} else if d == plain {
			rep.Warm.Hyper[q.Name] = v
		} else {
			rep.Warm.Hyper[relative+q.Name] = v
		}
		rep.Ranges = append(rep.Ranges, s.p.rangeOf(i, theta)) // with the bounds that sparse had
		if q.Choices > 0 || q.Lo == q.Hi {
			continue
		}
		if p.priors && q.Prior != nil && (q.Scale == kernels.Linear || p.flatPrior(q)) {
			rep.LogPosterior -= d.logFactor(u) // a density per unit of y; logarithms have none
		}
		r := rep.Ranges[len(rep.Ranges)-1]
		if r.Met == "" || rep.Fallback != "" || s.cut {
			continue
		}
		if grad == nil {
			s.narrow()
			grad = s.p.gradient(m.theta)
		}
		if p.stops(i, r.Met, theta[i], grad[i]) {
			rep.Stopped = append(rep.Stopped, r)
		}
	}
	if p.kriging {
		rep.Hyper["noise"] = Clamped(m.Noise())
	}
	if rep.Rejected > 0 && 2*rep.Rejected > rep.Evaluations {
		rep.Warnings = append(rep.Warnings,
			fmt.Sprintf("%d of %d matrices were not positive definite", rep.Rejected, rep.Evaluations))
	}
	rep.LOO = sync.OnceValue(m.leaveOneOut)
}

// climbing is the least slope of the log posterior with which a bound counts as the end of a fit, by a factor of e or
// over the whole range. Hyperparameters without influence reach their bounds as well, with slopes below 0.01.
const climbing = 0.1

// stops reports whether the log posterior still climbs, with the derivative grad, at the bound
// that hyperparameter i has met with the value v. The limits of a kernel's own definition are no such bounds, and
// neither is the least noise with which matrices are stable.
func (p *problem) stops(i int, met string, v, grad float64) bool {
	q := p.params[i]
	if _, noise, _ := modelParams(); i == p.noiseAt() && met == "lower" && q.Lo <= noise.Lo {
		return false
	}
	if q.Scale != kernels.Log {
		v = q.Hi - q.Lo
		if i < p.kernelParams {
			own := p.kernel.Params()[i]
			if met == "lower" && q.Lo == own.Lo || met == "upper" && q.Hi == own.Hi {
				return false
			}
		}
	}
	return met == "lower" && grad*v < -climbing || met == "upper" && grad*v > climbing
}

// gradient is that of the log posterior at theta, with variances held in place of weights.
func (p *problem) gradient(theta []float64) []float64 {
	e := newEvaluator(p)
	at := slices.Clone(theta)
	e.evaluate(at)
	e.differentiate(at)
	holdVariances(p.params, theta, e.grad)
	return e.grad
}

// rangeOf describes hyperparameter i of theta: the other values limit the bounds and the prior of a weight.
func (p *problem) rangeOf(i int, theta []float64) Range {
	q, d, v, mean := p.params[i], p.dimension(i), fitted(p.params, theta, i), 1.0
	integrated := p.plane != nil && p.plane.constant > 0 && i == p.meanAt()
	if integrated {
		q = p.plane.declared
	}
	if relativeAt(q) {
		mean = v / theta[i]
	}
	user := func(v float64) float64 { return Clamped(d.user(v/mean, p.units)) }
	r := Range{
		Name: q.Name, Value: user(v), Low: user(q.Lo), High: user(q.Hi),
		Closed: integrated || p.profile && i == p.meanAt() || p.kriging && i == p.signalAt(),
	}
	if q.Choices > 0 {
		r.Low, r.High = 0, float64(q.Choices-1)
		return r
	}
	if q.Lo == q.Hi {
		return r
	}
	if p.priors && q.Prior != nil {
		r.Prior = &[2]float64{user(q.Prior.Quantile(0.05)), user(q.Prior.Quantile(0.95))}
	}
	if !r.Closed {
		r.Met = boundMet(q.Lo, q.Hi, v)
	}
	return r
}

// boundMet names the bound v touches, within 1e-6 of the range.
func boundMet(lo, hi, v float64) string {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*max(math.Abs(b), 1e-6*(hi-lo)) }
	switch {
	case near(v, lo):
		return "lower"
	case near(v, hi):
		return "upper"
	}
	return ""
}

// Clamped is v, or the largest float64 of its sign where the units of the objective made it overflow.
func Clamped(v float64) float64 {
	return min(max(v, -math.MaxFloat64), math.MaxFloat64)
}

// leaveOneOut predicts every point from the others in closed form (Rasmussen & Williams 2006, Eqs. 5.10–5.12). The
// constant of the mean is that of all points, the weights of a plane are integrated out.
func (m *Model) leaveOneOut() LOO {
	n, u, scale := m.x.Len(), m.units, 1.0
	if m.kriging {
		scale = m.theta[m.kernelParams]
	}
	inverse := newMatrix(n) // L⁻ᵀ: its rows' squared norms are the diagonal of T⁻¹
	m.l.inverseTransposed(inverse)
	l := LOO{Mean: make([]float64, n), Std: make([]float64, n), Observed: make([]float64, n)}
	mean, sq := 0.0, 0.0
	for i, y := range m.y {
		row := inverse.row(i)[i:]
		kinv := floats.Dot(row, row)
		miss := m.alpha[i] / kinv
		v := scale / kinv
		l.RMSE += miss * miss
		l.LogLoss += halfLog2Pi + math.Log(v)/2 + miss*miss/(2*v)
		if math.Abs(miss) <= 1.6448536269514722*math.Sqrt(v) { // Φ⁻¹(0.95)
			l.Coverage90++
		}
		l.Mean[i], l.Std[i], l.Observed[i] = u.Value(y-miss), u.Deviation(math.Sqrt(v)), u.Value(y)
		mean += y
		sq += y * y
	}
	total := float64(n)
	mean /= total
	spread := sq/total - mean*mean
	l.RMSE = u.Deviation(math.Sqrt(l.RMSE / total))
	l.LogLoss /= total
	l.StdLogLoss = l.LogLoss - (halfLog2Pi + math.Log(spread)/2 + 0.5)
	l.LogLoss += u.logScale()
	l.Coverage90 /= total
	if !(spread > 0) {
		l.StdLogLoss = 0
	}
	return l
}
