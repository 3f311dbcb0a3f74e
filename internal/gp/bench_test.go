package gp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// benchKernel is the classical ARD Matérn-5/2 on d unit coordinates.
func benchKernel(b *testing.B, d int) kernels.Kernel {
	coords := make([]kernels.Coord, d)
	for i := range coords {
		coords[i].Name = fmt.Sprintf("x%d", i)
	}
	k, err := kernels.New(kernels.Spec{Name: "matern52", ARD: true}, coords)
	must(b, err)
	return k
}

func BenchmarkLikelihoodGradient(b *testing.B) {
	for _, n := range []int{50, 100, 200, 500, 1000, 2000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, y := sample(1, n, 10)
			k := benchKernel(b, 10)
			u, _ := UnitsOf(y)
			params, _ := relativeParams(k)
			p := newProblem(k, params, Options{Form: "gp"})
			for i := range y {
				y[i] = u.Standard(y[i])
			}
			p.data = merge(x, y, nil, nil)
			e := newEvaluator(p)
			theta := p.initial()
			b.ResetTimer()
			for range b.N {
				if !e.slopes(theta) {
					b.Fatal("not positive definite")
				}
			}
		})
	}
}

func BenchmarkFit(b *testing.B) {
	for _, n := range []int{20, 100, 200} {
		x, y := sample(1, n+1, 10)
		k := benchKernel(b, 10)
		_, cold, err := Fit(context.Background(), k, x.Slice(0, n), y[:n], Options{})
		must(b, err)
		for name, o := range map[string]Options{"cold": {}, "warm": {Warm: cold.Warm}} {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				evals := 0
				for range b.N {
					_, rep, err := Fit(context.Background(), k, x, y, o)
					must(b, err)
					evals = rep.Evaluations
				}
				b.ReportMetric(float64(evals), "evaluations")
			})
		}
	}
}

func BenchmarkPredictBatch(b *testing.B) {
	for _, n := range []int{100, 500, 2000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, y := sample(1, n, 10)
			k := benchKernel(b, 10)
			m, _ := mustFit(b, k, x, y, Options{Params: fixed(Params(k, y), append(theta10(), 200, 2, 40)...)})
			r := rand.New(rand.NewPCG(1, 1))
			q := points.New(1000, 10)
			for c := range 10 {
				for i := range q.Len() {
					q.Col(c)[i] = r.Float64()
				}
			}
			p := m.Standard()
			mean, variance := make([]float64, q.Len()), make([]float64, q.Len())
			b.ResetTimer()
			for range b.N {
				p.PredictBatch(mean, variance, q)
			}
		})
	}
}

func BenchmarkPull(b *testing.B) {
	x, y := sample(1, 200, 10)
	k := benchKernel(b, 10)
	m, _ := mustFit(b, k, x, y, Options{Params: fixed(Params(k, y), append(theta10(), 200, 2, 40)...)})
	p := m.Standard()
	dx := make([]float64, 10)
	i := 0
	for range b.N {
		i = (i + 1) % x.Len()
		At(p.PredictBatch, x, i)
		PullAt(p, dx, 1, 1, x, i)
	}
}

func theta10() []float64 {
	t := make([]float64, 10)
	for i := range t {
		t[i] = 0.5
	}
	return t
}
