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
	models     []Surrogate // terms of all members, in order
	score      []float64   // one per member
	mean, vari []float64   // one per point of a batch
	sums       []float64   // member-major, members × points
	slopes     []float64   // by means, then by variances: model-major, models × points
}

func (s *ensembleScorer) Scores(dst []float64, q *points.Set) {
	n := q.Len()
	s.resize(n)
	at := 0
	for k, m := range s.members {
		sum := s.sums[k*n : (k+1)*n]
		clear(sum)
		for _, t := range m {
			s.models[at].PredictBatch(s.mean, s.vari, q)
			at++
			for i := range sum {
				v, _, _ := t.Head.Score(s.mean[i], s.vari[i])
				sum[i] += v
			}
		}
	}
	for i := range dst {
		for k := range s.score {
			s.score[k] = s.sums[k*n+i]
		}
		dst[i] = average(s.log, s.score, nil)
	}
}

// Open implements Scorer: the average of bounds is a bound of the average.
func (s *ensembleScorer) Open(bound []float64, q *points.Set) func(bound []float64, at []int, share float64) {
	n := q.Len()
	o := &openEnsemble{
		Ensemble: s.Ensemble,
		mean:     make([]float64, s.terms*n),
		vari:     make([]float64, s.terms*n),
		score:    make([]float64, len(s.members)),
	}
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	for k, m := range s.models {
		o.models = append(o.models, m.Open(o.mean[k*n:(k+1)*n], o.vari[k*n:(k+1)*n], q))
	}
	o.scores(bound, all, n, false)
	return func(bound []float64, at []int, share float64) {
		for k, tighten := range o.models {
			tighten(o.vari[k*n:k*n+len(at)], at, share)
		}
		o.scores(bound, at, n, share == 1)
	}
}

// openEnsemble is the state of points between their bounds and their scores.
type openEnsemble struct {
	*Ensemble
	models     []func(bound []float64, at []int, share float64)
	mean, vari []float64 // model-major, models × points; variances of the points asked for last
	score      []float64 // one per member
}

// scores sets dst[k] to the score, or a bound of it, of point at[k] of n.
func (o *openEnsemble) scores(dst []float64, at []int, n int, exact bool) {
	for k, i := range at {
		model := 0
		for j, m := range o.members {
			o.score[j] = 0
			for _, t := range m {
				mean, vari := o.mean[model*n+i], o.vari[model*n+k]
				model++
				if exact {
					v, _, _ := t.Head.Score(mean, vari)
					o.score[j] += v
				} else {
					o.score[j] += t.Head.Bound(mean, vari)
				}
			}
		}
		dst[k] = average(o.log, o.score, nil)
		if !exact {
			dst[k] += 1e-12 * math.Abs(dst[k]) // sums round
		}
	}
}

func (s *ensembleScorer) Gradients(dst []float64, dx [][]float64, q *points.Set) {
	n := q.Len()
	s.resize(n)
	s.slopes = grown(s.slopes, 2*s.terms*n)
	dmean, dvar := s.slopes[:s.terms*n], s.slopes[s.terms*n:]
	at := 0
	for k, m := range s.members {
		sum := s.sums[k*n : (k+1)*n]
		clear(sum)
		for _, t := range m {
			s.models[at].LoadBatch(s.mean, s.vari, q)
			for i := range sum {
				v, dm, dv := t.Head.Score(s.mean[i], s.vari[i])
				sum[i] += v
				dmean[at*n+i], dvar[at*n+i] = dm, dv
			}
			at++
		}
	}
	for i := range dst {
		for k := range s.score {
			s.score[k] = s.sums[k*n+i]
		}
		dst[i] = average(s.log, s.score, s.score)
		for k, w := range s.score {
			s.sums[k*n+i] = w // now the weight of member k
		}
		if dx[i] != nil {
			clear(dx[i])
		}
	}
	at = 0
	for k, m := range s.members {
		for range m {
			dm, dv := dmean[at*n:(at+1)*n], dvar[at*n:(at+1)*n]
			for i, w := range s.sums[k*n : (k+1)*n] {
				dm[i], dv[i] = times(w, dm[i]), times(w, dv[i])
			}
			s.models[at].PullBatch(dx, dm, dv)
			at++
		}
	}
}

// times is w·v; a weight of 0 silences infinite slopes.
func times(w, v float64) float64 {
	if w == 0 {
		return 0
	}
	return w * v
}

func (s *ensembleScorer) resize(n int) {
	s.mean, s.vari = grown(s.mean, n), grown(s.vari, n)
	s.sums = grown(s.sums, n*len(s.members))
}

// grown is v with n entries of any value.
func grown(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// average returns the average of members' scores, or of logarithms. Unless weights
// is nil, it is set to the derivative with respect to each; it may be scores.
func average(log bool, scores, weights []float64) float64 {
	n := float64(len(scores))
	if !log || n == 1 {
		sum := 0.0
		for _, v := range scores {
			sum += v
		}
		for k := range weights {
			weights[k] = 1 / n
		}
		return sum / n
	}
	top := math.Inf(-1)
	for _, v := range scores {
		top = math.Max(top, v)
	}
	if math.IsInf(top, -1) || math.IsNaN(top) {
		for k := range weights {
			weights[k] = 1 / n
		}
		return top
	}
	sum := 0.0
	for k, v := range scores {
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
