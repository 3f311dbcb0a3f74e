//go:build !amd64

package tile

func dots(rows, k int, a []float64, lda int, b []float64, ldb int, c *[Rows * Cols]float64) {
	dotsGo(rows, k, a, lda, b, ldb, c)
}

func subtract(v, x, l []float64, ld int) { subtractGo(v, x, l, ld) }
