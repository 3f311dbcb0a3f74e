package runner_test

import (
	"errors"
	"strings"
	"testing"

	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Suggestions replay although a rule added since would have stopped the study.
func TestReplayIgnoresStop(t *testing.T) {
	c := newCycle(t, studytest.NewStudy(t, studytest.Number("x")))
	play(t, c, 9, studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[0] - 0.4) }))
	c.Study.Stop.Regret = 1e9
	if _, _, err := c.Suggest(t.Context(), runner.Ask{}); !study.HasCode(err, study.Exhausted) {
		t.Errorf("Suggest: %v, want the normal end", err)
	}
	replayed(t, c, 9)
}

// A suggestion that reached nobody is not computed again; the one after it with the same number is.
// Chosen trials are computed alone.
func TestReplayOfReleasedAndChosen(t *testing.T) {
	c := newCycle(t, studytest.NewStudy(t, studytest.Number("x")))
	lost, _, err := c.Suggest(t.Context(), runner.Ask{N: 2})
	if err == nil {
		err = c.Release(t.Context(), lost[:1], "the output could not be delivered")
	}
	must(t, err)
	replayed(t, c, 1)
	again, _, err := c.Suggest(t.Context(), runner.Ask{})
	if err != nil || again[0].Number != 1 {
		t.Fatalf("%+v, %v", again, err)
	}
	replayed(t, c, 2)
	for ids, want := range map[string]int{"2": 2, again[0].ID(): 1} {
		if err := c.Replay(t.Context(), nil, []string{ids}, func(r runner.Replayed) error {
			if !r.Same() || r.Trial.Number != want {
				t.Errorf("%s: trial %s, %v", ids, r.Trial.ID(), r.Err)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
	if err := c.Replay(t.Context(), nil, []string{lost[0].ID()}, nil); !study.HasCode(err, study.Conflict) {
		t.Errorf("of a suggestion that is gone: %v", err)
	}
}

// Replay compares what decided before it fits anything: under another policy it says which plan was recorded and which
// one decides now. An explanation goes by the recorded one.
func TestReplayComparesPlans(t *testing.T) {
	c := newCycle(t, studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y")))
	c.Study.Objectives[0].Transform = "auto"
	play(t, c, 7, studytest.Value(func(c space.Configuration) float64 {
		return studytest.Sq(c.Value[0]-0.4) +
			c.Value[1]
	}))
	replayed(t, c, 7)
	before, _, err := c.Explain(t.Context(), "7", nil)
	must(t, err)
	c.Study.Policy.Without = []string{"model.choice"}
	differ := 0
	if err := c.Replay(t.Context(), nil, nil, func(r runner.Replayed) error {
		switch {
		case r.Trial.Source != "model" && !r.Same():
			t.Errorf("trial %d: %v", r.Trial.Number, r.Err)
		case r.Err != nil: // of trial 7 nothing was compared
			differ++
			if !strings.Contains(r.Err.Error(), "another plan decided") || !strings.Contains(r.Err.Error(), `"model.choice"`) {
				t.Errorf("trial %d: %v", r.Trial.Number, r.Err)
			}
		}
		return nil
	}); err != nil || differ != 1 {
		t.Errorf("%d plans differ, %v", differ, err)
	}
	after, _, err := c.Explain(t.Context(), "7", nil)
	if err != nil || *after.Score != *before.Score ||
		len(after.Plan.Rules) != len(before.Plan.Rules) {
		t.Errorf("explained as %+v, before as %+v (%v)", after, before, err)
	}

	// A study that this version cannot read explains nothing.
	c.Journal.Study = nil
	gone := func([]byte) (*study.Study, error) { return nil, errors.New("it is gone") }
	if _, _, err := c.Explain(t.Context(), "7", gone); !study.HasCode(err, study.Mismatch) {
		t.Errorf("explained in spite of a study that cannot be read: %v", err)
	}
}
