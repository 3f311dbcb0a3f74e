// Package tile computes blocks of inner products of rows: the step that the dense
// algebra of internal/gp and the gradients of internal/kernels are made of. A tile
// of 4 × 3 products is what fits the registers of AVX2. Sums are made in an order
// that depends on the lengths alone; with vectors and without, they differ by
// rounding.
package tile

// Rows × Cols is the shape of a tile.
const (
	Rows = 4
	Cols = 3
)

// Dots sets c[Cols·r+s] = Σ_{t<k} a[r·lda+t]·b[s·ldb+t] for r < Rows, s < Cols.
func Dots(k int, a []float64, lda int, b []float64, ldb int, c *[Rows * Cols]float64) {
	dots(k, a, lda, b, ldb, c)
}

func dotsGo(k int, a []float64, lda int, b []float64, ldb int, c *[Rows * Cols]float64) {
	clear(c[:])
	for r := range Rows {
		x := a[r*lda : r*lda+k]
		for s := range Cols {
			y := b[s*ldb : s*ldb+k]
			sum := 0.0
			for t, v := range x {
				sum += v * y[t]
			}
			c[Cols*r+s] = sum
		}
	}
}
