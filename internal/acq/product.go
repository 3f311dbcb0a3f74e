package acq

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// Product multiplies acquisitions in logarithmic form: their scores add. Samples of different surrogates are
// independent, so the average over all combinations of them is the product of an average for each.
func Product(factors ...Acquisition) Acquisition {
	return func() Scorer { return product(lists.Of(factors, func(fork Acquisition) Scorer { return fork() })) }
}

// A product is the Scorer of a Product.
type product []Scorer

// Open implements Scorer: bounds of factors add up to one.
func (s product) Open(bound []float64, q *points.Set) func(bound []float64, at []int, share float64) {
	var factors []func(bound []float64, at []int, share float64)
	s.add(bound, func(f Scorer, score []float64) { factors = append(factors, f.Open(score, q)) })
	var score []float64
	return func(bound []float64, at []int, share float64) {
		score = slices.Grow(score[:0], len(at))[:len(at)]
		clear(bound)
		for _, f := range factors {
			f(score, at, share)
			for k, v := range score {
				bound[k] += v
			}
		}
		if share < 1 {
			for k, v := range bound {
				bound[k] += 1e-12 * math.Abs(v) // sums round
			}
		}
	}
}

// Score implements Scorer.
func (s product) Score(dst []float64, q *points.Set) func(dx [][]float64) {
	var factors []func(dx [][]float64)
	s.add(dst, func(f Scorer, score []float64) { factors = append(factors, f.Score(score, q)) })
	return func(dx [][]float64) {
		one := make([][]float64, len(dx)) // of one factor, where a gradient is asked for
		for i, d := range dx {
			if clear(d); d != nil {
				one[i] = make([]float64, len(d))
			}
		}
		for _, gradients := range factors {
			gradients(one)
			for i, d := range dx {
				floats.Add(d, one[i])
			}
		}
	}
}

// add sets dst to the sum of the factors' values.
func (s product) add(dst []float64, give func(f Scorer, score []float64)) {
	score := make([]float64, len(dst))
	clear(dst)
	for _, f := range s {
		give(f, score)
		for i, v := range score {
			dst[i] += v
		}
	}
}
