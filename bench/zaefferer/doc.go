// Package zaefferer repeats the study of Zaefferer and Horn 2018, "A first analysis of
// kernels for kriging-based optimization in hierarchical search spaces": the quality of
// models (their Figures 2 and 3) and searches (their Figures 4 and 5) on 40 settings of
//
//	f(x) = (x1 − d)² + [x1 > c] · ((x2 − ½)² + b),   x2 active iff x1 > c.
//
// Tasks lists the fits and searches, Report judges the paper's claims by their results.
package zaefferer
