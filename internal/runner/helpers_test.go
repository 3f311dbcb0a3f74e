package runner_test

import (
	"context"
	"path/filepath"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// newCycle binds a study to a journal of its own.
func newCycle(t testing.TB, st *study.Study) runner.Session {
	t.Helper()
	if st.Seed == nil {
		seed := uint64(7)
		st.Seed = &seed
	}
	return runner.Session{Study: st, Journal: journal.Options{
		Path: filepath.Join(t.TempDir(), "test.journal.jsonl"), Space: st.Space, Seed: st.Seed,
		Study: []byte(`{"objective":{"name":"` + st.Objective().Name + `","direction":"` +
			st.Objective().Direction.String() + `"}}`),
	}}
}

func mustSuggest(t testing.TB, c runner.Session, ask runner.Ask) []study.Trial {
	t.Helper()
	got, _, err := c.Suggest(t.Context(), ask)
	must(t, err)
	return got
}

func mustRead(t testing.TB, c runner.Session) *journal.State {
	t.Helper()
	s, _, err := c.Read(t.Context())
	must(t, err)
	return s
}

// play suggests and observes n trials through the journal.
func play(t testing.TB, c runner.Session, n int, m studytest.Measure) []study.Trial {
	t.Helper()
	var out []study.Trial
	for range n {
		got := mustSuggest(t, c, runner.Ask{N: 1})
		tell(t, c, &got[0], m)
		out = append(out, got...)
	}
	return out
}

func tell(t testing.TB, c runner.Session, trial *study.Trial, m studytest.Measure) {
	t.Helper()
	o, failure := m(trial.Config)
	if _, _, err := c.Observe(context.Background(), trial.ID(),
		study.Report{Observation: o, Failure: failure}); err != nil {
		t.Fatal(err)
	}
}

// replayed fails unless the journal's n suggestions come out again.
func replayed(t *testing.T, c runner.Session, n int) {
	t.Helper()
	count := 0
	err := c.Replay(context.Background(), nil, nil, func(r runner.Replayed) error {
		count++
		if !r.Same() {
			t.Errorf("trial %d: %s came out as %s (%v)", r.Trial.Number, r.Want, r.Got, r.Err)
		}
		return nil
	})
	if err != nil || count != n {
		t.Errorf("%d suggestions replayed, want %d: %v", count, n, err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
