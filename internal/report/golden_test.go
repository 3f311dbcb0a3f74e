package report_test

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/report"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

var update = flag.Bool("update", false, "rewrite the expected outputs under testdata/golden")

// golden compares with testdata/golden/NAME.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		must(t, os.WriteFile(file, got, 0o666))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (make golden rewrites it): %s", name, diff)
	}
}

// goldenTrials are trials in every state, with values that are awkward to print.
func goldenTrials(t *testing.T, st *study.Study) []study.Trial {
	t.Helper()
	var list []study.Trial
	add := func(params string, state study.State, loss, cost float64) *study.Trial {
		tr := *trial(t, st, params)
		tr.Number, tr.State, tr.Source = len(list)+1, state, "model"
		tr.Suggested, tr.ObservedAt = "2026-01-02T03:04:05Z", "2026-01-02T03:05:05Z"
		if state == study.Complete {
			tr.Values, tr.Cost = study.NamedOf(map[string]float64{"loss": loss, "latency": 1000 * cost}), &cost
		}
		list = append(list, tr)
		return &list[len(list)-1]
	}
	add(`{"kernel":"rbf","lr":0.1,"use.bias":false}`, study.Complete, 1000788, 1.0/3)
	add(`{"kernel":"poly","lr":0.123456789012345,"degree":3,"use.bias":true}`, study.Complete, 0.15226612345, 2.5)
	add(`{"kernel":"it's $(x)\n","lr":0.9,"use.bias":true}`, study.Complete, 1.5e-7, 1)
	failed := add(`{"kernel":"rbf","lr":0.000001,"use.bias":true}`, study.Failed, 0, 0)
	failed.Failure, failed.Note = study.Infeasible, "\x1b[31mred\u202e"
	add(`{"kernel":"rbf","lr":1,"use.bias":true}`, study.Pending, 0, 0).Key = "k"
	twice := add(`{"kernel":"rbf","lr":0.2,"use.bias":true}`, study.Complete, 999964, 1)
	se := 0.25
	twice.Stderr = &se
	twice.Replicates = []study.Observation{{Values: study.NamedOf(map[string]float64{"loss": 1000100.125, "latency": 7})}}
	return list
}

// TestGolden: what people see and what programs read, to the byte.
func TestGolden(t *testing.T) {
	st := svm(t)
	st.Name, st.Budget.Trials = `svm <"1">`, 20
	st.Constraints = []study.Constraint{{Name: "latency", Bound: 2000}}
	list := goldenTrials(t, st)

	golden(t, "trials.txt", report.TrialTable(st, study.Pointers(list), report.Listing{By: st.Measurements(list)}).Text(false))
	golden(t, "show.txt", report.Details(st, &list[5], report.Listing{By: st.Measurements(list)}).Text(false))
	golden(t, "failed.txt", report.Details(st, &list[3], report.Listing{By: st.Measurements(list)}).Text(false))
	golden(t, "trials.csv", report.TrialCSV(st, study.Pointers(list), nil))
	var objects []report.Trial
	for i := range list {
		objects = append(objects, report.TrialOf(st, &list[i], report.Listing{By: st.Measurements(list)}))
	}
	var lines bytes.Buffer
	must(t, report.WriteJSON(&lines, slices.Values(objects), false))
	golden(t, "trials.jsonl", lines.Bytes())

	s := report.NewSummary(st, list)
	s.Status.Count(list)
	s.Best = objects[2:3]
	s.Status.Best = &s.Best[0]
	s.Importance = []report.Importance{{"lr", 0.625}, {"kernel", 0.05}}
	s.Unfit = "too few trials"
	object, err := report.JSON(s)
	must(t, err)
	golden(t, "report.json", object)
	golden(t, "report.md", s.Page(st, list[2:3], nil).Markdown())

	// With noise: trial 3 leads from the start of its own, trial 6 never does.
	board := &study.Leaderboard{
		Noise: map[string]study.NoiseLevel{"loss": {SD: 12345.678, Share: 0.25, Source: "estimated"}},
		Leaders: []study.Leader{
			{Trial: &list[2], Believed: map[string]study.Estimate{"loss": {Mean: 1200.5, Std: 350}},
				Probability: 0.705},
			{Trial: &list[5], Believed: map[string]study.Estimate{"loss": {Mean: 999001, Std: 1234}},
				Probability: math.NaN()},
		},
		Luckiest: &study.Leader{Luckiest: &list[1], Believed: map[string]study.Estimate{"loss": {Mean: 4000, Std: 900}}},
	}
	believed := studytest.Believed(st, list, map[int]study.Estimate{1: {Mean: 2000, Std: 500}, 3: {Mean: 1200.5, Std: 350}, 6: {Mean: 999001, Std: 1234}})
	s.Leaders, s.Progress = board, report.Progress(believed, list)
	s.Best[0] = report.TrialOf(st, &list[2], report.Listing{By: st.Measurements(list), Board: board})
	s.Status.Noise = board.Noise
	golden(t, "leaders.md", s.Page(st, list[2:3], nil).Markdown())
	golden(t, "leaders.txt", report.TrialTable(st, []*study.Trial{&list[2], &list[5]},
		report.Listing{By: st.Measurements(list), Board: board}).Text(false))
	if object, err = report.JSON(s); err != nil {
		t.Fatal(err)
	}
	golden(t, "leaders.json", object)
}
