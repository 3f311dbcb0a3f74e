package acq

import (
	"math"

	"bohier/internal/points"
)

// Product multiplies acquisitions in logarithmic form: their scores add. Samples
// of different surrogates are independent, so the average over all combinations
// of them is the product of an average for each.
type Product []Acquisition

// Fork implements Acquisition.
func (p Product) Fork() Scorer {
	s := &productScorer{}
	for _, a := range p {
		s.factors = append(s.factors, a.Fork())
	}
	return s
}

type productScorer struct {
	factors []Scorer
	score   []float64   // of one factor, per point
	dx      [][]float64 // of one factor, where a gradient is asked for
}

// Open implements Scorer: bounds of factors add up to one.
func (s *productScorer) Open(bound []float64, q *points.Set) func(bound []float64, at []int, share float64) {
	var factors []func(bound []float64, at []int, share float64)
	s.add(bound, func(f Scorer, score []float64) { factors = append(factors, f.Open(score, q)) })
	var score []float64
	return func(bound []float64, at []int, share float64) {
		score = grown(score, len(at))
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

func (s *productScorer) Gradients(dst []float64, dx [][]float64, q *points.Set) {
	for len(s.dx) < len(dx) {
		s.dx = append(s.dx, nil)
	}
	one := s.dx[:len(dx)]
	for i, d := range dx {
		clear(d)
		one[i] = nil
		if d != nil {
			one[i] = make([]float64, len(d))
		}
	}
	s.add(dst, func(f Scorer, score []float64) {
		f.Gradients(score, one, q)
		for i, d := range dx {
			for c := range d {
				d[c] += one[i][c]
			}
		}
	})
}

// add sets dst to the sum of what factors give.
func (s *productScorer) add(dst []float64, give func(f Scorer, score []float64)) {
	s.score = grown(s.score, len(dst))
	clear(dst)
	for _, f := range s.factors {
		give(f, s.score)
		for i, v := range s.score {
			dst[i] += v
		}
	}
}
