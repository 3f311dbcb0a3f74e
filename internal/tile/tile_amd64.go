package tile

import "golang.org/x/sys/cpu"

var haveAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// dotsAVX2 is Dots with vectors of four and fused multiply-add.
//
//go:noescape
func dotsAVX2(rows, k int, a *float64, lda int, b *float64, ldb int, c *[Rows * Cols]float64)

func dots(rows, k int, a []float64, lda int, b []float64, ldb int, c *[Rows * Cols]float64) {
	if k > 0 && haveAVX2 {
		_, _ = a[(rows-1)*lda+k-1], b[(Cols-1)*ldb+k-1]
		dotsAVX2(rows, k, &a[0], lda, &b[0], ldb, c)
		return
	}
	dotsGo(rows, k, a, lda, b, ldb, c)
}

// subtractAVX2 is Subtract with vectors of four; n and m are those of v and x.
//
//go:noescape
func subtractAVX2(n int, v *float64, m int, x, l *float64, ld int)

func subtract(v, x, l []float64, ld int) {
	if len(v) > 0 && len(x) > 0 && haveAVX2 {
		_ = l[(len(x)-1)*ld+len(v)-1]
		subtractAVX2(len(v), &v[0], len(x), &x[0], &l[0], ld)
		return
	}
	subtractGo(v, x, l, ld)
}
