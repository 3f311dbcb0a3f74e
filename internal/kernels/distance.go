package kernels

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/points"
)

// A term is a squared distance along one axis.
type term interface {
	over(col *boundAxis) boundTerm
}

// boundTerm works between the point loaded into its axis and the reference
// points lo, lo+1, … Its d² is the sum of the squares it gives or, if it gives none, of its terms.
type boundTerm interface {
	set(theta []float64) // before anything else
	load()               // after the axis
	// squares appends squares whose f are for the reference points from 0 on; for reference point i, x is f[i].
	squares(list []square) []square
	// add adds to dst[t].
	add(dst []float64, lo int)
	// rise returns Σ_t g[t]·∂d²_t/∂u for the loaded point.
	rise(g []float64, lo int) float64
	// features adds the vectors by whose pair sums pull adds the gradient of Σ_{j<i} g_ij·d²_ij by the hyperparameters.
	features(x *pairSums)
	pull(dtheta []float64, x *pairSums)
}

// axisTerms is all terms along one axis.
type axisTerms struct {
	axis  axis
	terms []term
}

// distance is D² = Σ_c d_c²: a part whose rows are squared distances.
type distance struct{ spreads []axisTerms }

type boundDistance struct {
	cols   []*boundAxis
	terms  [][]boundTerm
	blocks []distanceBlock
	y      *points.Set
}

// blockAxes is the number of axes of a block.
const blockAxes = 16

// A distanceBlock is the sum over some of the axes. The latest rows are kept: points that a
// search compares differ by a few coordinates, and many lack the same parameters.
type distanceBlock struct {
	cols    []*boundAxis
	coords  []int
	terms   [][]boundTerm
	squares []square  // of the loaded point, in fours
	adders  []adder   // distances without squares
	sum     []float64 // scratch
	key     []float64 // of the loaded point
	kept    []keptRow // the latest first
	some    []bool    // reference point → whether any of the coordinates is active
}

// A keptRow is a block's row to all reference points from a point with the coordinates key.
type keptRow struct{ key, row []float64 }

// mostKept is the number of rows that a block keeps: of the point that is varied, of its
// variation, of points that lack the parameters, and one more.
const mostKept = 4

type adder struct {
	col  *boundAxis
	term boundTerm
}

func (d *distance) bind(theta []float64, y *reference) rows {
	if y.next == len(y.distances) {
		y.distances = append(y.distances, d.over(y))
	}
	b := y.distances[y.next]
	y.next++
	for k, col := range b.cols {
		col.set(theta)
		for _, t := range b.terms[k] {
			t.set(theta)
		}
	}
	for k := range b.blocks {
		b.blocks[k].set()
	}
	return b
}

func (d *distance) over(y *reference) *boundDistance {
	b := &boundDistance{
		cols:  make([]*boundAxis, len(d.spreads)),
		terms: make([][]boundTerm, len(d.spreads)),
		y:     y.Set,
	}
	for k := range d.spreads {
		s := &d.spreads[k]
		b.cols[k] = y.column(&s.axis)
		for _, t := range s.terms {
			b.terms[k] = append(b.terms[k], t.over(b.cols[k]))
		}
	}
	for lo := 0; lo < len(b.cols); lo += blockAxes {
		hi := min(lo+blockAxes, len(b.cols))
		b.blocks = append(b.blocks, newDistanceBlock(b.cols[lo:hi], b.terms[lo:hi]))
	}
	return b
}

func newDistanceBlock(cols []*boundAxis, terms [][]boundTerm) distanceBlock {
	b := distanceBlock{cols: cols, terms: terms, key: make([]float64, len(cols)),
		kept: make([]keptRow, mostKept), some: make([]bool, cols[0].y.Len())}
	for _, col := range cols {
		b.coords = append(b.coords, col.axis.c)
		for i := range b.some {
			b.some[i] = b.some[i] || col.y.Active(col.axis.c, i)
		}
	}
	return b
}

// set sorts the terms after their hyperparameters were set.
func (b *distanceBlock) set() {
	b.squares, b.adders, b.kept = b.squares[:0], b.adders[:0], b.kept[:0]
	for k, col := range b.cols {
		for _, t := range b.terms[k] {
			before := len(b.squares)
			if b.squares = t.squares(b.squares); len(b.squares) == before {
				b.adders = append(b.adders, adder{col, t})
			}
		}
	}
	b.fillFours()
}

// fillFours completes the squares to a multiple of four by ones of weight 0.
func (b *distanceBlock) fillFours() {
	for len(b.squares)%4 > 0 {
		b.squares = append(b.squares, square{f: b.squares[0].f})
	}
}

func loadAxis(col *boundAxis, terms []boundTerm, x *points.Set, i int) {
	col.load(x, i)
	for _, t := range terms {
		t.load()
	}
}

func (b *boundDistance) row(dst []float64, x *points.Set, i, lo int) {
	clear(dst)
	if len(b.blocks) == 1 {
		b.blocks[0].add(dst, x, i, lo)
		return
	}
	for k := range b.blocks {
		floats.Add(dst, b.blocks[k].row(len(dst), x, i, lo))
	}
}

// row is the sum from point i of x to n reference points.
func (b *distanceBlock) row(n int, x *points.Set, i, lo int) []float64 {
	y := b.cols[0].y
	if x == y && b.some[i] { // a row that no other point has
		b.sum = append(b.sum[:0], make([]float64, n)...)
		b.add(b.sum, x, i, lo)
		return b.sum
	}
	x.Gather(b.key, b.coords, i)
	at := slices.IndexFunc(b.kept, func(r keptRow) bool { return slices.Equal(r.key, b.key) })
	if at < 0 {
		b.kept = b.kept[:min(len(b.kept)+1, mostKept)]
		at = len(b.kept) - 1
		if b.kept[at].key == nil {
			b.kept[at] = keptRow{make([]float64, len(b.cols)), make([]float64, y.Len())}
		}
		copy(b.kept[at].key, b.key)
		clear(b.kept[at].row)
		b.add(b.kept[at].row, x, i, 0)
	}
	r := b.kept[at]
	copy(b.kept[1:at+1], b.kept[:at])
	b.kept[0] = r
	return r.row[lo : lo+n]
}

// add adds the distances along the axes from point i of x.
func (b *distanceBlock) add(dst []float64, x *points.Set, i, lo int) {
	if x == b.cols[0].y {
		b.addReference(dst, i, lo)
		return
	}
	b.squares = b.squares[:0]
	for k, col := range b.cols {
		loadAxis(col, b.terms[k], x, i)
		for _, t := range b.terms[k] {
			b.squares = t.squares(b.squares)
		}
	}
	b.fillFours()
	for _, a := range b.adders {
		a.term.add(dst, lo)
	}
	for k := 0; k < len(b.squares) && len(dst) > 0; k += 4 {
		addSquares(dst, (*[4]square)(b.squares[k:]), lo)
	}
}

// addReference is add for reference point i, whose squares are known.
func (b *distanceBlock) addReference(dst []float64, i, lo int) {
	for _, a := range b.adders {
		a.col.recall(i)
		a.term.load()
		a.term.add(dst, lo)
	}
	for k := 0; k < len(b.squares) && len(dst) > 0; k += 4 {
		four := (*[4]square)(b.squares[k:])
		for s := range four {
			four[s].x = four[s].f[i]
		}
		addSquares(dst, four, lo)
	}
}

func (b *boundDistance) pull(dx, g []float64, x *points.Set, i, lo int) {
	for k, col := range b.cols {
		if !col.axis.free() {
			continue
		}
		if loadAxis(col, b.terms[k], x, i); col.xOn == 1 {
			rise := 0.0
			for _, t := range b.terms[k] {
				rise += t.rise(g, lo)
			}
			dx[col.axis.c] += rise * col.du()
		}
	}
}

// gram sums a distance block after block: the data of one stay in the cache.
func (b *boundDistance) gram(dst lower, _ *Tape) {
	if len(b.blocks) == 1 {
		rowByRow(b, dst, b.y)
		return
	}
	clear(dst.data)
	for k := range b.blocks {
		for i := range dst.n {
			row := dst.row(i)
			floats.Add(row, b.blocks[k].row(len(row), b.y, i, 0))
		}
	}
}
