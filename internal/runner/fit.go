package runner

import (
	"context"

	"bohier/internal/gp"
	"bohier/internal/study"
)

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
