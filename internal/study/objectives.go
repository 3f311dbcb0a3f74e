package study

import (
	"maps"
	"math"
	"slices"
	"strings"

	"bohier/internal/space"
)

// Most objectives of a study: a front of more tells configurations apart no longer.
const MostObjectives = 8

// Noise says what is known of an objective's noise. The zero value: it is estimated.
type Noise struct {
	None bool    // measurements are exact
	SD   float64 // > 0: its standard deviation, in the objective's units
}

// Objective is the only objective, or the first of several.
func (st *Study) Objective() Objective { return st.Objectives[0] }

// Several reports whether the study has more than one objective.
func (st *Study) Several() bool { return len(st.Objectives) > 1 }

// Unnamed is the objective that a value without a name is of. The error says that there are several;
// flag stands before the value.
func (st *Study) Unnamed(flag, value string) (name string, err error) {
	name = st.Objective().Name
	if st.Several() {
		return "", Errorf(Usage, "name it, such as "+flag+name+"="+value, "%s%s does not say of which objective it is", flag,
			value)
	}
	return name, nil
}

// For is the study as it is for its k-th objective alone: the same space, trials and settings.
// Its targets and stopping rules are about that objective.
func (st *Study) For(k int) *Study {
	if !st.Several() {
		return st
	}
	one := *st
	one.Objectives, one.Among = st.Objectives[k:k+1:k+1], len(st.Objectives)
	one.Stop.Hypervolume = nil
	one.Surrogate.Hyper = Hyper{
		Fixed: ofGoal(st, k, one.Surrogate.Hyper.Fixed), Initial: ofGoal(st, k, one.Surrogate.Hyper.Initial),
		Bounds: ofGoal(st, k, one.Surrogate.Hyper.Bounds), Prior: ofGoal(st, k, one.Surrogate.Hyper.Prior),
	}
	return &one
}

// ofGoal are the settings of hyperparameters for the k-th objective: those of all, and
// those written as "loss/noise", which count before them, if its name is loss.
func ofGoal[T any](st *Study, k int, of map[string]T) map[string]T {
	if len(of) == 0 {
		return of
	}
	out, own := map[string]T{}, map[string]T{}
	for name, v := range of {
		goal, rest := -1, name
		for i, ob := range st.Objectives {
			if r, ok := strings.CutPrefix(name, ob.Name+"/"); ok && len(r) < len(rest) {
				goal, rest = i, r
			}
		}
		switch goal {
		case -1:
			out[name] = v
		case k:
			own[rest] = v
		}
	}
	maps.Copy(out, own)
	return out
}

// Goal is the index of the objective with that name; −1: there is none.
func (st *Study) Goal(name string) int {
	name = space.Name(name)
	return slices.IndexFunc(st.Objectives, func(ob Objective) bool { return ob.Name == name })
}

// Vector is what a trial measured of every objective, each turned so that less is
// better; nil unless all are there and finite.
func (st *Study) Vector(t *Trial) []float64 {
	var out []float64
	for _, ob := range st.Objectives {
		v, ok := t.Values.Get(ob.Name)
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		out = append(out, ob.Direction.Sign()*v)
	}
	return out
}

// Missing are the objectives that a trial has no value of.
func (st *Study) Missing(t *Trial) []string {
	var out []string
	for _, ob := range st.Objectives {
		if _, ok := t.Values.Get(ob.Name); !ok {
			out = append(out, ob.Name)
		}
	}
	return out
}

// ErrorOf is the standard error of what was measured of an objective; nil: not known.
func (o *Observation) ErrorOf(objective string) *float64 {
	if v, ok := o.Stderrs.Get(objective); ok {
		return &v
	}
	return o.Stderr
}

// SetError gives an observation the standard error of an objective.
func (st *Study) SetError(o *Observation, objective string, v float64) {
	if o.Stderr = &v; st.Several() {
		o.Stderr, o.Stderrs = nil, o.Stderrs.With(Values{{objective, v}})
	}
}

// Reached reports whether a trial is as good as every target there is, and there is
// one.
func (st *Study) Reached(t *Trial) bool {
	any := false
	for _, ob := range st.Objectives {
		if ob.Target == nil {
			continue
		}
		any = true
		if v, ok := t.Values.Get(ob.Name); !ok || !(ob.Direction.Sign()*v <= ob.Direction.Sign()**ob.Target) {
			return false
		}
	}
	return any
}
