// Package points holds encoded configurations: the part of a space that the numerics see.
//
// A Set is n points of d coordinates stored coordinate-major, so that a kernel walks one coordinate of many points in
// memory order. Each coordinate carries either a unit coordinate in [0, 1] (numeric parameters) or the index of a value
// 0…m−1 stored as a float64 (choices), and an activity mask. A Graph joins the values of a choice.
//
// Invariants. An inactive coordinate holds a finite stand-in (½ for numbers, 0 for choices) and its mask is false; no
// consumer may let the stand-in change a result. A nil mask means the coordinate is active in every point.
//
// A Set may be read by many goroutines at once; writing needs exclusive use.
// Misuse (an index out of range, sets of different dimension) panics.
package points
