package gp

import (
	"iter"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	lapack "gonum.org/v1/gonum/lapack/gonum"

	"bohier/internal/lists"
	"bohier/internal/tile"
)

// The dense algebra of the model: lower triangular factors stored by rows, for which every operation is a set of dot
// products of contiguous rows, computed in the tiles of internal/tile: measured against gonum's routines on one core,
// factor and inverse take a third of the time at n = 200 and 1000 (see the benchmarks).

// A matrix is n × n by rows. A factor has the inverses of its diagonal besides: a product
// takes a fraction of a quotient's time.
type matrix struct {
	n       int
	data    []float64
	inverse []float64
}

func newMatrix(n int) matrix {
	v := make([]float64, n*n+n)
	return matrix{n, v[: n*n : n*n], v[n*n:]}
}

// lapacke has the routines of LAPACK, called directly: behind an interface, as in lapack64, the linker
// keeps all of them, half a megabyte.
var lapacke lapack.Implementation

// factorised is a Cholesky factor of a, in its place, and whether a is positive definite.
func factorised(a blas64.Symmetric) (t blas64.Triangular, ok bool) {
	ok = lapacke.Dpotrf(a.Uplo, a.N, a.Data, max(a.Stride, 1))
	return blas64.Triangular{Uplo: a.Uplo, Diag: blas.NonUnit, N: a.N, Data: a.Data, Stride: a.Stride}, ok
}

// symmetric is the view of the lower triangle that blas64 takes.
func (s matrix) symmetric() blas64.Symmetric {
	return blas64.Symmetric{Uplo: blas.Lower, N: s.n, Stride: max(s.n, 1), Data: s.data}
}

// byRows is v as rows of n numbers each.
func byRows(n int, v []float64) blas64.General {
	return blas64.General{Rows: len(v) / max(n, 1), Cols: n, Stride: max(n, 1), Data: v}
}

func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Data: v, Inc: 1} }

func (s matrix) row(i int) []float64 { return s.data[i*s.n : (i+1)*s.n] }

// factor replaces the lower triangle of a positive definite matrix by its Cholesky factor and reports whether it is
// one. The upper triangle is neither read nor written.
func (s matrix) factor() bool {
	n := s.n
	if n < tile.Rows {
		_, ok := factorised(s.symmetric())
		return ok && !lists.Any(n, func(i int) bool { return math.IsInf(s.row(i)[i], 1) })
	}
	for from, to := range panels(0, n, n) {
		for i := from; i < n; i += tile.Rows {
			for j := from; j < min(to, i+tile.Rows); j += tile.Cols {
				if !s.factorTile(i, j) {
					return false
				}
			}
		}
	}
	return true
}

// panels are the columns from…to−1 in groups whose rows of n numbers stay in the cache
// while all rows are multiplied with them. Which group a column is in changes no sum.
func panels(from, to, n int) iter.Seq2[int, int] {
	const numbers = 1 << 15 // 256 KiB
	width := max(1, numbers/n/tile.Cols) * tile.Cols
	return func(yield func(int, int) bool) {
		for ; from < to && yield(from, min(from+width, to)); from += width {
		}
	}
}

// factorTile computes the entries of the factor in the tile of row i and column j, from those left of it and above.
func (s matrix) factorTile(i, j int) bool {
	n := s.n
	first := min(j, n-tile.Cols) // the last tile overlaps its predecessor
	end := min(i+tile.Rows, n)
	var c [tile.Rows * tile.Cols]float64
	tile.Dots(end-i, j, s.data[i*n:], n, s.data[first*n:], n, &c)
	for r := i; r < end; r++ {
		row, sums := s.row(r), c[tile.Cols*(r-i)+j-first:]
		s.solveTile(row, j, j, min(j+tile.Cols, r), sums)
		if r < j || r >= j+tile.Cols {
			continue
		}
		v := row[r] - sums[r-j]
		for t := j; t < r; t++ {
			v -= row[t] * row[t]
		}
		if !(v > 0) || math.IsInf(v, 1) {
			return false
		}
		row[r] = math.Sqrt(v)
		s.inverse[r] = 1 / row[r]
	}
	return true
}

// solveRows replaces each of the given number of rows of b (stride ldb) by L⁻¹row.
func (s matrix) solveRows(b []float64, rows, ldb int) { s.solvePart(b, rows, ldb, 0, s.n) }

// solvePart replaces numbers from…to−1 of each row of b (stride ldb), whose first are those of L⁻¹row, by theirs. from
// is 0 or a multiple of tile.Cols. A row's digits do not depend on its neighbours.
func (s matrix) solvePart(b []float64, rows, ldb, from, to int) {
	n := s.n
	if n < tile.Rows {
		for r := range rows {
			s.solve(b[r*ldb : r*ldb+n])
		}
		return
	}
	var c [tile.Rows * tile.Cols]float64
	for left, right := range panels(from, to, n) {
		for i := 0; i < rows; i += tile.Rows {
			end := min(i+tile.Rows, rows)
			for j := left; j < right; j += tile.Cols {
				first := min(j, n-tile.Cols)
				tile.Dots(end-i, j, b[i*ldb:], ldb, s.data[first*n:], n, &c)
				for r := i; r < end; r++ {
					s.solveTile(b[r*ldb:r*ldb+n], j, j, min(j+tile.Cols, right), c[tile.Cols*(r-i)+j-first:])
				}
			}
		}
	}
}

// solveTile solves for the numbers from…to−1 of a row, in the tile of column j, given the sums of
// products of the numbers left of the tile with the columns of L from j on.
func (s matrix) solveTile(row []float64, j, from, to int, sums []float64) {
	if from == j && to == j+tile.Cols { // the loops below, unrolled
		l, m, v := s.data[(j+1)*s.n+j], s.data[(j+2)*s.n+j:][:2], row[j:][:3]
		v[0] = (v[0] - sums[0]) * s.inverse[j]
		v[1] = (v[1] - sums[1] - v[0]*l) * s.inverse[j+1]
		v[2] = (v[2] - sums[2] - v[0]*m[0] - v[1]*m[1]) * s.inverse[j+2]
		return
	}
	for q := from; q < to; q++ {
		l := s.data[q*s.n:]
		v := row[q] - sums[q-j]
		for t := j; t < q; t++ {
			v -= row[t] * l[t]
		}
		row[q] = v * s.inverse[q]
	}
}

// invert sets the lower triangle of s, a Cholesky factor L, to that of (LL')⁻¹ = UU' with U = L⁻ᵀ, which is left in u.
func (s matrix) invert(u matrix) {
	s.inverseTransposed(u)
	n := s.n
	if n < tile.Rows {
		for i := range n {
			for j := 0; j <= i; j++ {
				s.data[i*n+j] = floats.Dot(u.row(i), u.row(j))
			}
		}
		return
	}
	var c [tile.Rows * tile.Cols]float64
	for left, right := range panels(0, n, n) {
		for i := left - left%tile.Rows; i < n; i += tile.Rows {
			base := min(i, n-tile.Rows)
			for j := left; j < min(i+tile.Rows, right); j += tile.Cols {
				first := min(j, n-tile.Cols)
				from := max(base, first)
				tile.Dots(tile.Rows, n-from, u.data[base*n+from:], n, u.data[first*n+from:], n, &c)
				for r := i; r < min(i+tile.Rows, n); r++ {
					for q := j; q < min(j+tile.Cols, r+1); q++ {
						s.data[r*n+q] = c[tile.Cols*(r-base)+q-first]
					}
				}
			}
		}
	}
}

// inverseTransposed sets u to L⁻ᵀ: upper triangular, zeros below.
func (s matrix) inverseTransposed(u matrix) {
	n := s.n
	clear(u.data)
	for i := range n {
		u.data[i*n+i] = 1
	}
	if n < tile.Rows {
		for i := range n {
			s.solve(u.row(i))
		}
		return
	}
	// Row i of U is the solution of L·row = e_i and starts at i: rows i…i+3 are solved together from column i on.
	var c [tile.Rows * tile.Cols]float64
	for left, right := range panels(0, n, n) {
		for i := 0; i < right; i += tile.Rows {
			base := min(i, n-tile.Rows)
			for j := left; j < right; j += tile.Cols {
				if j+tile.Cols <= i {
					continue
				}
				first := min(j, n-tile.Cols)
				if base < j {
					tile.Dots(tile.Rows, j-base, u.data[base*n+base:], n, s.data[first*n+base:], n, &c)
				} else {
					clear(c[:])
				}
				for r := i; r < min(i+tile.Rows, n); r++ {
					s.solveTile(u.row(r), j, max(j, r), min(j+tile.Cols, right), c[tile.Cols*(r-base)+j-first:])
				}
			}
		}
	}
}

// solve replaces v by L⁻¹v.
func (s matrix) solve(v []float64) {
	for i := range s.n {
		row := s.row(i)
		v[i] = (v[i] - floats.Dot(row[:i], v[:i])) / row[i]
	}
}

// solveTransposed replaces v by L⁻ᵀv, from one row on: it leaves those before half done.
func (s matrix) solveTransposed(v []float64, from int) {
	for i := s.n - 1; i >= from; i-- {
		row := s.row(i)
		v[i] /= row[i]
		blas64.Axpy(-v[i], vector(row[from:i]), vector(v[from:i]))
	}
}
