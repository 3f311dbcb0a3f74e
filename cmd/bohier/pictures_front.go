package main

import (
	"context"

	"bohier/internal/figures"
	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/space"
	"bohier/internal/study"
)

// hypervolume is the picture of several objectives by trial.
func (v *view) hypervolume() (f plot.Figure, err error) {
	if v.Study.Front(v.Trials) == nil {
		return f, noBest(v.Study, v.Trials)
	}
	return figures.Hypervolume(v.Source), nil
}

func plotHypervolume(ctx context.Context, s streams, o plotOptions, _ []string) (f plot.Figure, err error) {
	v, err := look(ctx, s, o.place)
	if err != nil {
		return f, err
	}
	if !v.Study.Several() {
		return f, usage("`bohier plot convergence` shows one", "plot hypervolume is for several objectives")
	}
	return v.hypervolume()
}

func plotPareto(ctx context.Context, s streams, o plotOptions, _ []string) (f plot.Figure, err error) {
	v, err := look(ctx, s, o.place)
	if err != nil {
		return f, err
	}
	if !v.Study.Several() {
		return f, usage("`bohier plot convergence` shows one", "plot pareto is for several objectives")
	}
	if v.Study.Front(v.Trials) == nil {
		return f, noBest(v.Study, v.Trials)
	}
	pending, err := v.expected(ctx, s)
	if err != nil {
		return f, err
	}
	return figures.Pareto(v.Source, pending), nil
}

// expected is what the surrogates of several objectives expect of the pending trials,
// by number; nothing where one of them cannot be fitted.
func (v *view) expected(ctx context.Context, s streams) (map[int][]report.Estimate, error) {
	var at []space.Configuration
	var numbers []int
	for k := range v.Trials {
		if t := &v.Trials[k]; t.State == study.Pending && !t.Outside {
			at, numbers = append(at, t.Config), append(numbers, t.Number)
		}
	}
	out := map[int][]report.Estimate{}
	if len(at) == 0 {
		return nil, nil
	}
	for k := range v.Study.Objectives {
		a, err := analyze(ctx, s, v.session.For(k), v.state)
		if study.HasCode(err, study.NoResult) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		mean, std, _ := a.Predict(at)
		for i, n := range numbers {
			out[n] = append(out[n], report.Estimate{Mean: mean[i], Std: std[i]})
		}
	}
	return out, nil
}
