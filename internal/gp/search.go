package gp

import (
	"cmp"
	"context"
	"math"
	"slices"

	"bohier/internal/boxopt"
	"bohier/internal/lists"
	"bohier/internal/parallel"
)

// The log posterior has several maxima. A search climbs from several starts, all of them a little and the best to the
// end, by quasi-Newton steps within the bounds (Bertsekas 1982, doi:10.1137/0320018); hyperparameters with a finite
// number of values are changed one at a time between climbs.

// A start is one descent from one starting point.
type start struct {
	theta  []float64  // the starting point; its fixed and categorical entries stay
	e      *evaluator // of the worker that descends
	opt    *boxopt.Minimizer
	p      *problem
	lo, hi []float64 // of the optimised coordinates
}

func (s *search) newStart(theta []float64, tol float64) *start {
	p := s.p
	st := &start{theta: slices.Clone(theta), e: s.evaluator(0), p: p}
	d := len(p.free)
	u := make([]float64, d)
	st.lo, st.hi = make([]float64, d), make([]float64, d)
	for j, i := range p.free {
		st.lo[j], st.hi[j] = coordinateBounds(p.params[i])
		u[j] = toCoordinate(p.params[i], fitted(p.params, theta, i))
	}
	// Coordinates are logarithms, mostly: a step of 5 is already a factor of 148.
	st.opt = boxopt.New(st.objective, st.lo, st.hi, u, boxopt.Options{
		First: 1, Short: true, Longest: 5, Trials: 20, Gradient: 1e-5, Gain: tol, Patience: 2,
	})
	return st
}

// at sets theta to the hyperparameters at coordinates u.
func (st *start) at(u []float64) []float64 {
	for j, i := range st.p.free {
		st.theta[i], _ = fromCoordinate(st.p.params[i], u[j])
	}
	toWeights(st.p.params, st.theta, nil)
	return st.theta
}

// objective is minus the log posterior in the optimised coordinates.
func (st *start) objective(u []float64) (float64, func(grad []float64)) {
	if !st.e.evaluate(st.at(u)) {
		return math.Inf(1), nil
	}
	return -st.e.posterior, func(grad []float64) { st.slope(u, grad) }
}

// slope fills grad with the gradient of the objective at u, where it was evaluated last.
func (st *start) slope(u, grad []float64) {
	p := st.p
	st.e.differentiate(st.theta)
	holdVariances(p.params, st.theta, st.e.grad)
	for j, i := range p.free {
		v, dv := fromCoordinate(p.params[i], u[j])
		if relativeAt(p.params[i]) {
			dv *= st.theta[i] / v
		}
		grad[j] = -st.e.grad[i] * dv
	}
}

// best is theta at the lowest objective met, with its log posterior.
func (st *start) best() ([]float64, float64) {
	return slices.Clone(st.at(st.opt.X)), -st.opt.F
}

// run maximises from several starts and returns the best theta; nil where no start met a positive definite matrix.
func (s *search) run(ctx context.Context) ([]float64, error) {
	p := s.p
	if len(p.free) == 0 && len(p.choices) == 0 {
		return p.initial(), nil
	}
	if s.o.Optimizer == "direct" {
		return s.direct(ctx)
	}
	starts, tol := s.starts()
	budgets := s.budgets(len(starts))
	// Every start gets a first share of its evaluations; the best ones finish.
	if err := s.advance(ctx, starts, budgets.first); err != nil {
		return nil, err
	}
	final := slices.Clone(starts)
	slices.SortStableFunc(final, func(a, b *start) int { return cmp.Compare(a.opt.F, b.opt.F) })
	final = final[:min(budgets.finalists, len(final))]
	last := budgets.last
	if s.refines() { // one finalist gets the rest of the cap
		last = final[0].opt.Evaluations + budgets.last
		for _, st := range starts {
			last -= st.opt.Evaluations
		}
	}
	if err := s.advance(ctx, final, func(int) int { return last }); err != nil {
		return nil, err
	}
	var theta []float64
	best := math.Inf(-1)
	for _, st := range starts {
		t, v := st.best()
		if v > best {
			theta, best = t, v
		}
	}
	s.count()
	if theta == nil && s.compared && !s.cut { // hyperparameters that suit a few points are unstable on all
		s.compared = false
		return s.run(ctx)
	}
	if theta == nil || len(p.choices) == 0 {
		return theta, nil
	}
	return s.ascend(ctx, theta, best, tol, budgets.last)
}

type budgets struct {
	first     func(start int) int
	last      int // per finalist; warm: of all starts together
	finalists int
}

// refines reports whether the search looks for little more than the optimum next to an earlier one.
func (s *search) refines() bool { return s.warm != nil && !s.o.Anew }

// budgets splits the evaluations over n starts. A warm fit lets its first start
// converge and screens the others by a few evaluations each.
func (s *search) budgets(n int) budgets {
	total := s.o.Evaluations
	if s.refines() {
		const screen = 4
		if total <= 0 {
			total = 40 + screen*max(n-3, 0)
		}
		first := max(total-screen*(n-1), 1)
		return budgets{finalists: 1, last: total, first: func(k int) int {
			if k == 0 {
				return first
			}
			return screen
		}}
	}
	each := 300
	if total > 0 {
		each = max(total/n, 1)
	}
	b := budgets{first: func(int) int { return each }, last: each, finalists: n}
	if s.o.Starts <= 0 {
		// The default drops the worse half early; a number asked for is run out.
		b.first = func(int) int { return min(each, 20) }
		b.finalists = max(3, n/2)
	}
	return b
}

// starts lists the starting points: the last fit, the declared values, then draws from the priors
// (or, without, over the ranges). Unless the caller sets the number, the declared values with much
// noise follow: a fit that takes noise for signal is an optimum that the others seldom leave, and
// the noise prior draws so much noise once in 85 times (bench/notes).
func (s *search) starts() ([]*start, float64) {
	p, n, tol := s.p, s.o.Starts, 1e-7
	if s.refines() {
		tol = 1e-5
		switch {
		case s.compared:
			return []*start{s.newStart(s.warm, tol)}, tol
		case n <= 0:
			n = 3
		}
	} else if n <= 0 {
		n = 10
	}
	starts := make([]*start, 0, n)
	if s.warm != nil {
		starts = append(starts, s.newStart(s.warm, tol))
	}
	if len(starts) < n {
		starts = append(starts, s.newStart(p.initial(), tol))
	}
	for len(starts) < n {
		theta := p.initial()
		// Every other draw of a maximum likelihood fit still uses the priors: they know where plausible values lie.
		use := p.priors || len(starts)%2 == 0
		for _, i := range p.free {
			theta[i], _ = fromCoordinate(p.params[i], drawCoordinate(p.params[i], use, s.rng))
		}
		toWeights(p.params, theta, nil)
		for _, i := range p.choices {
			theta[i] = float64(s.rng.IntN(p.params[i].Choices))
		}
		starts = append(starts, s.newStart(theta, tol))
	}
	if noise := p.params[p.noiseAt()]; s.o.Starts <= 0 && !p.kriging && noise.Lo < noise.Hi {
		theta := p.initial()
		theta[p.noiseAt()] = min(max(muchNoise, noise.Lo), noise.Hi)
		starts = append(starts, s.newStart(theta, tol))
	}
	return starts, tol
}

// muchNoise is the standardised noise variance of the noisy start: values whose differences are noise by a third.
const muchNoise = 0.3

// advance runs the starts to their budgets, in parallel; the results do not depend on the workers. Where Options.More
// may end the fit it is asked between rounds in which every start takes one step.
func (s *search) advance(ctx context.Context, starts []*start, budget func(int) int) error {
	left := lists.Every(len(starts))
	for len(left) > 0 && s.more() {
		moved := make([]bool, len(starts))
		parallel.Each(s.o.Workers, len(left), func(worker, k int) {
			i := left[k]
			starts[i].e = s.evaluator(worker)
			opt := starts[i].opt
			steps, evals := opt.Steps, opt.Evaluations
			if ctx.Err() == nil {
				opt.Run(func() bool {
					return opt.Evaluations < budget(i) && ctx.Err() == nil && (s.o.More == nil || opt.Steps == steps)
				})
			}
			moved[i] = opt.Evaluations > evals
		})
		if ctx.Err() != nil || s.o.More == nil {
			return ctx.Err()
		}
		left = slices.DeleteFunc(left, func(i int) bool { return !moved[i] })
	}
	return nil
}

// mostChanges bounds the values of categorical hyperparameters that a fit tries.
const mostChanges = 10

// ascend improves the categorical hyperparameters one at a time at the continuous optimum, mostChanges values at most,
// and fits the continuous ones again after every change.
func (s *search) ascend(ctx context.Context, theta []float64, best, tol float64, budget int) ([]float64, error) {
	p := s.p
	e := s.evaluator(0)
	defer s.count()
	type change struct{ at, to int }
	var all []change
	for _, i := range p.choices {
		for v := range p.params[i].Choices {
			all = append(all, change{i, v})
		}
	}
	if n := len(all); n > mostChanges { // other fits try others
		from := len(p.y) * mostChanges % n
		all = slices.Concat(all[from:], all[:from])[:mostChanges]
	}
	for range 3 {
		changed := false
		for _, c := range all {
			if !s.more() {
				return theta, nil
			}
			t := slices.Clone(theta)
			t[c.at] = float64(c.to)
			if t[c.at] != theta[c.at] && e.evaluate(t) && e.posterior > best {
				theta, best, changed = t, e.posterior, true
			}
		}
		if !changed {
			break
		}
		st := s.newStart(theta, tol)
		if err := s.advance(ctx, []*start{st}, func(int) int { return budget }); err != nil {
			return nil, err
		}
		if t, v := st.best(); v > best {
			theta, best = t, v
		}
	}
	return theta, nil
}
