package kernels

import (
	"gonum.org/v1/gonum/floats"

	"bohier/internal/points"
)

// A Triangle is a Cov that makes the lower triangle of the Gram matrix of its
// reference points, and the gradient of a sum over all of it, in less time than
// row by row. All kernels of New are such.
type Triangle interface {
	Cov
	// Gram sets dst[i·stride+j] = k(y_i, y_j) for j ≤ i; the other entries are
	// left alone. A tape, if given, keeps what PullGram needs again. Values are
	// those of Row to the bit.
	Gram(dst []float64, stride int, tape *Tape)
	// PullGram adds the gradient of Σ_{j≤i} w[i·stride+j]·k(y_i, y_j) with respect
	// to the hyperparameters (natural units) to dtheta. The tape is that of the
	// Gram before and is used up.
	//
	// Sums over pairs of squared differences are made of inner products here,
	// Σ w(f_i − f_j)² = Σ r_i f_i² − 2Σ w f_i f_j with r_i the weights of point i.
	// For points that nearly coincide that keeps only an absolute accuracy, of
	// the rounding of one weight: in a likelihood's gradient less than what the
	// rounding of the inverse matrix, where such weights come from, has done.
	PullGram(dtheta, w []float64, stride int, tape *Tape)
	// Rebind changes the hyperparameters, in less time than Bind.
	Rebind(theta []float64)
}

var _ Triangle = (*bound)(nil)

// A Tape is memory for one Gram matrix at a time. The zero value is ready; it
// grows to the square of the number of points and is for one goroutine.
type Tape struct {
	planes [2]packed
	pairs  pairSums
	whole  []float64 // n², of kernels that wrap another, and of the parts of a sum or product
	parts  []*Tape
}

// part is the tape of part k of a sum or product.
func (t *Tape) part(k int) *Tape {
	for len(t.parts) <= k {
		t.parts = append(t.parts, &Tape{})
	}
	return t.parts[k]
}

// square returns n² numbers; their contents are those left there.
func (t *Tape) square(n int) []float64 {
	if len(t.whole) != n*n {
		t.whole = make([]float64, n*n)
	}
	return t.whole
}

// plane returns plane k for n points; its contents are those left there.
func (t *Tape) plane(k, n int) packed {
	if t.planes[k].n != n {
		blocks := (n + 3) / 4
		t.planes[k] = packed{n, make([]float64, 8*blocks*(blocks+1))}
	}
	return t.planes[k]
}

// packed is a lower triangle in blocks of four rows, which all end where the last does: loops
// along rows have no odd ends except in the last block, and a block is one side of a matrix
// product.
type packed struct {
	n    int
	data []float64
}

// width is the length of row i, at most n.
func (p packed) width(i int) int { return min(i&^3+4, p.n) }

func (p packed) row(i int) []float64 {
	block := i >> 2
	return p.data[8*block*(block+1)+(i&3)*4*(block+1):][:p.width(i)]
}

// block is the four rows from 4k on, 4(k + 1) long each.
func (p packed) block(k int) []float64 { return p.data[8*k*(k+1):][:16*(k+1)] }

// triangle is what rows implement that gain from it.
type triangle interface {
	gram(dst []float64, stride int, tape *Tape)
	pullGram(dtheta, w []float64, stride int, tape *Tape)
}

func (b *bound) Gram(dst []float64, stride int, tape *Tape) {
	gramOf(b.rows, dst, stride, b.y.Set, tape)
}

func (b *bound) PullGram(dtheta, w []float64, stride int, tape *Tape) {
	pullGramOf(b.rows, dtheta, w, stride, b.y.Set, tape)
}

func gramOf(r rows, dst []float64, stride int, y *points.Set, tape *Tape) {
	if t, ok := r.(triangle); ok && tape != nil {
		t.gram(dst, stride, tape)
		return
	}
	for i := range y.Len() {
		r.row(dst[i*stride:][:i+1], y, i, 0)
	}
}

func pullGramOf(r rows, dtheta, w []float64, stride int, y *points.Set, tape *Tape) {
	if t, ok := r.(triangle); ok {
		t.pullGram(dtheta, w, stride, tape)
		return
	}
	for i := range y.Len() {
		r.pull(dtheta, nil, w[i*stride:][:i+1], y, i, 0)
	}
}

// triangleOf sets the rows of dst to r(y_i, y_j). A distance is summed block after block: what one
// needs stays in the cache.
func triangleOf(r rows, dst packed, y *points.Set) {
	d, ok := r.(*boundDistance)
	if !ok || len(d.blocks) == 1 {
		for i := range dst.n {
			r.row(dst.row(i), y, i, 0)
		}
		return
	}
	clear(dst.data)
	for k := range d.blocks {
		for i := range dst.n {
			row := dst.row(i)
			floats.Add(row, d.blocks[k].row(len(row), y, i, 0))
		}
	}
}

// pullTriangle adds the gradient of Σ_{j≤i} g_ij·r(y_i, y_j) to dtheta; g is 0 right
// of the diagonal. x is memory.
func pullTriangle(r rows, dtheta []float64, g packed, y *points.Set, x *pairSums) {
	if d, ok := r.(*boundDistance); ok {
		for i := range g.n {
			g.row(i)[i] = 0 // whatever the hyperparameters, the distance is 0
		}
		if d.pullPairSums(dtheta, g, x) {
			return
		}
	}
	for i := range g.n {
		r.pull(dtheta, nil, g.row(i), y, i, 0)
	}
}

// gram of a radial kernel leaves the slopes of the profile on the tape, or the
// squared distances for profiles that give no slopes without weights.
func (b *boundRadial) gram(dst []float64, stride int, tape *Tape) {
	plane := tape.plane(0, b.y.Len())
	triangleOf(b.inner, plane, b.y)
	kappa, ok := b.kappa.(fused)
	for i := range plane.n {
		row := plane.row(i)
		q := b.work[:len(row)]
		copy(q, row)
		if ok {
			kappa.both(q, row)
		} else {
			b.kappa.apply(q)
		}
		copy(dst[i*stride:][:i+1], q)
	}
}

func (b *boundRadial) pullGram(dtheta, w []float64, stride int, tape *Tape) {
	plane, sum := tape.plane(0, b.y.Len()), 0.0
	_, ok := b.kappa.(fused)
	for i := range plane.n {
		row, wi := plane.row(i), w[i*stride:][:i+1]
		if ok {
			times(row[:i+1], wi)
		} else {
			sum = b.kappa.slope(row[:i+1], wi, sum)
		}
		clear(row[i+1:])
	}
	b.pullAlpha(dtheta, sum)
	pullTriangle(b.inner, dtheta, plane, b.y, &tape.pairs)
}

// gram of a modulated kernel leaves s and the values on the tape.
func (b *boundModulated) gram(dst []float64, stride int, tape *Tape) {
	s, k := tape.plane(0, b.y.Len()), tape.plane(1, b.y.Len())
	defer func(own []float64) { b.dist = own }(b.dist)
	for i := range k.n {
		b.dist = s.row(i)
		row := k.row(i)
		b.row(row, b.y, i, 0)
		copy(dst[i*stride:][:i+1], row)
	}
}

func (b *boundModulated) pullGram(dtheta, w []float64, stride int, tape *Tape) {
	s, k := tape.plane(0, b.y.Len()), tape.plane(1, b.y.Len())
	if b.s == nil {
		for i := range k.n {
			b.pull(dtheta, nil, w[i*stride:][:i+1], b.y, i, 0)
		}
		return
	}
	for _, f := range b.factors {
		f.begin()
	}
	both := tape.pairs.symmetric(k.n) // Σ_j of w_ij·k_ij over all pairs with i
	for i := range k.n {
		left, row := k.row(i), s.row(i)
		ds := b.ds[:len(row)]
		clear(ds)
		b.loadVertices(b.y, i)
		if !b.fastAll {
			b.closed(left, row, 0)
		}
		times(left[:i+1], w[i*stride:])
		clear(left[i+1:])
		if !b.fastAll {
			b.pullSlow(dtheta, ds, left, row, 0)
		}
		for p, f := range b.factors {
			if f.simple {
				f.pullDivide(ds, left, row, b.vertices[p], 0)
			}
		}
		sum := addSum(both[:len(left)], left)
		both[i] += sum // after the call, which adds to it too
		copy(row, ds)
		clear(row[i+1:])
	}
	for _, f := range b.factors {
		if f.simple {
			f.pullScales(both)
			f.flush(dtheta)
		}
	}
	pullTriangle(b.s, dtheta, s, b.y, &tape.pairs)
}
