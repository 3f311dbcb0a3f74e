package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"

	"bohier/internal/gp"
	"bohier/internal/study"
)

// A recipe is one way to model the objective.
type recipe struct{ kernel, transform string }

// prefix keeps the recipes' hyperparameters apart in a warm start.
func (r recipe) prefix() string { return r.kernel + "." + r.transform }

// recipes are the ways `auto` stands for, most trusted first.
func recipes(st *study.Study) []recipe {
	transforms := []string{st.Objective.Transform}
	if st.Objective.Transform == "auto" {
		transforms = []string{"power", "none"}
	}
	var out []recipe
	for _, t := range transforms {
		for _, k := range kernelNames(st) {
			out = append(out, recipe{k, t})
		}
	}
	return out
}

// densityKey holds in a warm start how well a recipe predicted observations left
// out, when it was last fitted.
const densityKey = "density."

// fitTurn fits the recipe whose turn it is: in every other suggestion the one
// that last predicted best, in between each in turn. Turns guard against the one
// failure a single surrogate does not notice: being sure of the wrong branch.
func fitTurn(ctx context.Context, st *study.Study, h *history, warm map[string]float64, seed uint64) (*fitted, error) {
	all := recipes(st)
	r := all[h.turn()/2%len(all)]
	if best, ok := favourite(all, warm); ok && h.turn()%2 == 0 {
		r = best
	}
	f, err := fitWarping(ctx, st, r, h, warm, seed)
	if err != nil {
		return nil, err
	}
	f.warm = maps.Clone(warm)
	if f.warm == nil {
		f.warm = map[string]float64{}
	}
	for k, v := range f.report.Warm {
		f.warm[r.prefix()+"/"+k] = v
	}
	f.warm[densityKey+r.prefix()] = f.density()
	return f, nil
}

// favourite is the recipe with the highest recorded density; ok is false while
// some recipe has none.
func favourite(all []recipe, warm map[string]float64) (best recipe, ok bool) {
	top := math.Inf(-1)
	for _, r := range all {
		d, known := warm[densityKey+r.prefix()]
		if !known {
			return best, false
		}
		if d > top {
			best, top = r, d
		}
	}
	return best, true
}

// fitBest fits every recipe and returns the one with the best leave-one-out
// density of the untransformed objective.
func fitBest(ctx context.Context, st *study.Study, h *history, warm map[string]float64, seed uint64) (*fitted, error) {
	var best *fitted
	var failure error
	for _, r := range recipes(st) {
		f, err := fitWarping(ctx, st, r, h, warm, seed)
		var none *gp.FallbackError
		switch {
		case ctx.Err() != nil || errors.As(err, &none):
			return nil, err
		case err != nil:
			failure = errors.Join(failure, fmt.Errorf("%s: %w", r.kernel, err))
		case best == nil || f.density() > best.density():
			best = f
		}
	}
	if best == nil {
		return nil, failure
	}
	return best, nil
}

// density is the mean log density of an observation left out, in the objective's
// own units.
func (f *fitted) density() float64 {
	slope := 0.0
	for _, v := range f.raw {
		slope += f.transform.LogSlope(v) / float64(len(f.raw))
	}
	return slope - f.report.LOO.LogLoss
}

// fit fits one recipe to the objective's values.
func fit(ctx context.Context, st *study.Study, r recipe, h *history, warm map[string]float64, seed uint64) (*fitted, error) {
	kernel, err := newKernel(st, r.kernel)
	if err != nil {
		return nil, err
	}
	sign := st.Objective.Direction.Sign()
	d := newDataset(st, h.told, sign, objectiveValue(st))
	if st.Objective.Transform == "auto" {
		d.y, _ = gp.Winsorise(d.y) // one absurd value must not flatten all the others
	}
	f := &fitted{kernel: r.kernel, sign: sign, x: d.x, raw: d.y, y: make([]float64, len(d.y))}
	if len(d.y) < 3 && len(h.earlier) > 0 && r.transform != "log" {
		r.transform = "none" // too little to choose one by
	}
	if f.transform, err = gp.NewTransform(r.transform, d.y); err != nil {
		return nil, err
	}
	for i, v := range d.y {
		f.y[i] = f.transform.Forward(v)
	}
	x := f.x
	if n := len(h.earlier); n > 0 {
		j, err := together(st, f.x, f.y, h.earlier, r.transform)
		if err != nil {
			return nil, err
		}
		x, f.x, f.y = j.points(), j.x, j.y
		kernel = taskKernel(st, kernel, n+1)
		if d.noise != nil {
			d.noise = append(d.noise, make([]float64, len(f.y)-len(d.noise))...)
		}
	}
	params, err := override(gp.Params(kernel, f.y), st.Surrogate.Hyper, f.sign)
	if err != nil {
		return nil, err
	}
	s := st.Surrogate
	f.model, f.report, err = gp.Fit(ctx, kernel, x, f.y, gp.Options{
		Params: params, Inference: s.Inference, Optimizer: s.Optimizer, Starts: s.Starts,
		Evaluations: s.Evaluations, Warm: warm, Seed: seed, Noise: d.noise,
		Form: s.Form, Nugget: s.Nugget, Reinterpolate: s.Reinterpolate,
		Separate: s.Separate, Workers: workers(),
	})
	if err == nil && len(h.earlier) > 0 {
		f.model = f.model.Section(0)
	}
	return f, err
}
