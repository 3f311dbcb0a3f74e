package kernels

import "golang.org/x/sys/cpu"

// vectors of four numbers are in use.
var vectors = cpu.X86.HasAVX2

// whole is how many of n numbers go through vectors: a multiple of four.
func whole(n int) int {
	if vectors {
		return n &^ 3
	}
	return 0
}

// The functions below do what their namesakes in simd.go do, for n numbers;
// n is a positive multiple of four.

//go:noescape
func addSquaresAVX2(n int, dst *float64, s *[4]square, lo int)

//go:noescape
func addChoicesAVX2(n int, dst, code *float64, p, q, atQ, rest float64)

//go:noescape
func divideAVX2(n int, num, den *float64)

//go:noescape
func timesAVX2(n int, dst, k *float64)

//go:noescape
func addSumAVX2(n int, dst, gs *float64, sum *lanes)

//go:noescape
func sumDifferencesAVX2(n int, gs, f *float64, x float64, sum *lanes)

//go:noescape
func sumChoicesAVX2(n int, gs, code *float64, p, q float64, sum *[2]lanes)

//go:noescape
func decayAVX2(n int, q, d *float64, k float64, root bool, value, slope *decaying)

//go:noescape
func completeAVX2(n int, num, den, s, code *float64, k *complete)

//go:noescape
func pullCompleteAVX2(n int, ds, gs, s, code *float64, k *complete, sum *[4]lanes)

//go:noescape
func extendedAVX2(n int, num, den, s, code *float64, k *extended)

//go:noescape
func pullExtendedAVX2(n int, ds, gs, s, code *float64, k *extended, sum *[4]lanes)

//go:noescape
func addFractionAVX2(n int, dst, s *float64, at *int, p *float64, base, alpha float64)

//go:noescape
func pullFractionAVX2(n int, ds, h, s *float64, at *int, p *float64, base, alpha float64, sum *[2]lanes)
