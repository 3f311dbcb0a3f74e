package study

import (
	"encoding/json"
	"maps"
	"slices"
)

// A Plan is everything that decides a suggestion of the surrogate before anything is fitted or searched. It is computed
// once (policy.Decide), searched, printed by `explain` and kept in the journal. Parameters and values are named as the
// study file names them.
type Plan struct {
	Model ModelPlan `json:"model,omitzero"`
	// Objectives has the models of several objectives, as Model is the model of one.
	Objectives []ObjectivePlan `json:"objectives,omitempty"`
	// Acquisition scores the objective's predictions; Factors multiply with it.
	Acquisition string   `json:"acquisition"`
	Factors     []Factor `json:"factors,omitempty"`
	// Region is the only part of the space to look at; nil: the whole space.
	Region *Region `json:"region,omitempty"`
	// Baseline is the value that a suggestion must improve on, and Incumbent the trial with the best
	// measured value (0: none has). The surrogate's mean counts, with pending trials.
	Baseline  Baseline `json:"baseline"`
	Incumbent int      `json:"incumbent,omitempty"`
	// Xi is the improvement asked for by one of several objectives, see ObjectivePlan.
	Xi float64 `json:"xi,omitempty"`
	// Augmented multiplies with the share of a prediction's standard deviation that one noisy measurement takes away.
	Augmented bool `json:"augmented,omitempty"`
	// Reach is how far beyond the front the reference point of the hypervolume lies at
	// least, in standard deviations of a modelled objective.
	Reach float64 `json:"reach,omitempty"`
	// Design means that the next point of the design is suggested, and nothing is searched.
	Design bool `json:"design,omitempty"`
	// Pessimism is the quantile of the objective's predicted values that infeasible
	// trials are taken to have at least; 0: they do not count.
	Pessimism float64 `json:"pessimism,omitempty"`
	// Pending describes how pending trials are counted; nil, as in older journals: all, with eight
	// joint draws of their outcomes.
	Pending *PendingPlan `json:"pending,omitempty"`
	// Rules are the rules that changed the plan, in the order in which they did.
	Rules []RuleUse `json:"rules,omitempty"`
}

// Goals are the plans of a study's objectives, each by itself.
func (p *Plan) Goals(st *Study) []ObjectivePlan {
	if p.Objectives != nil {
		return p.Objectives
	}
	return []ObjectivePlan{{Name: st.Objective().Name, Model: p.Model, Xi: p.Xi, Augmented: p.Augmented}}
}

// A PendingPlan describes how pending trials are counted: with so many joint draws of their
// outcomes, and at most so many trials, those with the best scores one after the other.
type PendingPlan struct {
	Draws int `json:"draws"`
	Most  int `json:"most"`
}

// An ObjectivePlan describes how one of several objectives is modelled.
type ObjectivePlan struct {
	Name      string    `json:"name"`
	Model     ModelPlan `json:"model"`
	Xi        float64   `json:"xi,omitempty"` // below its least value, a gain counts from so far on
	Augmented bool      `json:"augmented,omitempty"`
}

// A ModelPlan names the models of the objective. A Challenger is fitted, too, to be compared with
// it for Rule; if FitRecord.Used is its name, it made the suggestion.
type ModelPlan struct {
	Spec       ModelSpec  `json:"spec"`
	Challenger *ModelSpec `json:"challenger,omitempty"`
	Rule       string     `json:"rule,omitempty"`
}

// The names of the comparisons by which a model is chosen (ModelPlan.Rule).
const (
	TransformComparison = "model.transform"
	KernelComparison    = "model.kernel"
	ScaleComparison     = "model.scale"
	WarpingComparison   = "model.warping"
)

// A ModelSpec is one way to model the objective.
type ModelSpec struct {
	Kernel    string  `json:"kernel"`
	Transform string  `json:"transform"`
	Warping   Warping `json:"warping,omitempty"`
	Winsorise bool    `json:"winsorise,omitempty"` // pull absurd values in before the transform
	Fidelity  string  `json:"fidelity,omitempty"`  // how values at several resources hang together
	Mean      string  `json:"mean,omitempty"`      // of the surrogate, where a rule chose it; "": the study's
}

// Name is the name of the kernel and the transform: "box.power"; with that of the fidelity's model, where there is one,
// "warped" where all axes are and "logarithmic" where those of ranges over decades are, and the mean that a rule chose.
func (m ModelSpec) Name() string {
	name := m.Kernel + "." + m.Transform
	if m.Fidelity != "" {
		name += "." + m.Fidelity
	}
	switch m.Warping {
	case WarpingOn:
		name += ".warped"
	case WarpingLog:
		name += ".logarithmic"
	}
	if m.Mean != "" {
		name += "." + m.Mean
	}
	return name
}

// Curves reports whether the model knows resources.
func (m ModelSpec) Curves() bool { return m.Fidelity != "" && m.Fidelity != "final" }

// Warping is the choice of warped or straight axes.
type Warping string

// Axes are straight (the zero value), warped, or warped in linear ranges over decades alone.
const (
	WarpingOff Warping = ""
	WarpingOn  Warping = "on"
	WarpingLog Warping = "log"
)

// A Factor multiplies with the acquisition function, to the power of Weight: "constraint.NAME", kept with a margin of
// so many predicted standard deviations; "feasibility", the probability not to fail; "cost" (Weight is its exponent,
// the factor is 1/cost); or "prior".
type Factor struct {
	Name   string  `json:"name"`
	Weight float64 `json:"weight"`
	Margin float64 `json:"margin,omitempty"`
}

// Factor finds the factor with that name.
func (p *Plan) Factor(name string) (Factor, bool) {
	k := slices.IndexFunc(p.Factors, func(f Factor) bool { return f.Name == name })
	if k < 0 {
		return Factor{}, false
	}
	return p.Factors[k], true
}

// A Region is a part of the space: the branch in which of the conditional parameters exactly those of Branch are
// active, or the configurations with one of Values. Tried is the number of trials in the branch, or with each of the
// values; Rank is the branch's place by the best values of branches, 1 for the best, and 0 where it did not matter.
type Region struct {
	Branch *[]string      `json:"branch,omitempty"`
	Values []RegionValues `json:"values,omitempty"`
	Tried  int            `json:"tried"`
	Rank   int            `json:"rank,omitempty"`
}

// RegionValues are values of one categorical parameter.
type RegionValues struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// A Baseline is the value that a suggestion must improve on.
type Baseline string

// The baselines: the best of all trials, the best in the region, and none while no trial is feasible.
const (
	BaselineAll    Baseline = "all"
	BaselineRegion Baseline = "region"
	BaselineNone   Baseline = "none"
)

// A RuleUse is a rule of the policy that changed a plan, and its reason in numbers.
type RuleUse struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// Policy lists the policy's rules that a study leaves out.
type Policy struct {
	Plain   bool     // no rule acts: the named methods alone
	Without []string // rules that do not act
}

type (
	// CourseReason is how far a trial got in a study with a fidelity: its place among the
	// entries at the highest level it has a value at, and how many of them went on.
	CourseReason struct {
		Name     string   `json:"name"`
		Start    float64  `json:"start"`
		Resource float64  `json:"resource"`
		Leg      int      `json:"leg"`
		Level    *float64 `json:"level"`
		Place    int      `json:"place,omitempty"`
		Entries  int      `json:"entries,omitempty"`
		Promoted int      `json:"promoted,omitempty"`
		Why      string   `json:"why"` // of its newest leg; empty: somebody named its level
	}

	// Inactive is a parameter a configuration does not have, and the condition it does not meet.
	Inactive struct {
		Name      string `json:"name"`
		Condition string `json:"condition"`
	}
)

// A FitRecord is the record of the surrogates behind a suggestion. The next fits start from it.
type FitRecord struct {
	Cut      int                 `json:"cut,omitempty"` // the step of the fits before which a deadline ended them
	Used     string              `json:"used"`          // the model of the objective that made the suggestion (ModelSpec.Name)
	Models   map[string]ModelFit `json:"models,omitempty"`
	Outcomes map[string]HyperSet `json:"outcomes,omitempty"` // constraint.NAME, feasibility, cost
	// Compared is the result of comparisons of two models, by the name of the rule.
	Compared map[string]Comparison `json:"compared,omitempty"`
	// Curves is the decision of `fidelity.model: auto`; nil: nothing was compared.
	Curves *CurvesDecision `json:"curves,omitempty"`
	// Gain is the logarithm of the expected improvement of the latest suggestion that was searched in
	// the whole space, in standard deviations of the modelled objective; nil: none was.
	Gain *float64 `json:"gain,omitempty"`
	// Repeat is why a configuration was suggested that had been measured; nil: it was new.
	Repeat *Repeat `json:"repeat,omitempty"`
	// Objectives are the records of several objectives, by name; those of one are above.
	Objectives map[string]*FitRecord `json:"objectives,omitempty"`
}

// EndsFit is among the Outcomes where ends of curves are modelled by themselves.
const EndsFit = "ends"

// fitRecord is FitRecord without its methods.
type fitRecord FitRecord

// MarshalJSON writes the model twice, for other readers, and beside hyperparameters the number of observations of their
// fit.
func (f FitRecord) MarshalJSON() ([]byte, error) {
	to := map[string]FittedTo{}
	for name, m := range f.Models {
		to[name] = m.Hyper.FittedTo
	}
	for name, h := range f.Outcomes {
		to[name] = h.FittedTo
	}
	maps.DeleteFunc(to, func(_ string, t FittedTo) bool { return t == FittedTo{} })
	return json.Marshal(struct {
		Champion string `json:"champion"`
		fitRecord
		FittedTo map[string]FittedTo `json:"fitted_to,omitempty"`
	}{f.Used, fitRecord(f), to})
}

// UnmarshalJSON reads the output of MarshalJSON.
func (f *FitRecord) UnmarshalJSON(text []byte) error {
	read := struct {
		*fitRecord
		FittedTo map[string]FittedTo `json:"fitted_to"`
	}{fitRecord: (*fitRecord)(f)}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	for name, to := range read.FittedTo {
		if m, ok := f.Models[name]; ok {
			m.Hyper.FittedTo = to
			f.Models[name] = m
		}
		if h, ok := f.Outcomes[name]; ok {
			h.FittedTo = to
			f.Outcomes[name] = h
		}
	}
	return nil
}

// A Repeat is a further measurement of a trial's configuration: how many it had, and the knowledge gradients of
// measuring it and the best new configuration, in standard deviations of the modelled objective.
type Repeat struct {
	Trial    int      `json:"trial"`
	Measured int      `json:"measured"`
	Gain     float64  `json:"gain"`
	New      *float64 `json:"new,omitempty"` // nil: no configuration was new
}

// A HyperSet is the value of every hyperparameter by name, and the data of their fit.
type HyperSet struct {
	Values   map[string]float64
	FittedTo FittedTo
}

// FittedTo identifies the data of the hyperparameters: how many observations, and checksums of 53
// bits of the hyperparameters' names, of where the best observation is and, where others may fit to
// the very same ones, of all data. The zero value: nobody says so.
type FittedTo struct {
	Observations int    `json:"observations,omitempty"`
	Params       uint64 `json:"params,omitempty"`
	Best         uint64 `json:"best,omitempty"`
	Data         uint64 `json:"data,omitempty"`
}

// MarshalJSON writes the hyperparameters alone.
func (h HyperSet) MarshalJSON() ([]byte, error) { return json.Marshal(h.Values) }

// UnmarshalJSON reads hyperparameters alone.
func (h *HyperSet) UnmarshalJSON(text []byte) error {
	*h = HyperSet{}
	return json.Unmarshal(text, &h.Values)
}

// A ModelFit is one model of the objective when it was last fitted.
type ModelFit struct {
	Hyper   HyperSet `json:"hyper"`
	Density float64  `json:"density"` // mean log density of an observation left out
}

// A Comparison is whether the challenger was better than the plan's model, and after how many observations.
type Comparison struct {
	Challenger   bool `json:"challenger"`
	Observations int  `json:"observations"`
}

// A CurvesDecision is the model of curves that predicted the known ends best, on which scale, and after how many ends.
type CurvesDecision struct {
	Model     string `json:"model"`
	Transform string `json:"transform"`
	Ends      int    `json:"ends"`
}

// Of returns the record of a study's objective alone where the study is one of several
// (Study.For), and f itself elsewhere.
func (f *FitRecord) Of(st *Study) *FitRecord {
	if f == nil || st.Among == nil {
		return f
	}
	return f.Objectives[st.Objective().Name]
}

// Clone returns a copy whose maps can be changed; that of nil is empty.
func (f *FitRecord) Clone() *FitRecord {
	var out FitRecord
	if f != nil {
		out = *f
	}
	out.Repeat, out.Cut = nil, 0 // of one suggestion
	out.Models, out.Outcomes = copied(out.Models), copied(out.Outcomes)
	out.Objectives, out.Compared = copied(out.Objectives), copied(out.Compared)
	return &out
}

func copied[V any](m map[string]V) map[string]V {
	out := map[string]V{}
	maps.Copy(out, m)
	return out
}
