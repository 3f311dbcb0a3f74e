package runner

import (
	"context"
	"slices"

	"bohier/internal/gp"
	"bohier/internal/journal"
	"bohier/internal/kernels"
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
	Degradations []string // what the fit or suggestions had to do without, and why
	Warnings     []string
	Correlations []LevelCorrelation // of a model of curves; nil: none

	study *study.Study
	tasks int // studies in the fit
}

// Analyze fits the surrogate to the observed trials of a state, and to those of the
// warm start.
//
// The error is a *study.Error with code NoResult when there is too little to fit.
func (c Session) Analyze(ctx context.Context, s *journal.State) (*Analysis, error) {
	c, warnings, err := c.withSources(ctx)
	if err != nil {
		return nil, err
	}
	c = c.knowing(s)
	st := c.Study
	h := suggest.ReadHistory(st, s.Trials, 0)
	h.Sources = c.sources
	f, err := suggest.FitObjective(ctx, h, c.request(s, 0, nil))
	if err != nil {
		return nil, suggest.Unfit(h, err)
	}
	a := &Analysis{Fitted: f, Degradations: surrogate.Degradations(f, st, h.Data, s.Trials),
		Warnings: slices.Concat(warnings, f.Distrust()), study: st, tasks: 1 + len(h.Sources)}
	if why := st.WorstTie(s.Trials); why != "" {
		a.Warnings = append(a.Warnings, why)
	}
	if f.Sign < 0 {
		f.Report.Hyper["mean"] = -f.Report.Hyper["mean"]
	}
	if told := h.Told(); len(told) > 0 {
		a.Correlations = a.correlations(told[0].Config)
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
// standard deviation, and that of a noisy measurement.
func (a *Analysis) Predict(confs []space.Configuration) (mean, std, stdNoisy []float64) {
	return a.Fitted.Predict(a.study.Space, confs)
}

// Gram is the matrix of signal · k between configurations, without noise, with
// the hyperparameters of the study's fit, or, before anything is observed, with
// the initial and fixed ones.
func (c Session) Gram(ctx context.Context, s *journal.State, confs []space.Configuration) ([][]float64, error) {
	st := c.Study
	var kernel kernels.Kernel
	var hyper map[string]float64
	tasks := 0
	if h := suggest.ReadHistory(st, s.Trials, 0); len(h.Observed) > 0 {
		a, err := c.Analyze(ctx, s)
		if err != nil {
			return nil, err
		}
		kernel, hyper, tasks = a.Inner, a.Report.Hyper, a.tasks
	} else {
		var err error
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
	gram := make([][]float64, len(confs))
	for i := range gram {
		gram[i] = make([]float64, len(confs))
		cov.Row(gram[i], x, i, 0)
		for j := range gram[i] {
			gram[i][j] *= signal
		}
	}
	return gram, nil
}

// Satisfying gives the probability that configurations satisfy every constraint and
// do not fail; nil where nothing restricts outcomes (see suggest.Satisfying).
func (c Session) Satisfying(ctx context.Context, s *journal.State) (func([]space.Configuration) []float64, error) {
	return suggest.Satisfying(ctx, suggest.ReadHistory(c.Study, s.Trials, 0), c.request(s, 0, nil))
}
