// Package tile computes blocks of inner products of rows, and subtracts multiples of rows: the steps
// that the dense algebra of internal/gp and the gradients of internal/kernels are made of. A tile of
// 4 × 3 products fits the registers of AVX2. Sums are made in an order that depends on the lengths
// alone; with vectors and without, inner products differ by rounding.
package tile

// Rows × Cols is the shape of a tile.
const (
	Rows = 4
	Cols = 3
)

// Dots sets c[Cols·r+s] = Σ_{t<k} a[r·lda+t]·b[s·ldb+t] for r < rows, at most Rows, and
// s < Cols; the other numbers of c are anything.
func Dots(rows, k int, a []float64, lda int, b []float64, ldb int, c *[Rows * Cols]float64) {
	dots(rows, k, a, lda, b, ldb, c)
}

func dotsGo(rows, k int, a []float64, lda int, b []float64, ldb int, c *[Rows * Cols]float64) {
	for r := range rows {
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

// Subtract subtracts x[i]·l[i·ld+t] from v[t] for every i, one after the other, and rounds
// every product and difference.
func Subtract(v, x, l []float64, ld int) { subtract(v, x, l, ld) }

func subtractGo(v, x, l []float64, ld int) {
	for i, a := range x {
		for t, b := range l[i*ld : i*ld+len(v)] {
			v[t] -= float64(a * b)
		}
	}
}
