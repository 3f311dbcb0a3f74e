package kernels_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// resourced is n points of a space with a resource and a trial: the same configurations
// at several resources, and some that belong to no trial.
func resourced(r *rand.Rand, s Space, n int) *points.Set {
	base := s.Points(r, n)
	x := base.Extend(0).Extend(0)
	d := base.Dim()
	for i := range n {
		for c := range d {
			x.Set(c, i, base.At(c, i-i%3), base.Active(c, i-i%3))
		}
		x.Set(d, i, []float64{1. / 27, 1. / 9, 1. / 3, 1, 0.7}[(i+r.IntN(2))%5], true)
		x.Set(d+1, i, float64(i/3), i%7 != 0)
	}
	return x
}

// TestFidelityKernels holds kernels over resources to what all kernels promise: symmetry, no negative eigenvalues,
// gradients, triangles like rows; and to those without resources where all are full.
func TestFidelityKernels(t *testing.T) {
	for _, inner := range kernels.Names() {
		if inner == "icocor" { // is not positive definite, and refused with a fidelity
			continue
		}
		for _, model := range kernels.FidelityModels() {
			t.Run(inner+"/"+model, func(t *testing.T) {
				r := rand.New(rand.NewPCG(7, uint64(len(inner)+len(model))))
				s := RandomSpace(r, Kinds{Numeric: true, Discrete: true, Conditional: true})
				k, err := kernels.New(kernels.Spec{Name: inner, ARD: true}, s.Coords)
				if err != nil {
					t.Skip(err)
				}
				d := len(s.Coords)
				f := kernels.Fidelity(k, kernels.FidelitySpec{Model: model, Coord: d, Low: 1, High: 27})
				theta := Theta(r, f.Params())
				x := resourced(r, s, 14)
				checkRows(t, f, theta, x)
				checkGradient(t, r, f, theta, x)
				Definite(t, f, theta, x)
				if model != "curve" && model != "product" {
					return
				}
				full := x.Clone()
				for i := range full.Len() {
					full.Col(d)[i] = 1
				}
				plain := s.Points(r, full.Len())
				for i := range plain.Len() {
					for c := range d {
						plain.Set(c, i, full.At(c, i), full.Active(c, i))
					}
				}
				a := Gram(f, theta, full)
				b := Gram(k, theta[:len(k.Params())], plain)
				for i := range a {
					if !(math.Abs(a[i]-b[i]) <= 1e-12*math.Abs(b[i])) {
						t.Fatalf("at full resource %v, without %v", a[i], b[i])
					}
				}
			})
		}
	}
}

func checkRows(t *testing.T, k kernels.Kernel, theta []float64, x *points.Set) {
	t.Helper()
	n := x.Len()
	cov := k.Bind(theta, x)
	g, row, tape := make([]float64, n*n), make([]float64, n), &kernels.Tape{}
	cov.Gram(g, n, tape)
	for i := range n {
		cov.Row(row, x, i, 0)
		for j := range i + 1 {
			if g[i*n+j] != row[j] {
				t.Fatalf("triangle %v, row %v", g[i*n+j], row[j])
			}
		}
	}
}

func checkGradient(t *testing.T, r *rand.Rand, k kernels.Kernel, theta []float64, x *points.Set) {
	t.Helper()
	n, params := x.Len(), k.Params()
	w := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			w[i*n+j] = r.NormFloat64()
		}
	}
	sum := func(theta []float64) float64 {
		g := make([]float64, n*n)
		k.Bind(theta, x).Gram(g, n, &kernels.Tape{})
		s := 0.0
		for i, v := range w {
			s += v * g[i]
		}
		if trend := k.Trend(); trend != nil {
			for i := range n {
				s += w[i*n] * trend.At(theta, x, i)
			}
		}
		return s
	}
	grad := pullback(k, theta, x, w)
	if trend := k.Trend(); trend != nil {
		for i := range n {
			trend.Pull(grad, w[i*n], theta, x, i)
		}
	}
	for h, p := range params {
		if p.Choices > 0 || p.Lo == p.Hi {
			continue
		}
		step := 1e-4 * max(math.Abs(theta[h]), 1e-3)
		at := func(by float64) float64 {
			moved := append([]float64(nil), theta...)
			moved[h] += by
			return sum(moved)
		}
		want := (8*(at(step)-at(-step)) - (at(2*step) - at(-2*step))) / (12 * step)
		if !(math.Abs(grad[h]-want) <= 1e-6*(1+math.Abs(want))) {
			t.Errorf("%s: gradient %v, by differences %v", p.Name, grad[h], want)
		}
	}
}

// TestFidelityModelsAgree holds the models to each other where they are to be the same.
func TestFidelityModelsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s := RandomSpace(r, Kinds{Numeric: true})
	plain := mustKernel(t, kernels.Spec{Name: "flat", ARD: true}, s.Coords)
	d := len(s.Coords)
	x := resourced(r, s, 20)
	gram := func(model string, set map[string]float64, x *points.Set) []float64 {
		k := kernels.Fidelity(plain, kernels.FidelitySpec{Model: model, Coord: d, Low: 1, High: 27})
		theta := make([]float64, len(k.Params()))
		for i, p := range k.Params() {
			theta[i] = p.Init
			if v, ok := set[p.Name]; ok {
				theta[i] = v
			}
		}
		return Gram(k, theta, x)
	}
	inits := make([]float64, len(plain.Params()))
	for i, p := range plain.Params() {
		inits[i] = p.Init
	}
	kx := Gram(plain, inits, x)
	same := func(what string, got, want []float64) {
		t.Helper()
		for i := range got {
			if !(math.Abs(got[i]-want[i]) <= 1e-9*(1+math.Abs(want[i]))) {
				t.Fatalf("%s, entry %d: %v, want %v", what, i, got[i], want[i])
			}
		}
	}
	same("curve without drift and own part", gram("curve", map[string]float64{"fidelity.drift": 0, "fidelity.own": 0}, x),
		kx)
	many := x.Clone()
	for i := range many.Len() {
		many.Set(d, i, 1e12, true)
	}
	same("very many folds", gram("crossval", nil, many), kx)
}

// Folds are covariances with hyperparameters of their own, warped axes among them.
func TestFoldsAreAKernelOfTheirOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 5))
	s := RandomSpace(r, Kinds{Numeric: true, Conditional: true})
	k := mustKernel(t, kernels.Spec{Name: "imp", ARD: true, Warp: true}, s.Coords)
	d, own := len(s.Coords), len(k.Params())
	f := kernels.Fidelity(k, kernels.FidelitySpec{Model: "crossval", Coord: d, Low: 1, High: 27})
	theta := Theta(r, f.Params())
	for i, p := range k.Params() {
		if fold := f.Params()[own+2+i].Name; fold != "fold."+p.Name {
			t.Fatalf("%s comes in the place of fold.%s", fold, p.Name)
		}
	}
	x := resourced(r, s, 12)
	whole, model, fold := Gram(f, theta, x), Gram(k, theta[:own], x), Gram(k, theta[own+2:], x)
	for i := range x.Len() {
		for j := range i + 1 {
			at := i*x.Len() + j
			resource := 27 * max(x.At(d, i), x.At(d, j))
			if want := theta[own]*model[at] + theta[own+1]*fold[at]/resource; !(math.Abs(whole[at]-want) <= 1e-12*want) {
				t.Fatalf("points %d and %d: %v, want %v", i, j, whole[at], want)
			}
		}
	}
}

// The mean leaves its start by the full resource: what it is multiplied with is 1 at the lowest level and 0 at the end.
func TestTrendEndsAtFullResource(t *testing.T) {
	for _, model := range []string{"curve", "product"} {
		x := mustKernel(t, kernels.Spec{Name: "matern52"}, []kernels.Coord{{Name: "x"}})
		k := kernels.Fidelity(x, kernels.FidelitySpec{Model: model, Coord: 1, Low: 1, High: 27})
		var theta []float64
		for _, p := range k.Params() {
			if theta = append(theta, p.Init); p.Name == "fidelity.start" {
				theta[len(theta)-1] = 2
			}
		}
		q := points.New(2, 3)
		q.Set(1, 0, 1./27, true)
		q.Set(1, 1, 1, true)
		trend := k.Trend()
		if low, end := trend.At(theta, q, 0), trend.At(theta, q, 1); math.Abs(low-2) > 1e-12 || math.Abs(end) > 1e-12 {
			t.Errorf("%s: %v at the lowest level, %v at full resource, want 2 and 0", model, low, end)
		}
	}
}

// TestFidelityWith holds the names by which settings choose a model to the hyperparameters of the models.
func TestFidelityWith(t *testing.T) {
	k := mustKernel(t, kernels.Spec{Name: "se"}, []kernels.Coord{{Name: "x"}})
	with := map[string][]string{} // by name, the models
	for _, model := range kernels.FidelityModels() {
		for _, p := range kernels.Fidelity(k, kernels.FidelitySpec{Model: model, Coord: 1, Low: 1, High: 9}).Params() {
			with[p.Name] = append(with[p.Name], model)
		}
	}
	for name, models := range with {
		want := ""
		if len(models) == 1 && name != "signal" { // that of Fidelity stands in for the model's own
			want = models[0]
		}
		got := kernels.FidelityWith(func(prefix string) bool { return strings.HasPrefix(name, prefix) })
		if got != want {
			t.Errorf("%s chooses %q, want %q", name, got, want)
		}
	}
}
