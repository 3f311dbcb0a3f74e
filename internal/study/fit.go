package study

import (
	"encoding/json"
	"maps"
)

// A FitRecord is what a suggestion keeps of the surrogates behind it. The next fits
// start from it.
type FitRecord struct {
	Cut      int                 `json:"cut,omitempty"` // the step of the fits before which a deadline ended them
	Used     string              `json:"used"`          // the model of the objective that made the suggestion (ModelSpec.Name)
	Models   map[string]ModelFit `json:"models,omitempty"`
	Outcomes map[string]HyperSet `json:"outcomes,omitempty"` // constraint.NAME, feasibility, cost
	// Compared is the result of comparisons of two models, by the name of the rule.
	Compared map[string]Comparison `json:"compared,omitempty"`
	// Curves is the decision of `fidelity.model: auto`; nil: nothing was compared.
	Curves *CurvesDecision `json:"curves,omitempty"`
	// Expected is what was expected of the latest trials that the surrogate chose.
	Expected []Expectation `json:"expected,omitempty"`
	// Repeat is why a configuration was suggested that had been measured; nil: it was new.
	Repeat *Repeat `json:"repeat,omitempty"`
	// Objectives are the records of several objectives, by name; those of one are above.
	Objectives map[string]*FitRecord `json:"objectives,omitempty"`
}

// EndsFit is among the Outcomes where ends of curves are modelled by themselves.
const EndsFit = "ends"

// fitRecord is FitRecord without its methods.
type fitRecord FitRecord

// MarshalJSON writes the model also as that which predicted best so far, which could be
// another one in older journals, and beside hyperparameters what they were fitted to.
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

// UnmarshalJSON reads what MarshalJSON writes, and older records.
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

// A Repeat is a further measurement of a trial's configuration: how many it had, and the
// knowledge gradients of measuring it and the best new configuration, in standard
// deviations of the modelled objective.
type Repeat struct {
	Trial    int      `json:"trial"`
	Measured int      `json:"measured"`
	Gain     float64  `json:"gain"`
	New      *float64 `json:"new,omitempty"` // nil: no configuration was new
}

// An Expectation is the value that was expected of a trial, in the objective's units, and its
// standard deviation, that of noise included.
type Expectation struct {
	Trial int     `json:"trial"`
	Mean  float64 `json:"mean"`
	SD    float64 `json:"sd"`
}

// A HyperSet is the value of every hyperparameter by name, and what they were fitted to.
type HyperSet struct {
	Values   map[string]float64
	FittedTo FittedTo
}

// FittedTo tells what hyperparameters were fitted to: how many observations, and checksums
// of 53 bits of where the best of them is and, where others may fit to the very same ones, of
// all data. The zero value: nobody says so.
type FittedTo struct {
	Observations int    `json:"observations,omitempty"`
	Best         uint64 `json:"best,omitempty"`
	Data         uint64 `json:"data,omitempty"`
}

// MarshalJSON writes the hyperparameters alone.
func (h HyperSet) MarshalJSON() ([]byte, error) { return json.Marshal(h.Values) }

// UnmarshalJSON reads hyperparameters. Older journals kept what they were fitted to among
// them.
func (h *HyperSet) UnmarshalJSON(text []byte) error {
	h.Values, h.FittedTo = nil, FittedTo{}
	if err := json.Unmarshal(text, &h.Values); err != nil {
		return err
	}
	take := func(name string) float64 {
		defer delete(h.Values, name)
		return h.Values[name]
	}
	h.FittedTo = FittedTo{int(take("observations")), uint64(take("best")), uint64(take("data"))}
	return nil
}

// A ModelFit is one model of the objective when it was last fitted.
type ModelFit struct {
	Hyper   HyperSet `json:"hyper"`
	Density float64  `json:"density"` // mean log density of an observation left out
	// Warping is of older journals: whether warped axes were better.
	Warping *struct {
		On bool `json:"on"`
	} `json:"warping,omitempty"`
}

// A Comparison is whether the challenger was better than the plan's model, and after how
// many observations.
type Comparison struct {
	Challenger   bool `json:"challenger"`
	Observations int  `json:"observations"`
}

// A CurvesDecision is the model of curves that foretold the known ends best, on which
// scale, and after how many ends.
type CurvesDecision struct {
	Model     string `json:"model"`
	Transform string `json:"transform"`
	Ends      int    `json:"ends"`
}

// Of returns the record of a study's objective alone where the study is one of several
// (Study.For), and f itself elsewhere.
func (f *FitRecord) Of(st *Study) *FitRecord {
	if f == nil || st.Among == 0 {
		return f
	}
	return f.Objectives[st.Objective().Name]
}

// Clone returns a copy whose maps can be changed; that of nil is empty.
func (f *FitRecord) Clone() *FitRecord {
	if f == nil {
		return &FitRecord{Models: map[string]ModelFit{}, Outcomes: map[string]HyperSet{}}
	}
	out := *f
	out.Repeat, out.Cut = nil, 0 // of one suggestion
	out.Models, out.Outcomes, out.Objectives = maps.Clone(f.Models), maps.Clone(f.Outcomes), maps.Clone(f.Objectives)
	out.Compared = maps.Clone(f.Compared)
	if out.Models == nil {
		out.Models = map[string]ModelFit{}
	}
	if out.Outcomes == nil {
		out.Outcomes = map[string]HyperSet{}
	}
	return &out
}
