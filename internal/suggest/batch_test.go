package suggest

import (
	"reflect"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// The suggestions of a batch, which share what was fitted, are those of requests that share nothing.
func TestBatchSharesFits(t *testing.T) {
	two := studytest.Several(t, 2, "auto", studytest.PlainSpace()...)
	one := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x"), studytest.Number("y"))
	one.Constraints = []study.Constraint{{Name: "c", Bound: 0.5}}
	curves, trial := epochs(t, studytest.Number("x"), studytest.Number("y"))
	for name, st := range map[string]*study.Study{"two objectives": two, "a constraint": one, "a fidelity": curves} {
		n := 110 // more than fits follow
		if st == curves {
			n = 40
		}
		trials := told(t, st, n, func(c space.Configuration) (study.Observation, study.Failure) {
			o, _ := tradeoffs(2)(c)
			if st == one {
				o.Values = study.Values{{Name: st.Objective().Name, Value: o.Values.Of("f")}}
				o.Values.Set("c", c.Value[1])
				o.Cost = new(1 + c.Value[2])
			}
			return o, ""
		})
		for k := range trials {
			if st == curves {
				trials[k] = trial(k+1, trials[k].Config, []float64{1, 3, 9, 27}[k%4])
			}
		}
		trials[4].State, trials[4].Failure = study.Failed, study.Infeasible
		kept, shared := new(Kept), 0
		var warm *study.FitRecord
		var plan study.Plan
		for k := range 4 {
			r := Request{Number: len(trials) + 1, Seed: 3, Warm: warm}
			if st == one && k%2 == 1 { // a search of a region notes no gain: the one before stays
				plan.Region = &study.Region{Values: []study.RegionValues{{Name: "k", Values: []string{"a"}}}}
				r.Plan = &plan
			}
			alone, err := Next(t.Context(), st, trials, r)
			if err != nil {
				t.Fatal(name, err)
			}
			models, outcomes := keptStage(kept, "models"), keptStage(kept, "outcomes")
			r.Kept, r.Told = kept, 1
			sug, err := Next(t.Context(), st, trials, r)
			if err != nil {
				t.Fatal(name, err)
			}
			if models != nil && models == keptStage(kept, "models") && outcomes == keptStage(kept, "outcomes") {
				shared++
			}
			if !reflect.DeepEqual(sug.Config, alone.Config) || !reflect.DeepEqual(sug.Spare, alone.Spare) ||
				!reflect.DeepEqual(sug.Fit, alone.Fit) || !reflect.DeepEqual(sug.Plan, alone.Plan) {
				t.Errorf("%s, trial %d: %v, alone %v", name, r.Number, sug, alone)
			}
			warm, plan = sug.Fit, *sug.Plan
			trials = append(trials, study.Trial{Number: r.Number, State: study.Pending, Config: sug.Config, Source: sug.Source})
		}
		if shared == 0 {
			t.Errorf("%s: %d of 4 suggestions shared fits", name, shared)
		}
	}
}

// keptStage are the surrogates kept after a stage; nil: none.
func keptStage(m *Kept, name string) *surrogates {
	if m.newest == nil {
		return nil
	}
	was, _ := m.newest.facts.Load(name)
	one, _ := was.(stage)
	return one.surrogates
}
