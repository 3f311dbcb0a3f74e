package runner_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A number that was given back without a configuration was decided for nobody.
func TestReplaySkipsWhatNobodyWasTold(t *testing.T) {
	s := lowStart(t)
	rule := &journal.Rule{Next: func([]study.Trial) (study.Task, error) { return study.Task{Start: 9, To: 9}, nil }} // which s would not
	reserve := func(st *journal.State) ([]journal.Record, error) {
		recs, _, err := st.Reserve(journal.Asking{N: 1, Rule: rule})
		return recs, err
	}
	release := func(st *journal.State) ([]journal.Record, error) {
		return st.Release(st.Trials[:1], "nothing to suggest"), nil
	}
	for _, decide := range []func(*journal.State) ([]journal.Record, error){reserve, release} {
		if _, err := journal.Update(t.Context(), s.Journal, decide); err != nil {
			t.Fatal(err)
		}
	}
	propose(t, s, runner.Ask{N: 1})
	comesOutAgain(t, s)
}

// withLevels is a cycle whose trials may be judged after 1, 3 and 9 of 9 epochs.
func withLevels(t *testing.T) runner.Session {
	c := newCycle(t, studytest.NewStudy(t, studytest.Number("x")))
	c.Study.Fidelity = study.Fidelity{Name: "epochs", Levels: []float64{1, 3, 9}, Eta: 3, Unit: 1,
		Kind: study.FidelityCurve, Resume: true,
		Scheduler: study.SchedulerAuto, Start: study.StartAuto, Probes: 1, Model: "auto", AcquireAt: "auto", Use: "levels"}
	c.Study.Budget.Resource = 60
	c.Journal.Space = runner.JournalSpace(c.Study)
	c.Journal.Study = []byte(`{"objective":{"name":"f","direction":"minimize"},"fidelity":{"name":"epochs","low":1,"high":9,"levels":[1,3,9],"kind":"curve","resume":true}}`)
	return c
}

// Levels at which trials start, further legs and verdicts come out again, --start included;
// under other settings they do not.
func TestReplayMakesDecisionsAgain(t *testing.T) {
	c := withLevels(t)
	measure := studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[0] - 0.4) })
	for n := 0; ; n++ {
		a := runner.Ask{N: 1}
		if n == 4 {
			a.Start = 3
		}
		got, _, err := c.Suggest(t.Context(), a)
		if study.HasCode(err, study.Exhausted) {
			break
		}
		must(t, err)
		tell(t, c, &got[0], measure)
	}
	decisions := func() (same, different map[string]int) {
		same, different = map[string]int{}, map[string]int{}
		if err := c.Replay(t.Context(), nil, nil, func(r runner.Replayed) error {
			kind, _, _ := strings.Cut(r.Decision, " ")
			if r.Same() {
				same[kind]++
			} else {
				different[kind]++
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return same, different
	}
	same, different := decisions()
	if len(different) > 0 || same[""] < 6 || same["start"] != same[""] || same["leg"] == 0 ||
		same["verdict"] != same["start"]+same["leg"] {
		t.Errorf("the same: %v, different: %v", same, different)
	}
	other := c.Study.Fidelity
	other.Levels = []float64{1, 2, 9}
	c.Study.Fidelity = other
	if _, different = decisions(); different["start"] == 0 || different["leg"] == 0 {
		t.Errorf("with other levels only these are different: %v", different)
	}
}

// A further leg that the rungs gave while a configuration was queued comes out again: the
// replay asks whom the command asked, which was no surrogate.
func TestReplayOfALegBesideAQueue(t *testing.T) {
	c := withLevels(t)
	f := c.Study.Fidelity
	f.Scheduler = study.SchedulerASHA
	c.Study.Fidelity, c.Study.Budget.Resource = f, 0
	for n := range 6 {
		got := propose(t, c, runner.Ask{N: 1, New: true})
		report(t, c, got[0].ID(), at(1, 0.1*float64(n+1)), 0)
	}
	if _, _, _, err := c.Enqueue(t.Context(), studytest.Sampled(t, c.Study, 1)[0].Assignment(), "", 0); err != nil {
		t.Fatal(err)
	}
	if got := propose(t, c, runner.Ask{N: 1}); got[0].Number != 2 || got[0].Course.Leg() != 2 {
		t.Errorf("trial %s has leg %d", got[0].ID(), got[0].Course.Leg())
	}
	comesOutAgain(t, c)
}

// The note of a changed study gives a pending trial from another journal its leg; what is decided
// beside that note counts it.
func TestReplayOfADecisionBesideANote(t *testing.T) {
	a, b := withLevels(t), withLevels(t)
	a.Study.Budget.Resource = 12
	propose(t, b, runner.Ask{N: 1})
	propose(t, a, runner.Ask{N: 1, Start: 1})
	if _, err := journal.Merge(t.Context(), a.Journal, b.Journal); err != nil {
		t.Fatal(err)
	}
	a.Journal.Study = bytes.Replace(a.Journal.Study, []byte("minimize"), []byte("maximize"), 1)
	if got := propose(t, a, runner.Ask{N: 1, New: true}); got[0].Course.Last().To != 1 {
		t.Errorf("beside 9 and 1 of 12 epochs: up to %v", got[0].Course.Last().To)
	}
	comesOutAgain(t, a)
}

// A deadline that ends the fits behind a decision about levels comes out again, as does the
// suggestion that was weighed against paused trials.
func TestReplayOfDecisionsUnderADeadline(t *testing.T) {
	c := withLevels(t)
	c.Study.Budget.Resource = 120
	measure := studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[0]-0.4) + 0.1*c.Value[0] })
	cut := 0
	for {
		got, warnings, err := c.Suggest(t.Context(), runner.Ask{N: 1, Deadline: time.Nanosecond})
		if study.HasCode(err, study.Exhausted) {
			break
		}
		must(t, err)
		if strings.Contains(strings.Join(warnings, "\n"), "ended the fit") {
			cut++
		}
		tell(t, c, &got[0], measure)
	}
	if cut == 0 {
		t.Error("no fit was cut")
	}
	comesOutAgain(t, c)
}
