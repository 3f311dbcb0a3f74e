// Package acq scores predictions and searches a domain for the best score.
//
// Start from three things. A Head turns the Gaussian prediction of one quantity
// into a score (NewHead, Feasibility, LogCost). An Ensemble is an Acquisition
// of heads and surrogates: their score,
// averaged over beliefs (fantasies of pending trials, each with its own incumbent).
// Maximize searches a Domain for the points with the highest score. A Joint scores the
// predictions of several quantities at once: the expected gain in hypervolume of two or
// three objectives (NewHypervolume), or the expected improvement of a weighted Chebyshev
// scalarisation (NewChebyshev); an Ensemble averages them.
//
// Invariants. Everything is minimised, so a lower mean is better, and a higher score is better. Means and variances are
// in the units of the surrogate, which should be standardised (spread about 1): the smallest variance told apart from
// zero is 1e-20. Scores are finite for every finite mean and non-negative variance. Points are package points'
// encoding; this package learns the kinds of coordinates from the Domain alone: the coordinates Smooth lists are unit
// coordinates in [0, 1], every other active one is the index of a value.
//
// The search (hybrid.go) never varies a coordinate that cannot matter. Candidates are ranked by an upper bound of their
// score, from exact means and the variance given a part of the observations, which tightens only while a candidate is
// the best of those asked for (ranking.go); the ranking is that of complete scores. Climbs are coroutines that ask for
// scores, answered in batches (batchclimb.go).
//
// Concurrency. Heads, Ensembles and Domains are read by many goroutines at once. A Surrogate and a Scorer belong to one
// goroutine, which is why an Ensemble takes functions that make surrogates. Maximize gives the same result for the same
// generator state, whatever the number of workers; the caller's generator must not be shared while it runs.
//
// Errors are about numbers that are not finite, and domains without a valid point. Misuse (sets of
// different dimension, an empty ensemble) panics with a package prefix.
package acq
