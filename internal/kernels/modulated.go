package kernels

import (
	"bohier/internal/points"

	"math"
)

// modulated is Π_p Σ_i U_vi U_v′i f_p(λ_i, s) with one s shared by all choices p, which couples
// them (Oh, Gavves & Welling 2021, arXiv:2102.12792, Eq. 5 and Theorem 3.1).
type modulated struct {
	s       part // nil: s = 0
	factors []factor
}

type boundModulated struct {
	y          *points.Set
	s          rows
	factors    []*boundFactor
	fast, slow []*boundFactor // factors in the closed form, where s varies, and the others
	dist       []float64
	ds         []float64
	den        []float64
	ones       []float64
	values     [][]float64 // rows of the slow factors
	left, h    []float64
}

// chunk is the number of factors multiplied before a division: enough to be rare, too few to overflow.
const chunk = 4

func (k *modulated) bind(theta []float64, y *reference) rows {
	n := y.Len()
	b := &boundModulated{
		y: y.Set, den: make([]float64, n), ones: make([]float64, n), left: make([]float64, n), h: make([]float64, n),
	}
	fill(b.ones, 1)
	if k.s != nil {
		b.s = k.s.bind(theta, y)
		b.dist, b.ds = make([]float64, n), make([]float64, n)
	}
	for p := range k.factors {
		f := k.factors[p].bind(theta, y)
		if b.factors = append(b.factors, f); f.simple && k.s != nil {
			b.fast = append(b.fast, f)
		} else {
			b.slow, b.values = append(b.slow, f), append(b.values, make([]float64, n))
		}
	}
	return b
}

// closed sets dst to the product of all fast factors.
func (b *boundModulated) closed(dst, s []float64, lo int) {
	copy(dst, b.ones)
	den := b.den[:len(dst)]
	for p, f := range b.fast {
		if p%chunk == 0 {
			copy(den, b.ones)
		}
		if f.multiply(dst, den, s, lo); p%chunk == chunk-1 || p == len(b.fast)-1 {
			divide(dst, den)
		}
	}
}

func (b *boundModulated) load(x *points.Set, i int) {
	for _, f := range b.factors {
		f.load(x, i)
	}
}

func (b *boundModulated) row(dst []float64, x *points.Set, i, lo int) {
	b.load(x, i)
	var s []float64
	if b.s != nil {
		s = b.dist[:len(dst)]
		b.s.row(s, x, i, lo)
	}
	b.product(dst, s, lo)
}

// product sets dst to the product of all factors for the loaded point; s nil means 0 everywhere.
func (b *boundModulated) product(dst, s []float64, lo int) {
	b.closed(dst, s, lo)
	k := b.h[:len(dst)]
	for _, f := range b.slow {
		f.row(k, s, lo)
		times(dst, k)
	}
}

func (b *boundModulated) pull(dx, w []float64, x *points.Set, i, lo int) {
	if b.s == nil {
		return
	}
	s, ds, left := b.dist[:len(w)], b.ds[:len(w)], b.left[:len(w)]
	b.load(x, i)
	b.s.row(s, x, i, lo)
	b.closed(left, s, lo)
	times(left, w)
	b.slopes(ds, left, s, lo)
	b.s.pull(dx, ds, x, i, lo)
}

// slopes sets ds to the slopes of Σ w_t·Π_p F_t by s_t for the loaded point, and adds its gradient by the
// hyperparameters of the factors to their sums, but for that of scaling. left holds the weights times all fast factors
// and becomes w_t·Π_p F_t.
func (b *boundModulated) slopes(ds, left, s []float64, lo int) {
	clear(ds)
	row := func(p int) []float64 { return b.values[p][:len(left)] }
	for p, f := range b.slow {
		f.row(row(p), s, lo)
	}
	weigh(len(b.slow), left, b.h[:len(left)], row, func(p int, h []float64) { b.slow[p].pull(ds, h, s, lo) })
	for _, f := range b.fast {
		f.pullDivide(ds, left, s, lo)
	}
}

// gram leaves s and the values on the tape.
func (b *boundModulated) gram(dst lower, tape *Tape) {
	var row []float64
	s, k := tape.plane(first, dst.n), tape.plane(second, dst.n)
	if b.s != nil {
		b.s.gram(s, tape.part(0))
	}
	for i := range dst.n {
		if b.s != nil {
			row = s.row(i)
		}
		b.load(b.y, i)
		b.product(k.row(i), row, 0)
		copy(dst.row(i), k.row(i))
	}
}

func (b *boundModulated) pullGram(dtheta []float64, w lower, tape *Tape) {
	for _, f := range b.factors {
		f.sum = sums{}
	}
	s, k := tape.plane(first, w.n), tape.plane(second, w.n)
	both := tape.pairs.symmetric(w.n) // Σ_j of w_ij·k_ij over all pairs with i
	for i := range w.n {
		var row, ds []float64
		left := k.row(i)
		if b.s != nil {
			row, ds = s.row(i), b.ds[:len(left)]
		}
		b.load(b.y, i)
		if len(b.slow) > 0 {
			b.closed(left, row, 0)
		}
		times(left[:i+1], w.row(i))
		clear(left[i+1:])
		b.slopes(ds, left, row, 0)
		sum := addSum(both[:len(left)], left)
		both[i] += sum // after the call, which adds to it too
		copy(row, ds)
	}
	for _, f := range b.factors {
		f.pullScales(both)
		f.flush(dtheta)
	}
	if b.s != nil {
		b.s.pullGram(dtheta, s.cut(), tape.part(0))
	}
}

// A modulation is the function f(λ, s) of a frequency modulated kernel (Oh,
// Gavves & Welling 2021, arXiv:2102.12792), written in δ, b = βλ, the distance s and the strength α.
type modulation interface {
	// slopes returns f and its derivatives by b, s and α.
	slopes(delta, b, s, alpha float64) (f, db, ds, dalpha float64)
}

// reciprocal is 1/(δ + b + αs): modlap with δ = 1; lap with s = 0; modnn and modkernel with s = 1 − k of a kernel k ≤ 1
// (Proposition 3). It respects the frequency modulation principle.
type reciprocal struct{}

func (reciprocal) slopes(delta, b, s, alpha float64) (f, db, ds, dalpha float64) {
	f = 1 / (delta + b + alpha*s)
	g := -f * f
	return f, g, g * alpha, g * s
}

// diffusion is exp(−(1 + αs)b): moddif; dif with s = 0. It does not respect the
// frequency modulation principle: the constant frequency is never modulated.
type diffusion struct{}

func (diffusion) slopes(_, b, s, alpha float64) (f, db, ds, dalpha float64) {
	if f = 1; b != 0 {
		f = math.Exp(-(1 + alpha*s) * b)
	}
	return f, -(1 + alpha*s) * f, -alpha * b * f, -s * b * f
}
