package gp

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack"

	"bohier/internal/kernels"
)

// With K = signal·k + noise and residuals r = y − μ, the log marginal likelihood is −½r'K⁻¹r − ½ln|K| −
// ½n·ln 2π, and its derivative by a hyperparameter ½tr((αα' − K⁻¹)∂K), α = K⁻¹r (Rasmussen & Williams 2006,
// Gaussian Processes for Machine Learning, eq. 5.8 and 5.9, algorithm 2.1). One Cholesky factor gives both: kernels
// pull the weights αα' − K⁻¹ back to all hyperparameters at once.

// A problem is the function that a fit maximises: standardised data, a kernel and the
// hyperparameters' declarations. It is read-only while evaluators run.
//
// The hyperparameter vector theta holds the kernel's own values, then signal, noise and mean (see layout). In the
// Kriging form noise is the nugget η, a share of the process variance, and signal and mean are outputs.
type problem struct {
	*data
	kernel       kernels.Kernel
	params       []kernels.Param // one per entry of theta
	kernelParams int             // entries belonging to the kernel; then signal, noise, mean
	kriging      bool
	// The variance of the Kriging form is that of the process without its nugget.
	reinterpolate bool
	flip          bool
	priors        bool   // add the log priors
	profile       bool   // the mean is set to its optimum in closed form
	plane         *basis // of a linear mean; nil: none
	meanPrec      float64
	meanMode      float64
	jitter        float64 // relative to the mean diagonal of the kernel matrix
	free          []int   // continuous entries of theta that are optimised
	choices       []int   // categorical entries that are optimised
}

func (p *problem) signalAt() int { return p.kernelParams }
func (p *problem) noiseAt() int  { return p.kernelParams + 1 }
func (p *problem) meanAt() int   { return p.kernelParams + 2 }

// signal is the factor of the kernel in the matrix that is factorised.
func (p *problem) signal(theta []float64) float64 {
	if p.kriging {
		return 1
	}
	return theta[p.signalAt()]
}

// An evaluator computes the log likelihood on storage of its own.
type evaluator struct {
	p       *problem
	cov     kernels.Cov
	k       matrix    // lower triangle: covariance, factor, inverse
	u       matrix    // L⁻ᵀ, made by the first gradient
	alpha   []float64 // K⁻¹(y − μ)
	ones    []float64 // L⁻¹1
	weights []float64
	grad    []float64 // with respect to theta
	noise   []float64 // the diagonal added to signal·k
	flip    *spectrumFlip
	tape    kernels.Tape // the parts of the kernel matrix that the gradient needs
	plane   matrix       // the covariance of a linear mean

	// Results of the last evaluation.
	lml       float64 // log marginal likelihood of the standardised data
	posterior float64 // lml plus the log priors in use
	quad      float64
	logdet    float64
	onesK     float64 // 1'K⁻¹1
	diag      float64 // mean diagonal of the covariance
	norm      float64 // its 1-norm, where measure is set
	scale     float64 // of alpha·alpha' against the inverse
	ddone     float64 // the derivative by the noise of the term of repeated measurements
	measure   bool
	evals     int
	rejected  int // matrices that were not positive definite
}

func newEvaluator(p *problem) *evaluator {
	n := p.x.Len()
	e := &evaluator{
		p:     p,
		k:     newMatrix(n),
		alpha: make([]float64, n), ones: make([]float64, n), weights: make([]float64, n),
		noise: make([]float64, n), grad: make([]float64, len(p.params)),
	}
	if p.flip {
		e.flip = newSpectrumFlip(n)
	}
	if p.plane != nil {
		e.plane = newMatrix(n)
		p.plane.gram(e.plane, p.x)
	}
	return e
}

// covariance fills the lower triangle with signal·k + noise (Kriging: k + η), and the covariance of a linear mean.
func (e *evaluator) covariance(theta []float64) {
	p, n := e.p, e.k.n
	s := p.signal(theta)
	if !e.measure { // its matrix is made once: the tape costs memory
		e.cov.Gram(e.k.data, n, &e.tape)
	} else {
		for i := range n {
			e.cov.Row(e.k.data[i*n:i*n+i+1], p.x, i, 0)
		}
	}
	for i := range e.plane.n {
		blas64.Axpy(1/s, vector(e.plane.row(i)[:i+1]), vector(e.k.row(i)[:i+1]))
	}
	if p.flip {
		e.flip.apply(e.k.data)
	}
	trace := 0.0
	for i := range n {
		row := e.k.data[i*n : i*n+i+1]
		if s != 1 {
			for j := range row {
				row[j] *= s
			}
		}
		trace += row[i]
	}
	e.diag = trace / float64(n)
	jitter := p.jitter * e.diag
	for i := range n {
		e.noise[i] = p.noise(i, theta[p.noiseAt()])/p.count[i] + jitter
		e.k.data[i*n+i] += e.noise[i]
	}
	if e.measure {
		e.norm = lapacke.Dlansy(lapack.MaxColumnSum, blas.Lower, e.k.n, e.k.data, max(e.k.n, 1), e.weights)
	}
}

// evaluate computes the log likelihood (and log posterior) at theta, whose mean it sets when the mean is profiled, and
// whose signal in the Kriging form. It reports false where the covariance matrix is not positive definite or the value
// is not finite.
func (e *evaluator) evaluate(theta []float64) bool {
	p, n := e.p, e.k.n
	e.evals++
	if e.cov == nil {
		e.cov = p.kernel.Bind(theta[:p.kernelParams], p.x)
	} else {
		e.cov.Rebind(theta[:p.kernelParams])
	}
	e.covariance(theta)
	if !e.k.factor() {
		e.rejected++
		return false
	}
	e.solve(theta)
	noise := theta[p.noiseAt()]
	var done float64
	done, e.ddone = p.completion(noise)
	total := float64(p.total)
	e.scale = 1
	if p.kriging {
		var extra float64
		done, e.ddone, extra = p.nuggetCompletion(noise)
		variance := (e.quad + extra) / total
		if !(variance > 0) {
			return false
		}
		theta[p.signalAt()] = variance
		e.scale = 1 / variance
		if extra > 0 {
			e.ddone += e.scale * extra / (2 * noise)
		}
		e.lml = -(total*(2*halfLog2Pi+math.Log(variance)+1)+e.logdet)/2 + done
	} else {
		e.lml = -(e.quad+e.logdet)/2 - float64(n)*halfLog2Pi + done
	}
	e.posterior = e.lml
	if p.priors {
		e.addPriors(theta, nil)
	}
	return !math.IsNaN(e.posterior) && !math.IsInf(e.posterior, 0)
}

// solve fills alpha, quad, logdet and the estimated mean from the factor.
func (e *evaluator) solve(theta []float64) {
	p, n, l := e.p, e.k.n, e.k
	e.logdet = 0
	for i := range n {
		e.logdet += 2 * math.Log(e.k.data[i*n+i])
		e.ones[i] = 1
	}
	copy(e.alpha, p.y)
	if t := p.kernel.Trend(); t != nil {
		for i := range e.alpha {
			e.alpha[i] -= t.At(theta, p.x, i)
		}
	}
	l.solve(e.alpha)
	l.solve(e.ones)
	e.onesK = floats.Dot(e.ones, e.ones)
	if p.profile {
		m := p.params[p.meanAt()]
		mu := (floats.Dot(e.ones, e.alpha) + p.meanPrec*p.meanMode) / (e.onesK + p.meanPrec)
		if !p.kriging {
			mu = min(max(mu, m.Lo), m.Hi) // the posterior of the mean is concave
		}
		theta[p.meanAt()] = mu
	}
	blas64.Axpy(-theta[p.meanAt()], vector(e.ones), vector(e.alpha))
	e.quad = floats.Dot(e.alpha, e.alpha)
	l.solveTransposed(e.alpha, 0)
}

// differentiate fills e.grad with the derivative of the posterior with respect to theta, where it was evaluated last.
// It turns the factor into the inverse and pulls the weights ½(c·αα' − K⁻¹) back to every hyperparameter.
func (e *evaluator) differentiate(theta []float64) {
	p, n, c := e.p, e.k.n, e.scale
	if e.u.data == nil {
		e.u = newMatrix(n)
	}
	e.k.invert(e.u)
	clear(e.grad)
	s := p.signal(theta)
	dnoise, fixed := 0.0, 0.0
	for i := range n {
		row := e.k.data[i*n : i*n+i+1]
		ai := c * e.alpha[i]
		for t, kinv := range row {
			row[t] = s * (ai*e.alpha[t] - kinv) // twice ½: (i, t) and (t, i)
		}
		row[i] /= 2
		dnoise += row[i] / (s * p.count[i]) * p.part(i)
		fixed += row[i] / s * e.noise[i]
	}
	if p.flip {
		e.flip.pull(e.k.data)
	}
	for i := range e.plane.n {
		fixed += floats.Dot(e.k.row(i)[:i+1], e.plane.row(i)[:i+1]) / s
	}
	e.cov.PullGram(e.grad[:p.kernelParams], e.k.data, n, &e.tape)
	if t := p.kernel.Trend(); t != nil {
		for i, a := range e.alpha { // ∂/∂m of the log likelihood is T⁻¹(y − m)
			t.Pull(e.grad, c*a, theta, p.x, i)
		}
	}
	if !p.kriging {
		// tr(W·s·k) is tr(W·K) less that of the noise and the linear mean, and tr(W·K) = ½(α'(y−μ) − n).
		e.grad[p.signalAt()] = ((e.quad-float64(n))/2 - fixed) / s
	}
	e.grad[p.noiseAt()] = dnoise + e.ddone
	if !p.profile {
		for _, a := range e.alpha {
			e.grad[p.meanAt()] += a
		}
	}
	if p.priors {
		e.addPriors(theta, e.grad)
	}
}

// addPriors adds the log prior density of every free entry, or its gradient to grad, as a density of the coordinate it
// is optimised in: then the maximum does not depend on how a kernel spells a hyperparameter (a weight 1/ℓ² or a
// lengthscale ℓ), and a log-normal prior has its mode at its median. A uniform prior that is maximised is the
// exception: it is flat in the hyperparameter itself, where the density of the logarithm would pull to its upper end.
func (e *evaluator) addPriors(theta, grad []float64) {
	for i, q := range e.p.params {
		if q.Prior == nil || q.Lo == q.Hi || q.Choices > 0 {
			continue
		}
		v := fitted(e.p.params, theta, i)
		lp, d := q.Prior.LogDensity(v)
		if !e.p.flatPrior(q) {
			lj, dj := logJacobian(q, v)
			lp, d = lp+lj, d+dj
		}
		switch {
		case grad == nil:
			e.posterior += lp
		case i == e.p.meanAt() && e.p.profile:
		case relativeAt(q):
			grad[i] += d * v / theta[i]
			q.Of(theta, grad, d*v)
		default:
			grad[i] += d
		}
	}
}

// flatPrior reports whether a prior is to say nothing within its range.
func (p *problem) flatPrior(q kernels.Param) bool {
	prior := q.Prior
	if u, ok := prior.(unitPrior); ok {
		prior = u.Prior
	}
	_, uniform := prior.(kernels.Uniform)
	return uniform
}

// nuggetCompletion is completion in units of the process variance: terms that do not depend on it, their derivative,
// and the sum of squares to be divided by it.
func (d *data) nuggetCompletion(eta float64) (l, dl, extra float64) {
	for i, k := range d.count {
		if k == 1 {
			continue
		}
		if eta == 0 {
			if d.ss[i] > 0 {
				return math.Inf(-1), 0, 0
			}
			continue
		}
		l -= (k-1)*math.Log(eta)/2 + math.Log(k)/2
		dl -= (k - 1) / (2 * eta)
		extra += d.ss[i] / eta
	}
	return l, dl, extra
}
