package kernels_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// everywhere are the configurations of all choices, every number in the middle.
func everywhere(coords []kernels.Coord) *points.Set {
	n := 1
	for _, c := range coords {
		n *= max(c.Levels, 1)
	}
	x := points.New(n, len(coords))
	for i := range n {
		rest := i
		for c, co := range coords {
			v := 0.5
			if co.Levels > 0 {
				v = float64(rest % co.Levels)
				rest /= co.Levels
			}
			x.Set(c, i, v, true)
		}
	}
	return x
}

// The mean variance is the mean of k(x, x) over all values of the choices, whatever the graphs.
func TestMeanVariance(t *testing.T) {
	checks, below := 0, 0
	for _, v := range variants() {
		if v.kinds.Conditional || !v.kinds.Discrete || v.spec.Name == "linear" || v.spec.Name == "add" ||
			v.spec.Name == "multiply" {
			continue // a regression has no variance in the middle
		}
		if v.spec.Name == "modnn" && v.spec.Warp {
			continue // the middle of what is warped is elsewhere
		}
		for seed := range uint64(2) {
			r := rand.New(rand.NewPCG(seed, 9))
			s := RandomSpace(r, v.kinds)
			k := mustKernel(t, v.spec, s.Coords)
			theta := Theta(r, k.Params())
			x := everywhere(s.Coords)
			cov, mean, one := k.Bind(theta, x), 0.0, make([]float64, 1)
			for i := range x.Len() {
				cov.Row(one, x, i, i)
				mean += one[0] / float64(x.Len())
			}
			got := 1.0
			if mv := k.MeanVariance(); mv != nil {
				got = math.Exp(mv(theta, nil, 0))
			}
			checks++
			if mean < 0.1 {
				below++
			}
			if !(math.Abs(got-mean) <= 1e-10*mean) {
				t.Errorf("%s seed %d: mean variance %v, the mean of k(x, x) is %v", v, seed, got, mean)
			}
		}
	}
	if checks < 300 || below < 10 {
		t.Errorf("only %d kernels checked, %d of them well below 1", checks, below)
	}
}

// The gradients of all mean variances, those of components included, are what differences say.
func TestMeanVarianceGradient(t *testing.T) {
	checks := 0
	for _, v := range variants() {
		r := rand.New(rand.NewPCG(3, 9))
		k := mustKernel(t, v.spec, RandomSpace(r, v.kinds).Coords)
		all := []kernels.Variance{k.MeanVariance()}
		for _, p := range k.Params() {
			all = append(all, p.Of)
		}
		theta := Theta(r, k.Params())
		for _, mv := range all {
			if mv == nil {
				continue
			}
			const c = 3
			got := make([]float64, len(theta))
			mv(theta, got, c)
			for j, p := range k.Params() {
				if p.Choices > 0 {
					continue
				}
				at := func(h float64) float64 {
					moved := append([]float64(nil), theta...)
					moved[j] += h
					return mv(moved, nil, 0)
				}
				h := 1e-5 * math.Abs(theta[j])
				want := c * (at(h) - at(-h)) / (2 * h)
				checks++
				if !(math.Abs(got[j]-want) <= 1e-6*math.Max(math.Abs(want), 1e-3/math.Abs(theta[j]))) {
					t.Errorf("%s: ∂/∂%s is %v, differences say %v", v, p.Name, got[j], want)
				}
			}
		}
	}
	if checks < 1000 {
		t.Errorf("only %d derivatives checked", checks)
	}
}

// Diffusion begins and ends where the regularised Laplacian does: on complete graphs, on
// which the two are one family, they are the same kernels there.
func TestDiffusionBeginsLikeTheLaplacian(t *testing.T) {
	for _, levels := range []int{2, 5, 17, 100} {
		coords := []kernels.Coord{{Name: "h", Levels: levels}}
		unlike := func(name string, at func(kernels.Param) float64) float64 {
			k := mustKernel(t, kernels.Spec{Name: name, Normalize: true, ARD: true}, coords)
			row := make([]float64, 2)
			k.Bind([]float64{at(k.Params()[0])}, everywhere(coords)).Row(row, everywhere(coords), 0, 0)
			return 1 - row[1]
		}
		for where, at := range map[string]func(kernels.Param) float64{
			"start":       func(p kernels.Param) float64 { return p.Init },
			"lower bound": func(p kernels.Param) float64 { return p.Lo },
			"upper bound": func(p kernels.Param) float64 { return p.Hi },
		} {
			lap, dif := unlike("lap", at), unlike("dif", at)
			if !(math.Abs(lap-dif) <= 1e-6*lap) {
				t.Errorf("%d values, %s: two values are %v apart under lap, %v under dif", levels, where, lap, dif)
			}
		}
	}
}

// A kernel of which it is said that k(x, x) is the same everywhere has the same value to the
// bit at all points, whatever is active there.
func TestUniformVariance(t *testing.T) {
	uniform := 0
	for _, v := range variants() {
		r := rand.New(rand.NewPCG(3, 9))
		s := RandomSpace(r, v.kinds)
		k := mustKernel(t, v.spec, s.Coords)
		if !k.UniformVariance() {
			continue
		}
		uniform++
		x := s.Points(r, 6)
		cov, one, other := k.Bind(Theta(r, k.Params()), x), make([]float64, 1), make([]float64, 1)
		cov.Row(one, x, 0, 0)
		for i := range x.Len() {
			if cov.Row(other, x, i, i); other[0] != one[0] {
				t.Errorf("%+v: %v at point 0, %v at point %d", v.spec, one[0], other[0], i)
			}
		}
	}
	if uniform < 10 {
		t.Errorf("%d kernels with one variance", uniform)
	}
}
