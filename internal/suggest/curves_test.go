package suggest

import (
	"context"
	"math"
	"slices"
	"testing"

	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/surrogate"
)

// epochs is a study of curves, and what makes a trial of it that was reported up to a resource.
func epochs(t *testing.T, params ...space.Parameter) (*study.Study,
	func(number int, c space.Configuration, upTo float64) study.Trial) {
	t.Helper()
	st := studytest.NewStudy(t, params...)
	st.Fidelity = study.Fidelity{Name: "epochs", Levels: []float64{1, 3, 9, 27}, Eta: 3, Unit: 1,
		Kind: study.FidelityCurve, Resume: true,
		Scheduler: study.SchedulerAuto, Start: study.StartAuto, Probes: 3, Model: "curve", AcquireAt: "auto", Use: "levels"}
	return st, func(number int, c space.Configuration, upTo float64) study.Trial {
		course := &study.Course{Start: st.Fidelity.Levels[0], Legs: []study.Leg{{To: upTo, Reached: upTo, Ended: true}}}
		tr := study.Trial{Number: number, Config: c, State: study.Paused}
		if upTo == 27 {
			tr.State, course.Start = study.Complete, 27
		}
		for k, r := range st.Fidelity.Levels {
			if r <= upTo {
				v := studytest.Sq(c.Value[0]-0.37) + math.Sin(9*c.Value[0])/9 + math.Pow(0.8, r)
				course.Put(study.Point{Resource: r, Seq: 10*number + k,
					Observation: study.Observation{Values: study.Values{{Name: "f", Value: v}}}})
			}
		}
		tr.Course = course
		tr.Observation = st.Fidelity.Latest(course)
		return tr
	}
}

// TestPausedTrialIsNotRepeated: where a trial was begun at the most promising
// configuration, the next one goes elsewhere, whatever the trial still promises: rungs may
// never let it go on. (Where the surrogate decides that, what no curve tells is not believed.)
func TestPausedTrialIsNotRepeated(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"))
	st.Fidelity.Start = study.StartLow
	var trials []study.Trial
	for k, x := range []float64{0.1, 0.3, 0.55, 0.75, 0.95} {
		trials = append(trials, trial(k+1, space.Configuration{Value: []float64{x}, Active: []bool{true}}, 27))
	}
	for n := 6; n < 9; n++ {
		s := mustNext(t, st, trials, Request{Number: n, Seed: 3})
		for _, o := range trials[5:] {
			if d := math.Abs(o.Config.Value[0] - s.Config.Value[0]); d < 0.004 {
				t.Errorf("trial %d is at %v, %v from a trial that is paused after one epoch", n, s.Config.Value[0], d)
			}
		}
		trials = append(trials, trial(n, s.Config, 1))
	}
}

// TestSilentCurvesAreNotBelieved: where curves have told nothing of ends, trials that wait
// stand for nothing, and the neighbourhood of one is not avoided.
func TestSilentCurvesAreNotBelieved(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"))
	for _, silent := range []bool{false, true} {
		var trials []study.Trial
		for k, x := range []float64{0.1, 0.3, 0.55, 0.75, 0.95, 0.2, 0.41} {
			tr := trial(k+1, space.Configuration{Value: []float64{x}, Active: []bool{true}},
				map[bool]float64{true: 27, false: 3}[k < 5])
			for i := range tr.Course.Points {
				if p := &tr.Course.Points[i]; silent && p.Resource < 27 {
					p.Values = study.Values{{Name: "f", Value: 40 * math.Sin(1000*x*p.Resource)}}
				}
			}
			trials = append(trials, tr)
		}
		s := mustFit(t, st, trials, Request{Number: 8, Seed: 3})
		if believed := (scoring{s}).pendingPoints(nil); silent != (believed == nil) || !silent && believed.Len() != 2 {
			t.Errorf("silent %v: believed are %v", silent, believed)
		}
	}
}

// TestTrialsCountOnce: a trial that is under way and has told of a part is one trial of its branch, not two.
func TestTrialsCountOnce(t *testing.T) {
	st, trial := epochs(t, studytest.TreeSpace()...)
	var trials []study.Trial
	for k, c := range studytest.Sampled(t, st, 12) {
		tr := trial(k+1, c, map[bool]float64{true: 27, false: 3}[k < 6])
		if k >= 6 {
			tr.State = study.Pending
		}
		trials = append(trials, tr)
	}
	tried := 0
	for _, b := range newView(readHistory(st, trials, Request{Number: 13}), Request{Number: 13, Seed: 3}).Branches {
		tried += b.Tried
	}
	if tried != len(trials) {
		t.Errorf("the branches have %d trials, want %d", tried, len(trials))
	}
}

// Questions are about the full resource, unless they name another one.
func TestQuestionsAreAboutTheFullResource(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"))
	var trials []study.Trial
	for k, x := range []float64{0.1, 0.3, 0.55, 0.75, 0.95} {
		trials = append(trials, trial(k+1, space.Configuration{Value: []float64{x}, Active: []bool{true}}, 27))
	}
	at := func(r float64) float64 {
		f, err := FitObjective(t.Context(), readHistory(st, trials, Request{}), Request{Seed: 3})
		must(t, err)
		if r > 0 {
			f = f.At(st, r)
		}
		mean, _, _ := f.Predict(st.Space, []space.Configuration{trials[2].Config})
		return mean[0]
	}
	full, early := at(0), at(3)
	if want := trials[2].Values.Of("f"); full != at(27) || math.Abs(full-want) > 0.1 || early-full < 0.3 {
		t.Errorf("%v at the full resource, where %v was measured; %v early on", full, want, early)
	}
}

// TestWeighPausedTrials: a paused trial that is ahead of all goes on before a new one is
// begun, one that is far behind does not.
func TestWeighPausedTrials(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"))
	var trials []study.Trial
	for k, x := range []float64{0.05, 0.2, 0.62, 0.8, 0.95} {
		trials = append(trials, trial(k+1, space.Configuration{Value: []float64{x}, Active: []bool{true}}, 27))
	}
	ahead := trial(6, space.Configuration{Value: []float64{0.48}, Active: []bool{true}}, 9)
	behind := trial(7, space.Configuration{Value: []float64{0.99}, Active: []bool{true}}, 9)
	w, err := Weigh(context.Background(), st, append(trials, ahead, behind), Request{Number: 8, Seed: 3})
	must(t, err)
	if !w.Judged || len(w.Continue) != 1 || w.Continue[0] != 6 || w.Suggestion == nil {
		t.Errorf("%+v; trial 6 should go on, trial 7 should not", w)
	}
	plain, err := Next(context.Background(), st, append(trials, ahead, behind), Request{Number: 8, Seed: 3})
	if err != nil || !plain.Config.Equal(w.Suggestion.Config) {
		t.Errorf("the suggestion is %v beside a weighing and %v without (%v)", w.Suggestion.Config, plain.Config, err)
	}
	why, err := explained(t.Context(), st, append(trials, ahead, behind), Request{Number: 8, Seed: 3}, plain.Config)
	if err != nil || *why.Observed != 7 || why.Partial != 2 {
		t.Errorf("%d trials were known, %d of them in part (%v)", *why.Observed, why.Partial, err)
	}
	for _, off := range []func(){
		func() { st.Policy.Without = []string{policy.ContinueRule} },
		func() { st.Policy.Without, st.Fidelity.Start = nil, study.StartLow },
		func() { st.Fidelity.Start, st.Fidelity.Scheduler = study.StartAuto, study.SchedulerStopping },
	} {
		if off(); policy.Continues(st) {
			t.Errorf("the surrogate decides under %+v, %+v", st.Policy, st.Fidelity)
		}
	}
}

// Once paused trials have had half of all units, and a full training more, the best of them
// goes on whatever a new configuration promises.
func TestPausedTrialsHaveHalf(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"))
	var trials []study.Trial
	for k, x := range []float64{0.05, 0.2, 0.5, 0.62, 0.8} {
		trials = append(trials, trial(k+1, space.Configuration{Value: []float64{x}, Active: []bool{true}}, 27))
	}
	for k := range 25 { // 5·27 + 9k units in all, of which 9k may be half and 27 more
		trials = append(trials, trial(6+k, space.Configuration{Value: []float64{0.9 + float64(k)/250}, Active: []bool{true}},
			9))
	}
	for paused, want := range map[int]bool{20: false, 22: true} {
		w, err := Weigh(t.Context(), st, trials[:5+paused], Request{Number: 31, Seed: 3})
		if err != nil || !w.Judged || (len(w.Continue) > 0) != want {
			t.Errorf("with %d paused trials that are far behind %v go on (%v)", paused, w.Continue, err)
		}
	}
}

// What new configurations are chosen by is the ends of curves alone: with every trial run
// to its end, whatever values on the way say, the surrogate is that of a study without a
// fidelity, and the curve tells the end of a trial that has none.
func TestEndsDecideTheSearch(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"), studytest.Number("y"))
	var trials []study.Trial
	for k := range 8 {
		x := float64(k) / 7
		tr := trial(k+1, space.Configuration{Value: []float64{x, math.Mod(3*x, 1)}, Active: []bool{true, true}}, 27)
		for i := range tr.Course.Points { // noise on the way
			if p := &tr.Course.Points[i]; p.Resource < 27 {
				p.Values = study.Values{{Name: "f", Value: math.Sin(100 * x * p.Resource)}}
			}
		}
		trials = append(trials, tr)
	}
	plain := *st
	plain.Fidelity = study.Fidelity{}
	r := Request{Number: 9, Seed: 1}
	with := mustFit(t, st, trials, r)
	ofEnds := *with.plan
	ofEnds.Model.Spec.Fidelity = ""
	without := mustFit(t, &plain, trials, Request{Number: 9, Seed: 1, Plan: &ofEnds})
	if with.curves == nil || with.goals[0].fit.X.Len() != 8 {
		t.Fatalf("%d points", with.goals[0].fit.X.Len())
	}
	for name, v := range without.goals[0].fit.Report.Hyper {
		if with.goals[0].fit.Report.Hyper[name] != v {
			t.Errorf("%s is %v, without a fidelity %v", name, with.goals[0].fit.Report.Hyper[name], v)
		}
	}
	half := trial(9, space.Configuration{Value: []float64{0.5, 0.5}, Active: []bool{true, true}}, 9)
	with, err := fitSurrogates(t.Context(), st, append(trials, half), Request{Number: 10, Seed: 1})
	if err != nil || with.goals[0].fit.X.Len() != 8 {
		t.Errorf("%v: %d points where curves tell nothing", err, with.goals[0].fit.X.Len())
	}
}

// A paused trial counts with what its curve tells of its end, and as surely as curves have told ends before.
func TestCurvesTellEnds(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"), studytest.Number("y"))
	at := func(k int, upTo float64) study.Trial {
		x := float64(k) / 11
		return trial(k, space.Configuration{Value: []float64{x, math.Mod(3*x, 1)}, Active: []bool{true, true}}, upTo)
	}
	var trials []study.Trial
	for k := 1; k < 9; k++ {
		trials = append(trials, at(k, 27))
	}
	var sure [2]float64
	for k, ends := range []int{3, 8} {
		s, err := fitSurrogates(t.Context(), st, append(trials[:ends:ends], at(10, 9)), Request{Number: 20, Seed: 1})
		if err != nil || s.goals[0].fit.X.Len() != ends+1 || s.goals[0].fit.Stderr[0] != 0 {
			t.Fatalf("%v: %v", err, s.goals[0].fit.Stderr)
		}
		rows := fitting{s}.ends()
		told, full := rows[ends], at(10, 27)
		if got, want := told.Values.Of("f"), full.Values.Of("f"); told.Trial.Number != 10 || math.Abs(got-want) > 3**told.Stderr {
			t.Errorf("after %d ends %v ± %v is told, %v comes", ends, got, *told.Stderr, want)
		}
		sure[k] = *told.Stderr
	}
	if !(sure[1] < sure[0]) {
		t.Errorf("standard errors %v as curves keep their word", sure)
	}
	out := append(slices.Clone(trials), at(10, 9))
	for _, k := range []int{0, 8} { // measured at the end, and paused
		out[k].Outside = true
	}
	for forbidden, want := range map[bool]int{true: 9, false: 7} {
		out[0].Forbidden, out[8].Forbidden = forbidden, forbidden
		s, err := fitSurrogates(t.Context(), st, out, Request{Number: 20, Seed: 1})
		if err != nil || s.goals[0].fit.X.Len() != want {
			t.Errorf("%v: %d ends of trials in the space and, %v, of two that a rule forbids", err, s.goals[0].fit.X.Len(),
				forbidden)
		}
	}
}

// Which model of curves foretells the known ends best is compared when there are three of
// them, and again after a quarter more; what the study names is not compared.
func TestCurveModelIsCompared(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"))
	st.Fidelity.Model, st.Objectives[0].Transform = "auto", "auto"
	var trials []study.Trial
	for k, x := range []float64{0.1, 0.3, 0.55, 0.75, 0.95} {
		trials = append(trials, trial(k+1, space.Configuration{Value: []float64{x}, Active: []bool{true}}, 27))
	}
	fit := func(ends int, warm *study.FitRecord) *surrogates {
		h, r := readHistory(st, trials[:ends], Request{Number: 9}), Request{Number: 9, Seed: 1, Warm: warm}
		r.Plan = policy.Decide(newView(h, r), nil)
		s := newSurrogates(h, r)
		must(t, (fitting{s}).fitAll(t.Context()))
		return s
	}
	if s := fit(2, nil); s.note.Curves != nil {
		t.Errorf("with two ends: %+v", s.note.Curves)
	}
	first := fit(4, nil).note
	d := first.Curves
	if d == nil || d.Ends != 4 || d.Model == "" || len(first.Models) < 3 {
		t.Fatalf("%+v of %d models", d, len(first.Models))
	}
	if want := (study.ModelSpec{Kernel: policy.ObjectiveModel(st).Kernel, Transform: d.Transform,
		Fidelity: d.Model}).Name(); first.Used != want {
		t.Errorf("%s is used, %s was found best", first.Used, want)
	}
	said := first.Clone()
	said.Curves = &study.CurvesDecision{Model: "product", Transform: "none", Ends: 4}
	s := fit(4, said)
	if s.note.Curves.Ends != 4 || s.plan.Model.Spec.Fidelity != "product" || s.curves.Transform.Name() != "none" {
		t.Errorf("with as many ends: %+v", s.plan.Model.Spec)
	}
	if s = fit(5, said); s.note.Curves.Ends != 5 {
		t.Errorf("with a quarter more: %+v", s.note.Curves)
	}
	st.Policy.Plain = true
	if s = fit(5, said); s.plan.Model.Spec.Fidelity != "curve" || s.note.Curves.Ends != 4 {
		t.Errorf("the textbook method: %+v, %+v", s.plan.Model.Spec, s.note.Curves)
	}
	st.Policy.Plain = false
	st.Fidelity.Model, st.Objectives[0].Transform = "curve", "none"
	if s = fit(5, said); s.plan.Model.Spec.Fidelity != "curve" || s.note.Curves.Ends != 4 {
		t.Errorf("what the study names: %+v, %+v", s.plan.Model.Spec, s.note.Curves)
	}
}

// Of folds the model that predicts trials left out best is taken, too. They are no curve that
// foretells an end, and a new trial is judged by its first.
func TestFoldsModelIsCompared(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"))
	st.Fidelity.Model, st.Fidelity.Kind, st.Fidelity.Levels = "auto", study.FidelityFolds, []float64{1, 3}
	var trials []study.Trial
	for k := range 6 {
		tr := trial(k+1, space.Configuration{Value: []float64{float64(k) / 5}, Active: []bool{true}}, 3)
		tr.State, tr.Course = study.Complete, &study.Course{Start: 3, Legs: []study.Leg{{To: 3, Reached: 3, Ended: true}}}
		for r := range 3 {
			tr.Course.Put(study.Point{Resource: float64(r + 1), Seq: 10*k + r,
				Observation: study.Observation{Values: study.Values{{Name: "f", Value: math.Sin(float64(k)) +
					0.1*math.Sin(float64(7*k+r))}}}})
		}
		tr.Observation = st.Fidelity.Latest(tr.Course)
		trials = append(trials, tr)
	}
	s := mustFit(t, st, trials, Request{Number: 7, Seed: 1})
	best := s.note.Models[s.note.Used]
	if d := s.note.Curves; d == nil || d.Ends != 6 || len(s.note.Models) != 2 {
		t.Fatalf("%+v of %d models", s.note.Curves, len(s.note.Models))
	}
	for name, m := range s.note.Models {
		if m.Density > best.Density {
			t.Errorf("%s predicts with density %v, and %s, which is used, with %v", name, m.Density, s.note.Used, best.Density)
		}
	}
	if w, err := Weigh(t.Context(), st, trials, Request{Number: 7, Seed: 1}); err != nil || !w.Judged || w.Start != 0 {
		t.Errorf("%+v (%v)", w, err)
	}
}

// How values on the way scatter around the model of curves is no noise of the objective.
func TestNoiseIsThatOfEnds(t *testing.T) {
	st, _ := epochs(t, studytest.Number("x"))
	fit := &study.FitRecord{Used: "a",
		Models: map[string]study.ModelFit{"a": {Hyper: study.HyperSet{Values: map[string]float64{"relative.noise": 0.3}}}}}
	if !MaterialNoise(st, nil, fit) {
		t.Error("before ends are modelled by themselves the only noise there is does not count")
	}
	for noise, want := range map[float64]bool{1e-6: false, 0.3: true} {
		fit.Outcomes = map[string]study.HyperSet{study.EndsFit: {Values: map[string]float64{"relative.noise": noise}}}
		if MaterialNoise(st, nil, fit) != want {
			t.Errorf("ends with noise %v: noisy is %v", noise, !want)
		}
	}
}

// Before the first curve an earlier study tells where to begin; where units of a
// configuration cost more, trials of it are worth less.
func TestWarmStartAndCostWithCurves(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"))
	earlier := surrogate.Source{}
	for k := range 9 {
		x := float64(k) / 8
		earlier.Configs = append(earlier.Configs, space.Configuration{Value: []float64{x}, Active: []bool{true}})
		earlier.Values = append(earlier.Values, studytest.Sq(x-0.37))
	}
	first, err := Next(t.Context(), st, nil, Request{Number: 1, Seed: 1, Sources: []surrogate.Source{earlier}})
	if err != nil || first.Source != "model" || math.Abs(first.Config.Value[0]-0.37) > 0.1 {
		t.Fatalf("%+v, %v", first, err)
	}
	st.Cost = &study.Cost{Name: "cost", Exponent: 1}
	var trials []study.Trial
	for k, x := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
		tr := trial(k+1, space.Configuration{Value: []float64{x}, Active: []bool{true}}, []float64{27, 9}[k%2])
		cost := st.Fidelity.Resource(tr.Course) * (1 + 9*x)
		tr.Cost = &cost
		trials = append(trials, tr)
	}
	s := mustFit(t, st, trials, Request{Number: 6, Seed: 1})
	for _, x := range []float64{0.3, 0.7} {
		got := s.logCost(space.Configuration{Value: []float64{x}, Active: []bool{true}})
		if want := math.Log(1 + 9*x); math.Abs(got-want) > 0.1 {
			t.Errorf("a unit at %v costs e^%v, want e^%v", x, got, want)
		}
	}
}

// TestEndsAreWarped: the models of ends are compared as those of a study without a fidelity
// are. The parameter is declared linear and counts by its logarithm.
func TestEndsAreWarped(t *testing.T) {
	st, trial := epochs(t, space.Parameter{Name: "x", Kind: space.Float, Low: 1, High: 999})
	st.Surrogate.Warping = "auto"
	var trials []study.Trial
	const enough = 20 // trials, from which on axes of fewer than three decades are compared
	for k := range enough {
		x := 1 + 998*math.Pow(float64(k)/enough, 2)
		tr := trial(k+1, space.Configuration{Value: []float64{x}, Active: []bool{true}}, 27)
		for i := range tr.Course.Points {
			p := &tr.Course.Points[i]
			p.Values = study.Values{{Name: "f", Value: studytest.Sq(math.Log(x)-2) + math.Sin(3*math.Log(x)) + math.Pow(0.8, p.Resource)}}
		}
		tr.Observation = st.Fidelity.Latest(tr.Course)
		trials = append(trials, tr)
	}
	for n, want := range map[int]bool{enough - 1: false, enough: true} {
		s := mustFit(t, st, trials[:n], Request{Number: n + 1, Seed: 3})
		if s.curves == nil || warped(s.curves) || warped(s.goals[0].fit) != want ||
			s.note.Compared["model.warping"].Challenger != want {
			t.Errorf("%d ends: axes of ends are warped: %v, want %v; of curves: %v; compared: %+v", n, warped(s.goals[0].fit), want,
				warped(s.curves), s.note.Compared)
		}
	}
}

// Where curves foretell ends, a new configuration is looked at first, and while looks promise
// more a paused trial that is ahead of all waits. Where they tell nothing, as ends showed, a
// new one is trained out at once; before three have ended nobody knows.
func TestLooksAreWorthWhatTheyTell(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"))
	weigh := func(silent bool, complete ...float64) Weighing {
		t.Helper()
		var trials []study.Trial
		for k, x := range complete {
			trials = append(trials, trial(k+1, space.Configuration{Value: []float64{x}, Active: []bool{true}}, 27))
		}
		for _, x := range []float64{0.97, 0.85, 0.54} {
			trials = append(trials, trial(len(trials)+1, space.Configuration{Value: []float64{x}, Active: []bool{true}}, 9))
		}
		for _, tr := range trials {
			for i := range tr.Course.Points {
				if p := &tr.Course.Points[i]; silent && p.Resource < 27 {
					p.Values = study.Values{{Name: "f", Value: 40 * math.Sin(1000*tr.Config.Value[0]*p.Resource)}}
				}
			}
		}
		w, err := Weigh(t.Context(), st, trials, Request{Number: len(trials) + 1, Seed: 3})
		if err != nil || !w.Judged {
			t.Fatalf("%+v (%v)", w, err)
		}
		return w
	}
	if w := weigh(false, 0.9, 0.95, 0.8, 1); w.Start == 0 || w.Start >= 27 || len(w.Continue) > 0 {
		t.Errorf("where curves tell ends a new trial is judged at %v, and %v go on before it", w.Start, w.Continue)
	}
	if w := weigh(true, 0.9, 0.95, 0.8, 1, 0.5); w.Start != 27 {
		t.Errorf("where curves tell nothing a new trial is judged at %v", w.Start)
	}
	if w := weigh(true, 0.9, 0.5); w.Start != 0 {
		t.Errorf("after two ends a new trial is judged at %v", w.Start)
	}
	if w := weigh(true); w.Start != 0 {
		t.Errorf("before any trial has ended a new one is judged at %v", w.Start)
	}
}

func warped(f *surrogate.Fitted) bool { return f.Spec.Warping == study.WarpingOn }
