package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// A timed kernel adds up the time spent in it.
type timed struct {
	kernels.Kernel
	spent *time.Duration
}

func (k timed) Bind(theta []float64, y *points.Set) kernels.Cov {
	defer k.since(time.Now())
	return timedCov{k.Kernel.Bind(theta, y), k}
}

func (k timed) since(start time.Time) { *k.spent += time.Since(start) }

type timedCov struct {
	kernels.Cov
	timed
}

func (c timedCov) Row(dst []float64, x *points.Set, i, lo int) {
	defer c.since(time.Now())
	c.Cov.Row(dst, x, i, lo)
}

func (c timedCov) Gram(dst []float64, stride int, tape *kernels.Tape) {
	defer c.since(time.Now())
	c.Cov.Gram(dst, stride, tape)
}

func (c timedCov) PullGram(dtheta, w []float64, stride int, tape *kernels.Tape) {
	defer c.since(time.Now())
	c.Cov.PullGram(dtheta, w, stride, tape)
}

// BenchmarkKernelShare is a likelihood with its gradient by every kernel. The metrics are the time spent in the kernel
// and in the rest, linear algebra, each the least of all evaluations, which other programs disturbed least, and the
// kernel's share of the two. 10 parameters: 6 numbers and 4 choices of 3 to 5 values, half of each conditional in the
// kernels for conditions.
func BenchmarkKernelShare(b *testing.B) {
	for _, spec := range []kernels.Spec{
		{Name: "matern52"}, {Name: "arc", AlwaysActive: "same"}, {Name: "imparc"},
		{Name: "modlap"}, {Name: "modlap", Normalize: true},
		{Name: "hmodlap"}, {Name: "hmodlap", Normalize: true},
	} {
		spec.ARD = true
		label := spec.Name
		if spec.Normalize {
			label += "-normalized"
		}
		for _, n := range []int{200, 500, 1000, 2000} {
			b.Run(fmt.Sprintf("%s/n=%d", label, n), func(b *testing.B) { kernelShare(b, spec, n) })
		}
	}
}

func kernelShare(b *testing.B, spec kernels.Spec, n int) {
	conditional := spec.Name != "matern52" && spec.Name != "modlap"
	coords := make([]kernels.Coord, 10)
	for c := range coords {
		coords[c] = kernels.Coord{Name: fmt.Sprintf("p%d", c), Conditional: conditional && c >= 5}
		if c%5 >= 3 {
			coords[c].Levels = 3 + c%3
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	x, y := points.New(n, len(coords)), make([]float64, n)
	for i := range n {
		for c, co := range coords {
			v := r.Float64()
			if co.Levels > 0 {
				v = float64(r.IntN(co.Levels))
			}
			x.Set(c, i, v, !co.Conditional || r.IntN(2) == 0)
		}
		y[i] = r.NormFloat64()
	}
	kernel, err := kernels.New(spec, coords)
	must(b, err)
	var spent time.Duration
	k := timed{kernel, &spent}
	params, _ := relativeParams(k)
	p := newProblem(k, params, Options{Form: "gp"})
	p.data = merge(x, y, nil, nil)
	e, theta := newEvaluator(p), p.initial()
	own, rest := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		spent = 0
		start := time.Now()
		if !e.slopes(theta) {
			b.Fatal("not positive definite")
		}
		own, rest = min(own, spent), min(rest, time.Since(start)-spent)
	}
	b.ReportMetric(float64(own.Microseconds()), "kernel-µs")
	b.ReportMetric(float64(rest.Microseconds()), "rest-µs")
	b.ReportMetric(100*float64(own)/float64(own+rest), "kernel%")
}
