package surrogate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"bohier/internal/gp"
	"bohier/internal/kernels"
	"bohier/internal/lists"
	"bohier/internal/points"
	"bohier/internal/study"
)

// insteadOfLog is the transform of values that have no logarithm.
const insteadOfLog = "power"

// Hyperparameters of more than fewestHeld observations are fitted again when these have
// grown by the share growth, or a quarter of it with a new best one; those of fewer, which are
// cheap to fit and still change, for every suggestion (bench/notes/fitting.md).
const (
	fewestHeld = 100
	growth     = 0.02
)

// DearCoordinates is the number of coordinates beyond which fits from many starts are expensive (bench/notes/speed.md).
const DearCoordinates = 64

// refit is growth, or 0 where a fit of n observations is to be made for every suggestion.
func refit(st *study.Study, n int) float64 {
	if st.Policy.Plain || n <= fewestHeld {
		return 0
	}
	return growth
}

// anew reports whether a fit of n observations looks for the best of many optima and not for the one next to the
// optimum of the fit before. Fewer than two observations for each coordinate leave many, and fits that follow one of
// these as it moves stay at a poor one where few of many parameters matter (bench/notes/fitting.md).
func anew(n, coordinates int) bool {
	return n < 2*coordinates && coordinates <= DearCoordinates
}

// Fit fits the model r to the objective's values, starting from warm.
func Fit(ctx context.Context, st *study.Study, r study.ModelSpec, h Data, warm study.HyperSet, seed uint64) (*Fitted,
	error) {
	kernel, err := NewKernel(st, r)
	if err != nil {
		return nil, err
	}
	if r.Curves() { // curves are of this study alone, earlier ones predict ends
		h.Sources = nil
	}
	d, name := observedValues(st, r, h), r.Kernel
	if s := KernelSpec(st, r); len(s.Parts) > 0 {
		name = s.String() // a sum or product as a formula
	}
	f := &Fitted{
		Spec: r, Kernel: name, Inner: kernel,
		Sign: st.Objective().Direction.Sign(), X: d.x, raw: d.y, Y: make([]float64, len(d.y)),
		Reported: reportedError(st, h.Observed),
	}
	if len(d.y) < 3 && len(h.Sources) > 0 && r.Transform != "log" {
		r.Transform = "none" // too little to choose one by
	}
	if err := f.transform(r.Transform, d, d.reference(h.At/st.Fidelity.High())); err != nil {
		return nil, err
	}
	x := f.X
	if n := len(h.Sources); n > 0 {
		f.X, f.Y, x = multitask(st, f.X, f.Y, h.Sources, r.Transform)
		kernel = TaskKernel(st, kernel, n+1)
		if d.stderr != nil {
			d.stderr = append(d.stderr, make([]float64, len(f.Y)-len(d.stderr))...)
		}
	}
	if f.Resources = r.Curves(); f.Resources {
		f.Kernel = r.Fidelity + "(" + f.Kernel + ")"
		x, kernel = d.points(), FidelityKernel(st, kernel, r.Fidelity)
	}
	params, err := Override(gp.Params(kernel, f.Y), st.Surrogate.Hyper, f.Sign)
	if err != nil {
		return nil, err
	}
	known := st.Objective().Noise
	for k := range params {
		if p := &params[k]; p.Name == "noise" && (known.None || known.SD > 0) {
			p.Hi, p.Init = p.Lo, p.Lo // nothing to estimate
		}
	}
	s, mean := st.Surrogate, cmp.Or(r.Mean, st.Surrogate.Mean)
	if mean == "auto" { // and no rule chose one
		mean = "constant"
	}
	widths := make([]float64, x.Dim()) // a task has none
	copy(widths, slopeWidths(st.Space))
	o := h.options(st, len(f.Y), warm, seed)
	o.Params, o.Mean, o.Linear, o.Anew = params, mean, widths, anew(len(f.Y), len(st.Space.Coordinates()))
	o.Optimizer, o.Starts, o.Evaluations = s.Optimizer, s.Starts, s.Evaluations
	o.Form, o.Nugget, o.Reinterpolate = s.Form, s.Nugget, s.Reinterpolate
	o.Stderr, o.Of = d.stderr, d.of
	f.Model, f.Report, err = gp.Fit(ctx, kernel, x, f.Y, o)
	if err == nil && len(h.Sources) > 0 {
		f.Model = f.Model.Section(gp.Fixed{Active: true})
	}
	if err == nil && f.Resources {
		density := f.trialDensity(len(st.Space.Coordinates()))
		f.density = &density
		f = f.At(st, h.At)
	}
	return f, err
}

// options are those of every fit of n observations, which starts from warm.
func (h Data) options(st *study.Study, n int, warm study.HyperSet, seed uint64) gp.Options {
	o := gp.Options{Inference: st.Surrogate.Inference, Refit: refit(st, n), Seed: seed, Workers: Workers(), More: h.More,
		Warm: gp.Warm{Hyper: warm.Values, FittedTo: gp.FittedTo(warm.FittedTo)}}
	if h.Share {
		o.MaxFit, o.MaxExact = briefFit, briefExact
	}
	return o
}

// observedValues are those of the objective that the model r is fitted to.
func observedValues(st *study.Study, r study.ModelSpec, h Data) Dataset {
	rows := h.Rows
	if rows == nil {
		rows = RowsOf(h.Observed)
	}
	d := NewDataset(st, rows, st.Objective().Direction.Sign(), Measured(st.Objective().Name))
	switch {
	case h.Align:
		d.toEnds(r)
	case r.Winsorise:
		d.winsorise()
	}
	d.assume(st.Objective().Noise.SD)
	return d
}

// transform sets the transform with that name, as it suits the values of reference, and transforms d by it.
func (f *Fitted) transform(name string, d Dataset, reference []float64) (err error) {
	if f.Transform, err = gp.NewTransform(name, reference); err != nil {
		// One value of the other sign: no reason to end a study.
		if f.Transform, err = gp.NewTransform(insteadOfLog, reference); err != nil {
			return err
		}
		f.Warnings = append(f.Warnings,
			fmt.Sprintf("objective.transform is %s instead of %s: %s needs values of one sign", insteadOfLog, name, name))
	}
	for i, v := range d.y {
		f.Y[i] = f.Transform.Forward(v)
		if d.stderr != nil {
			d.stderr[i] = gp.ForwardDeviation(f.Transform, v, d.stderr[i])
		}
	}
	f.Stderr = slices.Clone(d.stderr)
	return nil
}

// Fitted is a surrogate of one measured quantity, with the data behind it.
type Fitted struct {
	Model     *gp.Model
	Report    *gp.Report
	Spec      study.ModelSpec // the request
	Kernel    string          // with its settings
	Inner     kernels.Kernel  // on configurations: without earlier studies and resources
	Transform gp.Transform
	Sign      float64 // +1 minimise, −1 maximise: y = transform(sign·value)
	X         *points.Set
	raw       []float64 // sign·value
	// Stderr are the standard errors of the values, as they are modelled; nil: none.
	Stderr   []float64
	Reported float64   // the part of the noise of a measurement that is reported or declared, in the objective's units
	Y        []float64 // transformed, to be minimised
	Warnings []string  // the settings of the study that the values do not allow

	Resources bool     // the model knows resources and trials
	density   *float64 // the value of Density, where it is not that of the rows
}

// FitOutcome fits a quantity, transformed by t, with the study's kernel and its
// default hyperparameters: the study's settings are about the objective.
func FitOutcome(ctx context.Context, st *study.Study, kernel kernels.Kernel, t gp.Transform, d Dataset, h Data,
	warm study.HyperSet, seed uint64) (f *Fitted, err error) {
	f = &Fitted{Sign: 1, Transform: t, X: d.x, Y: lists.Of(d.y, t.Forward)}
	params := gp.Params(kernel, f.Y)
	for k := range params {
		if p := &params[k]; p.Name == "noise" && d.noise > 0 {
			p.Lo, p.Hi, p.Init = max(p.Lo, d.noise), max(p.Hi, d.noise), max(p.Init, d.noise)
		}
	}
	o := h.options(st, len(f.Y), warm, seed)
	o.Params = params
	f.Model, f.Report, err = gp.Fit(ctx, kernel, d.x, f.Y, o)
	return f, err
}

// Density is the mean log density of an observation left out, in the objective's own units.
func (f *Fitted) Density() float64 {
	if f.density != nil {
		return *f.density
	}
	slope := 0.0
	for _, v := range f.raw {
		slope += f.Transform.LogSlope(v) / float64(len(f.raw))
	}
	return slope - f.Report.LOO().LogLoss
}

// BetterDensity is Density of the better half of the distinct values, NaN where floating-point numbers do not hold it.
// There a search decides, and ranks in the worse half do not flatter a transform.
func (f *Fitted) BetterDensity() float64 {
	loo, sum, n := f.Report.LOO(), 0.0, 0.0
	median := lists.Median(slices.Compact(slices.Sorted(slices.Values(loo.Observed))))
	for i, z := range loo.Observed {
		if z <= median {
			miss := (z - loo.Mean[i]) / loo.Std[i]
			sum += f.Transform.LogSlope(f.Transform.Inverse(z)) - math.Log(loo.Std[i]) - (math.Log(2*math.Pi)+miss*miss)/2
			n++
		}
	}
	return sum / n
}

// Workers is the number of goroutines to compute with; it changes no result.
func Workers() int { return min(runtime.GOMAXPROCS(0), 8) }

// fewNumbers is the most numbers, observations times coordinates, among which waking another goroutine
// takes as much as it saves (bench/notes/speed.md).
const fewNumbers = 2500

// SearchWorkers is Workers for a search whose surrogates know n observations.
func SearchWorkers(st *study.Study, n int) int {
	if n*len(st.Space.Coordinates()) <= fewNumbers {
		return 1
	}
	return Workers()
}
