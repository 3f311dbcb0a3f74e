package tile

import "golang.org/x/sys/cpu"

var haveAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// dotsAVX2 is Dots with vectors of four and fused multiply-add.
//
//go:noescape
func dotsAVX2(k int, a *float64, lda int, b *float64, ldb int, c *[Rows * Cols]float64)

func dots(k int, a []float64, lda int, b []float64, ldb int, c *[Rows * Cols]float64) {
	if k > 0 && haveAVX2 {
		_, _ = a[3*lda+k-1], b[2*ldb+k-1]
		dotsAVX2(k, &a[0], lda, &b[0], ldb, c)
		return
	}
	dotsGo(k, a, lda, b, ldb, c)
}
