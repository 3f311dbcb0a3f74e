package gp

import (
	"context"
	"math/rand/v2"
	"slices"
)

// A chain walks over hyperparameters, in the optimised coordinates.
type chain struct {
	st  *start
	rng *rand.Rand
	x   []float64
	at  float64 // log posterior at x
}

// burnIn is the number of sweeps before the first sample.
const burnIn = 20

// sample draws hyperparameters from the fitted point on and keeps one model per
// sample. The posterior is a density of the coordinates already; a flat prior is flat
// in them. The densities are those of the points the hyperparameters were fitted on;
// the models condition on those of target.
func (s *search) sample(ctx context.Context, target *problem, m *Model, rep *Report) error {
	o := s.o
	c := &chain{st: s.newStart(m.theta, 0), rng: s.rng}
	c.x = slices.Clone(c.st.opt.X)
	walk := newSlice(c)
	for sweep := range burnIn + o.Samples*o.Thin {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !s.more() {
			break
		}
		walk.sweep()
		if sweep < burnIn || (sweep-burnIn+1)%o.Thin != 0 {
			continue
		}
		if sample, _, _, ok := newModel(target, c.st.at(c.x)); ok {
			m.samples = append(m.samples, sample)
		}
	}
	rep.Evaluations += c.st.e.evals
	return nil
}
