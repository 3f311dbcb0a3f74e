package kernels_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// For points that nearly coincide, the gradient over all pairs is as exact as the
// rounding of the largest weight allows, at any separation.
func TestTriangleOfNearPoints(t *testing.T) {
	const n, heavy = 41, 1e8
	coords := []kernels.Coord{{Name: "a"}, {Name: "b", Conditional: true}, {Name: "c", Levels: 3}}
	for _, name := range []string{"matern52", "arc", "imparc", "hmodlap"} {
		k := mustKernel(t, kernels.Spec{Name: name, ARD: true, AlwaysActive: map[string]string{"arc": "same"}[name]},
			coords)
		var theta []float64
		for _, p := range k.Params() {
			theta = append(theta, p.Init)
		}
		for _, apart := range []float64{1e-3, 1e-7, 0} {
			r := rand.New(rand.NewPCG(1, 1))
			x := points.New(n, 3)
			for i := range n {
				v := r.Float64()
				x.Set(0, i, r.Float64(), true)
				x.Set(1, i, v, v < 0.7)
				x.Set(2, i, float64(r.IntN(3)), true)
				if i%2 == 1 {
					x.Copy(i, x, i-1)
					x.Set(0, i, x.At(0, i)+apart, true)
				}
			}
			w := make([]float64, n*n)
			for i := range n {
				for j := range i + 1 {
					w[i*n+j] = r.NormFloat64()
					if i%2 == 1 && j == i-1 {
						w[i*n+j] *= heavy
					}
				}
			}
			want, _ := byPairs(k, theta, x, w, n)
			for p, v := range pullback(k, theta, x, w) {
				// ∂k/∂θ is of the order of 10 at most where features differ by 1; the
				// worst error seen is 60 roundings of the heavy weight.
				slack := 1e-9*math.Abs(want[p]) + 200*heavy*0x1p-53
				if !(math.Abs(v-want[p]) <= slack) {
					t.Errorf("%s, points %g apart: derivative by %s is %v, by pairs %v", name, apart, k.Params()[p].Name, v, want[p])
				}
			}
		}
	}
}

// Of many coordinates a row is the sum of blocks, some of which points share: a distance is the
// same as that of a kernel of squared exponentials, which is a product over the coordinates.
func TestRowsOfManyCoordinates(t *testing.T) {
	const n, dim = 12, 50
	coords := make([]kernels.Coord, dim)
	for c := range coords {
		coords[c] = kernels.Coord{Name: string(rune('A' + c)), Conditional: true}
	}
	bind := func(coords []kernels.Coord, x *points.Set) kernels.Cov {
		k := mustKernel(t, kernels.Spec{Name: "box", Base: "se"}, coords)
		theta := make([]float64, len(k.Params()))
		for i := range theta {
			theta[i] = 0.3
		}
		cov := k.Bind(theta, x)
		cov.Row(make([]float64, n), x.Clone(), 0, 0)
		for i := range theta {
			theta[i] = 0.1
		}
		cov.Rebind(theta)
		return cov
	}
	r := rand.New(rand.NewPCG(1, 2))
	x := points.New(n, dim)
	for i := range n {
		for c := range dim {
			x.Set(c, i, r.Float64(), c%3 == i%3 && c/16 == i%4)
		}
	}
	for name, q := range map[string]*points.Set{"reference points": x, "others": x.Clone()} {
		cov := bind(coords, x)
		for i := range n {
			row, want := make([]float64, n), make([]float64, n)
			cov.Row(row, q, i, 0)
			for t := range want {
				want[t] = 1
			}
			for c := range dim {
				one, at, factor := points.New(n, 1), points.New(1, 1), make([]float64, n)
				for j := range n {
					one.Set(0, j, x.At(c, j), x.Active(c, j))
				}
				at.Set(0, 0, q.At(c, i), q.Active(c, i))
				bind(coords[c:c+1], one).Row(factor, at, 0, 0)
				for j, v := range factor {
					want[j] *= v
				}
			}
			for j, v := range row {
				if math.Abs(v-want[j]) > 1e-12 {
					t.Errorf("%s, %d and %d: %v, want %v", name, i, j, v, want[j])
				}
			}
		}
	}
}
