package surrogate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/gp"
	"bohier/internal/kernels"
	"bohier/internal/lists"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Data is the data set of surrogates.
type Data struct {
	Observed   []*study.Trial // complete, with a finite objective
	Infeasible []*study.Trial // failed, as infeasible
	Sources    []Source       // warm start; nil: none
	Share      bool           // of very many trials: fits are brief
	More       func() bool    // asked between the steps of fits (gp.Options); nil: fits take their time

	Rows []Row // the data of the surrogate of the objective; nil: the observed trials as they were measured as a whole

	// In a study with a fidelity:
	Partial []*study.Trial // with values, and none at full resource
	At      float64        // the resource at which configurations are compared
	Align   bool           // model values on the way as values at full resource
}

// Told are the trials with a value at some resource: the observed and the partial ones.
func (d Data) Told() []*study.Trial { return append(slices.Clip(d.Observed), d.Partial...) }

// Fits to a share of very many trials rest on fewer points than gp's defaults.
const (
	briefFit   = 250
	briefExact = 500
)

// Dataset is the encoded trials with the value of one quantity each, signed so that less is better; replicates are rows
// of their own. Values and standard errors are raw and finite; stderr is nil unless one was reported.
type Dataset struct {
	x      *points.Set
	y      []float64
	stderr []float64
	noise  float64 // the least variance, in standardised units; 0: the surrogate's own bound

	// In a study with a fidelity:
	resource []float64 // relative to the full one
	trial    []float64 // numbers
	of       []float64 // measurements behind each value; nil: one
}

// A Row is the result of a trial at a resource, as the surrogate sees it.
type Row struct {
	Trial    *study.Trial
	Resource float64 // 0: the study has no fidelity
	Of       float64 // number of measurements that the values are the means of; 0: one
	study.Observation
}

// RowsOf are the rows of trials that were measured as a whole.
func RowsOf(trials []*study.Trial) (rows []Row) {
	for _, t := range trials {
		for _, o := range t.Observations() {
			rows = append(rows, Row{Trial: t, Observation: *o})
		}
	}
	return rows
}

// Measured is the value of a name.
func Measured(name string) func(Row) (float64, bool) {
	return func(r Row) (float64, bool) { return r.Values.Get(name) }
}

// assume gives every measurement without a standard error of its own that one; 0: none.
func (d *Dataset) assume(sd float64) {
	if sd == 0 {
		return
	}
	if d.stderr == nil {
		d.stderr = make([]float64, len(d.y))
	}
	for i, v := range d.stderr {
		if v == 0 {
			d.stderr[i] = sd
		}
	}
}

// Values are the values to be minimised, one a row.
func (d Dataset) Values() []float64 { return d.y }

// FeasibilityData is 0 where a trial gave a value and 1 where it could not.
func FeasibilityData(st *study.Study, h Data) Dataset {
	failed := make(map[*study.Trial]bool, len(h.Infeasible))
	for _, t := range h.Infeasible {
		failed[t] = true
	}
	d := NewDataset(st, RowsOf(append(h.Told(), h.Infeasible...)), 1, func(r Row) (float64, bool) {
		if failed[r.Trial] {
			return 1, true
		}
		return 0, true
	})
	d.noise = labelNoise
	return d
}

// labelNoise is the least noise variance of a surrogate of labels 0 and 1: their steps are fitted best without noise
// and with lengthscales so short that nothing is learnt about other configurations. It was compared where the optimum
// was on the edge (bench/notes).
const labelNoise = 0.05

// A Source is an earlier study's data in today's space: a source task of the warm start.
type Source struct {
	Configs   []space.Configuration
	Values    []float64 // less is better, in that study's own units
	Objective string    // the one of today's study that the values are of
}

// Best are the n best configurations.
func (e Source) Best(n int) []space.Configuration {
	order := make([]int, len(e.Values))
	floats.ArgsortStable(slices.Clone(e.Values), order)
	return lists.At(e.Configs, order[:min(n, len(order))])
}

// NewDataset gathers one quantity of rows; value reads it from a row.
func NewDataset(st *study.Study, rows []Row, sign float64, value func(Row) (float64, bool)) (d Dataset) {
	var confs []space.Configuration
	known, several := false, false // standard errors, measurements behind one value
	for _, r := range rows {
		v, ok := value(r)
		if !ok || !r.Trial.Teaches() || math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		confs, d.y, d.of = append(confs, r.Trial.Config), append(d.y, sign*v), append(d.of, max(1, r.Of))
		several = several || r.Of > 1
		if r.Resource > 0 {
			d.resource = append(d.resource, r.Resource/st.Fidelity.High())
			d.trial = append(d.trial, float64(r.Trial.Number))
		}
		sd := 0.0
		if se := r.ErrorOf(st.Objective().Name); se != nil && *se >= 0 {
			sd, known = gp.Clamped(*se), true
		}
		d.stderr = append(d.stderr, sd)
	}
	if d.x = st.Space.EncodeAll(confs); !known {
		d.stderr = nil
	}
	if !several {
		d.of = nil
	}
	return d
}

// winsorise pulls absurd values in, of every resource by itself: an exploded first epoch is common.
func (d *Dataset) winsorise() {
	resource := d.resource
	if resource == nil {
		resource = make([]float64, len(d.y))
	}
	for _, s := range slices.Compact(slices.Sorted(slices.Values(resource))) {
		var at []int
		var y []float64
		for i, u := range resource {
			if u == s {
				at, y = append(at, i), append(y, d.y[i])
			}
		}
		y = gp.Winsorise(y) // one absurd value must not flatten all the others
		for k, i := range at {
			d.y[i] = y[k]
		}
	}
}

// reference are the values by which a transform is fitted: those at resource s or
// beyond, or all where those are few or none has a resource.
func (d *Dataset) reference(s float64) []float64 {
	const few = 5
	var out []float64
	for i, u := range d.resource {
		if u >= s {
			out = append(out, d.y[i])
		}
	}
	if len(out) < few {
		return d.y
	}
	return out
}

// points are the configurations with resource and trial in two more coordinates.
func (d *Dataset) points() *points.Set {
	x := d.x.Extend(0).Extend(0)
	copy(x.Col(d.x.Dim()), d.resource)
	copy(x.Col(d.x.Dim()+1), d.trial)
	return x
}

// FidelityKernel extends a kernel on configurations to resources and trials.
func FidelityKernel(st *study.Study, k kernels.Kernel, model string) kernels.Kernel {
	f := &st.Fidelity
	return kernels.Fidelity(k, kernels.FidelitySpec{Model: model, Coord: len(st.Space.Coordinates()), Low: f.Low(),
		High: f.High()})
}

// At returns the fit for predictions at a resource; a fit that knows none is returned as it is.
func (f *Fitted) At(st *study.Study, resource float64) *Fitted {
	return f.section(st, resource, gp.Fixed{})
}

// Of is the fit for predictions of one trial at a resource, given its own curve; a fit
// that knows no resources is returned as it is.
func (f *Fitted) Of(st *study.Study, t *study.Trial, resource float64) *Fitted {
	return f.section(st, resource, gp.Fixed{Value: float64(t.Number), Active: true})
}

func (f *Fitted) section(st *study.Study, resource float64, trial gp.Fixed) *Fitted {
	if !f.Resources {
		return f
	}
	out := *f
	out.Model = f.Model.Section(gp.Fixed{Value: resource / st.Fidelity.High(), Active: true}, trial)
	return &out
}

// Ends are points for the predictions for trials at full resource: their configurations with that
// resource, and their trial; nil where the fit knows no resources.
func (f *Fitted) Ends(st *study.Study, trials []*study.Trial) *points.Set {
	if !f.Resources {
		return nil
	}
	rows := lists.Of(trials, func(t *study.Trial) Row { return Row{Trial: t, Resource: st.Fidelity.High()} })
	d := NewDataset(st, rows, 1, func(Row) (float64, bool) { return 0, true })
	if len(d.y) == 0 {
		return nil
	}
	return d.points()
}

// trialDensity is the mean log density, in the objective's own units, of trials'
// highest rows left out with all of their trials: of those trials whose highest row is
// at one of the two highest resources where five or more have theirs.
func (f *Fitted) trialDensity(dim int) float64 {
	const enough, levels = 5, 2
	out := f.Model.LeaveTrialsOut(dim)
	count := map[float64]int{}
	for _, o := range out {
		count[o.Resource]++
	}
	var at []float64
	for s, n := range count {
		if n >= enough {
			at = append(at, s)
		}
	}
	slices.Sort(at)
	at = at[max(0, len(at)-levels):]
	sum, n := 0.0, 0.0
	for _, o := range out {
		if len(at) == 0 || slices.Contains(at, o.Resource) {
			raw := f.Transform.Inverse(f.Model.Value(o.Row))
			sum, n = sum+o.LogDensity+f.Transform.LogSlope(raw), n+1
		}
	}
	return sum / n
}

// A line maps values at one resource to values at the full one.
type line struct{ at, rise float64 } // where it meets 0, and how it rises

// lines are, by resource, those through the trials that are known there and at full resource; slope is the weight of a
// difference there. Where few are known the line is parallel to the diagonal, and none falls.
func (d *Dataset) lines(slope func(y float64) float64) map[float64]line {
	end := map[float64]float64{}
	for i, s := range d.resource {
		if s == 1 {
			end[d.trial[i]] = d.y[i]
		}
	}
	pairs := map[float64][][3]float64{} // value, end, weight
	for i, s := range d.resource {
		if e, known := end[d.trial[i]]; known && s < 1 {
			pairs[s] = append(pairs[s], [3]float64{d.y[i], e, square(slope(e))})
		}
	}
	out := map[float64]line{}
	for s, list := range pairs {
		n, w, x, y, xx, xy := float64(len(list)), 0.0, 0.0, 0.0, 0.0, 0.0
		for _, p := range list {
			w, x, y = w+p[2], x+p[2]*p[0], y+p[2]*p[1]
		}
		x, y = x/w, y/w
		for _, p := range list {
			xx, xy = xx+p[2]*square(p[0]-x), xy+p[2]*(p[0]-x)*(p[1]-y)
		}
		rise := 1.0
		if n > 2 && xx > 0 {
			rise = max(0, (n*xy/xx+priorEnds)/(n+priorEnds))
		}
		if l := (line{y - rise*x, rise}); !math.IsNaN(l.at+rise) && !math.IsInf(l.at+rise, 0) { // squares may overflow
			out[s] = l
		}
	}
	return out
}

// toEnds is align by the lines through the values, for a model with the transform of r.
// Absurd values decide no line, and are pulled in afterwards, whole curves alike.
func (d *Dataset) toEnds(r study.ModelSpec) {
	tame := *d
	tame.y = slices.Clone(d.y)
	if r.Winsorise {
		tame.winsorise()
	}
	slope := func(float64) float64 { return 1 }
	if t, err := gp.NewTransform(r.Transform, tame.reference(1)); err == nil {
		slope = func(y float64) float64 { return math.Exp(t.LogSlope(y)) }
	}
	d.align(tame.lines(slope))
	if r.Winsorise {
		copy(d.y, gp.Winsorise(d.y))
	}
}

// align maps values on the way to values at full resource, so that on the transformed scale,
// too, a curve is neither above nor below its end by the fall that all curves share. A resource without a line of its
// own takes the nearest one.
func (d *Dataset) align(lines map[float64]line) {
	for i, s := range d.resource {
		near, found := 0.0, false
		for r := range lines {
			if a, b := math.Abs(math.Log(r/s)), math.Abs(math.Log(near/s)); !found || a < b || a == b && r < near {
				near, found = r, true
			}
		}
		if found && s < 1 {
			d.y[i] = gp.Clamped(lines[near].at + lines[near].rise*d.y[i])
		}
	}
}
