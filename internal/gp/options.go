package gp

import (
	"cmp"

	"bohier/internal/kernels"
)

// Options configures Fit. The zero value is the default.
type Options struct {
	// Params are the hyperparameters as Params lists them, edited; nil: as declared.
	Params []kernels.Param
	// Inference is "map" (default) or "mle".
	Inference string
	// Optimizer is "lbfgs" (default) or "direct".
	Optimizer string
	// Starts is the number of starting points: 0 means 10, or 3 when warm, and
	// one more with much noise where the noise is free.
	Starts int
	// Evaluations caps the likelihood evaluations of the fit; 0: 300 per
	// start, 40 in all when warm (and 4 for every start beyond 3), 1000 for direct.
	Evaluations int
	// Warm is the Report.Warm of an earlier fit, or its Report.Hyper; unknown names are
	// ignored. Hyperparameters that were fitted to the very same data are taken as they are.
	Warm Warm
	// Anew asks for as many starts as without Warm, which is one of them.
	Anew bool
	// Refit is the share by which observations must have grown for the hyperparameters in Warm to
	// be fitted again, a quarter of it where the best of them is another one; 0: they always are.
	Refit float64
	// Seed decides the random starts.
	Seed uint64
	// Stderr holds the standard error of every observation in units of y, whose
	// square is added to the noise hyperparameter; nil: none.
	Stderr []float64
	// Of is the number of measurements in the mean of every observation, with a share of the
	// noise variance each; nil: one. Not of the Kriging form.
	Of []float64
	// Form is "gp" (default) or "kriging": a correlation matrix plus nugget with
	// mean and variance in closed form; signal, noise and mean are then results.
	Form string
	// Nugget fixes the nugget of the Kriging form, as a share of the process
	// variance; negative: estimated. (0 is interpolation.)
	Nugget float64
	// Reinterpolate makes the Kriging form's variance vanish at observed points
	// (Forrester, Keane & Bressloff 2006, doi:10.2514/1.20068).
	Reinterpolate bool
	// Mean is "constant" (default), "linear" or "zero": 0 in standardised units, the median of y. The weights of a linear
	// mean are integrated out under normal priors, wide ones in the Kriging form and under mle.
	Mean string
	// Linear holds, for a linear mean, the width of every coordinate's range, which
	// begins at 0; 0: the mean does not depend on the coordinate.
	Linear []float64
	// More is asked between steps of the fit. Once it says no, the best hyperparameters so
	// far are used, on at most hurried points, and it is not asked again; nil: the fit ends by
	// itself. The result is a function of how often it said yes.
	More func() bool
	// Workers bounds the goroutines; 0: 1. It never changes the result.
	Workers int
	// MaxFit is the number of distinct points above which hyperparameters are fitted on a subset of that size; 0: 500.
	MaxFit int
	// MaxExact is the number of distinct points above which the model itself conditions on a subset of that size; 0: 1000.
	MaxExact int
}

func (o Options) withDefaults() Options {
	o.MaxFit, o.MaxExact, o.Workers = cmp.Or(o.MaxFit, 500), cmp.Or(o.MaxExact, 1000), cmp.Or(o.Workers, 1)
	return o
}

// A FallbackError reports why no surrogate can be fitted; the caller explores instead.
type FallbackError struct {
	// Reason is "empty" (no observation), "flat" (all values equal) or
	// "singular" (no hyperparameters give a positive definite matrix).
	Reason string
}

func (e *FallbackError) Error() string { return "gp: no surrogate: " + e.Reason }

// A Report describes a fit, in the units of y.
type Report struct {
	Hyper                 map[string]float64 // by name, with signal, noise and mean (Kriging form: and nugget)
	Warm                  Warm               // the value for Options.Warm of the next fit
	Ranges                []Range            // the bounds of each, in the order of Params
	Stopped               []Range            // those at a bound at which the log posterior still climbs
	LogMarginalLikelihood float64            // of every observation used, duplicates included
	LogPosterior          float64            // plus the log priors in use
	Evaluations           int                // of the likelihood
	Rejected              int                // matrices that were not positive definite
	Jitter                float64            // relative to the mean diagonal
	Condition             float64            // estimated condition number (1-norm)
	Points                int                // distinct points the model conditions on
	FitPoints             int                // distinct points the hyperparameters were fitted on
	Cut                   bool               // Options.More ended the fit
	Held                  bool               // Options.Warm has the hyperparameters, which needed no fit
	LOO                   func() LOO         // computed once, when first asked for
	Fallback              string             // "" or "noise": fitted with noise ≥ 1e-3 because nothing less was stable
	Warnings              []string
}

// A Range has the bounds of a hyperparameter and its value, in the units of y.
type Range struct {
	Name      string
	Value     float64
	Low, High float64     // bounds; equal where the value was fixed
	Prior     *[2]float64 // the central 90 % of the prior in use; nil: none
	Met       string      // the bound that the value touches, "lower" or "upper"
	Closed    bool        // follows from the others in closed form; the Kriging form gives such no bounds
}

// LOO are leave-one-out diagnostics, each point predicted from all the others with the hyperparameters kept.
type LOO struct {
	RMSE       float64
	LogLoss    float64   // mean negative log predictive density
	StdLogLoss float64   // LogLoss minus that of a Gaussian with the data's mean and variance
	Coverage90 float64   // share of points within the central 90 % interval
	Mean       []float64 // per distinct point
	Std        []float64 // of the observation (with noise)
	Observed   []float64
}
