package acq

import (
	"math"

	"bohier/internal/points"
)

// Ensemble is the average of groups of equal weight: the mean of their scores, or,
// where these are logarithms, the logarithm of the mean of the exponentials.
type Ensemble struct {
	groups []Group
	log    bool
	models int // of all groups
	widest int // models of one group
}

// Scored is a head on the predictions of one surrogate.
func Scored(h Head, predict func() Surrogate) *Ensemble {
	return NewGroups(Group{Joint: Alone(h), Surrogates: []func() Surrogate{predict}})
}

// NewGroups averages groups. It panics unless there is at least one, no group is
// empty, and all scores are logarithms or none is.
func NewGroups(groups ...Group) *Ensemble {
	if len(groups) == 0 {
		panic("acq: no members")
	}
	e := &Ensemble{groups: groups, log: groups[0].Joint.Log()}
	for _, g := range groups {
		if len(g.Surrogates) == 0 {
			panic("acq: empty member")
		}
		if g.Joint.Log() != e.log {
			panic("acq: logarithms and others do not average")
		}
		e.models += len(g.Surrogates)
		e.widest = max(e.widest, len(g.Surrogates))
	}
	return e
}

// Fork implements Acquisition.
func (e *Ensemble) Fork() Scorer {
	s := &ensembleScorer{Ensemble: e, gathered: e.gathered(), models: make([]Surrogate, 0, e.models)}
	for _, g := range e.groups {
		for _, surrogate := range g.Surrogates {
			s.models = append(s.models, surrogate())
		}
	}
	return s
}

// gathered is scratch memory for one point.
type gathered struct {
	score                   []float64 // one per group
	mean, vari, dmean, dvar []float64 // one per model of a group
}

func (e *Ensemble) gathered() gathered {
	own := make([]float64, 4*e.widest)
	part := func(k int) []float64 { return own[k*e.widest : (k+1)*e.widest] }
	return gathered{score: make([]float64, len(e.groups)), mean: part(0), vari: part(1), dmean: part(2), dvar: part(3)}
}

// gather takes the predictions at one point by the models of a group. Means and variances are
// kept stride apart, from place first on.
func (g *gathered) gather(mean, vari []float64, meanAt, variAt, stride, n int) (m, v []float64) {
	for j := range n {
		g.mean[j], g.vari[j] = mean[meanAt+j*stride], vari[variAt+j*stride]
	}
	return g.mean[:n], g.vari[:n]
}

type ensembleScorer struct {
	*Ensemble
	gathered
	models     []Surrogate // of all groups, in order
	mean, vari []float64   // model-major, models × points
	sums       []float64   // group-major, groups × points
	slopes     []float64   // by means, then by variances: model-major, models × points
}

func (s *ensembleScorer) Scores(dst []float64, q *points.Set) {
	n := q.Len()
	s.resize(n)
	for k, m := range s.models {
		m.PredictBatch(s.mean[k*n:(k+1)*n], s.vari[k*n:(k+1)*n], q)
	}
	for i := range dst {
		at := i
		for k, g := range s.groups {
			mean, vari := s.gather(s.mean, s.vari, at, at, n, len(g.Surrogates))
			s.score[k] = g.Joint.Score(mean, vari, nil, nil)
			at += n * len(g.Surrogates)
		}
		dst[i] = average(s.log, s.score, nil)
	}
}

// Open implements Scorer: the average of bounds is a bound of the average.
func (s *ensembleScorer) Open(bound []float64, q *points.Set) func(bound []float64, at []int, share float64) {
	n := q.Len()
	o := &openEnsemble{
		Ensemble: s.Ensemble,
		gathered: s.Ensemble.gathered(),
		mean:     make([]float64, s.Ensemble.models*n),
		vari:     make([]float64, s.Ensemble.models*n),
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
	gathered
	models     []func(bound []float64, at []int, share float64)
	mean, vari []float64 // model-major, models × points; variances of the points asked for last
}

// scores sets dst[k] to the score, or a bound of it, of point at[k] of n.
func (o *openEnsemble) scores(dst []float64, at []int, n int, exact bool) {
	for k, i := range at {
		model := 0
		for j, g := range o.groups {
			mean, vari := o.gather(o.mean, o.vari, model*n+i, model*n+k, n, len(g.Surrogates))
			if model += len(g.Surrogates); exact {
				o.score[j] = g.Joint.Score(mean, vari, nil, nil)
			} else {
				o.score[j] = g.Joint.Bound(mean, vari)
			}
		}
		dst[k] = average(o.log, o.score, nil)
		if !exact {
			dst[k] += 1e-12 * math.Abs(dst[k]) // sums round
		}
	}
}

func (s *ensembleScorer) Gradients(dst []float64, dx [][]float64, q *points.Set) {
	n, all := q.Len(), s.Ensemble.models
	s.resize(n)
	s.slopes = grown(s.slopes, 2*all*n)
	dmean, dvar := s.slopes[:all*n], s.slopes[all*n:]
	for k, m := range s.models {
		m.LoadBatch(s.mean[k*n:(k+1)*n], s.vari[k*n:(k+1)*n], q)
	}
	for i := range dst {
		at := i
		for k, g := range s.groups {
			width := len(g.Surrogates)
			mean, vari := s.gather(s.mean, s.vari, at, at, n, width)
			s.score[k] = g.Joint.Score(mean, vari, s.dmean[:width], s.dvar[:width])
			for j := range width {
				dmean[at+j*n], dvar[at+j*n] = s.dmean[j], s.dvar[j]
			}
			at += n * width
		}
		dst[i] = average(s.log, s.score, s.score)
		for k, w := range s.score {
			s.sums[k*n+i] = w // the weight of group k
		}
		if dx[i] != nil {
			clear(dx[i])
		}
	}
	at := 0
	for k, g := range s.groups {
		for range g.Surrogates {
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
	s.mean, s.vari = grown(s.mean, n*s.Ensemble.models), grown(s.vari, n*s.Ensemble.models)
	s.sums = grown(s.sums, n*len(s.groups))
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
