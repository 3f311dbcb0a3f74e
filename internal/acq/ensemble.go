package acq

import (
	"math"

	"bohier/internal/points"
)

// A Term is one factor of a member: a head on the predictions of a surrogate.
// Surrogate makes one for each goroutine; it may be called by many at once.
type Term struct {
	Head      Head
	Surrogate func() Surrogate
}

// A Member is one posterior sample (of hyperparameters, of pending outcomes):
// its score is the sum of its terms' scores.
type Member []Term

// Ensemble is the average of members of equal weight: the mean of their scores,
// or, where the heads are logarithms, the logarithm of the mean of the
// exponentials.
type Ensemble struct {
	members []Member
	log     bool
	terms   int
}

// NewEnsemble panics unless there is at least one member, no member is empty,
// all heads are logarithms or none is, and heads that are no logarithms stand
// alone in their member: only log heads multiply.
func NewEnsemble(members ...Member) *Ensemble {
	e := &Ensemble{members: members}
	if len(members) == 0 {
		panic("acq: no members")
	}
	for k, m := range members {
		if len(m) == 0 {
			panic("acq: empty member")
		}
		e.terms += len(m)
		for t, term := range m {
			if k == 0 && t == 0 {
				e.log = term.Head.Log()
			}
			if term.Head.Log() != e.log {
				panic("acq: log heads and others do not average")
			}
		}
		if len(m) > 1 && !e.log {
			panic("acq: several terms need log heads")
		}
	}
	return e
}

// Fork implements Acquisition.
func (e *Ensemble) Fork() Scorer {
	s := &ensembleScorer{
		Ensemble: e,
		models:   make([]Surrogate, 0, e.terms),
		dmean:    make([]float64, e.terms),
		dvar:     make([]float64, e.terms),
		score:    make([]float64, len(e.members)),
	}
	for _, m := range e.members {
		for _, t := range m {
			s.models = append(s.models, t.Surrogate())
		}
	}
	return s
}

type ensembleScorer struct {
	*Ensemble
	models      []Surrogate // terms of all members, in order
	dmean, dvar []float64   // one per model
	score       []float64   // one per member
	mean, vari  []float64   // one per point of a batch
	sums        []float64   // member-major, members × points
}

func (s *ensembleScorer) Scores(dst []float64, q *points.Set) {
	n := q.Len()
	if cap(s.mean) < n {
		s.mean, s.vari = make([]float64, n), make([]float64, n)
		s.sums = make([]float64, n*len(s.members))
	}
	mean, vari := s.mean[:n], s.vari[:n]
	at := 0
	for k, m := range s.members {
		sum := s.sums[k*n : (k+1)*n]
		clear(sum)
		for _, t := range m {
			s.models[at].PredictBatch(mean, vari, q)
			at++
			for i := range sum {
				v, _, _ := t.Head.Score(mean[i], vari[i])
				sum[i] += v
			}
		}
	}
	for i := range n {
		for k := range s.score {
			s.score[k] = s.sums[k*n+i]
		}
		dst[i] = s.average(nil)
	}
}

func (s *ensembleScorer) Score(dx []float64, q *points.Set, i int) float64 {
	at := 0
	for k, m := range s.members {
		s.score[k] = 0
		for _, t := range m {
			mean, vari := s.models[at].Predict(q, i)
			v, dm, dv := t.Head.Score(mean, vari)
			s.score[k] += v
			s.dmean[at], s.dvar[at] = dm, dv
			at++
		}
	}
	if dx == nil {
		return s.average(nil)
	}
	clear(dx)
	value := s.average(s.score)
	at = 0
	for k, m := range s.members {
		w := s.score[k] // now the weight of member k
		for range m {
			if w > 0 {
				s.models[at].Pull(dx, w*s.dmean[at], w*s.dvar[at], q, i)
			}
			at++
		}
	}
	return value
}

// average returns the average of s.score. Unless weights is nil, it is set to
// the derivative with respect to each member's score; it may be s.score.
func (s *ensembleScorer) average(weights []float64) float64 {
	n := float64(len(s.score))
	if !s.log || n == 1 {
		sum := 0.0
		for _, v := range s.score {
			sum += v
		}
		for k := range weights {
			weights[k] = 1 / n
		}
		return sum / n
	}
	top := math.Inf(-1)
	for _, v := range s.score {
		top = math.Max(top, v)
	}
	if math.IsInf(top, -1) || math.IsNaN(top) {
		for k := range weights {
			weights[k] = 1 / n
		}
		return top
	}
	sum := 0.0
	for k, v := range s.score {
		e := math.Exp(v - top)
		sum += e
		if weights != nil {
			weights[k] = e
		}
	}
	for k := range weights {
		weights[k] /= sum
	}
	return top + math.Log(sum/n)
}
