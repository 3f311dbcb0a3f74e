package suggest

import (
	"fmt"
	"maps"
	"reflect"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/surrogate"
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
	for _, r := range m.by {
		was, _ := r.facts.Load("0f " + name)
		if one, known := was.(stage); known {
			return one.fact.(*surrogates)
		}
	}
	return nil
}

// A process fits the objective once for the same results, seed, newest fit and earlier studies.
func TestObjectiveIsFittedOnce(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
	confs := studytest.Sampled(t, st, 8)
	trials := studytest.Completed(confs, studytest.Smooth(confs))
	earlier := []surrogate.Source{{Configs: confs, Values: studytest.Smooth(confs), Objective: "f"}}
	memory := new(Kept)
	fit := func(r Request) *surrogate.Fitted {
		t.Helper()
		f, err := FitObjective(t.Context(), History(st, trials, r), r)
		must(t, err)
		return f
	}
	asked := Request{Seed: 3, Kept: memory, Told: 1}
	first := fit(asked)
	alone := fit(Request{Seed: 3})
	if fit(asked) != first || alone == first || !reflect.DeepEqual(alone.Report.Hyper, first.Report.Hyper) {
		t.Error("the same request has another fit")
	}
	for name, change := range map[string]func(r *Request){
		"seed":          func(r *Request) { r.Seed++ },
		"newest fit":    func(r *Request) { r.Warm = &study.FitRecord{Used: "another"} },
		"earlier study": func(r *Request) { r.Sources = earlier },
		"results":       func(r *Request) { r.Told = 2 },
	} {
		r := asked
		change(&r)
		if fit(asked); fit(r) == fit(asked) {
			t.Errorf("another %s has the same fit", name)
		}
	}
	next := Request{Number: len(trials) + 1, Seed: 3, Sources: earlier, Kept: memory, Told: 1}
	var models *surrogates
	for k := range 2 {
		if _, err := Next(t.Context(), st, trials, next); err != nil {
			t.Fatal(err)
		}
		was := models
		if models = keptStage(memory, "models"); models == nil || k == 1 && was != models {
			t.Errorf("suggestion %d after earlier studies: fitted again", k+1)
		}
	}
}

// Questions of several kinds, in turns, fit nothing again before something new is told.
func TestQuestionsFitOnce(t *testing.T) {
	st := studytest.Several(t, 2, "none", studytest.Number("x"), studytest.Number("y"))
	st.Constraints = []study.Constraint{{Name: "c", Bound: 0.5}}
	confs := studytest.Sampled(t, st, 9)
	trials := studytest.Completed(confs, studytest.Smooth(confs))
	for k := range trials {
		x, y := confs[k].Value[0], confs[k].Value[1]
		trials[k].Values = study.NamedOf(map[string]float64{st.Objectives[0].Name: x, st.Objectives[1].Name: y - x, "c": y})
	}
	memory := new(Kept)
	ask := func() map[string]uintptr {
		for k := range st.Objectives {
			one, r := st.For(k), Request{Seed: 3, Kept: memory, Told: 1}
			h := History(one, trials, r)
			if _, err := FitObjective(t.Context(), h, r); err != nil {
				t.Fatal(err)
			}
			if _, err := Satisfying(t.Context(), h, r); err != nil {
				t.Fatal(err)
			}
		}
		next := Request{Number: len(trials) + 1, Seed: 3, Kept: memory, Told: 1}
		if _, err := Rank(t.Context(), st, trials, next, confs); err != nil {
			t.Fatal(err)
		}
		next.Number = len(trials)
		must(t, Explain(t.Context(), st, trials, next, confs[8], new(study.Explanation)))
		fits := map[string]uintptr{}
		for of, r := range memory.by {
			for name, fact := range r.facts.Range {
				switch fact := fact.(stage).fact.(type) {
				case *surrogates, *surrogate.Fitted, map[string]outcome:
					fits[fmt.Sprint(of, name)] = reflect.ValueOf(fact).Pointer()
				}
			}
		}
		return fits
	}
	first := ask()
	if again := ask(); len(first) != 7 || !maps.Equal(again, first) {
		t.Errorf("first %v, then %v", first, again)
	}
	for k := range 2 * mostResults {
		memory.results(st, trials, Request{Number: k + 1, Told: 1})
	}
	if n := len(memory.by); n > mostResults {
		t.Errorf("results of %d kinds are kept", n)
	}
}
