package kernels_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
	"gonum.org/v1/gonum/mat"
)

// This file is the contract that every covariance function keeps: Contract checks a kernel on random
// points of a Space and returns how often each property was checked. Callers sum the counts over spaces
// and call Checked, which fails for properties never checked.

// Options tells what a kernel does not promise.
type Options struct {
	Indefinite bool // ico: a Gram matrix may have negative eigenvalues
	Kinks      bool // skip gradients at coinciding points (powers τ < 2)
}

// Counts tells how often each property was checked.
type Counts struct {
	Symmetric, Definite, Theta, Points, Inactive, Blocks, Rebound, Triangle int
}

// Checked fails the test for every property that was never checked. Categorical and fixed hyperparameters, and spaces
// without numbers or conditions, have nothing to check, so callers sum counts over spaces first.
func (c Counts) Checked(t *testing.T, numeric, conditional bool) {
	t.Helper()
	for name, n := range map[string]int{
		"symmetry": c.Symmetric, "definiteness": c.Definite, "hyperparameter gradients": c.Theta,
		"blocks": c.Blocks, "rebinding": c.Rebound, "triangles": c.Triangle,
	} {
		if n == 0 {
			t.Errorf("%s was never checked", name)
		}
	}
	if numeric && c.Points == 0 {
		t.Error("gradients by coordinates were never checked")
	}
	if conditional && c.Inactive == 0 {
		t.Error("invariance to inactive slots was never checked")
	}
}

// Add sums counts.
func (c *Counts) Add(d Counts) {
	c.Symmetric += d.Symmetric
	c.Definite += d.Definite
	c.Theta += d.Theta
	c.Points += d.Points
	c.Inactive += d.Inactive
	c.Blocks += d.Blocks
	c.Rebound += d.Rebound
	c.Triangle += d.Triangle
}

// A Failer is what Contract needs of a test.
type Failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// Contract checks a kernel on n random points of a space, at random hyperparameters: a symmetric positive semi-definite
// Gram matrix, gradients against central differences by every hyperparameter and every active numeric coordinate, no
// effect of what inactive slots hold, the same numbers from partial rows, after With and from the whole triangle at
// once.
func Contract(t Failer, r *rand.Rand, k kernels.Kernel, s Space, n int, o Options) Counts {
	t.Helper()
	x := s.Points(r, n)
	theta := Theta(r, k.Params())
	var c Counts
	gram := Gram(k, theta, x)
	c.symmetry(t, gram, n)
	if !o.Indefinite {
		c.definite(t, gram, n, theta)
	}
	c.inactive(t, k, theta, x, gram, s)
	c.blocks(t, k, theta, x, gram)
	c.triangle(t, r, k, theta, x)
	c.gradients(t, r, k, theta, s, o)
	return c
}

// Definite fails the test where the matrix of a kernel has a negative eigenvalue.
func Definite(t Failer, k kernels.Kernel, theta []float64, x *points.Set) {
	new(Counts).definite(t, Gram(k, theta, x), x.Len(), theta)
}

// Gram is the n×n matrix of the kernel, row by row.
func Gram(k kernels.Kernel, theta []float64, x *points.Set) []float64 {
	n := x.Len()
	g := make([]float64, n*n)
	cov := k.Bind(theta, x)
	for i := range n {
		cov.Row(g[i*n:(i+1)*n], x, i, 0)
	}
	return g
}

func (c *Counts) symmetry(t Failer, g []float64, n int) {
	t.Helper()
	for i := range n {
		for j := range i {
			c.Symmetric++
			if d := math.Abs(g[i*n+j] - g[j*n+i]); !(d <= 1e-13*(1+math.Abs(g[i*n+i]))) {
				t.Errorf("k(%d,%d) − k(%d,%d) = %g", i, j, j, i, d)
				return
			}
		}
	}
}

func (c *Counts) definite(t Failer, g []float64, n int, theta []float64) {
	t.Helper()
	c.Definite++
	var eig mat.EigenSym
	eig.Factorize(mat.NewSymDense(n, g), false)
	v := eig.Values(nil)
	if !(v[0] >= -1e-9*v[n-1]) {
		t.Errorf("smallest eigenvalue %g, largest %g at %v", v[0], v[n-1], theta)
	}
}

func (c *Counts) inactive(t Failer, k kernels.Kernel, theta []float64, x *points.Set, g []float64, s Space) {
	t.Helper()
	z := Garbage(x, s.Coords)
	for i, v := range Gram(k, theta, z) {
		if v != g[i] {
			t.Errorf("a value in an inactive slot changed k from %v to %v", g[i], v)
			return
		}
	}
	n := x.Len()
	w, clean, dirty := make([]float64, n*n), make([]float64, x.Dim()), make([]float64, x.Dim())
	for i := range w {
		w[i] = float64(i%3) - 0.7
	}
	if !slices.Equal(pullback(k, theta, x, w), pullback(k, theta, z, w)) {
		t.Errorf("a value in an inactive slot changed a gradient")
		return
	}
	k.Bind(theta, x).Pull(clean, w[:n], x, 0, 0)
	k.Bind(theta, z).Pull(dirty, w[:n], z, 0, 0)
	for d, v := range clean {
		if v != dirty[d] || !x.Active(d, 0) && v != 0 || s.Coords[d].Levels > 0 && v != 0 {
			t.Errorf("coordinate %d has gradient %g, %g with other inactive slots", d, v, dirty[d])
		}
		if !x.Active(d, 0) {
			c.Inactive++
		}
	}
}

// pullback is the gradient of Σ_{j≤i} w_ij·k(x_i, x_j) by the hyperparameters; w is not changed.
func pullback(k kernels.Kernel, theta []float64, x *points.Set, w []float64) []float64 {
	n, grad, tape, cov := x.Len(), make([]float64, len(theta)), &kernels.Tape{}, k.Bind(theta, x)
	cov.Gram(make([]float64, n*n), n, tape)
	cov.PullGram(grad, slices.Clone(w), n, tape)
	return grad
}

// blocks checks partial rows, With, and rows and pullbacks of points that are not the reference points but equal them.
func (c *Counts) blocks(t Failer, k kernels.Kernel, theta []float64, x *points.Set, g []float64) {
	t.Helper()
	n := x.Len()
	lo := n / 3
	part := make([]float64, n/2)
	other := x.Clone()
	cov := k.Bind(theta, x.Select([]int{0, n - 1})).With(x)
	for i := range n {
		cov.Row(part, other, i, lo)
		c.Rebound++
		for q, v := range part {
			c.Blocks++
			if d := math.Abs(v - g[i*n+lo+q]); !(d <= 1e-14*(1+math.Abs(v))) {
				t.Errorf("row %d from %d: %v, whole row %v", i, lo, v, g[i*n+lo+q])
				return
			}
		}
		own, copied := make([]float64, x.Dim()), make([]float64, x.Dim())
		cov.Pull(own, part, x, i, lo)
		cov.Pull(copied, part, other, i, lo)
		for j, v := range own {
			c.Rebound++
			if w := copied[j]; !(math.Abs(v-w) <= 1e-11*(1+math.Abs(v))) {
				t.Errorf("pullback %d of a reference point: derivative %d is %v, of its copy %v", i, j, v, w)
				return
			}
		}
	}
}

// Allocations counts those of a row, a pullback, and a triangle with its gradient on a tape used before.
func Allocations(k kernels.Kernel, theta []float64, x *points.Set) float64 {
	cov := k.Bind(theta, x)
	n := x.Len()
	dst, w := make([]float64, n*n), make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	dtheta, dx := make([]float64, len(theta)), make([]float64, x.Dim())
	var tape kernels.Tape
	return testing.AllocsPerRun(10, func() {
		cov.Row(dst[:n], x, 1, 0)
		cov.Pull(dx, w, x, 1, 0)
		cov.Gram(dst, n, &tape)
		cov.PullGram(dtheta, dst, n, &tape)
	})
}
