package acq

import (
	"math/rand/v2"

	"bohier/internal/points"
)

// A Head scores the Gaussian prediction of a quantity to be minimised; larger
// scores are better. It knows no model.
type Head interface {
	// Score returns the score of N(mean, variance) and its derivatives with
	// respect to the mean and the variance. A variance below 1e-20 counts as
	// 1e-20 and its derivative is zero there.
	Score(mean, variance float64) (s, dmean, dvar float64)
	// Log tells whether Score is the logarithm of the quantity that multiplies
	// with other heads and averages over samples.
	Log() bool
}

// A Surrogate is what a search needs of a model. It may own scratch memory: one
// per goroutine.
type Surrogate interface {
	Predict(q *points.Set, i int) (mean, variance float64)
	// PredictBatch fills mean[i], variance[i] for every point of q.
	PredictBatch(mean, variance []float64, q *points.Set)
	// Pull adds dmean·∂mean/∂x + dvar·∂variance/∂x at point i of q to dx.
	Pull(dx []float64, dmean, dvar float64, q *points.Set, i int)
}

// A Domain is what a search needs of a space. Its methods may be called by many
// goroutines at once, on different sets.
type Domain interface {
	// Sample draws n valid points, every branch getting its share.
	Sample(r *rand.Rand, n int) *points.Set
	// Neighbors are the valid discrete moves from point i of q, with activity
	// repaired: one step along each active choice's graph (complete: any other
	// value), ±1 for small integers, a parent with its children kept or
	// sampled anew.
	Neighbors(r *rand.Rand, q *points.Set, i int) *points.Set
	// Repair rounds point i to emitted values and decides activity from them.
	// It reports whether the result satisfies every constraint.
	Repair(q *points.Set, i int) bool
	// Smooth lists the active coordinates of point i that have gradients.
	Smooth(q *points.Set, i int) []int
}

// An Acquisition is a score over points that many goroutines can evaluate.
type Acquisition interface {
	// Fork returns a Scorer for the use of one goroutine.
	Fork() Scorer
}

// A Scorer evaluates an acquisition. It owns scratch memory: one per goroutine.
type Scorer interface {
	// Scores fills dst[i] with the score of every point i of q.
	Scores(dst []float64, q *points.Set)
	// Score returns the score of point i of q. Unless dx is nil, it overwrites
	// dx (one entry per coordinate) with the gradient.
	Score(dx []float64, q *points.Set, i int) float64
}
