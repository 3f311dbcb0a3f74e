package acq

import (
	"math/rand/v2"

	"bohier/internal/points"
	"bohier/internal/polytope"
)

// A Surrogate models one quantity for a search, with means for one or several beliefs, and one
// variance. It may own scratch memory: one per goroutine.
//
// Its result for a point must not depend, in any bit, on the points beside it: the search
// groups them as its workers are free.
type Surrogate interface {
	// Open starts predicting the points of q: it fills means[f][i], for belief f, and, in bound[i], an upper bound
	// of the variance, and returns a function that sets bound[k], for point at[k], to a lower
	// one from the first share of the observations: the variance for a share of 1. The function
	// may be called by one goroutine at a time, also while others use the surrogate.
	Open(means [][]float64, bound []float64, q *points.Set) (tighten func(bound []float64, at []int, share float64))
	// LoadBatch fills means[f][i] and variance[i] for every point of q, up to a few dozen, and prepares PullBatch.
	LoadBatch(means [][]float64, variance []float64, q *points.Set)
	// PullBatch adds dmean[i]·∂mean/∂x + dvar[i]·∂variance/∂x, of belief f, at point i of
	// the last LoadBatch to dx[i], unless that is nil.
	PullBatch(f int, dx [][]float64, dmean, dvar []float64)
}

// A Domain is a space for a search. Its methods may be called by many goroutines at once, on different sets.
type Domain interface {
	// Sample draws n valid points, every branch getting its share.
	Sample(r *rand.Rand, n int) *points.Set
	// Neighbors are the valid discrete moves from point i of q, each once, with activity repaired: one step along each
	// active choice's graph (complete: any other value), ±1 for small integers, a parent with its children kept or sampled
	// anew.
	Neighbors(r *rand.Rand, q *points.Set, i int) *points.Set
	// Repair rounds point i to emitted values and decides activity from them.
	// It reports whether the result satisfies every constraint.
	Repair(q *points.Set, i int) bool
	// Smooth lists the active coordinates of point i that have gradients.
	Smooth(q *points.Set, i int) []int
	// Rows are linear constraints in all coordinates that hold at point i, and at points
	// near it as far as Repair will have nothing to mend there; nil: a box is all.
	Rows(q *points.Set, i int) []polytope.Row
}

// An Acquisition is a score over points that many goroutines can evaluate: it returns a Scorer for the use of one.
type Acquisition func() Scorer

// A Scorer evaluates an acquisition. It owns scratch memory: one per goroutine.
type Scorer interface {
	// Open starts scoring the points of q: it fills bound[i] with an upper bound of the score, and returns a function that
	// sets bound[k], for point at[k], to a lower one from a share of every surrogate's observations: the score for a share
	// of 1. It may be called as that of a Surrogate.
	Open(bound []float64, q *points.Set) (tighten func(bound []float64, at []int, share float64))
	// Score sets dst[i] to the score of every point i of q, up to a few dozen, and returns a function
	// that sets dx[i], one entry per coordinate, to the gradient there, unless that is nil. The
	// function may be called once, before Score is called again, also after Open.
	Score(dst []float64, q *points.Set) (gradients func(dx [][]float64))
}
