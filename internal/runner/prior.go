package runner

import (
	"math"
	"slices"

	"bohier/internal/acq"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// The user's prior π multiplies the acquisition function as π(x)^(β/n) in the
// n-th suggestion of the surrogate, so that data outweigh it in the end (Hvarfner
// et al. 2022, "πBO: Augmenting acquisition functions with user beliefs for
// Bayesian optimization", eq. 6). Their β = 10 for 100 trials scales with the
// budget. The initial design is left alone: it has to show where the user errs.
const priorTrials = 10

// A strength is how much a prior says: the standard deviation around the mode, in
// the unit coordinate of a number or the places of an order, and the odds of the
// mode against any other category.
var strengths = map[string]struct{ width, odds float64 }{
	"weak":   {0.5, 2},
	"medium": {0.25, 4},
	"strong": {0.125, 8},
}

// hasPrior tells whether the user believes anything.
func hasPrior(s *space.Space) bool {
	for i := range s.Params() {
		if s.Param(i).Prior != nil {
			return true
		}
	}
	return false
}

// priorWeight is β/n for the next suggestion.
func priorWeight(st *study.Study, h *history) float64 {
	beta := float64(priorTrials)
	if b := st.Budget.Trials; b > 0 {
		beta = max(1, float64(b)/10)
	}
	n := 1 + len(h.told) + len(h.refused) + len(h.pending) - initialCount(st)
	return beta / float64(max(1, n))
}

// A belief is an acquisition that scores weight·ln π(x), 0 at the modes. A
// parameter without a prior, or inactive, says nothing.
type belief struct {
	weight float64
	at     []coordBelief
}

type coordBelief struct {
	coord int
	log   []float64 // of each level; nil for a number
	mode  float64   // in the unit coordinate
	width float64
}

func newBelief(s *space.Space, weight float64) belief {
	b := belief{weight: weight}
	for c, i := range s.Coordinates() {
		p := s.Param(i)
		if p.Prior == nil {
			continue
		}
		alone := space.NewConfiguration(s.Len())
		alone.Value[i], alone.Active[i] = p.Prior.Mode, true
		a := s.EncodeAll([]space.Configuration{alone}).At(c, 0)
		strength := strengths[p.Prior.Strength]
		cb := coordBelief{coord: c, mode: a, width: strength.width}
		if n := p.Levels(); n > 0 {
			cb.log = make([]float64, n)
			place := s.LevelPositions(i)
			for k := range cb.log {
				switch {
				case place != nil:
					cb.log[k] = gaussian(place[k], place[int(a)], strength.width)
				case k != int(a):
					cb.log[k] = -math.Log(strength.odds)
				}
			}
		}
		b.at = append(b.at, cb)
	}
	return b
}

// gaussian is the logarithm of the density at u relative to the mode.
func gaussian(u, mode, width float64) float64 { return -(u - mode) * (u - mode) / (2 * width * width) }

// Fork implements acq.Acquisition; a belief is immutable.
func (b belief) Fork() acq.Scorer { return b }

// Scores implements acq.Scorer.
func (b belief) Scores(dst []float64, q *points.Set) {
	b.Gradients(dst, make([][]float64, len(dst)), q)
}

// Open implements acq.Scorer: a belief is certain.
func (b belief) Open(bound []float64, q *points.Set) func(bound []float64, at []int, share float64) {
	b.Scores(bound, q)
	known := slices.Clone(bound)
	return func(bound []float64, at []int, _ float64) {
		for k, i := range at {
			bound[k] = known[i]
		}
	}
}

// Gradients implements acq.Scorer.
func (b belief) Gradients(dst []float64, dx [][]float64, q *points.Set) {
	for i := range dst {
		clear(dx[i])
		dst[i] = b.weight * b.log(dx[i], q, i)
	}
}

// log is ln π at point i of q; its gradient times the weight goes to dx, unless
// that is nil.
func (b belief) log(dx []float64, q *points.Set, i int) float64 {
	sum := 0.0
	for _, a := range b.at {
		if !q.Active(a.coord, i) {
			continue
		}
		u := q.At(a.coord, i)
		if a.log != nil {
			sum += a.log[int(u)]
			continue
		}
		sum += gaussian(u, a.mode, a.width)
		if dx != nil {
			dx[a.coord] = -b.weight * (u - a.mode) / (a.width * a.width)
		}
	}
	return sum
}
