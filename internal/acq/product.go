package acq

import "bohier/internal/points"

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
	score   []float64 // of one factor, per point
	dx      []float64 // of one factor
}

func (s *productScorer) Scores(dst []float64, q *points.Set) {
	if cap(s.score) < len(dst) {
		s.score = make([]float64, len(dst))
	}
	score := s.score[:len(dst)]
	clear(dst)
	for _, f := range s.factors {
		f.Scores(score, q)
		for i, v := range score {
			dst[i] += v
		}
	}
}

func (s *productScorer) Score(dx []float64, q *points.Set, i int) float64 {
	sum := 0.0
	if dx == nil {
		for _, f := range s.factors {
			sum += f.Score(nil, q, i)
		}
		return sum
	}
	if len(s.dx) < len(dx) {
		s.dx = make([]float64, len(dx))
	}
	clear(dx)
	for _, f := range s.factors {
		one := s.dx[:len(dx)]
		sum += f.Score(one, q, i)
		for c, v := range one {
			dx[c] += v
		}
	}
	return sum
}
