package runner_test

import (
	"math"
	"strings"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/policy"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// lowStart is withLevels by asynchronous promotion from the lowest level, without probes.
func lowStart(t *testing.T) runner.Session {
	s := withLevels(t)
	f := s.Study.Fidelity
	f.Start, f.Probes = study.StartLow, 0
	s.Study.Fidelity = f
	return s
}

// propose makes the suggestions that a asks for.
func propose(t *testing.T, s runner.Session, a runner.Ask) []study.Trial {
	t.Helper()
	got := mustSuggest(t, s, a)
	return got
}

// at is a report of the objective, and of other outcomes, at a resource.
func at(r, v float64, more ...map[string]float64) study.Report {
	o := study.Observation{Values: study.Values{{Name: "f", Value: v}}}
	for _, m := range more {
		for name, v := range m {
			o.Values.Set(name, v)
		}
	}
	return study.Report{Observation: o, At: r}
}

// report observes, and fails unless that has the code (0: none).
func report(t *testing.T, s runner.Session, id string, r study.Report, code study.Code) study.Trial {
	t.Helper()
	after, _, err := s.Observe(t.Context(), id, r)
	if (code == 0) != (err == nil) || code != 0 && !study.HasCode(err, code) {
		t.Fatalf("trial %s at %v: %v", id, r.At, err)
	}
	return after
}

// A dry run says how far a queued configuration goes, as the suggestion does.
func TestDryRunOfTheQueue(t *testing.T) {
	s := lowStart(t)
	queued := space.Assignment{0: 0.25}
	for i := 1; i < len(s.Study.Space.Params()); i++ {
		queued[i] = 0
	}
	if _, _, _, err := s.Enqueue(t.Context(), queued, "", 0); err != nil {
		t.Fatal(err)
	}
	dry, got := propose(t, s, runner.Ask{DryRun: true}), propose(t, s, runner.Ask{})
	if a, b := dry[0].Course.Last().To, got[0].Course.Last().To; a != b || b != s.Study.Fidelity.High() {
		t.Errorf("the dry run goes to %v, the suggestion to %v", a, b)
	}
}

// comesOutAgain fails unless every suggestion and decision of the journal does.
func comesOutAgain(t *testing.T, s runner.Session) {
	t.Helper()
	then := func([]byte) (*study.Study, error) { return s.Study, nil }
	if err := s.Replay(t.Context(), then, nil, func(r runner.Replayed) error {
		if !r.Same() {
			t.Errorf("trial %d %s: %s came out as %s (%v)", r.Trial.Number, r.Decision, r.Want, r.Got, r.Err)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// A constraint that was not measured counts as kept below the full resource, and has to be
// reported there; of folds each one is a part of the value there.
func TestConstraintsBelowFullResource(t *testing.T) {
	s := lowStart(t)
	s.Study.Constraints = []study.Constraint{{Name: "mem", Bound: 10}}
	propose(t, s, runner.Ask{N: 3})
	mem := func(v float64) map[string]float64 { return map[string]float64{"mem": v} }
	report(t, s, "1", at(1, 0.5), 0)
	report(t, s, "2", at(1, 0.4, mem(20)), 0)
	report(t, s, "3", at(1, 0.6, mem(5)), 0)
	if got := propose(t, s, runner.Ask{N: 1}); got[0].Number != 1 {
		t.Errorf("trial %d goes on", got[0].Number)
	}
	report(t, s, "1", at(9, 0.3), study.Usage)
	report(t, s, "1", study.Report{Observation: at(3, 0.3).Observation, At: 3, Final: true}, study.Usage)
	if after := report(t, s, "1", at(9, 0.3, mem(4)), 0); after.State != study.Complete {
		t.Errorf("%s", after.State)
	}
	config := studytest.Sampled(t, s.Study, 1)[0]
	if err := s.Add(t.Context(), 1, runner.Each([]study.Addition{{Config: config, Report: at(3, 0.5)}}), nil); err != nil {
		t.Errorf("an addition below the full resource: %v", err)
	}
	if err := s.Add(t.Context(), 1, runner.Each([]study.Addition{{Config: config, Report: at(9, 0.5)}}), nil); !study.HasCode(err,
		study.Usage) {
		t.Errorf("an addition at the full resource: %v", err)
	}

	folds := lowStart(t)
	folds.Study.Fidelity.Kind = study.FidelityFolds
	folds.Journal.Study = []byte(`{"objective":{"name":"f","direction":"minimize"},"fidelity":{"name":"epochs","low":1,"high":9,"levels":[1,3,9],"kind":"folds"}}`)
	folds.Study.Constraints = s.Study.Constraints
	propose(t, folds, runner.Ask{N: 1})
	report(t, folds, "1", at(1, 0.5), study.Usage)
}

// A finite space is used up as a budget of trials is: its promotions are done, and its
// finalist is trained out, before nothing is left.
func TestFiniteSpaceEndsWithItsFavourite(t *testing.T) {
	for _, start := range []string{study.StartLow, study.StartAuto} {
		s := lowStart(t)
		s.Study.Budget.Resource, s.Study.Fidelity.Start = 0, start
		st := studytest.NewStudy(t, studytest.Category("k", "a", "b", "c", "d", "e"))
		s.Study.Space = st.Space
		s.Journal.Space = runner.JournalSpace(s.Study)
		legs := 0
		for ; legs < 30; legs++ {
			got, _, err := s.Suggest(t.Context(), runner.Ask{N: 1})
			if study.HasCode(err, study.Exhausted) {
				break
			}
			must(t, err)
			report(t, s, got[0].ID(), at(0, 1+got[0].Config.Value[0]), 0)
		}
		state := mustRead(t, s)
		best := s.Study.Best(state.Trials, 1)
		if len(state.Trials) != 5 || len(best) != 1 || best[0].Values.Of("f") != 1 {
			t.Errorf("start %s: %d trials after %d legs, the best is %v", start, len(state.Trials), legs, best)
		}
		// What is enqueued is measured all the same.
		if _, _, _, err := s.Enqueue(t.Context(), best[0].Config.Assignment(), "", 0); err != nil {
			t.Fatal(err)
		}
		if got := propose(t, s, runner.Ask{N: 1}); got[0].Source != "enqueued" {
			t.Errorf("start %s: %s", start, got[0].Source)
		}
		comesOutAgain(t, s)
	}
}

// Fixed values make a part of a space, which ends as a space does: its promotions are done and
// its own finalist is trained out, whatever the rest of the space holds.
func TestFixedPartEndsWithItsFavourite(t *testing.T) {
	for _, start := range []string{study.StartLow, study.StartAuto} {
		s := lowStart(t)
		s.Study.Budget.Resource, s.Study.Fidelity.Start = 0, start
		s.Study.Space = studytest.NewStudy(t, studytest.Category("k", "a", "b", "c", "d", "e"), studytest.Number("x")).Space
		s.Journal.Space = runner.JournalSpace(s.Study)
		propose(t, s, runner.Ask{N: 2, New: true, Start: 1, Fixed: space.Assignment{1: 0.25}}) // outside of the part
		report(t, s, "1", at(1, -1), 0)
		report(t, s, "1", at(9, -1), 0)
		report(t, s, "2", at(3, -2), 0)                                                           // and waits at a higher level
		if _, _, _, err := s.Enqueue(t.Context(), space.Assignment{1: 0.75}, "", 0); err != nil { // nor is that of it
			t.Fatal(err)
		}
		fixed := space.Assignment{1: 0.5}
		legs := 0
		for ; legs < 30; legs++ {
			got, _, err := s.Suggest(t.Context(), runner.Ask{N: 1, Fixed: fixed})
			if study.HasCode(err, study.Exhausted) {
				break
			}
			must(t, err)
			report(t, s, got[0].ID(), at(0, 1+got[0].Config.Value[0]), 0)
		}
		state := mustRead(t, s)
		done := 0
		for _, trial := range state.Trials[2:] {
			if trial.State == study.Complete && trial.Values.Of("f") == 1 {
				done++
			}
		}
		if len(state.Trials) != 7 || done != 1 || state.Trials[1].State != study.Paused {
			t.Errorf("start %s: %d trials after %d legs, the finalist complete: %d", start, len(state.Trials), legs, done)
		}
		comesOutAgain(t, s)
	}
}

// The plane is that of ends: it is told of from the first suggestion on that models them.
func TestPlaneIsToldOfWhereItIs(t *testing.T) {
	s := lowStart(t)
	s.Study.Budget.Resource = 0
	s.Study.Space = studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"), studytest.Number("z")).Space
	s.Journal.Space = runner.JournalSpace(s.Study)
	s.Study.Surrogate.Mean, s.Study.Fidelity.AcquireAt = "auto", "full"
	for range 36 {
		got := propose(t, s, runner.Ask{N: 1})
		x := got[0].Config.Value
		report(t, s, got[0].ID(), at(0, x[0]+2*x[1]-3*x[2]+1/got[0].Course.Last().To), 0)
	}
	found := map[bool]int{}
	state := mustRead(t, s)
	for i := range state.Trials {
		n := state.Trials[i].Number
		p := state.Made(n).Outcome()
		if p == nil || state.Made(n).Fit == nil || state.Made(n).Plan.Model.Spec.Mean == "" {
			continue
		}
		_, ends := state.Made(n).Fit.Outcomes[study.EndsFit]
		found[ends]++
		if (p.Model.Spec.Mean != "") != ends {
			t.Errorf("trial %d: ends are modelled: %v; %+v", n, ends, p)
		}
	}
	if found[true] == 0 {
		t.Errorf("of %d suggestions that tell of a plane none models ends", found[false])
	}
}

// What fails with nothing reported is charged nothing, and ends a study all the same.
func TestInfeasibleTrialsEndAStudy(t *testing.T) {
	s := lowStart(t)
	s.Study.Budget.Resource = 12
	propose(t, s, runner.Ask{N: 1})
	report(t, s, "1", at(1, 0.5), 0)
	for n := range 30 {
		got, _, err := s.Suggest(t.Context(), runner.Ask{N: 1})
		if study.HasCode(err, study.Exhausted) {
			if n != 14 {
				t.Errorf("%v after %d legs", err, n)
			}
			comesOutAgain(t, s)
			return
		}
		switch {
		case err != nil:
			t.Fatal(err)
		case got[0].Number > 1:
			report(t, s, got[0].ID(), study.Report{Failure: study.Infeasible}, 0)
		default: // the finalist is trained out
			report(t, s, "1", at(0, 0.4), 0)
		}
	}
	t.Error("no end")
}

// A trial may fail between its legs, too; one that is over does not, except by a correction.
func TestPausedTrialFails(t *testing.T) {
	s := lowStart(t)
	propose(t, s, runner.Ask{N: 3})
	for _, id := range []string{"1", "2", "3"} {
		report(t, s, id, at(1, 0.5), 0)
	}
	report(t, s, "1", at(9, 0.4), 0)
	nan := at(2, math.NaN())
	for range 2 { // the same again is known
		if after := report(t, s, "2", nan, 0); after.State != study.Failed || after.Failure != study.Infeasible ||
			after.Note != "nan" {
			t.Errorf("%s, %s, %q", after.State, after.Failure, after.Note)
		}
	}
	report(t, s, "2", at(2, math.Inf(1)), study.Conflict)
	fails := study.Report{Failure: study.Infeasible}
	for range 2 {
		if after := report(t, s, "3", fails, 0); after.State != study.Failed {
			t.Errorf("%s", after.State)
		}
	}
	report(t, s, "1", nan, study.Conflict)
	report(t, s, "1", fails, study.Conflict)
	state, _, err := s.Read(t.Context())
	failed, complete := study.In(study.Failed, state.Trials), study.In(study.Complete, state.Trials)
	if err != nil || len(failed) != 2 || len(complete) != 1 {
		t.Errorf("%d failed, %d complete, %v", len(failed), len(complete), err)
	}
}

// A report that is repeated is answered as before while its leg is under way, and nobody is
// told to go on with a leg that somebody else has, or that is over.
func TestAskedTwice(t *testing.T) {
	ask := func(r, v float64) study.Report { a := at(r, v); a.Ask = true; return a }
	says := func(s runner.Session, id string, r study.Report, want study.Verdict) {
		t.Helper()
		if after := report(t, s, id, r, 0); after.Course.Verdict != want {
			t.Errorf("trial %s at %v: %s, not %s", id, r.At, after.Course.Verdict, want)
		}
	}
	s := lowStart(t)
	propose(t, s, runner.Ask{N: 3})
	says(s, "1", ask(1, 0.1), study.VerdictPause)
	report(t, s, "2", at(1, 0.2), 0)
	report(t, s, "3", at(1, 0.3), 0)
	if got := propose(t, s, runner.Ask{N: 1, Worker: "another"}); got[0].Number != 1 {
		t.Fatalf("trial %d goes on", got[0].Number)
	}
	says(s, "1", ask(1, 0.1), study.VerdictPause) // the leg is another's
	report(t, s, "1", ask(0, 0.1), study.Usage)
	says(s, "1", at(2, 0.1), study.VerdictGo)
	says(s, "1", ask(2, 0.1), study.VerdictGo)

	s = lowStart(t)
	propose(t, s, runner.Ask{N: 3})
	report(t, s, "1", at(1, 0.3), 0)
	report(t, s, "2", at(1, 0.2), 0)
	for range 2 {
		says(s, "3", ask(1, 0.1), study.VerdictGo) // the best of three: its own leg
	}
	report(t, s, "3", ask(0, 0.1), study.Usage)
	if state, _, err := s.Read(t.Context()); err != nil || len(state.Trials[2].Course.Points) != 1 {
		t.Errorf("%v, %v", state.Trials[2].Course.Points, err)
	}
	after, _, err := s.Update(t.Context(), func(now *journal.State) ([]journal.Record, *study.Trial, error) {
		return now.Abandon("3", "")
	})
	if err != nil || after.Course.Verdict != study.VerdictPause {
		t.Errorf("abandoned: %s, %v", after.Course.Verdict, err)
	}
	says(s, "3", ask(1, 0.1), study.VerdictPause) // the leg is free
	if after, _, err = s.Observe(t.Context(), "1", study.Report{Failure: study.Infeasible}); err != nil {
		t.Fatal(err)
	}
	if again := after.Again(after.Course.Newest()); again.Course.Verdict != study.VerdictStop {
		t.Errorf("failed: %s", again.Course.Verdict)
	}
}

// A leg is charged as far as was reported in it, also after it had ended.
func TestLateReportsAreCharged(t *testing.T) {
	s := lowStart(t)
	spent := func(want float64) {
		t.Helper()
		state := mustRead(t, s)
		if got := policy.Spent(s.Study, state.Trials); got != want {
			t.Errorf("%v spent, not %v", got, want)
		}
	}
	propose(t, s, runner.Ask{N: 1})
	report(t, s, "1", at(1, 0.5), 0)
	spent(1)
	report(t, s, "1", at(9, 0.4), 0)
	spent(9)
	propose(t, s, runner.Ask{N: 1})
	if _, _, err := s.Update(t.Context(), func(now *journal.State) ([]journal.Record, *study.Trial, error) {
		return now.Abandon("2", "")
	}); err != nil {
		t.Fatal(err)
	}
	spent(9)
	report(t, s, "2", at(3, 0.4), 0)
	spent(12)
	report(t, s, "2", at(9, 0.4), 0)
	spent(18)
	comesOutAgain(t, s)
}

// What the model of curves makes of the levels is 1/√(1 + w + v) at the lowest one, by its
// definition, and 1 at full resource.
func TestCorrelationOfLevels(t *testing.T) {
	s := lowStart(t)
	for i := range 5 {
		trial := propose(t, s, runner.Ask{N: 1, New: true, Start: 9})[0]
		for _, r := range []float64{1, 3, 9} {
			report(t, s, trial.ID(), at(r, trial.Config.Value[0]+float64(i%2)/r), 0)
		}
	}
	state := mustRead(t, s)
	a, err := s.Analyze(t.Context(), state)
	must(t, err)
	c := a.Correlations
	want := 1 / math.Sqrt(1+a.Report.Hyper["fidelity.drift"]+a.Report.Hyper["fidelity.own"])
	if len(c) != 3 || math.Abs(c[0].Correlation-want) > 1e-9 ||
		!(c[0].Correlation < c[1].Correlation && c[1].Correlation < 1) || c[2].Correlation != 1 {
		t.Errorf("%v, the lowest should be %v", c, want)
	}
}

// Who has to wait for a leg is told so once.
func TestWaitingForALeg(t *testing.T) {
	s := lowStart(t)
	s.Study.Budget.Resource = 9
	propose(t, s, runner.Ask{N: 1})
	_, _, err := s.Propose(t.Context(), runner.Ask{N: 1})
	if !study.HasCode(err, study.Exhausted) ||
		strings.Count(err.Error(), "nothing to suggest until a running leg reports") != 1 {
		t.Errorf("%v", err)
	}
}
