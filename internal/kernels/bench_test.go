package kernels_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// BenchmarkGram and BenchmarkPull are the kernel's part of searches: the rows of the lower triangle of a Gram matrix,
// and the pullback of as many weights to the coordinates. 10 parameters, 6 of them numeric.
func benchmark(b *testing.B, run func(b *testing.B, cov kernels.Cov, x *points.Set)) {
	var coords []kernels.Coord
	for c := range 10 {
		co := kernels.Coord{Name: fmt.Sprintf("p%d", c), Conditional: c >= 5}
		if c%5 >= 3 {
			co.Levels = 3 + c%3
		}
		coords = append(coords, co)
	}
	flat := make([]kernels.Coord, len(coords))
	path := make([]kernels.Coord, len(coords))
	for c, co := range coords {
		co.Conditional = false
		flat[c] = co
		if co.Levels > 0 {
			co.Levels, co.Graph = 5, kernels.PathGraph(5)
		}
		path[c] = co
	}
	for _, k := range []struct {
		label  string
		spec   kernels.Spec
		coords []kernels.Coord
	}{
		{"matern52", kernels.Spec{Name: "matern52"}, flat},
		{"arc", kernels.Spec{Name: "arc", AlwaysActive: "same"}, coords},
		{"imparc", kernels.Spec{Name: "imparc"}, coords},
		{"modlap", kernels.Spec{Name: "modlap"}, flat},
		{"modlap-path", kernels.Spec{Name: "modlap"}, path},
		{"moddif", kernels.Spec{Name: "moddif"}, flat},
		{"hmodlap", kernels.Spec{Name: "hmodlap"}, coords},
	} {
		k.spec.ARD = true
		kernel, err := kernels.New(k.spec, k.coords)
		must(b, err)
		var theta []float64
		for _, p := range kernel.Params() {
			theta = append(theta, p.Init)
		}
		for _, n := range []int{50, 200, 500, 1000, 2000} {
			r := rand.New(rand.NewPCG(1, 1))
			x := points.New(n, len(coords))
			for c, co := range k.coords {
				for i := range n {
					v := r.Float64()
					if co.Levels > 0 {
						v = float64(r.IntN(co.Levels))
					}
					x.Set(c, i, v, !co.Conditional || r.IntN(2) == 0)
				}
			}
			b.Run(fmt.Sprintf("%s/n=%d", k.label, n), func(b *testing.B) {
				run(b, kernel.Bind(theta, x), x)
			})
		}
	}
}

func BenchmarkGram(b *testing.B) {
	benchmark(b, func(b *testing.B, cov kernels.Cov, x *points.Set) {
		row := make([]float64, x.Len())
		b.ReportAllocs()
		for b.Loop() {
			for i := range x.Len() {
				cov.Row(row[:i+1], x, i, 0)
			}
		}
	})
}

func BenchmarkPull(b *testing.B) {
	benchmark(b, func(b *testing.B, cov kernels.Cov, x *points.Set) {
		w, dx := make([]float64, x.Len()), make([]float64, x.Dim())
		for i := range w {
			w[i] = 1
		}
		b.ReportAllocs()
		for b.Loop() {
			for i := range x.Len() {
				cov.Pull(dx, w[:i+1], x, i, 0)
			}
		}
	})
}
