//go:build !amd64

package kernels

// whole is how many of n numbers go through vectors.
func whole(int) int { return 0 }

func addSquaresAVX2(_ int, _ *float64, _ *[4]square, _ int)                                   {}
func addChoicesAVX2(_ int, _, _ *float64, _, _, _, _ float64)                                 {}
func divideAVX2(_ int, _, _ *float64)                                                         {}
func timesAVX2(_ int, _, _ *float64)                                                          {}
func addSumAVX2(_ int, _, _ *float64, _ *lanes)                                               {}
func sumDifferencesAVX2(_ int, _, _ *float64, _ float64, _ *lanes)                            {}
func sumChoicesAVX2(_ int, _, _ *float64, _, _ float64, _ *[2]lanes)                          {}
func decayAVX2(_ int, _, _ *float64, _ float64, _ bool, _, _ *decaying)                       {}
func completeAVX2(_ int, _, _, _, _ *float64, _ *complete)                                    {}
func pullCompleteAVX2(_ int, _, _, _, _ *float64, _ *complete, _ *[4]lanes)                   {}
func extendedAVX2(_ int, _, _, _, _ *float64, _ *extended)                                    {}
func pullExtendedAVX2(_ int, _, _, _, _ *float64, _ *extended, _ *[4]lanes)                   {}
func addFractionAVX2(_ int, _, _ *float64, _ *int, _ *float64, _, _ float64)                  {}
func pullFractionAVX2(_ int, _, _, _ *float64, _ *int, _ *float64, _, _ float64, _ *[2]lanes) {}
