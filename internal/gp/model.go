package gp

import (
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A Model is a Gaussian process conditioned on observations. It is immutable and safe for concurrent use; predictions
// go through one Predictor per goroutine.
//
// With T = a·k + diag(noise) the factored training matrix (a = signal; Kriging: 1), mean(q) = μ + k(q)·beta and
// variance(q) = c·k(q, q) − b·|F⁻¹k(q)|², all standardised, k(q) the correlations with the training points.
type Model struct {
	units        Units
	kernel       kernels.Kernel
	cov          kernels.Cov // bound to the points of the fit
	theta        []float64   // the kernel's own, then signal, noise, mean (standardised)
	kernelParams int         // entries of theta that are the kernel's
	kriging      bool
	obsNoise     float64 // σ_n², standardised
	plane        *basis  // the covariance of a linear mean; nil: none
	x            *points.Set
	y            []float64 // standardised

	a           float64
	l           matrix    // factor of T
	alpha, beta []float64 // T⁻¹(y − μ), the weights of the mean
	f           matrix    // the factor F: l, or of k alone when re-interpolating
	c, b        float64
	reinterp    bool
	flip        *flipped // of a kernel that needs one; else nil

	fixed  []Fixed                 // values that complete points without the last coordinates; nil: none
	latest *atomic.Pointer[latent] // the latent that was last asked for; nil for models made of others

	lml, posterior float64 // of the standardised data
	onesK          float64 // 1'T⁻¹1
}

// bind is the kernel with its hyperparameters and reference points x.
func (m *Model) bind(x *points.Set) kernels.Cov {
	signal := 1.0
	if !m.kriging {
		signal = m.theta[m.kernelParams]
	}
	return m.plane.with(m.cov.With(x), x, signal)
}

// flipped is the spectrum flip of a model's training matrix.
type flipped struct {
	t     blas64.General // T
	noise []float64      // of every training point
}

// Noise is the observation noise variance σ_n² in squared units of y.
func (m *Model) Noise() float64 { return m.units.Variance(m.obsNoise) }

// StandardNoise is Noise in squared standardised units.
func (m *Model) StandardNoise() float64 { return m.obsNoise }

// Units is the map between objective and standardised values.
func (m *Model) Units() Units { return m.units }

// Len is the number of points the model is conditioned on.
func (m *Model) Len() int { return m.x.Len() }

// jitterLadder holds the jitters that are tried in turn, relative to the mean diagonal of the kernel matrix.
var jitterLadder = []float64{0, 1e-10, 1e-8, 1e-6, 1e-4}

// maxCondition is the condition number, estimated in the 1-norm, that a factorised kernel matrix must stay below.
const maxCondition = 1e11

// newModel conditions p's data on theta (completed in place: profiled mean,
// Kriging variance), and returns the condition number. It reports false where no rung of the ladder is stable.
func newModel(p *problem, theta []float64) (m *Model, jitter, cond float64, ok bool) {
	q := *p
	for _, jitter = range jitterLadder {
		q.jitter = jitter
		e := newEvaluator(&q)
		e.measure = true
		t := slices.Clone(theta)
		if !e.evaluate(t) {
			continue
		}
		if cond = e.condition(); cond < maxCondition {
			m = assemble(&q, e, t)
			m.lml, m.posterior, m.onesK = e.lml, e.posterior, e.onesK
			m.latest = &atomic.Pointer[latent]{}
			return m, jitter, cond, true
		}
	}
	return nil, jitter, cond, false
}

// condition estimates the condition number of the factorised matrix in the 1-norm; never above the true one.
func (e *evaluator) condition() float64 {
	n := e.k.n
	x, work, sign := make([]float64, n), make([]float64, n), make([]int, n)
	var inverse float64 // the norm of the inverse (Higham 1988, doi:10.1145/50063.214386)
	var state [3]int
	for kase := 0; ; {
		if inverse, kase = lapacke.Dlacn2(n, work, x, sign, inverse, kase, &state); kase == 0 {
			return e.norm * inverse
		}
		e.k.solve(x)
		e.k.solveTransposed(x, 0)
	}
}

// assemble is the model of e's last evaluation.
func assemble(p *problem, e *evaluator, theta []float64) *Model {
	n := p.x.Len()
	m := &Model{
		units: p.units, x: p.x, y: p.y, kernel: p.kernel, cov: e.cov, theta: theta,
		kernelParams: p.kernelParams, kriging: p.kriging,
		obsNoise: theta[p.noiseAt()], plane: p.plane, a: theta[p.signalAt()], l: e.k, alpha: slices.Clone(e.alpha),
	}
	m.c, m.b = m.a, m.a*m.a
	if p.kriging {
		m.a, m.b = 1, theta[p.signalAt()]
		m.c = m.b
		m.obsNoise *= m.b
	}
	m.f = m.l
	if p.flip {
		m.flip = &flipped{e.flip.transform(), slices.Clone(e.noise)}
	}
	if p.kriging && p.reinterpolate {
		m.reinterpolate(p, e)
	}
	m.setBeta(n)
	return m
}

// setBeta derives the weights of the mean from alpha.
func (m *Model) setBeta(n int) {
	m.beta = make([]float64, n)
	for i, a := range m.alpha {
		m.beta[i] = m.a * a
	}
	if m.flip != nil {
		v := slices.Clone(m.beta)
		blas64.Gemv(blas.Trans, 1, m.flip.t, vector(v), 0, vector(m.beta))
	}
}

// reinterpolate replaces the variance by that of the process interpolating the
// regression's predictions: σ̂² = α'Kα/n with K free of the nugget.
func (m *Model) reinterpolate(p *problem, e *evaluator) {
	n := p.x.Len()
	quad := 0.0 // α'Kα = α'(y − μ) − α'·diag(noise)·α
	for i, a := range m.alpha {
		quad += a * (m.y[i] - m.meanAt(m.x, i) - e.noise[i]*a)
	}
	for _, jitter := range jitterLadder {
		noise := slices.Repeat([]float64{max(jitter, 0x1p-52) * e.diag}, n)
		r := newEvaluator(p)
		fillTriangle(r.k, m.bind(p.x), p.x, noise)
		if p.flip {
			r.flip.apply(r.k.data)
		}
		if r.k.factor() {
			m.f = r.k
			m.c = quad / float64(n)
			m.b = m.c
			m.reinterp = true
			return
		}
	}
}

// fillTriangle sets the lower triangle of k to the covariances of x plus noise.
func fillTriangle(k matrix, cov kernels.Cov, x *points.Set, noise []float64) {
	for i := range x.Len() {
		row := k.row(i)[:i+1]
		cov.Row(row, x, i, 0)
		row[i] += noise[i]
	}
}

// A Fixed is a coordinate that all points have alike.
type Fixed struct {
	Value  float64
	Active bool
}

// Section returns the model with its last coordinates fixed. Points given to it and to its predictors lack those
// coordinates, and gradients do; points that have them are taken as they are.
func (m *Model) Section(last ...Fixed) *Model {
	out := *m
	out.fixed = last
	out.latest = nil
	return &out
}

// completed are points with the last coordinates where they lack those.
func (m *Model) completed(q *points.Set) *points.Set {
	if m.fixed == nil || q.Dim() == m.x.Dim() {
		return q
	}
	for _, f := range m.fixed {
		q = q.Extend(f.Value)
		if !f.Active {
			clear(q.MakeActivity(q.Dim() - 1))
		}
	}
	return q
}
