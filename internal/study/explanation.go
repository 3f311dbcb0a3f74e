package study

import (
	"encoding/json"
	"math"
	"slices"

	"bohier/internal/space"
)

// The objects that `explain` prints. Means and standard deviations are those of the objective, in its own
// units and sign; scores are of the acquisition function, larger is better.
type (
	// Explanation reports why a trial was suggested. Members that only the surrogate knows are null for trials that it did
	// not choose. MeanPercentile is the share of the space that is predicted worse, StdPercentile the share predicted with
	// a larger standard deviation. Plan is the plan that decided, with the rules that changed it.
	Explanation struct {
		Schema      string          `json:"schema"`
		Trial       int             `json:"trial"`
		ID          string          `json:"id"`
		Params      json.RawMessage `json:"params"`
		Source      string          `json:"source"`
		Acquisition *string         `json:"acquisition"`
		Score       *float64        `json:"score"`
		Factors     []string        `json:"factors,omitempty"`
		Mean        *float64        `json:"mean"`
		Std         *float64        `json:"std"`
		// In place of Mean and Std with several objectives.
		Objectives     map[string]Estimate `json:"objectives,omitempty"`
		Front          *FrontReason        `json:"front,omitempty"`
		Observed       *int                `json:"observed"`
		Partial        int                 `json:"partial,omitempty"` // of those
		Earlier        int                 `json:"earlier,omitempty"` // of a warm start
		Infeasible     *int                `json:"infeasible"`
		Pending        *int                `json:"pending"`
		Incumbent      *Mention            `json:"incumbent"`
		MeanPercentile *float64            `json:"mean_percentile"`
		StdPercentile  *float64            `json:"std_percentile"`
		Purpose        *string             `json:"purpose"`
		Region         *RegionReason       `json:"region"`
		Plan           *Plan               `json:"plan"`
		Nearest        *Mention            `json:"nearest"`
		Inactive       []Inactive          `json:"inactive"`
		Alternatives   []Alternative       `json:"alternatives"`
		Text           string              `json:"text"`
		Fidelity       *CourseReason       `json:"fidelity,omitempty"`
		Repeat         *Repeat             `json:"repeat,omitempty"` // of a measurement that the surrogate asked for
	}

	// Mention names a trial, with its value if it has one, and the posterior of the noisy objectives;
	// Distance is set for the nearest trial.
	Mention struct {
		Trial    int             `json:"trial"`
		ID       string          `json:"id"`
		Params   json.RawMessage `json:"params"`
		Value    *float64        `json:"value"`
		Values   Values          `json:"values,omitempty"` // of several objectives, in place of Value
		Distance *float64        `json:"distance,omitempty"`
		// Posterior replaces noisy values.
		Posterior *Posterior `json:"posterior,omitempty"`
	}

	// Alternative is the best configuration found in another branch.
	Alternative struct {
		Params json.RawMessage `json:"params"`
		Score  *float64        `json:"score"`
		*Estimate
		Objectives map[string]Estimate `json:"objectives,omitempty"` // of several
	}

	// FrontReason compares the predictions for a configuration with the front of several objectives: the probability that
	// no trial dominates it (null where nothing is known) and its neighbours by the first objective, null beyond the ends.
	FrontReason struct {
		Probability *float64 `json:"probability"`
		Size        int      `json:"size"`
		Before      *Mention `json:"before"`
		After       *Mention `json:"after"`
	}

	// Posterior is the surrogates' prediction for a configuration: mean and standard deviation, or an
	// object with both for each of several objectives, by name.
	Posterior struct {
		*Estimate
		Objectives map[string]Estimate `json:"-"`
	}
)

// A RegionReason is the only part of the space that a suggestion was sought in; null: the whole space.
// Part is "branch", the branch in which the conditions of Holds hold and those of Fails do not (without conditions that
// they imply), or "values", the configurations with one of Values. Tried is the number of trials before it in the
// branch, or with each of the values. Rank is the place of the branch or the value by its best trial, 0 where it did
// not matter. Baseline is the reference for improvement: the best of "all" trials, or of those in the "region"; null
// where nothing was, and the score is that of feasibility or of a bound. Incumbent is that best trial, null while its
// value is pending.
type RegionReason struct {
	Part      string         `json:"part"`
	Holds     []string       `json:"holds"`
	Fails     []string       `json:"fails"`
	Values    []RegionValues `json:"values"`
	Tried     int            `json:"tried"`
	Rank      int            `json:"rank"`
	Baseline  *Baseline      `json:"baseline"`
	Incumbent *Mention       `json:"incumbent"`
}

// MarshalJSON implements json.Marshaler.
func (p Posterior) MarshalJSON() ([]byte, error) {
	if p.Objectives != nil {
		return json.Marshal(p.Objectives)
	}
	return json.Marshal(p.Estimate)
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *Posterior) UnmarshalJSON(data []byte) error {
	one := struct{ Mean, Std *float64 }{}
	if err := json.Unmarshal(data, &one); err == nil && one.Mean != nil && one.Std != nil {
		*p = Posterior{Estimate: &Estimate{Mean: *one.Mean, Std: *one.Std}}
		return nil
	}
	*p = Posterior{}
	return json.Unmarshal(data, &p.Objectives)
}

// Of returns the estimate of an objective, the only one or that with the name; ok is false where there is none.
func (p *Posterior) Of(name string) (e Estimate, ok bool) {
	switch {
	case p == nil:
	case p.Estimate != nil:
		return *p.Estimate, true
	default:
		e, ok = p.Objectives[name]
	}
	return e, ok
}

// Mention is a trial mentioned beside another.
func (st *Study) Mention(t *Trial) *Mention {
	m := &Mention{Trial: t.Number, ID: t.ID(), Params: t.Params(st.Space)}
	if v, ok := t.Values.Get(st.Objective().Name); ok && t.State == Complete {
		if _, err := st.Unnamed("", ""); err == nil {
			m.Value = &v
		} else {
			m.Values = t.Values
		}
	}
	return m
}

type (
	// Expected is a prediction of one objective, in its own units and sign. StdNoisy is the
	// standard deviation of a measurement.
	Expected struct {
		Estimate
		StdNoisy float64 `json:"std_noisy"`
	}

	// LevelModel is how closely a model of curves ties a trial's value at a level to that at full resource.
	LevelModel struct {
		Resource    float64 `json:"resource"`
		Correlation float64 `json:"correlation"`
	}

	// LeftOut holds the surrogate's leave-one-out predictions, in the objective's own units and sign: every distinct
	// configuration's value, its prediction from all the others, and its place in the predicted distribution.
	LeftOut struct {
		Observed, Mean, Low, High []float64 // Low to High: the central 90 %
		Level                     []float64 // share of the prediction below the value, in (0, 1)
	}
)

// Finite is v for JSON, which has no NaN and no infinity: nil.
func Finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// Settings are the values of a trial's active parameters, as it was made with them.
func (t *Trial) Settings(s *space.Space) []space.Setting {
	if t.Outside && !t.Stale {
		return t.Own
	}
	out := s.Settings(t.Config)
	for k := range out {
		if i := slices.IndexFunc(t.Own, func(v space.Setting) bool { return v.Name == out[k].Name }); i >= 0 {
			out[k] = t.Own[i]
		}
	}
	return out
}

// Params is a trial's configuration as JSON: its active parameters, as it was made with them.
func (t *Trial) Params(s *space.Space) json.RawMessage { return space.JSONObject(t.Settings(s)) }
