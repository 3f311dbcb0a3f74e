package main

import (
	"slices"
	"strings"
	"testing"

	"bohier/internal/figures"
	"bohier/internal/page"
	"bohier/internal/report"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A page lists some of very many trials, and says which: the best, here those in the middle, the last
// failed, here at the beginning, and the last ones.
func TestPageOfManyTrials(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	confs := slices.Repeat(studytest.Sampled(t, st, 1), 5000)
	y := make([]float64, len(confs))
	for k := range y {
		y[k] = max(float64(k-2500), float64(2500-k))
	}
	trials := studytest.Numbered(studytest.Completed(confs, y), 1)
	for k := range 900 {
		trials[k].State, trials[k].Values = study.Failed, nil
	}
	v := view{Source: figures.Source{Study: st, Trials: trials,
		Standing: st.Standing(study.Pointers(trials))}}
	var p page.Page
	v.listTrials(&p, report.Summary{Status: report.Status{Best: &report.Trial{Trial: 2501}}})
	var want []int
	for _, part := range [][2]int{{401, 900}, {2001, 3000}, {4501, 5000}} {
		for n := part[0]; n <= part[1]; n++ {
			want = append(want, n)
		}
	}
	if !slices.Equal(p.Numbers, want) || len(p.Trials.Rows) != len(want) || p.States[slices.Index(want, 2501)] != "best" {
		t.Errorf("%d rows, trials %v", len(p.Trials.Rows), p.Numbers)
	}
	if !strings.HasPrefix(p.Left, "This table has 2000 of 5000 trials") {
		t.Errorf("left: %q", p.Left)
	}
	v.Trials, p = trials[:1500], page.Page{}
	if v.listTrials(&p, report.Summary{}); len(p.Numbers) != 1500 || p.Left != "" {
		t.Errorf("%d of 1,500 trials: %q", len(p.Numbers), p.Left)
	}
}
