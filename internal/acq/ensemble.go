package acq

import (
	"math"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// Scored is a head on the predictions of one surrogate.
func Scored(h Head, predict func() Surrogate) Acquisition {
	return Ensemble([]Joint{Alone(h)}, predict)
}

// Ensemble is the average of the scores of several beliefs, of equal weight: the mean, or, where scores
// are logarithms, the logarithm of the mean of the exponentials. Every quantity has a surrogate with a mean for every
// belief (a posterior sample of pending outcomes). The surrogates are made for each goroutine; the functions may be
// called by many at once. It panics unless there are a belief and a quantity, and all scores are logarithms or none is.
func Ensemble(joints []Joint, surrogates ...func() Surrogate) Acquisition {
	if len(joints) == 0 || len(surrogates) == 0 {
		panic("acq: nothing to average")
	}
	for _, j := range joints {
		if j.Log != joints[0].Log {
			panic("acq: logarithms and others do not average")
		}
	}
	return func() Scorer {
		return &ensemble{joints, lists.Of(surrogates, func(make func() Surrogate) Surrogate { return make() })}
	}
}

// An ensemble is the Scorer of an Ensemble.
type ensemble struct {
	joints []Joint     // by belief
	models []Surrogate // by quantity
}

// predicted is the predictions of some points.
type predicted struct {
	joints []Joint       // by belief
	means  [][][]float64 // by quantity, belief and point
	vari   [][]float64   // by quantity and point
	score  []float64     // of one point, by belief
	m, v   []float64     // of one point and belief, by quantity
}

func (e *ensemble) predicted(n int) *predicted {
	p := &predicted{joints: e.joints, score: make([]float64, len(e.joints)),
		m: make([]float64, len(e.models)), v: make([]float64, len(e.models))}
	for range e.models {
		p.means = append(p.means, matrix(len(e.joints), n))
		p.vari = append(p.vari, make([]float64, n))
	}
	return p
}

// matrix has so many rows of zeros.
func matrix(rows, columns int) [][]float64 {
	all := make([]float64, rows*columns)
	return lists.Make(rows, func(k int) []float64 { return all[k*columns : (k+1)*columns : (k+1)*columns] })
}

// at is the prediction for belief f of the point with number i, whose variances have number k.
func (p *predicted) at(f, i, k int) (mean, vari []float64) {
	for j := range p.m {
		p.m[j], p.v[j] = p.means[j][f][i], p.vari[j][k]
	}
	return p.m, p.v
}

// scores sets dst[k] to the score, or a bound of it, of point at[k], whose variances have number k.
func (p *predicted) scores(dst []float64, at []int, exact bool) {
	for k, i := range at {
		for f, joint := range p.joints {
			mean, vari := p.at(f, i, k)
			if exact {
				p.score[f] = joint.Score(mean, vari, nil, nil)
			} else {
				p.score[f] = joint.Bound(mean, vari)
			}
		}
		dst[k] = average(p.joints[0].Log, p.score, nil)
		if !exact {
			dst[k] += 1e-12 * math.Abs(dst[k]) // sums round
		}
	}
}

// Open implements Scorer: the average of bounds is a bound of the average.
func (s *ensemble) Open(bound []float64, q *points.Set) func(bound []float64, at []int, share float64) {
	p, all := s.predicted(q.Len()), lists.Every(q.Len())
	tighten := make([]func(bound []float64, at []int, share float64), len(s.models))
	for j, m := range s.models {
		tighten[j] = m.Open(p.means[j], p.vari[j], q)
	}
	p.scores(bound, all, false)
	return func(bound []float64, at []int, share float64) {
		for j := range tighten {
			tighten[j](p.vari[j][:len(at)], at, share)
		}
		p.scores(bound, at, share == 1)
	}
}

// Score implements Scorer.
func (s *ensemble) Score(dst []float64, q *points.Set) func(dx [][]float64) {
	p := s.predicted(q.Len())
	for j, m := range s.models {
		m.LoadBatch(p.means[j], p.vari[j], q)
	}
	p.scores(dst, lists.Every(q.Len()), true)
	return func(dx [][]float64) { s.gradients(dx, p) }
}

// gradients sets dx to the gradients at points with predictions p.
func (s *ensemble) gradients(dx [][]float64, p *predicted) {
	quantities := len(s.models)
	// by belief and quantity
	dmean, dvar := matrix(len(s.joints)*quantities, len(dx)), matrix(len(s.joints)*quantities, len(dx))
	dm, dv := matrix(len(s.joints), quantities), matrix(len(s.joints), quantities)
	for i, d := range dx {
		if d == nil {
			continue
		}
		for f, joint := range s.joints {
			mean, vari := p.at(f, i, i)
			p.score[f] = joint.Score(mean, vari, dm[f], dv[f])
		}
		average(s.joints[0].Log, p.score, p.score)
		clear(d)
		for f, w := range p.score { // now the weights
			for j := range quantities {
				dmean[f*quantities+j][i], dvar[f*quantities+j][i] = times(w, dm[f][j]), times(w, dv[f][j])
			}
		}
	}
	for k := range dmean {
		s.models[k%quantities].PullBatch(k/quantities, dx, dmean[k], dvar[k])
	}
}

// times is w·v; a weight of 0 silences infinite slopes.
func times(w, v float64) float64 {
	if w == 0 {
		return 0
	}
	return w * v
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
