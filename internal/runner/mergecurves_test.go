package runner_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Two copies of a journal of curves that were continued apart come to the same trials, curves and states, whichever is
// merged into which; again it adds nothing, and other values at one resource are a conflict.
func TestMergeCurves(t *testing.T) {
	a := withLevels(t)
	a.Study.Fidelity.Start = study.StartLow
	measure := studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[0] - 0.4) })
	legs := func(c runner.Session, n int) {
		for range n {
			got := mustSuggest(t, c, runner.Ask{N: 1})
			tell(t, c, &got[0], measure)
		}
	}
	legs(a, 5)
	open, _, err := a.Suggest(t.Context(), runner.Ask{N: 1, New: true}) // pending in both
	must(t, err)
	b := a
	b.Journal.Path = filepath.Join(t.TempDir(), "b.journal.jsonl")
	if _, err := journal.Copy(t.Context(), a.Journal, b.Journal); err != nil {
		t.Fatal(err)
	}
	legs(b, 3)
	if _, _, err := b.Observe(t.Context(), open[0].ID(), study.Report{Failure: study.Infeasible}); err != nil {
		t.Fatal(err)
	}
	curves := func(c runner.Session) []string {
		s := mustRead(t, c)
		var out []string
		for i := range s.Trials {
			tr := &s.Trials[i]
			line := fmt.Sprintf("%s %s from %v:", s.Params(tr.Number), tr.State, tr.Course.Start)
			for _, p := range tr.Course.Points {
				line += fmt.Sprintf(" %v=%v", p.Resource, p.Values.Of("f"))
			}
			out = append(out, line)
		}
		slices.Sort(out)
		return out
	}
	merge := func(into, from runner.Session) *journal.MergeReport {
		t.Helper()
		rep, err := journal.Merge(t.Context(), into.Journal, from.Journal)
		must(t, err)
		return rep
	}
	if rep := merge(a, b); rep.Observed == 0 || len(rep.Conflicts) > 0 {
		t.Errorf("%+v", rep)
	}
	merge(b, a)
	if one, other := curves(a), curves(b); !slices.Equal(one, other) {
		t.Errorf("here\n%s\nthere\n%s", strings.Join(one, "\n"), strings.Join(other, "\n"))
	}
	if rep := merge(a, b); rep.Added+rep.Observed+len(rep.Conflicts) > 0 {
		t.Errorf("again: %+v", rep)
	}
	if _, _, err := b.Observe(t.Context(), "2",
		study.Report{Observation: study.Observation{Values: study.Values{{Name: "f", Value: 7}}}, At: 1, Mode: study.Replace}); err != nil {
		t.Fatal(err)
	}
	if rep := merge(a, b); len(rep.Conflicts) != 1 || !strings.Contains(rep.Conflicts[0], "at epochs 1 is f=") ||
		!strings.HasSuffix(rep.Conflicts[0], " here and f=7 there; ours stays") {
		t.Errorf("%+v", rep)
	}
}
