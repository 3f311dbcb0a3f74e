package gp

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// Fit chooses hyperparameters for observations y (to be minimised) at x and conditions the model on them. The errors
// are those of misuse, of ctx, and *FallbackError where the data allow no surrogate.
func Fit(ctx context.Context, k kernels.Kernel, x *points.Set, y []float64, o Options) (*Model, *Report, error) {
	o = o.withDefaults()
	if x.Len() != len(y) || o.Stderr != nil && len(o.Stderr) != len(y) {
		panic("gp: observations of different length")
	}
	if len(y) == 0 {
		return nil, nil, &FallbackError{Reason: "empty"}
	}
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, nil, fmt.Errorf("gp: observation %d is %v", i, v)
		}
		if o.Stderr != nil && !(o.Stderr[i] >= 0 && !math.IsInf(o.Stderr[i], 0)) {
			return nil, nil, fmt.Errorf("gp: standard error %d is %v", i, o.Stderr[i])
		}
	}
	if o.Mean == "linear" && len(o.Linear) != x.Dim() {
		return nil, nil, fmt.Errorf("gp: a linear mean needs the widths of %d coordinates, got %d", x.Dim(), len(o.Linear))
	}
	units, flat := UnitsOf(y)
	params, err := standardParams(k, o.Params, units)
	if err != nil {
		return nil, nil, err
	}
	p := newProblem(k, params, o)
	if flat && (p.kriging || len(p.free)+len(p.choices) > 0 || p.profile) {
		return nil, nil, &FallbackError{Reason: "flat"}
	}
	var warnings []string
	if p.kriging && o.Stderr != nil {
		o.Stderr = nil
		warnings = append(warnings, "the kriging form makes no use of standard errors")
	}
	data, vague := standardise(x, y, o.Stderr, o.Of, units)
	if vague > 0 {
		warnings = append(warnings, fmt.Sprintf("%d of %d observations have standard errors above %d times the spread of "+
			"the values, and count as if they had that", vague, len(y), maxStderr))
	}
	p.data = data
	m, rep, err := p.run(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	rep.Warnings = append(warnings, rep.Warnings...)
	return m, rep, nil
}

// run fits hyperparameters and conditions on the data, each on a subset where
// there are many points, stepping down the ladder of numeric safety.
func (p *problem) run(ctx context.Context, o Options) (*Model, *Report, error) {
	rep := &Report{}
	s, now := newSearch(p, o), p.fittedTo()
	held := s.holds(now)
	if held == nil && s.more() {
		s.narrow()
		if err := s.coarse(ctx); err != nil {
			return nil, nil, err
		}
	}
	var m *Model
	var target *problem
	var fitted []float64
	var idle int
	for rung := 0; ; rung++ {
		theta := held
		if rep.Held, held = held != nil, nil; !rep.Held && !s.cut {
			s.narrow()
			var err error
			if theta, err = s.run(ctx); err != nil {
				return nil, nil, err
			}
		}
		if theta == nil && s.cut {
			theta = s.begin()
		}
		if theta != nil {
			var ok bool
			if target == nil {
				limit := o.MaxExact
				if s.cut {
					limit = min(limit, hurried)
				}
				target = p.on(p.within(limit, theta, rep))
			}
			var used []float64
			target.params, used, idle = s.sparse(theta, rep.Held)
			if m, rep.Jitter, rep.Condition, ok = newModel(target, used); ok {
				fitted = theta
				break
			}
		}
		if rung > 0 || !s.raiseNoise() {
			return nil, nil, &FallbackError{Reason: "singular"}
		}
		rep.Fallback = "noise"
	}
	rep.Points, rep.FitPoints = len(target.y), len(s.p.y)
	if len(p.free)+len(p.choices) > 0 {
		rep.FitPoints = min(rep.FitPoints, o.MaxFit)
	}
	rep.Evaluations, rep.Rejected = s.evals, s.rejected
	s.describe(m, rep, target, fitted)
	if idle > 0 {
		rep.Warm.Hyper[idleName] = float64(idle)
	}
	if rep.Evaluations == 0 && len(p.free)+len(p.choices) > 0 {
		before := o.Warm.FittedTo
		if now.Observations, now.Best = before.Observations, before.Best; now.Data == before.Data {
			rep.Warm.Hyper = maps.Clone(o.Warm.Hyper) // to the bit, whatever units do
		}
	}
	if rep.Cut = s.cut; !s.cut {
		rep.Warm.FittedTo = now
	}
	return m, rep, nil
}

// narrow makes the search rest on few points. The declared values decide which: the fitted ones would change the
// subset, and with it the worth of a warm start, from one suggestion to the next.
func (s *search) narrow() {
	if p := s.p; len(p.y) > s.o.MaxFit && len(p.free)+len(p.choices) > 0 {
		s.p = p.on(p.subset(s.o.MaxFit, p.initial()))
	}
}

// begin is where the first start begins.
func (s *search) begin() []float64 {
	theta, noise := s.p.initial(), s.p.noiseAt()
	if s.warm != nil {
		theta = slices.Clone(s.warm)
	}
	theta[noise] = max(theta[noise], s.p.params[noise].Lo)
	return theta
}

// hurried is the most points that a model rests on whose fit was cut: of more, the time to condition on them counts.
const hurried = 300

// within is the data to condition on: at most limit distinct points.
func (p *problem) within(limit int, theta []float64, rep *Report) *data {
	if len(p.y) <= limit {
		return p.data
	}
	rep.Warnings = append(rep.Warnings, fmt.Sprintf("the surrogate uses %d of %d points", limit, len(p.y)))
	return p.subset(limit, theta)
}

// on is the problem with other data.
func (p *problem) on(d *data) *problem {
	q := *p
	q.data = d
	return &q
}

func newProblem(k kernels.Kernel, params []kernels.Param, o Options) *problem {
	p := &problem{
		kernel: k, kernelParams: len(k.Params()), kriging: o.Form == "kriging", reinterpolate: o.Reinterpolate,
		flip:   k.NeedsFlip(),
		priors: o.Inference != "mle",
	}
	p.params = append(p.params, params[:p.kernelParams]...)
	rest := params[p.kernelParams:]
	unit := kernels.Param{Name: "signal", Init: 1, Lo: 1, Hi: 1}
	if len(rest) == 2 { // component weights replace the signal
		p.params = append(p.params, unit)
		if p.kriging {
			panic("gp: the kriging form needs a kernel without component weights")
		}
	}
	p.params = append(p.params, rest...)
	mean := &p.params[p.meanAt()]
	if p.kriging {
		p.params[p.signalAt()] = unit
		if p.profile = mean.Lo < mean.Hi; p.profile {
			*mean = kernels.Param{Name: "mean"}
		}
		// a share of the process variance, in the range of Zaefferer & Horn's software (CEGO)
		nugget := kernels.Param{Name: "nugget", Init: 1e-3, Lo: 1e-6, Hi: 1e-1, Scale: kernels.Log}
		if o.Nugget >= 0 {
			nugget.Init, nugget.Lo, nugget.Hi = o.Nugget, o.Nugget, o.Nugget
		}
		p.params[p.noiseAt()] = nugget
	} else if mean.Lo < mean.Hi {
		p.profileMean(mean)
	}
	p.addMean(o)
	for i, q := range p.params {
		switch {
		case i == p.meanAt() && p.profile:
		case q.Choices > 1 && q.Lo != q.Hi:
			p.choices = append(p.choices, i)
		case q.Choices == 0 && q.Lo < q.Hi:
			p.free = append(p.free, i)
		}
	}
	return p
}

// profileMean puts the mean at its optimum in closed form where its prior is flat or Gaussian.
func (p *problem) profileMean(mean *kernels.Param) {
	prior := mean.Prior
	if !p.priors {
		prior = nil
	}
	switch q := prior.(type) {
	case nil:
		p.profile = true
	case kernels.Normal:
		p.profile, p.meanMode, p.meanPrec = true, q.Mean, 1/(q.Sigma*q.Sigma)
	}
}

// A search maximises the log posterior of a problem.
type search struct {
	p        *problem
	o        Options
	rng      *rand.Rand
	warm     []float64 // theta to start from; nil: cold
	compared bool      // warm is the best of many starts already
	cut      bool      // Options.More said no
	evals    int
	rejected int
	own      []*evaluator // by worker, made when needed
}

// evaluator is that of a worker.
func (s *search) evaluator(worker int) *evaluator {
	if e := s.own[worker]; e == nil || e.p != s.p {
		s.own[worker] = newEvaluator(s.p)
	}
	return s.own[worker]
}

// count counts the evaluations of the evaluators, once.
func (s *search) count() {
	for _, e := range s.own {
		if e != nil {
			s.evals, s.rejected = s.evals+e.evals, s.rejected+e.rejected
			e.evals, e.rejected = 0, 0
		}
	}
}

// more reports whether the search may go on.
func (s *search) more() bool {
	s.cut = s.cut || s.o.More != nil && !s.o.More()
	return !s.cut
}

func newSearch(p *problem, o Options) *search {
	return &search{p: p, o: o, rng: rand.New(rand.NewPCG(o.Seed, 0x6770)), warm: p.warmTheta(o.Warm.Hyper),
		own: make([]*evaluator, max(1, o.Workers))}
}

// coarseFit is the number of points that a cold fit of more than half again as many begins with (bench/notes).
const coarseFit = 100

// coarse gives a cold search of many points the optimum of a cold search of few as its warm start:
// the many likelihoods that it takes to find the right optimum are then cheap, and the expensive
// ones only polish it. A number of starts or evaluations asked for is spent on all points.
func (s *search) coarse(ctx context.Context) error {
	p := s.p
	if s.warm != nil || 2*len(p.y) <= 3*coarseFit || s.o.Starts > 0 || s.o.Evaluations > 0 || s.o.Optimizer == "direct" {
		return nil
	}
	few := &search{p: p.on(p.subset(coarseFit, p.initial())), o: s.o, rng: s.rng, own: make([]*evaluator, len(s.own))}
	theta, err := few.run(ctx)
	s.warm, s.compared, s.cut, s.evals, s.rejected = theta, theta != nil, few.cut, few.evals, few.rejected
	return err
}

// initial is the declared starting point.
func (p *problem) initial() []float64 {
	theta := declared(p.params)
	toWeights(p.params, theta, nil)
	return theta
}

// raiseNoise raises the noise to at least 1e-3, the last rung before giving up. It
// reports false where the noise is not free to be raised.
func (s *search) raiseNoise() bool {
	p := *s.p
	p.params = slices.Clone(p.params)
	q := &p.params[p.noiseAt()]
	const floor = 1e-3
	if q.Lo == q.Hi && q.Lo < floor {
		q.Lo, q.Hi, q.Init = floor, floor, floor
	} else {
		if q.Hi < floor || q.Lo >= floor {
			return false
		}
		q.Lo, q.Init = floor, max(q.Init, floor)
	}
	s.p = &p
	return true
}
