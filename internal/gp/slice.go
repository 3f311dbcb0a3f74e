package gp

import (
	"context"
	"math"
)

// sample draws hyperparameters by univariate slice sampling with stepping out
// and shrinkage (Neal 2003) in the optimised coordinates, from the fitted point,
// and keeps one model per sample. The posterior is a density of the coordinates
// already; a flat prior is flat in them. The densities are those of the points
// the hyperparameters were fitted on; the models condition on those of target.
func (s *search) sample(ctx context.Context, target *problem, m *Model, u Units, o Options, rep *Report) error {
	p := s.p
	st := s.newStart(m.theta, 0)
	d := len(p.free)
	x := append([]float64(nil), st.opt.X...)
	density := func() float64 {
		for j, i := range p.free {
			st.theta[i], _ = fromCoordinate(p.params[i], x[j])
		}
		if !st.e.evaluate(st.theta, false) {
			return math.Inf(-1)
		}
		return st.e.posterior
	}
	at := density()
	step := func(j int) {
		const width, stretches = 1.0, 8
		x0 := x[j]
		level := at - s.rng.ExpFloat64()
		value := func(v float64) float64 {
			if v < st.lo[j] || v > st.hi[j] {
				return math.Inf(-1)
			}
			x[j] = v
			return density()
		}
		lo := x0 - width*s.rng.Float64()
		hi := lo + width
		left := s.rng.IntN(stretches)
		for k := left; k > 0 && value(lo) > level; k-- {
			lo -= width
		}
		for k := stretches - 1 - left; k > 0 && value(hi) > level; k-- {
			hi += width
		}
		for range 100 {
			v := lo + (hi-lo)*s.rng.Float64()
			if f := value(v); f > level {
				at = f
				return
			}
			if v < x0 {
				lo = v
			} else {
				hi = v
			}
		}
		x[j] = x0
	}
	for sweep := range o.Burn + o.Samples*o.Thin {
		if err := ctx.Err(); err != nil {
			return err
		}
		for j := range d {
			step(j)
		}
		if sweep < o.Burn || (sweep-o.Burn+1)%o.Thin != 0 {
			continue
		}
		density() // sets theta to the current point
		if sample, _, _, ok := newModel(target, st.theta, u, o); ok {
			m.samples = append(m.samples, sample)
		}
	}
	rep.Evaluations += st.e.evals
	return nil
}
