package gp

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// problemOf prepares the standardised problem Fit would solve.
func problemOf(t *testing.T, k kernels.Kernel, x *points.Set, y, noise []float64, o Options) *problem {
	t.Helper()
	o = o.withDefaults()
	u, _ := UnitsOf(y)
	params, err := standardParams(k, nil, u)
	must(t, err)
	p := newProblem(k, params, o)
	z := make([]float64, len(y))
	for i, v := range y {
		z[i] = u.Standard(v)
	}
	p.data = merge(x, z, noise, o.Of)
	return p
}

// TestLikelihoodGradient compares the analytic gradient in the optimised
// coordinates with central differences for every form of the likelihood.
func TestLikelihoodGradient(t *testing.T) {
	x, y := sample(7, 25, 2)
	x = points.Concat(x, x.Slice(0, 5)) // replicates
	for i := range 5 {
		y = append(y, y[i]+0.3*float64(i-2))
	}
	known, of := make([]float64, len(y)), make([]float64, len(y))
	for i := range known {
		of[i] = float64(1 + i%4)
		known[i] = 0.01 * float64(i%3)
	}
	imp := mustKernel(t, kernels.Spec{Name: "imp", ARD: true},
		[]kernels.Coord{{Name: "a"}, {Name: "b", Conditional: true}})
	for i := range 10 { // none of the replicated points
		x.Set(1, 5+i, 0.5, false)
	}
	checks := 0
	for name, c := range map[string]struct {
		o     Options
		noise []float64
		k     kernels.Kernel
	}{
		"map":        {Options{}, nil, newARD(2, true, false)},
		"map known":  {Options{}, known, newARD(2, true, false)},
		"means":      {Options{Of: of}, known, newARD(2, true, false)},
		"mle":        {Options{Inference: "mle"}, nil, newARD(2, false, false)},
		"logit":      {Options{}, nil, imp},
		"weighted":   {Options{}, nil, newARD(2, true, true)},
		"kriging":    {Options{Form: "kriging", Nugget: -1}, nil, newARD(2, false, false)},
		"flip":       {Options{}, nil, &indefinite{}},
		"linear":     {Options{Mean: "linear", Linear: []float64{1, 1}}, known, newARD(2, true, false)},
		"linear mle": {Options{Mean: "linear", Linear: []float64{0, 1}, Inference: "mle"}, nil, newARD(2, true, false)},
		"universal": {Options{Mean: "linear", Linear: []float64{1, 1}, Form: "kriging", Nugget: -1}, nil,
			newARD(2, false, false)},
		"linear flip": {Options{Mean: "linear", Linear: []float64{1, 1}}, nil, &indefinite{}},
		"zero":        {Options{Mean: "zero"}, nil, newARD(2, true, false)},
		"flip nugget": {Options{Form: "kriging", Nugget: -1}, nil, &indefinite{}},
	} {
		p := problemOf(t, c.k, x, y, c.noise, c.o)
		if c.noise == nil && slices.Max(p.count) < 2 {
			t.Fatalf("%s: nothing is replicated", name)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range 5 {
			theta := p.initial()
			for _, i := range p.free {
				lo, hi := coordinateBounds(p.params[i])
				theta[i], _ = fromCoordinate(p.params[i], lo+(hi-lo)*(0.3+0.4*r.Float64()))
			}
			s := newSearch(p, Options{})
			st := s.newStart(theta, 0)
			u := append([]float64(nil), st.opt.X...)
			grad := make([]float64, len(u))
			v, gradient := st.objective(u)
			if math.IsInf(v, 0) {
				t.Fatalf("%s: no value at %v", name, theta)
			}
			gradient(grad)
			want := fd.Gradient(nil, func(v []float64) float64 {
				value, _ := st.objective(v)
				return value
			}, u, &fd.Settings{Formula: fourPoints})
			for j := range grad {
				checks++
				near(t, name+" "+p.params[p.free[j]].Name, grad[j], want[j], 5e-6*max(1, math.Abs(want[j])))
			}
		}
	}
	if checks < 100 {
		t.Errorf("only %d derivatives checked", checks)
	}
}

// indefinite is a test kernel without positive definiteness: a squared
// exponential whose first coordinate enters with the wrong sign beyond its own.
type indefinite struct{ ordinary }

func (*indefinite) NeedsFlip() bool { return true }

func (*indefinite) Params() []kernels.Param {
	return []kernels.Param{{Name: "a", Init: 1, Lo: 0.1, Hi: 10, Scale: kernels.Log}}
}

func (*indefinite) Bind(theta []float64, y *points.Set) kernels.Cov {
	return newRowCov(theta, y, func(theta []float64, y *points.Set) rowwise { return &indefiniteCov{theta[0], y} })
}

type indefiniteCov struct {
	a float64
	y *points.Set
}

// value is 1/(1 + a·|d|³): bounded, smooth at 0 to second order, indefinite.
func (c *indefiniteCov) value(x *points.Set, i, j int) (k, da, dx float64) {
	d := x.At(0, i) - c.y.At(0, j)
	e := x.At(1, i) - c.y.At(1, j)
	h := 1 / (1 + c.a*math.Abs(d*d*d) + e*e)
	return h, -h * h * math.Abs(d*d*d), -h * h * 3 * c.a * d * math.Abs(d)
}

func (c *indefiniteCov) Row(dst []float64, x *points.Set, i, lo int) {
	for t := range dst {
		dst[t], _, _ = c.value(x, i, lo+t)
	}
}

func (c *indefiniteCov) pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	for t, v := range w {
		h, da, d := c.value(x, i, lo+t)
		if dtheta != nil {
			dtheta[0] += v * da
		}
		if dx != nil {
			dx[0] += v * d
			dx[1] += -v * h * h * 2 * (x.At(1, i) - c.y.At(1, lo+t))
		}
	}
}

func TestPredictionGradient(t *testing.T) {
	x, y := sample(8, 30, 2)
	q, _ := sample(9, 10, 2)
	for name, c := range map[string]struct {
		o Options
		k kernels.Kernel
	}{
		"map":            {Options{}, newARD(2, true, false)},
		"kriging":        {Options{Form: "kriging", Nugget: 1e-4}, newARD(2, false, false)},
		"reinterpolated": {Options{Form: "kriging", Nugget: 0.01, Reinterpolate: true}, newARD(2, true, false)},
		"flip":           {Options{}, &indefinite{}},
		"linear":         {Options{Mean: "linear", Linear: []float64{1, 2}}, newARD(2, true, false)},
		"linear flip":    {Options{Mean: "linear", Linear: []float64{1, 1}}, &indefinite{}},
		"universal": {Options{Mean: "linear", Linear: []float64{1, 1}, Form: "kriging", Nugget: -1},
			newARD(2, true, false)},
	} {
		m, _ := mustFit(t, c.k, x, y, c.o)
		p := m.Standard()
		for i := range q.Len() {
			got := make([]float64, 2)
			PullAt(p, got, 0.7, -1.3, q, i)
			at := q.Slice(i, i+1)
			want := fd.Gradient(nil, func(v []float64) float64 {
				at.Col(0)[0], at.Col(1)[0] = v[0], v[1]
				mean, variance := At(p.PredictBatch, at, 0)
				return 0.7*mean - 1.3*variance
			}, []float64{q.At(0, i), q.At(1, i)}, &fd.Settings{Formula: fd.Central, Step: 1e-5})
			for j := range got {
				near(t, name, got[j], want[j], 1e-5*max(1, math.Abs(want[j])))
			}
		}
	}
}

func TestWorkersNeverChangeTheResult(t *testing.T) {
	x, y := sample(5, 40, 3)
	_, one := mustFit(t, newARD(3, true, false), x, y, Options{Workers: 1, Seed: 4})
	_, four := mustFit(t, newARD(3, true, false), x, y, Options{Workers: 4, Seed: 4})
	for name, v := range one.Hyper {
		if four.Hyper[name] != v {
			t.Errorf("%s: %v with one worker, %v with four", name, v, four.Hyper[name])
		}
	}
}

func TestCancelledFit(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x, y := sample(5, 10, 2)
	if _, _, err := Fit(ctx, newARD(2, true, false), x, y, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// fourPoints are central differences with an error of order h⁴, so that h may be large
// enough for what rounding does where the matrix is badly conditioned.
var fourPoints = fd.Formula{
	Stencil: []fd.Point{{Loc: -2, Coeff: 1. / 12}, {Loc: -1, Coeff: -2. / 3}, {Loc: 1, Coeff: 2. / 3},
		{Loc: 2, Coeff: -1. / 12}},
	Derivative: 1,
	Step:       3e-4,
}
