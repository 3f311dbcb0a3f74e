package execute

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
)

// read has the lines of a leg up to `to` read, and returns what was recorded.
func read(t *testing.T, f *study.Fidelity, to float64, lines ...string) (told []study.Report) {
	t.Helper()
	st := &study.Study{Objectives: []study.Objective{{Name: "error"}}, Cost: &study.Cost{Name: "euro"}, Fidelity: *f,
		Run: &study.Run{}, Space: &space.Space{}}
	trial := &study.Trial{Course: &study.Course{Legs: []study.Leg{{To: to}}}}
	observe := func(tell study.Report) (study.Trial, error) {
		told = append(told, tell)
		now := study.Trial{State: study.Pending, Course: &study.Course{}}
		if tell.At >= to {
			now.State, now.Course.Verdict = study.Paused, study.VerdictPause
		}
		return now, nil
	}
	r := newReports(st, trial, t.TempDir(), observe, func(err error) { t.Error(err) })
	r.end = func(study.Verdict) {}
	r.start()
	if _, err := r.Write([]byte(strings.Join(lines, "\n"))); err != nil {
		t.Fatal(err)
	}
	r.finish()
	return told
}

// Reports are read in words as results are, and not out of other lines.
func TestReportsInWords(t *testing.T) {
	f := &study.Fidelity{Name: "epochs", Levels: []float64{1, 3, 9}, Kind: study.FidelityCurve, Resume: true}
	told := read(t, f, 9, "epochs: 1 error: 0.5", "epochs: 2 train error: 0.1", "Epoch 2 error 0.4",
		"epochs 3, error 0.25, euro 6, lr 7", "epochs 4/9: error 0.2", "epochs 5 lr 3 error 0.1", "epochs 6:30 error 0.1",
		"{'epochs': 7, 'error': 0.2}", "error: 0.1", "epochs: 5 000 error: 1",
		"epochs: 9 error: 0.1", "")
	if got := fmt.Sprint(resources(told)); got != "[1 3 4 5 7 9]" {
		t.Errorf("reports at %s", got)
	}
	if len(told) != 3 || told[1].At != 3 || told[1].Values.Of("error") != 0.25 || told[1].Cost == nil || *told[1].Cost != 6 {
		t.Errorf("%+v: want 0.25 at 3, for 6", told)
	}
}

func resources(told []study.Report) (out []float64) {
	for _, tell := range told {
		for _, p := range tell.Points {
			out = append(out, p.Resource)
		}
		out = append(out, tell.At)
	}
	return out
}

// A command that goes on beyond the goal of its leg loses nothing of what it says there.
func TestValuesBeyondTheGoal(t *testing.T) {
	f := &study.Fidelity{Name: "epochs", Levels: []float64{1, 3, 9}, Kind: study.FidelityCurve, Resume: true}
	var lines []string
	for e := 1; e <= 5; e++ {
		lines = append(lines, fmt.Sprintf(`{"epochs": %d, "error": 0.%d, "cost": %d, "note": "x"}`, e, e, e))
	}
	told := read(t, f, 1, lines...)
	if got := resources(told); len(told) != 1 || !slices.Equal(got, []float64{1, 2, 3, 4, 5}) {
		t.Fatalf("%v", got)
	}
	if p := told[0].Points; p[0].Cost == nil || p[1].Cost != nil || p[2].Cost == nil || p[2].Values.Of("error") != 0.3 {
		t.Errorf("at levels the costs belong to the values: %v", p)
	}
	lines = append(lines, `{"epochs": 9, "error": 0.05}`)
	if got := resources(read(t, f, 1, lines...)); !slices.Equal(got, []float64{1, 2, 3, 4, 5, 9}) {
		t.Errorf("on to the full resource: %v", got)
	}
	folds := &study.Fidelity{Name: "epochs", Levels: []float64{1, 3, 9}, Kind: study.FidelityFolds}
	if got := resources(read(t, folds, 3, `{"epochs": 3, "error": 1}`, `{"epochs": 2, "error": 1}`,
		`{"epochs": 4, "error": 1}`, `{"epochs": 1, "error": 1}`)); len(got) != 4 {
		t.Errorf("folds: %v", got)
	}
}

// However long a curve gets, what is kept lies evenly over it, with its ends and the levels.
func TestCurvesAreThinnedEvenly(t *testing.T) {
	f := &study.Fidelity{Name: "epochs", Levels: []float64{1, 333, 3000}, Kind: study.FidelityCurve}
	w := waiting{f: f}
	for e := 1; e < 3000; e++ {
		w.add(study.Point{Resource: float64(e)})
	}
	got := w.take(0)
	if n := len(got); n < curvePoints || n > 2*curvePoints+2 {
		t.Errorf("%d points", n)
	}
	if got[0].Resource != 1 || got[len(got)-1].Resource != 2999 {
		t.Errorf("from %v to %v", got[0].Resource, got[len(got)-1].Resource)
	}
	level := false
	for k, p := range got[1:] {
		level = level || p.Resource == 333
		if gap := p.Resource - got[k].Resource; gap > 3000/curvePoints*2 {
			t.Errorf("nothing between %v and %v", got[k].Resource, p.Resource)
		}
	}
	if !level {
		t.Error("the value at a level is gone")
	}
	if len(w.points) > 0 {
		t.Error("points still wait")
	}
}
