package kernels_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// squared gives d² of the named distance along one coordinate, read off the
// kernel exp(−d²), for values u, v; NaN stands for inactive.
func squared(t *testing.T, name string, co kernels.Coord, values map[string]float64) func(u, v float64) float64 {
	t.Helper()
	co.Name, co.Conditional = "p", true
	s := kernels.Spec{Name: name, Base: "exp", ARD: true, Constant: -1}
	k, theta := mustNew(t, s, []kernels.Coord{co}, values)
	return func(u, v float64) float64 {
		x := points.New(2, 1)
		for i, w := range []float64{u, v} {
			if math.IsNaN(w) {
				x.Set(0, i, 0, false)
			} else {
				x.Set(0, i, w, true)
			}
		}
		return -math.Log(block(k, theta, x, x)[0][1])
	}
}

// The maps into Euclidean space of Hutter & Osborne, Swersky et al. and
// Zaefferer & Horn; off is the image of inactivity.
var embeddings = map[string]struct {
	values map[string]float64
	at     func(u float64) []float64
	off    []float64
}{
	"arc": {
		map[string]float64{"arc.omega[p]": 0.8, "arc.rho[p]": 0.6},
		func(u float64) []float64 {
			s, c := math.Sincos(math.Pi * 0.6 * u)
			return []float64{0.8 * s, 0.8 * c}
		}, []float64{0, 0},
	},
	"imp": {
		map[string]float64{"imp.theta[p]": 0.7, "imp.rho[p]": 1.4},
		func(u float64) []float64 { return []float64{math.Sqrt(0.7) * u} }, []float64{math.Sqrt(0.7) * 1.4},
	},
	"box": {
		map[string]float64{"imp.theta[p]": 0.7, "imp.rho[p]": 0.4, "box.h[p]": 0.3},
		func(u float64) []float64 { return []float64{math.Sqrt(0.7) * u, math.Sqrt(0.3)} },
		[]float64{math.Sqrt(0.7) * 0.4, 0},
	},
	"imparc": {
		map[string]float64{"imparc.arc[p]": 0.5, "imparc.rho_arc[p]": 0.9, "imparc.imp[p]": 0.3, "imparc.rho_imp[p]": -0.5},
		func(u float64) []float64 {
			s, c := math.Sincos(math.Pi * 0.9 * u)
			return []float64{math.Sqrt(0.5) * s, math.Sqrt(0.5) * c, math.Sqrt(0.3) * u}
		}, []float64{0, 0, math.Sqrt(0.3) * -0.5},
	},
	"const": {
		map[string]float64{"flat.theta[p]": 0.6},
		func(u float64) []float64 { return []float64{math.Sqrt(0.6) * u} }, []float64{-math.Sqrt(0.6)},
	},
	"flat": {
		map[string]float64{"flat.theta[p]": 0.6},
		func(u float64) []float64 { return []float64{math.Sqrt(0.6) * u} }, []float64{math.Sqrt(0.6) / 2},
	},
}

func TestDistancesAreIsometries(t *testing.T) {
	if len(embeddings) != len(kernels.Embeddings()) {
		t.Fatal("an embedding is missing here")
	}
	r := rand.New(rand.NewPCG(2, 2))
	draw := func() float64 {
		if r.IntN(4) == 0 {
			return math.NaN()
		}
		return r.Float64()
	}
	for name, e := range embeddings {
		d2 := squared(t, name, kernels.Coord{}, e.values)
		image := func(u float64) []float64 {
			if math.IsNaN(u) {
				return e.off
			}
			return e.at(u)
		}
		for range 200 {
			u, v, w := draw(), draw(), draw()
			want := 0.0
			for k, a := range image(u) {
				want += math.Pow(a-image(v)[k], 2)
			}
			if got := d2(u, v); !(math.Abs(got-want) <= 1e-14) {
				t.Fatalf("%s: d²(%v, %v) = %v, embedding gives %v", name, u, v, got, want)
			}
			if math.Sqrt(d2(u, w)) > math.Sqrt(d2(u, v))+math.Sqrt(d2(v, w))+1e-7 {
				t.Fatalf("%s: triangle inequality at %v, %v, %v", name, u, v, w)
			}
		}
	}
}

// ico on [0, 1] is a pseudometric if and only if ρ ≥ θ/4: the way through inactivity, 2√ρ, must not be shorter than √θ.
func TestIcoIsAPseudometricForLargeRho(t *testing.T) {
	for rho, want := range map[float64]bool{0.24: false, 0.26: true, 2: true} {
		d2 := squared(t, "ico", kernels.Coord{}, map[string]float64{"ico.theta[p]": 1, "ico.rho[p]": rho})
		d := func(u, v float64) float64 { return math.Sqrt(d2(u, v)) }
		if got := d(0, 1) <= 2*d(0, math.NaN()); got != want {
			t.Errorf("ρ = %v: triangle inequality holds is %v", rho, got)
		}
	}
}

// Hutter & Osborne (2013, §2): the distance grows with |u − u′| for ρ ≤ 1, and
// at ρ = ⅓ the distance to inactivity equals the largest between values.
func TestArcProperties(t *testing.T) {
	for _, rho := range []float64{0.1, 1.0 / 3, 0.7, 1} {
		d2 := squared(t, "arc", kernels.Coord{}, map[string]float64{"arc.omega[p]": 0.9, "arc.rho[p]": rho})
		last := -1.0
		for u := 0.0; u <= 1; u += 1.0 / 64 {
			if d := d2(0, u); d <= last {
				t.Errorf("ρ = %v: d²(0, %v) = %v after %v", rho, u, d, last)
			} else {
				last = d
			}
		}
		if off := d2(math.NaN(), 0.3); (rho == 1.0/3) != (math.Abs(off-last) < 1e-14) {
			t.Errorf("ρ = %v: %v to inactivity, %v between values", rho, off, last)
		}
	}
}

// Hutter & Osborne Eq. 6: ω is the product of the weights over the set of ancestors, each once, and the scale.
func TestAncestorWeights(t *testing.T) {
	coords := []kernels.Coord{
		{Name: "a"}, {Name: "b", Conditional: true, Ancestors: []int{0}},
		{Name: "c", Conditional: true, Ancestors: []int{0, 1}},
	}
	k, theta := mustNew(t, kernels.Spec{Name: "arc", Base: "exp", Weights: "ancestors", ARD: true}, coords,
		map[string]float64{
			"arc.scale": 1.5, "arc.gamma[a]": 0.9, "arc.gamma[b]": 0.7, "arc.gamma[c]": 0.4,
			"arc.rho[a]": 0.5, "arc.rho[b]": 0.6, "arc.rho[c]": 0.7,
		})
	x := points.New(4, 3)
	for i := range 4 { // each differs from the first in one activity
		for c := range 3 {
			x.Set(c, i, 0.2, c != i-1)
		}
	}
	g := block(k, theta, x, x)
	for c, omega := range []float64{1.5 * 0.9, 1.5 * 0.9 * 0.7, 1.5 * 0.9 * 0.7 * 0.4} {
		if got := -math.Log(g[0][c+1]); !(math.Abs(got-omega*omega) <= 1e-14) {
			t.Errorf("ω² of %s = %v, want %v", coords[c].Name, got, omega*omega)
		}
	}
}

// A point lacking a parameter that all reference points have is as far from them as they are from it.
func TestInactiveAgainstAlwaysActive(t *testing.T) {
	for _, coord := range []kernels.Coord{{Name: "p", Conditional: true}, {Name: "p", Levels: 3, Conditional: true}} {
		on, off := points.New(5, 1), points.New(1, 1)
		off.Set(0, 0, 1, false)
		for i := range 5 {
			v := float64(i % 3)
			if coord.Levels == 0 {
				v = float64(i) / 5
			}
			on.Set(0, i, v, true)
		}
		if on.Activity(0) != nil {
			t.Fatal("the reference points have a mask")
		}
		for _, name := range distances() {
			k := mustKernel(t, kernels.Spec{Name: name, ARD: true, Constant: -1}, []kernels.Coord{coord})
			var theta []float64
			for _, p := range k.Params() {
				theta = append(theta, p.Init)
			}
			there, back := k.Bind(theta, on), k.Bind(theta, off)
			row, one := make([]float64, 5), make([]float64, 1)
			there.Row(row, off, 0, 0)
			for i, v := range row {
				back.Row(one, on, i, 0)
				if v != one[0] || v == 1 {
					t.Errorf("%s, %d levels: k(off, %d) = %v, k(%d, off) = %v", name, coord.Levels, i, v, i, one[0])
				}
			}
		}
	}
}
