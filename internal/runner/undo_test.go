package runner_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A suggestion that could not be recorded leaves the journal as it was, or says what it left.
func TestUndo(t *testing.T) {
	full := &study.Error{Code: study.NotRecorded, Msg: "not recorded", Hint: "The journal is as it was."}
	for name, c := range map[string]struct {
		ask  runner.Ask
		made int    // configurations before; −1: the journal is not there yet
		says string // empty: the journal is as it was
	}{
		"at once":             {runner.Ask{N: 2}, 0, ""},
		"with a key":          {runner.Ask{N: 1, Key: "k"}, 0, "a number stays reserved"},
		"in the middle":       {runner.Ask{N: 2}, 1, "a number stays reserved"},
		"before there is one": {runner.Ask{N: 1}, -1, "the journal has begun"},
		"one":                 {runner.Ask{N: 1}, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			session := newCycle(t, studytest.NewStudy(t, studytest.PlainSpace()...))
			if c.made >= 0 {
				if _, _, err := session.Suggest(t.Context(), runner.Ask{}); err != nil {
					t.Fatal(err)
				}
			}
			before, _ := os.ReadFile(session.Journal.Path)
			session.Journal.Hold = &journal.Hold{}
			defer session.Journal.Hold.Close()
			err := runner.FailAt(t.Context(), session, c.ask, max(c.made, 0), full)
			var e *study.Error
			if !errors.As(err, &e) || e.Code != study.NotRecorded {
				t.Fatal(err)
			}
			after, _ := os.ReadFile(session.Journal.Path)
			if c.says == "" && (!bytes.Equal(before, after) || e.Hint != full.Hint) {
				t.Errorf("%q left\n%s", e.Hint, after[len(before):])
			}
			if !strings.Contains(e.Hint, c.says) {
				t.Error(e.Hint)
			}
			after2 := mustRead(t, session)
			if n := len(after2.Pending()); n != min(c.made+1, 1) {
				t.Errorf("%d trials are pending", n)
			}
		})
	}
}

// An interrupted batch takes nothing of the budget and leaves no trial that nobody was told of; who has a key asks again.
func TestInterruptedBatch(t *testing.T) {
	for key, want := range map[string][2]int{"": {0, 10}, "k": {1, 5}} {
		st := studytest.NewStudy(t, studytest.PlainSpace()...)
		st.Budget.Trials = 10
		session := newCycle(t, st)
		ctx, interrupt := context.WithCancel(t.Context())
		chosen := 0
		session.Debug = func(study.Detail) {
			if chosen++; chosen == 2 {
				interrupt()
			}
		}
		if _, _, err := session.Suggest(ctx, runner.Ask{N: 5, Key: key}); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		state := mustRead(t, session)
		if left, _ := runner.Left(st, state.Trials); len(state.Pending()) != want[0] || left != want[1] {
			t.Errorf("key %q: %d trials are pending, and %d are left", key, len(state.Pending()), left)
		}
	}
}
