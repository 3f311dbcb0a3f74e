package main

import (
	"context"

	"bohier/internal/figures"
	"bohier/internal/plot"
	"bohier/internal/report"
)

// hypervolume is the picture of several objectives by trial, or by what trials have cost.
func (v *view) hypervolume(byCost bool) (f plot.Figure, err error) {
	if v.Study.Front(v.Trials) == nil {
		return f, noBest(v.Study, v.Trials)
	}
	if _, spent := report.Progress(v.Study, v.Trials, good(v.Study, v.Trials)); byCost && spent == nil {
		return f, noCost()
	}
	return figures.Hypervolume(v.Source, byCost), nil
}

func plotHypervolume(ctx context.Context, s streams, o plotOptions, _ []string) (f plot.Figure, err error) {
	v, err := look(ctx, s, o.place)
	if err != nil {
		return f, err
	}
	if !v.Study.Several() {
		return f, usage("`bohier plot convergence` shows one", "plot hypervolume is for several objectives")
	}
	return v.hypervolume(false)
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
	board, _, err := leaders(ctx, s, v.session, v.state)
	if err != nil {
		return f, err
	}
	return v.pareto(ctx, s, board)
}
