package study

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/lists"
	"bohier/internal/space"
)

// Most objectives of a study: a front of more distinguishes configurations no longer.
const MostObjectives = 8

// Noise describes an objective's noise as far as it is known. The zero value: it is estimated.
type Noise struct {
	None bool    // measurements are exact
	SD   float64 // > 0: its standard deviation, in the objective's units
}

// Objective is the only objective, or the first of several.
func (st *Study) Objective() Objective { return st.Objectives[0] }

// Several reports whether the study has more than one objective.
func (st *Study) Several() bool { return len(st.Objectives) > 1 }

// Attributed is a text about an objective: one of several is named before it.
func (st *Study) Attributed(objective, text string) string {
	if st.Several() {
		return objective + ": " + text
	}
	return text
}

// Asked shows how values are given by name on a command line.
func Asked(names []string) string { return strings.Join(lists.Of(names, ShellWord), "=… ") + "=…" }

// Unnamed is the objective that a value without a name is of. The error says that there are several;
// flag stands before the value.
func (st *Study) Unnamed(flag, value string) (name string, err error) {
	name = st.Objective().Name
	if st.Several() {
		hint := "name it, such as " + flag + ShellWord(name) + "=" + value
		if _, err := strconv.ParseFloat(value, 64); err != nil { // perhaps half of a name with a blank
			hint = "give " + Asked(lists.Of(st.Objectives, func(o Objective) string { return o.Name }))
		}
		return "", Errorf(Usage, hint, "%s%s does not name its objective", flag, value)
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
	one.Objectives, one.Among = st.Objectives[k:k+1:k+1], st.Objectives
	one.Stop.Hypervolume = nil
	one.Surrogate.Hyper = Hyper{
		Fixed: ofGoal(st, k, one.Surrogate.Fixed), Initial: ofGoal(st, k, one.Surrogate.Initial),
		Bounds: ofGoal(st, k, one.Surrogate.Bounds), Prior: ofGoal(st, k, one.Surrogate.Prior),
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

// Goals are the names of the objectives.
func (st *Study) Goals() []string {
	return lists.Of(st.Objectives, func(ob Objective) string { return ob.Name })
}

// Vector holds a trial's value of every objective, each turned so that less is better; nil unless
// all are there and finite.
func (st *Study) Vector(t *Trial) []float64 {
	if !st.Measured(t) {
		return nil
	}
	out := make([]float64, len(st.Objectives))
	for k := range out {
		ob := &st.Objectives[k]
		out[k] = ob.Direction.Sign() * t.Values.Of(ob.Name)
	}
	return out
}

// Missing are the objectives that a trial has no value of.
func (st *Study) Missing(t *Trial) []string {
	return lists.Only(st.Goals(), func(name string) bool { _, known := t.Values.Get(name); return !known })
}

// ErrorOf is the standard error of the value of an objective; nil: not known.
func (o *Observation) ErrorOf(objective string) *float64 {
	if v, ok := o.Stderrs.Get(objective); ok {
		return &v
	}
	return o.Stderr
}

// SetError gives an observation the standard error of an objective.
func (st *Study) SetError(o *Observation, objective string, v float64) {
	if _, err := st.Unnamed("stderr ", objective); err != nil {
		o.Stderrs = o.Stderrs.With(Values{{objective, v}})
		return
	}
	o.Stderr = &v
}

// Reached reports whether a trial is as good as every target there is, and there is one.
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

// Best returns the n best feasible complete trials, best first, ties by number. With several
// objectives it is the first n of the front.
func (st *Study) Best(trials []Trial, n int) []Trial {
	return st.Standing(Pointers(trials)).Best(n)
}

// First are the n trials with the best values of the (first) objective, best first, ties by number.
func (st *Study) First(trials []*Trial, n int) []*Trial {
	type ranked struct {
		value float64 // less is better
		*Trial
	}
	name, sign := st.Objective().Name, st.Objective().Direction.Sign()
	better := func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.Number, b.Number))
	}
	var order []ranked
	for k, t := range trials {
		order = append(order, ranked{sign * t.Values.Of(name), t})
		if len(order) > 2*n+64 || k == len(trials)-1 { // those after n are worse than n others
			slices.SortFunc(order, better)
			order = order[:min(n, len(order))]
		}
	}
	return lists.Of(order, func(r ranked) *Trial { return r.Trial })
}

// Shortfall describes the lack of the complete trials where Best finds none: they satisfy no constraint, are of another
// space, or measured no objective or not what a constraint is on.
func (st *Study) Shortfall(trials []Trial) string {
	inside, under := []*Trial(nil), "space"
	for k := range trials {
		if t := &trials[k]; t.Stale {
			under = "context"
		} else if t.State == Complete && !t.Outside {
			inside = append(inside, t)
		}
	}
	lacking := st.Goals()
	if slices.ContainsFunc(inside, st.Measured) {
		lacking = slices.DeleteFunc(st.Outcomes(), func(name string) bool {
			return slices.ContainsFunc(inside, func(t *Trial) bool {
				_, known := t.Values.Get(name)
				return known
			})
		})
	}
	switch {
	case inside == nil:
		return "none was made in the present " + under
	case len(lacking) == 0:
		return "none satisfies every constraint yet"
	}
	return "none has a value of " + strings.Join(lacking, " and ")
}

// Counts reports whether a trial can be the best: it is complete, lies in today's space,
// has a value of every objective and keeps the constraints.
func (st *Study) Counts(t *Trial) bool {
	return t.State == Complete && !t.Outside && st.Measured(t) && st.Feasible(t)
}

// Measured reports whether the trial has a finite value of every objective.
func (st *Study) Measured(t *Trial) bool {
	for k := range st.Objectives {
		v, ok := t.Values.Get(st.Objectives[k].Name)
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return len(st.Objectives) > 0
}

// Feasible reports whether every constraint was measured and holds for the mean of the trial's measurements.
func (st *Study) Feasible(t *Trial) bool {
	return !slices.ContainsFunc(st.Constraints, func(c Constraint) bool {
		v, ok := t.Mean(c.Name)
		return !ok || !c.Holds(v)
	})
}

// Mean is that of an outcome over the trial's measurements.
func (t *Trial) Mean(name string) (mean float64, ok bool) {
	sum, n := 0.0, 0.0
	for _, o := range t.Observations() {
		if v, measured := o.Values.Get(name); measured {
			sum, n = sum+v, n+1
		}
	}
	return sum / n, n > 0
}

// A Measurement is one of a configuration: a trial's own, or a replicate.
type Measurement struct {
	Trial     *Trial
	Replicate int // from 1; 0: the trial's own
	Observation
}

// Measurements are, by trial number, those of configurations that were measured more than once,
// in order of trials: of a trial its own and its replicates, and where it can be the best those
// of the others with the same configuration, too.
func (st *Study) Measurements(trials []Trial) map[int][]Measurement {
	out := map[int][]Measurement{}
	first, more := make(map[string]*Trial, len(trials)), map[string][]*Trial{}
	for k := range trials {
		t := &trials[k]
		if len(t.Replicates) > 0 {
			out[t.Number] = t.Measurements()
		}
		if !st.Counts(t) {
			continue
		}
		key := st.Space.Key(t.Config)
		if other := first[key]; other == nil {
			first[key] = t
		} else {
			more[key] = append(more[key], t)
		}
	}
	for key, list := range more {
		list = append(list, first[key])
		slices.SortFunc(list, func(a, b *Trial) int { return cmp.Compare(a.Number, b.Number) })
		all := slices.Concat(lists.Of(list, (*Trial).Measurements)...)
		for _, t := range list {
			out[t.Number] = all
		}
	}
	return out
}

// Measurements are the trial's own; none where it has no values.
func (t *Trial) Measurements() []Measurement {
	if len(t.Values) == 0 {
		return nil
	}
	out := make([]Measurement, 0, 1+len(t.Replicates))
	for k, o := range t.Observations() {
		out = append(out, Measurement{t, k, *o})
	}
	return out
}
