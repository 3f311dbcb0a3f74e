package acq

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"bohier/internal/points"
)

// A Posterior draws from the joint posterior of the latent function.
type Posterior interface {
	// Sample returns one draw of the function's values at all points of q.
	Sample(r *rand.Rand, q *points.Set) ([]float64, error)
}

// thompsonJoint is the largest number of points of the joint draw, which costs
// its cube.
const thompsonJoint = 512

// Thompson draws one function from the posterior and returns its lowest points
// among candidates, best first, with minus the drawn value for score (Thompson
// 1933). The candidates are those of Maximize's first wave, but two sevenths of them
// around the incumbents; of more than 512, the joint draw sees a random half and,
// for the other half, those that are lowest in a draw from their marginal
// predictions by the surrogate (of the same posterior). A batch is several calls:
// each draws another function.
//
// Options apply as in Maximize, except those of refinement.
func Thompson(ctx context.Context, p Posterior, surrogate func() Surrogate, d Domain, o Options) ([]Candidate, Stats, error) {
	o = o.withDefaults()
	s := newSearch(ctx, nil, d, o)
	rs := fork(o.Rand, 4)
	wave := s.firstWave(rs[0], rs[1], 2*s.o.nearby())
	if wave == nil {
		return nil, s.stats(), errNoPoint
	}
	if wave.Len() > thompsonJoint {
		wave = s.plausible(wave, surrogate, rs[2])
	}
	draw, err := p.Sample(rs[3], wave)
	if err != nil {
		return nil, s.stats(), err
	}
	for i, v := range draw {
		s.record(s.best, s.tried, wave, i, -v, "domain")
	}
	found := s.results()
	return found, s.stats(), nil
}

var errNoPoint = errors.New("the search found no point that satisfies the constraints")

// plausible keeps thompsonJoint points of q: the first half at random, the rest
// by a draw from their marginals.
func (s *search) plausible(q *points.Set, surrogate func() Surrogate, r *rand.Rand) *points.Set {
	mean, vari := make([]float64, q.Len()), make([]float64, q.Len())
	models := make([]Surrogate, s.o.Workers)
	done := s.each((q.Len()+block-1)/block, func(w, t int) {
		if models[w] == nil {
			models[w] = surrogate()
		}
		lo, hi := t*block, min(q.Len(), (t+1)*block)
		models[w].PredictBatch(mean[lo:hi], vari[lo:hi], q.Slice(lo, hi))
		s.scored.Add(int64(hi - lo))
	})
	order := r.Perm(q.Len())
	rest := order[thompsonJoint/2:]
	draw := make([]float64, q.Len())
	for i := range draw {
		draw[i] = mean[i] + math.Sqrt(math.Max(0, vari[i]))*r.NormFloat64()
		if i >= done*block {
			draw[i] = math.Inf(1) // not predicted before the search was stopped
		}
	}
	slices.SortStableFunc(rest, func(i, j int) int { return Descending(-draw[i], -draw[j]) })
	return q.Select(order[:thompsonJoint])
}
