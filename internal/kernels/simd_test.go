package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// bits compares exactly; NaN equals NaN.
func bits(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) && !(math.IsNaN(got[i]) && math.IsNaN(want[i])) {
			t.Fatalf("%s: number %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// loops runs every function of simd.go on the same numbers and returns all that they write.
func loops(n int) []float64 {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	draw := func(scale float64) []float64 {
		v := make([]float64, n+3)
		for i := range v {
			v[i] = scale * r.NormFloat64()
		}
		return v
	}
	code, far := make([]float64, n+3), draw(1)
	for i := range code {
		code[i] = float64(r.IntN(4))
		far[i] *= far[i] * math.Exp(8*r.NormFloat64())
	}
	far[0], far[n/2], far[n] = 0, math.NaN(), math.Inf(1)
	g, f, u, s, c := draw(1), draw(1), draw(1), draw(1), draw(1)
	var out []float64
	on := func(work func(dst []float64)) {
		dst := append([]float64(nil), g...)
		work(dst[:n])
		out = append(out, dst...) // the end, too, to see that it is untouched
	}
	on(func(dst []float64) {
		addSquares(dst, &[4]square{{f, 0.3, 1.7}, {u, -0.2, 0.4}, {s, 0.9, 3}, {c, 0.1, 0}}, 0)
		addSquares(dst[:len(dst)-n/2], &[4]square{{s, 0.1, 0.7}, {c, -0.3, 1.4}, {u, 0.7, 2}, {f, 0.2, 1}}, n/2)
	})
	on(func(dst []float64) { addChoices(dst, code, 1, 3, 0.4, 0.9) })
	on(func(dst []float64) { divide(dst, f) })
	on(func(dst []float64) { times(dst, f) })
	on(func(dst []float64) { out = append(out, addSum(dst, u)) })
	h, i := sumChoices(g[:n], code, 2, 0)
	out = append(out, sumDifferences(g[:n], f, 0.3), h, i)
	for _, root := range []bool{false, true} {
		on(func(dst []float64) { copy(dst, far); decay(dst, nil, 5, root, decaying{1, 1, 1.0 / 3}, decaying{}) })
		on(func(dst []float64) {
			d := append([]float64(nil), f...)
			copy(dst, far)
			decay(dst, d[:n], 0.5, root, decaying{-1, 0.5, 0}, decaying{0.3, -2, 0.7})
			out = append(out, d...)
		})
	}
	k := complete{v: 2, a: 0.2, b: 0.9, delta: 1, alpha: 1.3, b1: 0.7}
	on(func(num []float64) {
		den := append([]float64(nil), f...)
		k.multiply(num, den[:n], far, code)
		out = append(out, den...)
	})
	at := make([]int, n+3)
	for i, v := range code {
		at[i] = 2 * int(v)
	}
	p := []float64{0.4, 0, -0.3, 0, 0.7, 0, 0.1}
	on(func(dst []float64) { addFraction(dst, far, at, p, 1.2, 0.4) })
	on(func(ds []float64) {
		x, y := pullFraction(ds, f[:n], u, at, p, 1.2, 0.1)
		out = append(out, x, y)
	})
	e3 := extended{p: 2, q: 0, delta: 1, alpha: 1.3, b1: 0.7, b2: 0.4, at: [3]ratio{
		{0.1, 0.2, 1.3, 1, 0.4, 0.5, 0.6, 0.7}, {0.9, 0.8, 0.7, 0, 0.5, 0.4, 0.3, 0.2}, {1.1, 1.2, 0, 1, 1.3, 1.4, 1.5, 1.6},
	}}
	on(func(num []float64) {
		den := append([]float64(nil), f...)
		e3.multiply(num, den[:n], far, code)
		out = append(out, den...)
	})
	on(func(ds []float64) {
		w, x, y, z := e3.pull(ds, f[:n], u, code)
		out = append(out, w, x, y, z)
	})
	on(func(ds []float64) {
		w, x, y, z := k.pull(ds, f[:n], u, code)
		out = append(out, w, x, y, z)
	})
	return out
}

// Vectors and the Go code give the same bits, at every length.
func TestVectorsAreExact(t *testing.T) {
	if four := make([]float64, 4); timesAVX2(four, four) == 0 {
		t.Skip("no vectors on this processor")
	}
	checks := 0
	for n := 1; n < 40; n++ {
		got := loops(n)
		want := withoutVectors(func() []float64 { return loops(n) })
		bits(t, fmt.Sprint("length ", n), got, want)
		checks += len(want)
	}
	if checks < 9000 {
		t.Errorf("only %d numbers compared", checks)
	}
}

// expNegative is within 2 units in the last place of the library's, whose own
// error is below 1; decay is 0 beyond the farthest.
func TestDecay(t *testing.T) {
	worst := 0.0
	for z := 0.0; z <= farthest; z += 0.00317 {
		want := math.Exp(-z)
		worst = max(worst, math.Abs(expNegative(z)/want-1))
	}
	if worst > 4.5e-16 {
		t.Errorf("relative error %.3g", worst)
	}
	q := []float64{0, 708, 709, 1e9, math.Inf(1), math.NaN(), 1, 1, math.NaN()}
	decay(q, nil, 1, false, decaying{1, 0, 0}, decaying{})
	if q[0] != 1 || !(q[1] > 0) || q[2] != 0 || q[3] != 0 || q[4] != 0 || !math.IsNaN(q[5]) || !math.IsNaN(q[8]) {
		t.Errorf("%v", q)
	}
	if !slices.Equal(q[6:8], []float64{expNegative(1), expNegative(1)}) {
		t.Errorf("%v", q[6:])
	}
	below := slices.Repeat([]float64{-1e-17}, 7)
	if decay(below, nil, 1, true, decaying{1, 0, 0}, decaying{}); !slices.Equal(below, slices.Repeat([]float64{1}, 7)) {
		t.Errorf("below 0: %v", below)
	}
}
