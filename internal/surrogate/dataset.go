package surrogate

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Data is what surrogates learn from.
type Data struct {
	Observed   []*study.Trial // complete, with a finite objective
	Infeasible []*study.Trial // failed, as infeasible
	Sources    []Source       // warm start; nil: none
	Fits       *Fits          // made before; nil: nobody keeps any
	More       func() bool    // asked between the steps of fits (gp.Options); nil: fits take their time

	// In a study with a fidelity:
	Partial []*study.Trial // with values, and none at full resource
	Rows    []Row          // what the surrogate of the objective sees
	At      float64        // the resource at which configurations are compared
	Align   bool           // model values on the way as values at full resource
}

// Told are the trials with a value at some resource: the observed and the partial ones.
func (d Data) Told() []*study.Trial { return append(slices.Clip(d.Observed), d.Partial...) }

// Dataset is the encoded trials with the value of one quantity each, signed so
// that less is better; replicates are rows of their own. Values and standard errors
// are raw and finite; stderr is nil unless one was reported.
type Dataset struct {
	x      *points.Set
	y      []float64
	stderr []float64
}

// NewDataset gathers one quantity of trials; value tells what it is in an observation.
func NewDataset(st *study.Study, trials []*study.Trial, sign float64,
	value func(study.Observation) (float64, bool)) Dataset {
	return gather(st, whole(trials), sign, value).Dataset
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

// join appends the rows of e. Standard errors are dropped unless both datasets have them.
func (d Dataset) join(e Dataset) Dataset {
	out := Dataset{x: points.Concat(d.x, e.x), y: slices.Concat(d.y, e.y)}
	if d.stderr != nil && e.stderr != nil {
		out.stderr = slices.Concat(d.stderr, e.stderr)
	}
	return out
}

func objectiveValue(st *study.Study) func(study.Observation) (float64, bool) {
	return func(o study.Observation) (float64, bool) {
		v, ok := o.Values.Get(st.Objective().Name)
		return v, ok
	}
}

// FeasibilityData is 0 where a trial gave a value and 1 where it could not.
func FeasibilityData(st *study.Study, h Data) Dataset {
	ran := NewDataset(st, h.Told(), 1, func(study.Observation) (float64, bool) { return 0, true })
	failed := NewDataset(st, h.Infeasible, 1, func(study.Observation) (float64, bool) { return 1, true })
	return ran.join(failed)
}

// A Source is what an earlier study tells about today's space: a source task of the
// warm start.
type Source struct {
	Configs   []space.Configuration
	Values    []float64 // less is better, in that study's own units
	Objective string    // the one of today's study that the values are of
}

// SourcesOf are the sources that a study's objective, of several, learns from.
func SourcesOf(st *study.Study, all []Source) []Source {
	return slices.DeleteFunc(slices.Clone(all), func(e Source) bool { return e.Objective != st.Objective().Name })
}

// Best are the n best configurations.
func (e Source) Best(n int) []space.Configuration {
	order := make([]int, len(e.Values))
	floats.ArgsortStable(slices.Clone(e.Values), order)
	out := make([]space.Configuration, min(n, len(order)))
	for k := range out {
		out[k] = e.Configs[order[k]]
	}
	return out
}
