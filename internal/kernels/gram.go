package kernels

import "bohier/internal/points"

// A Tape is memory for one Gram matrix at a time. The zero value is ready; it
// grows to the square of the number of points and is for one goroutine.
type Tape struct {
	planes [3]lower
	pairs  pairSums
	parts  []*Tape
}

// part is the tape of part k of a kernel that is made of others.
func (t *Tape) part(k int) *Tape {
	for len(t.parts) <= k {
		t.parts = append(t.parts, &Tape{})
	}
	return t.parts[k]
}

// The planes of a tape: a kernel's own intermediate results, and its values for the kernel that it is part of.
const (
	first = iota
	second
	values
)

// plane is a triangle for n points; its contents are those left there.
func (t *Tape) plane(k, n int) lower {
	if t.planes[k].n != n {
		blocks := (n + 3) / 4
		t.planes[k] = lower{n, 0, make([]float64, 8*blocks*(blocks+1))}
	}
	return t.planes[k]
}

// lower is a lower triangle: of a matrix with a stride or, if that is 0, packed in blocks of four rows, which all end
// where the last does: loops along rows have no odd ends except in the last block, and a block is one side of a matrix
// product.
type lower struct {
	n, stride int
	data      []float64
}

// row is row i up to the diagonal at least, and n numbers at most.
func (p lower) row(i int) []float64 {
	if p.stride > 0 {
		return p.data[i*p.stride:][:i+1]
	}
	block := i >> 2
	return p.data[8*block*(block+1)+(i&3)*4*(block+1):][:min(4*(block+1), p.n)]
}

// cut is the triangle with 0 right of its diagonal.
func (p lower) cut() lower {
	for i := range p.n {
		clear(p.row(i)[i+1:])
	}
	return p
}

// block is the four rows from 4k on, 4(k + 1) long each, of a packed triangle.
func (p lower) block(k int) []float64 { return p.data[8*k*(k+1):][:16*(k+1)] }

func (b *bound) Gram(dst []float64, stride int, tape *Tape) {
	b.rows.gram(lower{b.y.Len(), stride, dst}, tape)
}

func (b *bound) PullGram(dtheta, w []float64, stride int, tape *Tape) {
	b.rows.pullGram(dtheta, lower{b.y.Len(), stride, w}, tape)
}

// rowByRow sets the rows of dst to r(y_i, y_j).
func rowByRow(r rows, dst lower, y *points.Set) {
	for i := range dst.n {
		r.row(dst.row(i), y, i, 0)
	}
}
