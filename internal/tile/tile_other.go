//go:build !amd64

package tile

func dots(k int, a []float64, lda int, b []float64, ldb int, c *[Rows * Cols]float64) {
	dotsGo(k, a, lda, b, ldb, c)
}
