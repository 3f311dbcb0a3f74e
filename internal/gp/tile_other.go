//go:build !amd64

package gp

func tile(k int, a []float64, lda int, b []float64, ldb int, c *[12]float64) {
	tileGo(k, a, lda, b, ldb, c)
}
