package kernels_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/lists"
	"bohier/internal/points"
)

// At any corner of the box of hyperparameters rows and gradients are finite,
// also between coinciding points and at the ends of the unit interval.
func TestCornersAreFinite(t *testing.T) {
	checks := 0
	for _, v := range variants() {
		for seed := range uint64(4) {
			r := rand.New(rand.NewPCG(seed, 11))
			s := RandomSpace(r, v.kinds)
			k := mustKernel(t, v.spec, s.Coords)
			theta := make([]float64, len(k.Params()))
			for j, p := range k.Params() {
				theta[j] = p.Lo
				if r.IntN(2) == 0 {
					theta[j] = p.Hi
				}
			}
			x := s.Points(r, 8)
			for c, co := range s.Coords {
				if co.Levels == 0 {
					x.Col(c)[0], x.Col(c)[1] = 0, 1
				}
			}
			x.Copy(3, x, 2)
			w, dx := make([]float64, 8), make([]float64, x.Dim())
			for i := range w {
				w[i] = r.NormFloat64()
			}
			dtheta := pullback(k, theta, x, slices.Repeat(w, 8))
			cov := k.Bind(theta, x)
			row := make([]float64, 8)
			for i := range 8 {
				cov.Row(row, x, i, 0)
				cov.Pull(dx, w, x, i, 0)
				for _, list := range [][]float64{row, dtheta, dx} {
					for _, f := range list {
						checks++
						if math.IsNaN(f) || math.IsInf(f, 0) {
							t.Fatalf("%s seed %d: row %v, gradients %v %v at %v", v, seed, row, dtheta, dx, theta)
						}
					}
				}
			}
		}
	}
	if checks < 10000 {
		t.Errorf("only %d numbers checked", checks)
	}
}

// k(x, x) is 1 for profiles of distances, joint or multiplied, and for normalised kernels on graphs; the sum of the
// weights for sums; at most 1 and not 1 for graphs as the papers have them.
func TestDiagonal(t *testing.T) {
	ones, below := 0, 0
	for _, v := range variants() {
		r := rand.New(rand.NewPCG(5, 12))
		s := RandomSpace(r, v.kinds)
		k := mustKernel(t, v.spec, s.Coords)
		theta := Theta(r, k.Params())
		x := s.Points(r, 6)
		want := 1.0
		if v.spec.Combine == "sum" || v.spec.Name == "effects" {
			want = 0
			for j, p := range k.Params() {
				if p.Variance {
					want += theta[j]
				}
			}
		}
		for i := range 6 {
			got := at(k, theta, x, i)
			switch v.spec.Name {
			case "lap", "dif", "modlap", "moddif", "prodlap", "proddif", "hmodlap":
				if !v.spec.Normalize {
					if v.kinds.Discrete {
						below++
						if !(got > 0 && got < 1) {
							t.Errorf("%s: k(x, x) = %v", v, got)
						}
					}
					continue
				}
			case "modnn", "modkernel", "addlap", "adddif", "mix", "linear", "add", "multiply":
				continue
			}
			ones++
			if !(math.Abs(got-want) <= 1e-13*want) {
				t.Errorf("%s: k(x, x) = %v, want %v", v, got, want)
			}
		}
	}
	if ones < 500 || below < 50 {
		t.Errorf("only %d and %d diagonals checked", ones, below)
	}
}

func at(k kernels.Kernel, theta []float64, x *points.Set, i int) float64 {
	var v [1]float64
	k.Bind(theta, x).Row(v[:], x, i, i)
	return v[0]
}

// Every positive hyperparameter may be fixed at 0, or at 1e-20 where it divides.
func TestHyperparametersAtZero(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 11))
	tried := map[bool]int{}
	check := func(what string, k kernels.Kernel, x *points.Set) {
		params := k.Params()
		for j, p := range params {
			if p.Scale != kernels.Log {
				continue
			}
			theta := lists.Of(params, func(p kernels.Param) float64 { return p.Init })
			if theta[j] = 0; p.Divides {
				theta[j] = 1e-20
			}
			tried[p.Divides]++
			for _, v := range Gram(k, theta, x) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s: %s at %g: %v", what, p.Name, theta[j], v)
					break
				}
			}
		}
	}
	for _, v := range variants() {
		if v.opt.Indefinite { // rounding may make a distance negative
			continue
		}
		v.spec.WarpDecades = true
		s := RandomSpace(r, v.kinds)
		k := mustKernel(t, v.spec, s.Coords)
		check(v.String(), k, s.Points(r, 6))
	}
	s := RandomSpace(r, mixedKinds)
	k := mustKernel(t, kernels.Spec{Name: "matern52"}, s.Coords)
	for _, model := range kernels.FidelityModels() {
		f := kernels.Fidelity(k, kernels.FidelitySpec{Model: model, Coord: len(s.Coords), Low: 1, High: 27})
		check(model, f, resourced(r, s, 6))
	}
	if tried[true] < 100 || tried[false] < 1000 {
		t.Errorf("%v hyperparameters", tried)
	}
}
