package boxopt

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

func always() bool { return true }

// both is a function that computes its gradient with its value.
func both(f func(x, g []float64) float64) Function {
	return func(x []float64) (float64, func([]float64)) {
		g := make([]float64, len(x))
		return f(x, g), func(out []float64) { copy(out, g) }
	}
}

func tight() Options {
	return Options{First: 1, Short: true, Longest: 5, Trials: 30, Gradient: 1e-7, Gain: 0, Patience: 3}
}

// A convex quadratic on a box ends where the conditions of optimality hold: no slope
// in the open, none into the box on a bound.
func TestQuadraticsOnBoxes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n := 1 + r.IntN(20)
		a, b := make([]float64, n*n), make([]float64, n)
		for i := range a {
			a[i] = r.NormFloat64()
		}
		lo, hi, start := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range b {
			b[i], lo[i], hi[i], start[i] = 3*r.NormFloat64(), -r.Float64(), r.Float64(), 9*r.NormFloat64()
		}
		f := func(x, g []float64) float64 { // ½|Ax|² + ½|x|² − b'x
			v := 0.0
			for i := range x {
				v += x[i]*x[i]/2 - b[i]*x[i]
				g[i] = x[i] - b[i]
			}
			for i := range n {
				row := Dot(a[i*n:(i+1)*n], x)
				v += row * row / 2
				floats.AddScaled(g, row, a[i*n:(i+1)*n])
			}
			return v
		}
		m := New(both(f), lo, hi, start, tight())
		m.Run(func() bool { return m.Evaluations < 2000 })
		g := make([]float64, n)
		if v := f(m.X, g); v != m.F {
			t.Fatalf("F is %v, the value at X is %v", m.F, v)
		}
		for i, x := range m.X {
			if x < lo[i] || x > hi[i] {
				t.Fatalf("coordinate %d is %v, outside [%v, %v]", i, x, lo[i], hi[i])
			}
			if x > lo[i] && g[i] > 1e-5 || x < hi[i] && g[i] < -1e-5 {
				t.Errorf("slope %g at %v in [%v, %v] after %d evaluations", g[i], x, lo[i], hi[i], m.Evaluations)
			}
		}
	}
}

func rosenbrock(x, g []float64) float64 {
	a, b := 1-x[0], x[1]-x[0]*x[0]
	g[0], g[1] = -2*a-400*x[0]*b, 200*b
	return a*a + 100*b*b
}

// Stopping after every evaluation and going on costs no more than the searches that
// were cut, and ends in the same place.
func TestStopAndResume(t *testing.T) {
	lo, hi := []float64{-3, -3}, []float64{3, 3}
	whole := New(both(rosenbrock), lo, hi, []float64{-1.2, 1}, tight())
	whole.Run(always)
	if math.Hypot(whole.X[0]-1, whole.X[1]-1) > 1e-5 || whole.Evaluations > 80 {
		t.Errorf("at %v after %d evaluations, want (1, 1) within 80", whole.X, whole.Evaluations)
	}
	parts := New(both(rosenbrock), lo, hi, []float64{-1.2, 1}, tight())
	last := math.Inf(1)
	for budget := 1; budget < 400; budget += 7 {
		parts.Run(func() bool { return parts.Evaluations < budget })
		if parts.Evaluations > budget {
			t.Fatalf("%d evaluations of %d", parts.Evaluations, budget)
		}
		if parts.F > last {
			t.Fatalf("value rose from %v to %v", last, parts.F)
		}
		last = parts.F
	}
	if math.Hypot(parts.X[0]-1, parts.X[1]-1) > 1e-4 {
		t.Errorf("in parts: at %v", parts.X)
	}
}

// No step is longer than allowed, and the first has the length asked for.
func TestStepLengths(t *testing.T) {
	o := Options{First: 0.1, Longest: 0.25, Trials: 6, Move: 1e-6, Gain: 1e-6, Patience: 1}
	var m *Minimizer
	longest := 0.0
	m = New(both(func(x, g []float64) float64 {
		if m.Evaluations > 0 {
			far := max(math.Abs(x[0]-m.X[0]), math.Abs(x[1]-m.X[1]))
			if m.Evaluations == 1 && math.Abs(far-0.1) > 1e-12 {
				t.Errorf("the first step has length %v, want 0.1", far)
			}
			longest = max(longest, far)
		}
		g[0], g[1] = 2*x[0], 20*x[1]
		return x[0]*x[0] + 10*x[1]*x[1]
	}), []float64{-30, -30}, []float64{30, 30}, []float64{20, 20}, o)
	m.Run(always)
	if longest > 0.25+1e-9 || longest < 0.2 {
		t.Errorf("the longest step is %v, want 0.25", longest)
	}
}

// A region without values is backed out of, and a start in it ends the search.
func TestRejectedPoints(t *testing.T) {
	for _, bad := range []float64{math.Inf(1), math.NaN()} {
		f := func(x, g []float64) float64 {
			if x[0] < 1 {
				return bad
			}
			g[0] = 1 + 1/(x[0]-0.9)
			return x[0] + math.Log(x[0]-0.9)
		}
		m := New(both(f), []float64{-10}, []float64{10}, []float64{5}, tight())
		m.Run(always)
		if !(m.X[0] >= 1 && m.X[0] < 1.01) {
			t.Errorf("%v: at %v, want just above 1", bad, m.X[0])
		}
		m = New(both(f), []float64{-10}, []float64{10}, []float64{0}, tight())
		m.Run(always)
		if m.Evaluations != 1 {
			t.Errorf("%v: %d evaluations from a rejected start", bad, m.Evaluations)
		}
	}
}

// Descent ends with as many steps in a row as Patience says that gain less than Gain,
// also where rounding hides the gain.
func TestPatience(t *testing.T) {
	for _, slope := range []float64{1e-9, 1e-18} {
		for patience := 1; patience <= 3; patience++ {
			f := func(x, grad []float64) float64 {
				grad[0] = -slope
				return 1 - slope*x[0]
			}
			m := New(both(f), []float64{0}, []float64{1e6}, []float64{0}, Options{
				First: 1, Longest: 1, Trials: 5, Gain: 1e-6, Patience: patience,
			})
			m.Run(always)
			if m.Steps != patience || math.Abs(m.X[0]-float64(patience)) > 1e-9 {
				t.Errorf("slope %g, patience %d: %d steps to %g", slope, patience, m.Steps, m.X[0])
			}
		}
	}
}

// A step that is too long is followed by one to the minimum of the parabola through both
// values and the slope, which for a parabola is its own.
func TestParabola(t *testing.T) {
	var at []float64
	m := New(both(func(x, g []float64) float64 {
		at = append(at, x[0])
		g[0] = 2 * x[0]
		return x[0] * x[0]
	}), []float64{-10}, []float64{10}, []float64{1}, Options{First: 4, Longest: 4, Trials: 3, Patience: 1})
	m.Run(func() bool { return len(at) < 3 })
	if len(at) != 3 || at[1] != -3 || math.Abs(at[2]) > 1e-12 {
		t.Errorf("evaluated at %v, want 1, -3, 0", at)
	}
}

// A step that ends a little higher than it began is refused: from −1 a step of 2.00001
// ends just beyond the mirror image.
func TestNoStepAscends(t *testing.T) {
	parabola := func(x, g []float64) float64 { g[0] = 2 * x[0]; return x[0] * x[0] }
	o := tight()
	o.First, o.Short = 2.00001, false
	m := New(both(parabola), []float64{-9}, []float64{9}, []float64{-1}, o)
	last := math.Inf(1)
	m.Run(func() bool {
		if m.F > last {
			t.Errorf("from %v to %v", last, m.F)
		}
		last = m.F
		return m.Evaluations < 100
	})
}

// Gains count as a share of the value: steps that halve the height above a million are
// no gain soon, those above a millionth are for long.
func TestGainIsAShareOfTheValue(t *testing.T) {
	run := func(level float64) int {
		f := func(x, g []float64) float64 { // flatter and flatter towards 0
			g[0] = 4 * x[0] * x[0] * x[0]
			return level + x[0]*x[0]*x[0]*x[0]
		}
		m := New(both(f), []float64{-1}, []float64{9}, []float64{1},
			Options{First: 0.1, Longest: 0.2, Trials: 20, Gain: 1e-3, Patience: 1})
		m.Run(always)
		return m.Steps
	}
	if high, low := run(1e6), run(1e-6); high > 2 || low < 10 {
		t.Errorf("%d steps above a million, %d above a millionth", high, low)
	}
}

// What has no coordinates, or begins where there is no value, is over at once.
func TestNothingToDescend(t *testing.T) {
	for _, c := range []struct {
		start []float64
		value float64
	}{{nil, 1}, {[]float64{0.5}, math.Inf(1)}} {
		lo, hi := make([]float64, len(c.start)), make([]float64, len(c.start))
		for i := range hi {
			hi[i] = 1
		}
		m := New(both(func(_, g []float64) float64 {
			for i := range g {
				g[i] = 1
			}
			return c.value
		}), lo, hi, c.start, tight())
		m.Run(always)
		if m.Evaluations != 1 {
			t.Errorf("%d coordinates, value %v: %d evaluations", len(c.start), c.value, m.Evaluations)
		}
	}
}

// TestFailedSearchIsAStep: a search along the line that finds nothing better counts, so
// that a limit of steps ends what gains nothing.
func TestFailedSearchIsAStep(t *testing.T) {
	m := New(both(func(x, g []float64) float64 {
		g[0] = 1
		return -x[0] // falls where the gradient says that it rises
	}), []float64{-1}, []float64{1}, []float64{0}, tight())
	m.Run(always)
	if m.Steps != 1 || m.X[0] != 0 {
		t.Errorf("%d steps, to %v", m.Steps, m.X)
	}
}

// A step into a region without values is a tenth as long the next time, not nothing.
func TestShrinkage(t *testing.T) {
	var at []float64
	m := New(both(func(x, g []float64) float64 {
		at = append(at, x[0])
		g[0] = -1
		if x[0] > 0.05 {
			return math.Inf(1)
		}
		return -x[0]
	}), []float64{-1}, []float64{1}, []float64{0}, Options{First: 1, Longest: 5, Trials: 6, Patience: 1, Move: 1})
	m.Run(always)
	if len(at) != 4 || !(math.Abs(at[2]-0.1) <= 1e-12) || !(math.Abs(at[3]-0.01) <= 1e-12) {
		t.Errorf("tried %v, want 0, 1, 0.1, 0.01", at)
	}
}

// The first quasi-Newton step has the length that the curvature met says.
func TestCurvatureScalesTheDirection(t *testing.T) {
	m := New(both(func(x, g []float64) float64 {
		v := 0.0
		for i := range x {
			c := 1e-3 * float64(1+i)
			g[i] = c * x[i]
			v += c * x[i] * x[i] / 2
		}
		return v
	}), []float64{-9, -9, -9}, []float64{9, 9, 9}, []float64{3, 2, 1}, tight())
	m.Run(always)
	if math.Abs(m.X[0])+math.Abs(m.X[1])+math.Abs(m.X[2]) > 1e-4 || m.Evaluations > 12 {
		t.Errorf("at %v after %d evaluations, want 0 within 12", m.X, m.Evaluations)
	}
}

// Gradients are asked for at the start and where steps end: points on trial have values alone.
func TestGradientsOfSteps(t *testing.T) {
	var at []float64 // of the last value
	gradients, last := 0, []float64(nil)
	m := New(func(x []float64) (float64, func([]float64)) {
		at = slices.Clone(x)
		v := rosenbrock(x, make([]float64, 2))
		return v, func(g []float64) {
			gradients, last = gradients+1, at
			rosenbrock(at, g)
		}
	}, []float64{-3, -3}, []float64{3, 3}, []float64{-1.2, 1}, tight())
	m.Run(func() bool {
		if !slices.Equal(last, m.X) {
			t.Fatalf("the last gradient is that at %v, the best point is %v", last, m.X)
		}
		return m.Evaluations < 40
	})
	if gradients >= m.Evaluations || gradients > m.Steps+1 {
		t.Errorf("%d gradients in %d steps of %d evaluations", gradients, m.Steps, m.Evaluations)
	}
}
