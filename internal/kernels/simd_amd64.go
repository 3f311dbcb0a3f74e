package kernels

import "golang.org/x/sys/cpu"

// vectors of four numbers are in use.
var vectors = cpu.X86.HasAVX2

// The functions below compute the same as their namesakes in simd.go, for as many numbers as they return: a multiple of
// four, 0 without vectors. The first array has the number of values; the others are as long.

//go:noescape
func addSquaresAVX2(dst []float64, s *[4]square, lo int) int

//go:noescape
func addChoicesAVX2(dst, code []float64, p, q, atQ, rest float64) int

//go:noescape
func divideAVX2(num, den []float64) int

//go:noescape
func timesAVX2(dst, k []float64) int

//go:noescape
func addSumAVX2(dst, gs []float64, sum *lanes) int

//go:noescape
func sumDifferencesAVX2(gs, f []float64, x float64, sum *lanes) int

//go:noescape
func sumChoicesAVX2(gs, code []float64, p, q float64, sum *[2]lanes) int

//go:noescape
func decayAVX2(q, d []float64, k float64, root bool, value, slope *decaying) int

//go:noescape
func completeAVX2(num, den, s, code []float64, k *complete) int

//go:noescape
func pullCompleteAVX2(ds, gs, s, code []float64, k *complete, sum *[4]lanes) int

//go:noescape
func extendedAVX2(num, den, s, code []float64, k *extended) int

//go:noescape
func pullExtendedAVX2(ds, gs, s, code []float64, k *extended, sum *[4]lanes) int

//go:noescape
func addFractionAVX2(dst, s []float64, at []int, p []float64, base, alpha float64) int

//go:noescape
func pullFractionAVX2(ds, h, s []float64, at []int, p []float64, base, alpha float64, sum *[2]lanes) int
