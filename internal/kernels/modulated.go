package kernels

import "bohier/internal/points"

// modulated is Π_p Σ_i U_vi U_v′i f_p(λ_i, s) with one s shared by all choices p,
// which is what couples them (Oh, Gavves & Welling 2021, arXiv:2102.12792, Eq. 5 and Theorem 3.1).
type modulated struct {
	s       part // nil: s = 0
	factors []factor
}

type boundModulated struct {
	y        *points.Set
	s        rows
	factors  []*boundFactor
	dist     []float64
	ds       []float64
	den      []float64
	ones     []float64
	values   [][]float64 // rows of the factors
	left, h  []float64
	vertices []int
	fastAll  bool // every factor goes by the closed form where s varies
}

// chunk is the number of factors multiplied before a division: enough to be
// rare, too few to overflow.
const chunk = 4

func (k *modulated) bind(theta []float64, y *reference) rows {
	n := y.Len()
	b := &boundModulated{
		y: y.Set, fastAll: true,
		den: make([]float64, n), ones: make([]float64, n), left: make([]float64, n), h: make([]float64, n),
	}
	fill(b.ones, 1)
	if k.s != nil {
		b.s = k.s.bind(theta, y)
		b.dist, b.ds = make([]float64, n), make([]float64, n)
	}
	for p := range k.factors {
		f := k.factors[p].bind(theta, y)
		f.simple = f.simple && k.s != nil
		b.factors, b.fastAll = append(b.factors, f), b.fastAll && f.simple
		b.values = append(b.values, make([]float64, n))
	}
	b.vertices = make([]int, len(k.factors))
	return b
}

// closed sets dst to the product of all fast factors.
func (b *boundModulated) closed(dst, s []float64, lo int) {
	copy(dst, b.ones)
	den, pending := b.den[:len(dst)], 0
	for p, f := range b.factors {
		if !f.simple {
			continue
		}
		if pending == 0 {
			copy(den, b.ones)
		}
		f.multiply(dst, den, s, b.vertices[p], lo)
		if pending++; pending == chunk {
			divide(dst, den)
			pending = 0
		}
	}
	if pending > 0 {
		divide(dst, den)
	}
}

func (b *boundModulated) loadVertices(x *points.Set, i int) {
	for p, f := range b.factors {
		b.vertices[p] = f.load(x, i)
	}
}

// start loads point i of x and returns s for the row, nil for 0.
func (b *boundModulated) start(n int, x *points.Set, i, lo int) []float64 {
	b.loadVertices(x, i)
	if b.s == nil {
		return nil
	}
	s := b.dist[:n]
	b.s.row(s, x, i, lo)
	return s
}

func (b *boundModulated) row(dst []float64, x *points.Set, i, lo int) {
	s := b.start(len(dst), x, i, lo)
	b.closed(dst, s, lo)
	for p, f := range b.factors {
		if !f.simple {
			k := b.h[:len(dst)]
			f.row(k, s, b.vertices[p], lo)
			times(dst, k)
		}
	}
}

func (b *boundModulated) pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	n := len(w)
	s := b.start(n, x, i, lo)
	var ds []float64
	if s != nil {
		ds = b.ds[:n]
		clear(ds)
	}
	left := b.left[:n]
	b.closed(left, s, lo)
	times(left, w)
	b.pullSlow(dtheta, ds, left, s, lo)
	for p, f := range b.factors {
		if !f.simple {
			continue
		}
		f.begin()
		f.pullDivide(ds, left, s, b.vertices[p], lo)
		if dtheta != nil {
			if f.scale != nil {
				f.pullScale(left, b.vertices[p], lo)
			}
			f.flush(dtheta)
		}
	}
	if s != nil {
		b.s.pull(dtheta, dx, ds, x, i, lo)
	}
}

// pullSlow adds the gradient of Σ w_t·Π_p F_t by the factors that are not fast, for
// the loaded point, to dtheta and ds. left holds the weights times all fast factors
// and becomes w_t·Π_p F_t.
func (b *boundModulated) pullSlow(dtheta, ds, left, s []float64, lo int) {
	n := len(left)
	for p, f := range b.factors {
		if !f.simple {
			f.row(b.values[p][:n], s, b.vertices[p], lo)
		}
	}
	for p, f := range b.factors {
		if f.simple {
			continue
		}
		h := b.h[:n]
		copy(h, left)
		for q := p + 1; q < len(b.factors); q++ {
			if !b.factors[q].simple {
				times(h, b.values[q][:n])
			}
		}
		f.pull(dtheta, ds, h, s, b.values[p], b.vertices[p], lo)
		times(left, b.values[p][:n])
	}
}
