package kernels

import "bohier/internal/points"

// modulated is Π_p Σ_i U_vi U_v′i f_p(λ_i, s) with one s shared by all choices p,
// which is what couples them (Oh, Gavves & Welling 2021, Eq. 5 and Theorem 3.1).
type modulated struct {
	s       part // nil: s = 0
	factors []factor
}

type boundModulated struct {
	s        rows
	factors  []*boundFactor
	dist     []float64
	ds       []float64
	den      []float64
	values   [][]float64 // rows of the factors
	left, h  []float64
	vertices []int
}

// chunk is the number of factors multiplied before a division: enough to be
// rare, too few to overflow.
const chunk = 4

func (k *modulated) bind(theta []float64, y *points.Set) rows {
	n := y.Len()
	b := &boundModulated{den: make([]float64, n), left: make([]float64, n), h: make([]float64, n)}
	if k.s != nil {
		b.s = k.s.bind(theta, y)
		b.dist, b.ds = make([]float64, n), make([]float64, n)
	}
	for p := range k.factors {
		b.factors = append(b.factors, k.factors[p].bind(theta, y))
		b.values = append(b.values, make([]float64, n))
	}
	b.vertices = make([]int, len(k.factors))
	return b
}

// distances returns s for the row, nil for 0.
func (b *boundModulated) distances(n int, x *points.Set, i, lo int) []float64 {
	if b.s == nil {
		return nil
	}
	s := b.dist[:n]
	b.s.row(s, x, i, lo)
	return s
}

func (b *boundModulated) row(dst []float64, x *points.Set, i, lo int) {
	s := b.distances(len(dst), x, i, lo)
	fill(dst, 1)
	den, pending := b.den[:len(dst)], 0
	for _, f := range b.factors {
		v := f.load(x, i)
		if !f.simple || s == nil {
			k := b.h[:len(dst)]
			f.row(k, s, v, lo)
			times(dst, k)
			continue
		}
		if pending == 0 {
			fill(den, 1)
		}
		f.ratio(dst, den, s, v, lo)
		if pending++; pending == chunk {
			over(dst, den)
			pending = 0
		}
	}
	if pending > 0 {
		over(dst, den)
	}
}

func (b *boundModulated) pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	n := len(w)
	s := b.distances(n, x, i, lo)
	var ds []float64
	if s != nil {
		ds = b.ds[:n]
		clear(ds)
	}
	for p, f := range b.factors {
		b.vertices[p] = f.load(x, i)
		b.one(b.values[p][:n], p, s, lo)
	}
	left := b.left[:n]
	copy(left, w)
	for p, f := range b.factors {
		h := b.h[:n]
		copy(h, left)
		for _, k := range b.values[p+1:] {
			times(h, k[:n])
		}
		f.pull(dtheta, ds, h, s, b.values[p], b.vertices[p], lo)
		times(left, b.values[p][:n])
	}
	if s != nil {
		b.s.pull(dtheta, dx, ds, x, i, lo)
	}
}

// one sets dst to the row of factor p.
func (b *boundModulated) one(dst []float64, p int, s []float64, lo int) {
	f := b.factors[p]
	if len(b.factors) == 1 && f.scale == nil {
		return // nothing multiplies it
	}
	if !f.simple || s == nil {
		f.row(dst, s, b.vertices[p], lo)
		return
	}
	den := b.den[:len(dst)]
	fill(dst, 1)
	fill(den, 1)
	f.ratio(dst, den, s, b.vertices[p], lo)
	over(dst, den)
}

func over(num, den []float64) {
	for t, d := range den {
		num[t] /= d
	}
}
