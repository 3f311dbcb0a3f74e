//go:build !amd64

package kernels

func addSquaresAVX2(_ []float64, _ *[4]square, _ int) int                    { return 0 }
func addChoicesAVX2(_, _ []float64, _, _, _, _ float64) int                  { return 0 }
func divideAVX2(_, _ []float64) int                                          { return 0 }
func timesAVX2(_, _ []float64) int                                           { return 0 }
func addSumAVX2(_, _ []float64, _ *lanes) int                                { return 0 }
func sumDifferencesAVX2(_, _ []float64, _ float64, _ *lanes) int             { return 0 }
func sumChoicesAVX2(_, _ []float64, _, _ float64, _ *[2]lanes) int           { return 0 }
func decayAVX2(_, _ []float64, _ float64, _ bool, _, _ *decaying) int        { return 0 }
func completeAVX2(_, _, _, _ []float64, _ *complete) int                     { return 0 }
func pullCompleteAVX2(_, _, _, _ []float64, _ *complete, _ *[4]lanes) int    { return 0 }
func extendedAVX2(_, _, _, _ []float64, _ *extended) int                     { return 0 }
func pullExtendedAVX2(_, _, _, _ []float64, _ *extended, _ *[4]lanes) int    { return 0 }
func addFractionAVX2(_, _ []float64, _ []int, _ []float64, _, _ float64) int { return 0 }
func pullFractionAVX2(_, _, _ []float64, _ []int, _ []float64, _, _ float64, _ *[2]lanes) int {
	return 0
}
