package gp

import "golang.org/x/sys/cpu"

var haveAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// tileAVX2 is tile with vectors of four and fused multiply-add.
//
//go:noescape
func tileAVX2(k int, a *float64, lda int, b *float64, ldb int, c *[12]float64)

func tile(k int, a []float64, lda int, b []float64, ldb int, c *[12]float64) {
	if k > 0 && haveAVX2 {
		_, _ = a[3*lda+k-1], b[2*ldb+k-1]
		tileAVX2(k, &a[0], lda, &b[0], ldb, c)
		return
	}
	tileGo(k, a, lda, b, ldb, c)
}
