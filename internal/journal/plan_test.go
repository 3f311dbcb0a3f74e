package journal

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/study"
)

// A suggestion's plan and fits are kept in a record that programs without it skip, and
// come back with the trial; a suggestion without them leaves those of the last one.
func TestPlanRecord(t *testing.T) {
	o := options(t)
	plan := &study.Plan{Model: study.ModelPlan{Spec: study.ModelSpec{Kernel: "box", Transform: "power"}},
		Acquisition: "logei",
		Region:      &study.Region{Branch: &[]string{}, Tried: 2}, Baseline: study.BaselineAll, Xi: 0.4,
		Rules: []study.RuleUse{{Name: "xi.ties", Why: "3"}}}
	fit := &study.FitRecord{Used: "box.power", Cut: 150,
		Models: map[string]study.ModelFit{"box.power": {Hyper: study.HyperSet{Values: map[string]float64{"signal": 2}},
			Density: -1}}}
	for k, s := range []*study.Suggestion{{Source: "design"}, {Source: "model", Plan: plan, Fit: fit},
		{Source: "design"}} {
		s.Config = at(float64(k))
		update(t, o, func(st *State) ([]Record, error) {
			recs, _, err := st.Reserve(Asking{N: 1})
			return recs, err
		})
		update(t, o, func(st *State) ([]Record, error) {
			recs, _, err := st.Suggest(st.Trials[k], s, st.Seq, 0)
			return recs, err
		})
	}
	s := read(t, o)
	if diff := cmp.Diff(plan, s.Made(2).Plan); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(fit, s.Made(2).Fit); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(fit, s.LastFit()); diff != "" {
		t.Error(diff)
	}
	if s.Made(1).Plan != nil || s.Made(3).Plan != nil || s.Made(3).Fit != nil {
		t.Error("a suggestion without a plan has one")
	}
	data, err := os.ReadFile(o.Path)
	if err != nil || bytes.Count(data, []byte(`"t":"plan"`)) != 1 || !strings.Contains(string(data), `"optional":true`) {
		t.Errorf("%s, %v", data, err)
	}
}

// What a comparison came to stands beside the rule that asked for it.
func TestPlanTellsWhatWasBetter(t *testing.T) {
	for better, want := range map[bool]string{true: "compared with 20 trials: better",
		false: "compared with 20 trials: no better"} {
		warped := study.ModelSpec{Kernel: "box", Transform: "power", Warping: study.WarpingOn}
		plan := &study.Plan{
			Model: study.ModelPlan{Spec: study.ModelSpec{Kernel: "box", Transform: "power"}, Challenger: &warped,
				Rule: "model.warping"},
			Rules: []study.RuleUse{{Name: "model.outliers", Why: "transform: auto"},
				{Name: "model.choice", Why: "compared with 20 trials"}},
		}
		o := options(t)
		update(t, o, func(st *State) ([]Record, error) {
			recs, _, err := st.Reserve(Asking{N: 1})
			return recs, err
		})
		update(t, o, func(st *State) ([]Record, error) {
			fit := &study.FitRecord{Used: "box.power",
				Compared: map[string]study.Comparison{"model.warping": {Challenger: better, Observations: 20}}}
			recs, _, err := st.Suggest(st.Trials[0], &study.Suggestion{Source: "model", Config: at(1), Plan: plan, Fit: fit},
				st.Seq, 0)
			return recs, err
		})
		if rules := read(t, o).Made(1).Outcome().Rules; rules[0].Why != "transform: auto" || rules[1].Why != want {
			t.Errorf("better: %v: %+v", better, rules)
		}
	}
}

// Of a plan with two models the one that suggested is what came of it, of each of several objectives, too.
func TestPlanWithChallenger(t *testing.T) {
	box, mix := study.ModelSpec{Kernel: "box", Transform: "power"}, study.ModelSpec{Kernel: "mix", Transform: "copula"}
	two := func() study.ModelPlan { return study.ModelPlan{Spec: box, Challenger: &mix} }
	for used, want := range map[string]study.ModelSpec{"box.power": box, "mix.copula": mix} {
		plan := &study.Plan{Model: two(), Objectives: []study.ObjectivePlan{{Name: "f", Model: two()}}, Acquisition: "logei",
			Baseline: study.BaselineAll}
		fit := &study.FitRecord{Used: used, Objectives: map[string]*study.FitRecord{"f": {Used: used}}}
		o := options(t)
		update(t, o, func(st *State) ([]Record, error) {
			recs, _, err := st.Reserve(Asking{N: 1})
			return recs, err
		})
		update(t, o, func(st *State) ([]Record, error) {
			recs, _, err := st.Suggest(st.Trials[0], &study.Suggestion{Source: "model", Config: at(1), Plan: plan, Fit: fit},
				st.Seq, 0)
			return recs, err
		})
		for _, m := range []study.ModelPlan{read(t, o).Made(1).Outcome().Model, read(t, o).Made(1).Outcome().Objectives[0].Model} {
			if m.Spec != want || m.Challenger != nil {
				t.Errorf("%s suggested; the model is said to be %+v", used, m)
			}
		}
		if diff := cmp.Diff(plan, read(t, o).Made(1).Plan); diff != "" {
			t.Errorf("the plan differs: %s", diff)
		}
	}
}

// As long as nothing but suggestions came after a record, the state then is known from the one now.
func TestStateBeforeSuggestions(t *testing.T) {
	o := options(t)
	if _, err := tell(o, mustAsk(t, o, "", 1).ID(), 0.5, study.Once); err != nil {
		t.Fatal(err)
	}
	told := read(t, o).Seq
	reserve(t, o, Asking{N: 3, Worker: "w"})
	for k, signal := range []float64{2, 0, 3} {
		s := &study.Suggestion{Source: "model", Config: at(float64(k + 2))}
		if signal > 0 {
			s.Fit = &study.FitRecord{Used: fmt.Sprint(signal)}
		}
		update(t, o, func(st *State) ([]Record, error) {
			recs, _, err := st.Suggest(st.Trials[k+1], s, st.Seq, 0)
			return recs, err
		})
	}
	mustAsk(t, o, "k", 9)
	now := read(t, o)
	for seq := 1; seq <= now.Seq; seq++ {
		then, err := ReadUpTo(ctx, o, seq)
		must(t, err)
		if err := now.At(ctx, o, seq, func(got *State) error {
			trials := got.Trials
			if seq >= told && len(trials) > len(then.Trials) && trials[len(then.Trials)].State == study.Reserved {
				trials = trials[:len(then.Trials)]
			}
			if diff := cmp.Diff(then.Trials, trials) + cmp.Diff(then.LastFit(), got.LastFit()); got.Seq != seq || diff != "" {
				t.Errorf("after record %d, %d: %s", seq, got.Seq, diff)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(read(t, o).Trials, now.Trials); diff != "" {
		t.Errorf("in the end: %s", diff)
	}
}
