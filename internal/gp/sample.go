package gp

import (
	"context"
	"math/rand/v2"
)

// A chain walks over hyperparameters, in the optimised coordinates.
type chain struct {
	st  *start
	rng *rand.Rand
	x   []float64
	at  float64 // log posterior at x
}

// sample draws hyperparameters from the fitted point on and keeps one model per
// sample. The posterior is a density of the coordinates already; a flat prior is flat
// in them. The densities are those of the points the hyperparameters were fitted on;
// the models condition on those of target.
func (s *search) sample(ctx context.Context, target *problem, m *Model, u Units, o Options, rep *Report) error {
	c := &chain{st: s.newStart(m.theta, 0), rng: s.rng}
	c.x = append([]float64(nil), c.st.opt.X...)
	var walk interface{ sweep(burning bool) } = newSlice(c)
	if o.Sampler == "hmc" {
		walk = newHMC(c)
	}
	for sweep := range o.Burn + o.Samples*o.Thin {
		if err := ctx.Err(); err != nil {
			return err
		}
		walk.sweep(sweep < o.Burn)
		if sweep < o.Burn || (sweep-o.Burn+1)%o.Thin != 0 {
			continue
		}
		if sample, _, _, ok := newModel(target, c.theta(), u, o); ok {
			m.samples = append(m.samples, sample)
		}
	}
	rep.Evaluations += c.st.e.evals
	return nil
}

// theta is the hyperparameters at x.
func (c *chain) theta() []float64 {
	p := c.st.p
	for j, i := range p.free {
		c.st.theta[i], _ = fromCoordinate(p.params[i], c.x[j])
	}
	return c.st.theta
}
