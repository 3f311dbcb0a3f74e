package suggest

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"bohier/internal/acq"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
)

// priorTrials is β for a study without a budget. The user's prior π multiplies the acquisition function as π(x)^(β/n)
// in the n-th suggestion of the surrogate, so that data outweigh the prior in the end (Hvarfner et al. 2022,
// arXiv:2204.11051, "πBO: Augmenting acquisition functions with user beliefs for Bayesian optimization", eq. 6). Their
// β = 10 for 100 trials scales with the budget. The initial design begins at the modes, and every other of its points
// follows π. In the paper all points do, which costs far more where the prior is wrong (bench/notes).
const priorTrials = 10

// priorStrengths are the weights of priors: the standard deviation around the mode, in the unit coordinate of a number
// or the places of an order, and the odds of the mode against any other category.
var priorStrengths = map[string]struct{ width, odds float64 }{
	"weak":   {0.5, 2},
	"medium": {0.25, 4},
	"strong": {0.125, 8},
}

// priorWeight is β/n for the next suggestion.
func priorWeight(h *history) float64 {
	st := h.st
	beta := float64(priorTrials)
	if b := st.Budget.Trials; b > 0 {
		beta = max(1, float64(b)/10)
	}
	n := 1 + len(h.own()) - policy.InitialCount(st)
	return beta / float64(max(1, n))
}

// A userPrior is an acq.Scorer of weight·ln π(x), 0 at the modes; it is immutable. A
// parameter without a prior, or inactive, says nothing.
type userPrior struct {
	weight float64
	at     []coordinatePrior
}

type coordinatePrior struct {
	coord int
	log   []float64 // of each level; nil for a number
	mode  float64   // in the unit coordinate
	width float64
}

func newUserPrior(s *space.Space, weight float64) userPrior {
	b := userPrior{weight: weight}
	for c, i := range s.Coordinates() {
		p := s.Param(i)
		if p.Prior == nil {
			continue
		}
		alone := space.NewConfiguration(s.Len())
		alone.Value[i], alone.Active[i] = p.Prior.Mode, true
		a := s.EncodeAll([]space.Configuration{alone}).At(c, 0)
		strength := priorStrengths[p.Prior.Strength]
		cb := coordinatePrior{coord: c, mode: a, width: strength.width}
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

// designUnderPrior moves a point of a design to where the user's priors have it, parents first: floats by their
// quantiles, so that a low-discrepancy sequence stays one; a parameter with levels or steps is drawn, and so are the
// children it activates. A value that contradicts the others stays as it was.
func designUnderPrior(s *space.Space, c space.Configuration, rng *rand.Rand) space.Configuration {
	priors := newUserPrior(s, 1).at
	for _, i := range s.Order() {
		k := slices.IndexFunc(priors, func(b coordinatePrior) bool { return s.Coordinates()[b.coord] == i })
		if k < 0 || !c.Active[i] {
			continue
		}
		b, x := priors[k], s.EncodeAll([]space.Configuration{c})
		u := rng.Float64()
		if s.Param(i).Kind == space.Float && b.log == nil {
			u = x.At(b.coord, 0)
		}
		x.Set(b.coord, 0, b.quantile(u), true)
		v := s.Decode(x, 0).Value[i]
		if v == c.Value[i] {
			continue
		}
		a := c.Assignment()
		a[i] = v
		d, err := s.Complete(a, rng)
		if err != nil { // perhaps for the parameters it deactivates
			maps.DeleteFunc(a, func(j int, _ float64) bool { return slices.Contains(s.Ancestors(j), i) })
			d, err = s.Complete(a, rng)
		}
		if err == nil {
			c = d
		}
	}
	return c
}

// quantile is the coordinate below which the share u of the prior is.
func (b coordinatePrior) quantile(u float64) float64 {
	if b.log == nil {
		below := func(x float64) float64 { return math.Erf((x - b.mode) / (b.width * math.Sqrt2)) }
		at := b.mode + b.width*math.Sqrt2*math.Erfinv(below(0)+u*(below(1)-below(0)))
		return min(max(at, 0), 1)
	}
	sum := 0.0
	for _, l := range b.log {
		sum += math.Exp(l)
	}
	for k, l := range b.log {
		if u -= math.Exp(l) / sum; u < 0 {
			return float64(k)
		}
	}
	return float64(len(b.log) - 1)
}

// gaussian is the logarithm of the density at u relative to the mode.
func gaussian(u, mode, width float64) float64 { return -(u - mode) * (u - mode) / (2 * width * width) }

// Open implements acq.Scorer: a userPrior is certain.
func (b userPrior) Open(bound []float64, q *points.Set) func(bound []float64, at []int, share float64) {
	known := acq.Scores(b, q)
	copy(bound, known)
	return func(bound []float64, at []int, _ float64) {
		for k, i := range at {
			bound[k] = known[i]
		}
	}
}

// Score implements acq.Scorer.
func (b userPrior) Score(dst []float64, q *points.Set) func(dx [][]float64) {
	for i := range dst {
		dst[i] = b.weight * b.log(nil, q, i)
	}
	return func(dx [][]float64) {
		for i, d := range dx {
			if clear(d); d != nil {
				b.log(d, q, i)
			}
		}
	}
}

// log is ln π at point i of q; its gradient times the weight goes to dx, unless that is nil.
func (b userPrior) log(dx []float64, q *points.Set, i int) float64 {
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
