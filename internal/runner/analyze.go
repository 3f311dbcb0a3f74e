package runner

import (
	"context"
	"maps"
	"math"
	"slices"

	"bohier/internal/gp"
	"bohier/internal/journal"
	"bohier/internal/kernels"
	"bohier/internal/lists"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
	"bohier/internal/surrogate"
)

// An Analysis is the surrogate fitted to a study's complete trials, for
// questions about it. Predictions and leave-one-out figures are in the objective's
// own units and sign, hyperparameters and likelihoods in those of its transform.
type Analysis struct {
	*surrogate.Fitted
	Degradations []string // the parts that the fit or suggestions had to leave out, and why
	Warnings     []string
	Correlations []study.LevelModel // of a model of curves; nil: none
	// Satisfying gives the probability that configurations satisfy every constraint and
	// do not fail; nil where nothing restricts outcomes (see suggest.Satisfying).
	Satisfying func(context.Context) (func([]space.Configuration) []float64, error)

	study *study.Study
	tasks int // studies in the fit
}

// Analyze fits the surrogate to the observed trials of a state, and to those of the warm start.
//
// The error is a *study.Error with code NoResult when there is too little to fit.
func (c Session) Analyze(ctx context.Context, s *journal.State) (*Analysis, error) {
	c, warnings, err := c.learning(ctx, s)
	if err != nil {
		return nil, err
	}
	st := c.Study
	r := c.request(s, 0, nil)
	h := suggest.History(st, s.Trials, r)
	f, err := suggest.FitObjective(ctx, h, r)
	if err != nil {
		return nil, suggest.Unfit(h, err)
	}
	satisfying := func(ctx context.Context) (func([]space.Configuration) []float64, error) {
		return suggest.Satisfying(ctx, h, r)
	}
	a := &Analysis{Fitted: f, Satisfying: satisfying, Degradations: surrogate.Degradations(f, st, h.Data, s.Trials),
		Warnings: slices.Concat(warnings, f.Distrust()), study: st, tasks: 1 + len(h.Sources)}
	if why := policy.WorstTie(st, s.Trials); why != "" {
		a.Warnings = append(a.Warnings, why)
	}
	own, report := *f, *f.Report // others read them, too
	report.Hyper = maps.Clone(report.Hyper)
	if report.Hyper["mean"] *= f.Sign; st.Surrogate.Mean == "zero" {
		delete(report.Hyper, "mean") // no hyperparameter
		report.Ranges = report.Ranges[:len(report.Ranges)-1]
	}
	own.Report, a.Fitted = &report, &own
	observed := h.Told()
	if k := slices.IndexFunc(observed, func(t *study.Trial) bool { return !t.Outside }); k >= 0 {
		a.Correlations = a.correlations(observed[k].Config)
	}
	return a, nil
}

// At is the analysis for predictions at a resource, in a study with a fidelity.
func (a *Analysis) At(resource float64) *Analysis {
	out := *a
	out.Fitted = a.Fitted.At(a.study, resource)
	return &out
}

// Predict gives the posterior mean of the objective at every configuration, its
// standard deviation, and that of a noisy measurement of the i-th.
func (a *Analysis) Predict(confs []space.Configuration) (mean, std []float64, stdNoisy func(i int) float64) {
	return a.Fitted.Predict(a.study.Space, confs)
}

// Gram is the matrix of signal · k between configurations, without noise, with the hyperparameters of the study's fit,
// or without one, before anything is observed, with the initial and fixed ones.
func Gram(st *study.Study, a *Analysis, confs []space.Configuration) (gram [][]float64, err error) {
	var kernel kernels.Kernel
	var hyper map[string]float64
	tasks := 0
	if a != nil {
		kernel, hyper, tasks = a.Inner, a.Report.Hyper, a.tasks
	} else {
		m := policy.ObjectiveModel(st)
		if kernel, err = surrogate.NewKernel(st, m); err != nil {
			return nil, err
		}
		declared := gp.Params(surrogate.Whole(st, kernel, m), nil) // the study may set any of them
		params, err := surrogate.Override(declared, st.Surrogate.Hyper, st.Objective().Direction.Sign())
		if err != nil {
			return nil, err
		}
		hyper = map[string]float64{}
		for _, p := range kernel.Params() {
			hyper[p.Name] = p.Init
		}
		for i, p := range params {
			if p.Init != declared[i].Init {
				hyper[p.Name] = p.Init
			}
		}
	}
	signal, ok := hyper["signal"]
	if !ok {
		signal = 1
	}
	x := st.Space.EncodeAll(confs)
	if tasks > 1 {
		kernel, x = surrogate.TaskKernel(st, kernel, tasks), x.Extend(0)
	}
	cov := kernel.Bind(thetaOf(kernel, hyper), x)
	gram = make([][]float64, len(confs))
	for i := range gram {
		gram[i] = make([]float64, len(confs))
		cov.Row(gram[i], x, i, 0)
		for j := range gram[i] {
			gram[i][j] *= signal
		}
	}
	return gram, nil
}

// correlations are those of all levels, by the hyperparameters of a fit; nil where it knows
// no resources. Kernels may differ from place to place: they are those at c.
func (a *Analysis) correlations(c space.Configuration) []study.LevelModel {
	if !a.Resources {
		return nil
	}
	st, f := a.study, &a.study.Fidelity
	kernel := surrogate.FidelityKernel(st, a.Inner, a.Spec.Fidelity)
	n := len(f.Levels)
	x := st.Space.EncodeAll(slices.Repeat([]space.Configuration{c}, n)).Extend(0).Extend(0)
	at, trial := x.Col(x.Dim()-2), x.Col(x.Dim()-1)
	for k, r := range f.Levels {
		at[k], trial[k] = r/f.High(), 1
	}
	cov := kernel.Bind(thetaOf(kernel, a.Report.Hyper), x)
	var end float64 // the variance at full resource
	out, row := make([]study.LevelModel, n), make([]float64, n)
	for k := n - 1; k >= 0; k-- {
		cov.Row(row, x, k, 0)
		if k == n-1 {
			end = row[k]
		}
		out[k] = study.LevelModel{Resource: f.Levels[k], Correlation: row[n-1] / math.Sqrt(row[k]*end)}
	}
	return out
}

// thetaOf are a kernel's hyperparameters by their names.
func thetaOf(k kernels.Kernel, hyper map[string]float64) []float64 {
	return lists.Of(k.Params(), func(p kernels.Param) float64 { return hyper[p.Name] })
}

// Question is the study and the request by which surrogates are asked for the suggestion after s.
func (c Session) Question(ctx context.Context, s *journal.State) (*study.Study, suggest.Request, error) {
	c, _, err := c.learning(ctx, s)
	return c.Study, c.request(s, s.NextNumber(), nil), err
}

// ExpectAt gives candidates that are ranked the predictions at a resource, in a study with a fidelity;
// their scores stay those of a suggestion. Trial is whose configuration they have, nil for none: its own
// values on the way are taken into account.
func (c Session) ExpectAt(ctx context.Context, s *journal.State, ranked []suggest.Ranked, trial *study.Trial,
	resource float64) error {
	a, err := c.Analyze(ctx, s)
	if err != nil {
		return err
	}
	fit := a.Fitted.At(c.Study, resource)
	if trial != nil {
		fit = a.Of(c.Study, trial, resource)
	}
	confs := lists.Of(ranked, func(r suggest.Ranked) space.Configuration { return r.Config })
	mean, std, _ := fit.Predict(c.Study.Space, confs)
	for i := range ranked {
		ranked[i].Expected[0].Mean, ranked[i].Expected[0].Std = mean[i], std[i]
	}
	return nil
}

// request is the request to suggest for the trial with a number in a state of the journal.
func (c Session) request(s *journal.State, number int, fixed space.Assignment) suggest.Request {
	return suggest.Request{Number: number, Seed: s.Seed, Fixed: fixed, Warm: s.LastFit(), Sources: c.sources, Kept: c.Kept,
		Told: s.Evidence()}
}
