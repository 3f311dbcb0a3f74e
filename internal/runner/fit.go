package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"bohier/internal/gp"
	"bohier/internal/study"
)

// reselect is how many told trials go by before the kernels of `auto` are
// compared again.
const reselect = 5

// chosen prefixes the entry of a warm start that names the kernel in use.
const chosen = "kernel."

// fitObjective fits the surrogate of the objective to the told trials. Of
// several kernels the one with the best leave-one-out density is taken; between
// comparisons the last choice stays.
func fitObjective(ctx context.Context, st *study.Study, h *history, warm map[string]float64, seed uint64) (*fitted, error) {
	sign := st.Objective.Direction.Sign()
	d := newDataset(st, h.told, sign, objectiveValue(st))
	names := kernelNames(st)
	if len(names) == 1 {
		f, err := fit(ctx, st, names[0], d, warm, seed)
		if err == nil {
			f.warm = f.report.Warm
		}
		return f, err
	}
	try := names
	if last := lastChoice(names, warm); last != "" && len(h.told)%reselect != 0 {
		try = []string{last}
	}
	var best *fitted
	var failure error
	keep := maps.Clone(warm)
	if keep == nil {
		keep = map[string]float64{}
	}
	for _, name := range try {
		f, err := fit(ctx, st, name, d, warmOf(warm, name), seed)
		var none *gp.FallbackError
		switch {
		case ctx.Err() != nil || errors.As(err, &none):
			return nil, err
		case err != nil:
			failure = errors.Join(failure, fmt.Errorf("%s: %w", name, err))
			continue
		}
		for k, v := range f.report.Warm {
			keep[name+"/"+k] = v
		}
		if best == nil || f.report.LOO.LogLoss < best.report.LOO.LogLoss {
			best = f
		}
	}
	if best == nil {
		return nil, failure
	}
	for _, name := range names {
		delete(keep, chosen+name)
	}
	keep[chosen+best.kernel] = 1
	best.warm = keep
	return best, nil
}

// lastChoice is the kernel a warm start was made with; empty when it names none.
func lastChoice(names []string, warm map[string]float64) string {
	for _, name := range names {
		if warm[chosen+name] == 1 {
			return name
		}
	}
	return ""
}

// fit fits one kernel to the objective's values.
func fit(ctx context.Context, st *study.Study, name string, d dataset, warm map[string]float64, seed uint64) (*fitted, error) {
	kernel, err := newKernel(st, name)
	if err != nil {
		return nil, err
	}
	f := &fitted{kernel: name, sign: st.Objective.Direction.Sign(), x: d.x, y: make([]float64, len(d.y))}
	if f.transform, err = gp.NewTransform(st.Objective.Transform, d.y); err != nil {
		return nil, err
	}
	for i, v := range d.y {
		f.y[i] = f.transform.Forward(v)
	}
	params, err := override(gp.Params(kernel, f.y), st.Surrogate.Hyper, f.sign)
	if err != nil {
		return nil, err
	}
	s := st.Surrogate
	f.model, f.report, err = gp.Fit(ctx, kernel, f.x, f.y, gp.Options{
		Params: params, Inference: s.Inference, Optimizer: s.Optimizer, Starts: s.Starts,
		Evaluations: s.Evaluations, Warm: warm, Seed: seed, Noise: d.noise,
		Form: s.Form, Nugget: s.Nugget, Reinterpolate: s.Reinterpolate,
		Separate: s.Separate, Workers: workers(),
	})
	return f, err
}
