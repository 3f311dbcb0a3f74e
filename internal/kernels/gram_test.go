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
		k, err := kernels.New(kernels.Spec{Name: name, ARD: true, AlwaysActive: map[string]string{"arc": "same"}[name]}, coords)
		if err != nil {
			t.Fatal(err)
		}
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
			cov := k.Bind(theta, x).(kernels.Triangle)
			gram, w, want := make([]float64, n*n), make([]float64, n*n), make([]float64, len(theta))
			for i := range n {
				for j := range i + 1 {
					w[i*n+j] = r.NormFloat64()
					if i%2 == 1 && j == i-1 {
						w[i*n+j] *= heavy
					}
				}
				cov.Pull(want, nil, w[i*n:][:i+1], x, i, 0)
			}
			var tape kernels.Tape
			got := make([]float64, len(theta))
			cov.Gram(gram, n, &tape)
			cov.PullGram(got, w, n, &tape)
			for p, v := range got {
				// ∂k/∂θ is of the order of 10 at most where features differ by 1; the
				// worst error seen is 60 roundings of the heavy weight.
				slack := 1e-9*math.Abs(want[p]) + 200*heavy*0x1p-53
				if !(math.Abs(v-want[p]) <= slack) {
					t.Errorf("%s, points %g apart: derivative by %s is %v, by rows %v", name, apart, k.Params()[p].Name, v, want[p])
				}
			}
		}
	}
}
