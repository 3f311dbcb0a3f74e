// Package problems holds benchmark functions on mixed and conditional spaces,
// each with its space as data and its optimum.
//
// Start from Names and Get; a Problem evaluates configurations given as a map of plain values, as they come out of
// JSON, and writes itself as a study file. All problems are minimized and free of noise. Constraints of the engineering
// problems enter as exact penalties, so that the feasible optimum is the minimum.
//
// A problem's optimum is exact (known from the formula or proven), verified (brute force over the discrete part with
// multi-start local search over the rest) or best-known. The functions follow the sources named with each group, with
// the defects of published versions mended; values at ten random points of each are compared with an independent
// implementation in the tests.
//
// Problems are immutable; Eval may be called concurrently. Errors report bad
// configurations and missing data files; nothing panics on user input.
package problems
