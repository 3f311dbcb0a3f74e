package figures

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/plot"
	"bohier/internal/report"
	"bohier/internal/space"
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

// bowl is a Posterior: (lr − ½)² ± a tenth of lr.
type bowl struct{}

func (bowl) Predict(at []space.Configuration) (mean, std []float64, _ func(int) float64) {
	for _, c := range at {
		v := c.Value[1]
		mean, std = append(mean, (v-0.5)*(v-0.5)), append(std, v/10)
	}
	return mean, std, nil
}

// example is a study with trials in every state, on two workers, one of them against the constraint, in two branches.
func example(t *testing.T) Source {
	t.Helper()
	st := svm(t)
	st.Constraints = []study.Constraint{{Name: "latency", Bound: 2000}}
	s := Source{Study: st, Surrogate: bowl{}.Predict,
		Importance: []report.Importance{{Name: "lr", Share: 0.625}, {Name: "kernel", Share: 0.05},
			{Name: "degree", Share: 0.004}}}
	add := func(params string, state study.State, loss, latency float64) *study.Trial {
		tr := *trial(t, st, params)
		n := len(s.Trials) + 1
		tr.Number, tr.State, tr.Worker = n, state, []string{"ada", "bob#1"}[n%2]
		tr.Suggested, tr.ObservedAt = "2026-01-02T03:0"+string(rune('0'+n))+":05Z",
			"2026-01-02T03:1"+string(rune('0'+n))+":05Z"
		if state == study.Complete {
			tr.Values = study.NamedOf(map[string]float64{"loss": loss, "latency": latency})
		}
		s.Trials = append(s.Trials, tr)
		return &s.Trials[n-1]
	}
	add(`{"kernel":"rbf","lr":0.1,"use.bias":false}`, study.Complete, 0.7, 300)
	add(`{"kernel":"poly","lr":0.123456789012345,"degree":3,"use.bias":true}`, study.Complete, 0.15226612345, 2500)
	add(`{"kernel":"poly","lr":0.9,"degree":6,"use.bias":true}`, study.Complete, 0.2, 1000)
	add(`{"kernel":"rbf","lr":0.000001,"use.bias":true}`, study.Failed, 0, 0).Failure = study.Infeasible
	add(`{"kernel":"it's $(x)\n","lr":0.5,"use.bias":true}`, study.Complete, 0.01, 1000).Source = "design"
	add(`{"kernel":"rbf","lr":1,"use.bias":true}`, study.Pending, 0, 0).ObservedAt = ""
	return s
}

// drawnSVG are the pictures whose SVG is kept to the byte: together they have every kind of mark.
var drawnSVG = []string{"calibration", "contour", "convergence", "importance", "leaders", "parallel", "slice"}

// TestGolden: every picture as text, to the character, and as SVG, well formed; those of drawnSVG to the byte.
func TestGolden(t *testing.T) {
	s := example(t)
	lr, _ := s.Study.Space.Index("lr")
	degree, _ := s.Study.Space.Index("degree")
	at := func(along ...int) Place {
		place, ok := s.PlaceFor(along, nil)
		if !ok {
			t.Fatalf("no place for %v", along)
		}
		return place
	}
	believed, restricted := s, s
	believed.Standing = studytest.Believed(s.Study, s.Trials, map[int]study.Estimate{1: {Mean: 0.6, Std: 0.05}, 3: {Mean: 0.2, Std: 0.05},
		5: {Mean: 0.3, Std: 0.1}})
	restricted.Feasible = func(at []space.Configuration) []float64 {
		out := make([]float64, len(at))
		for k := range at {
			out[k] = 1 - at[k].Value[lr]
		}
		return out
	}
	linear := believed
	linear.Scale = "linear"
	for name, f := range map[string]plot.Figure{
		"convergence": Convergence(s, "trial"), "leaders": Convergence(linear, "trial"),
		"slice": Slice(s, lr, at(lr)), "choice": Slice(s, 0, at(0)), "branch": Slice(s, degree, at(degree)),
		"restricted": Slice(restricted, lr, at(lr)),
		"contour":    Contour(restricted, lr, degree, at(lr, degree)), "cells": Contour(s, lr, 0, at(lr, 0)),
		"parallel": Parallel(s, s.ByImportance()), "importance": Importance(s),
		"calibration": Calibration(s, study.LeftOut{
			Observed: []float64{1, 2, 3}, Mean: []float64{1.5, 2, 2.5}, Low: []float64{0.5, 1, 1.5},
			High: []float64{2.5, 3, 3.5}, Level: []float64{0.3, 0.5, 0.7},
		}),
	} {
		golden(t, name+".txt", f.Text(80))
		if n := elements(t, f.SVG()); n["path"] < 5 || n["text"] < 3 {
			t.Errorf("%s: %v", name, n)
		}
		if slices.Contains(drawnSVG, name) {
			golden(t, name+".svg", f.SVG())
		}
	}
}

// Whatever there is not, no picture fails.
func TestEmptyStudies(t *testing.T) {
	st := svm(t)
	failed := *trial(t, st, `{"kernel":"rbf","lr":0.1,"use.bias":false}`)
	failed.State = study.Failed
	one := failed
	one.State, one.Values = study.Complete, study.Values{{Name: "loss", Value: 1}}
	odd := one
	odd.Values = study.Values{{Name: "loss", Value: math.MaxFloat64}}
	for _, trials := range [][]study.Trial{nil, {failed}, {one},
		{one, odd, {Number: 3, State: study.Complete, Outside: true, Observation: one.Observation}}} {
		s := Source{Study: st, Trials: trials, Surrogate: bowl{}.Predict}
		for _, f := range []plot.Figure{
			Convergence(s, "trial"), Parallel(s, []int{1}), Parallel(s, nil), Importance(s),
			Slice(s, 1, Place{At: failed.Config}), Contour(s, 0, 1, Place{At: failed.Config}),
			Contour(s, 2, 1, Place{At: failed.Config}),
		} {
			elements(t, f.SVG())
			elements(t, f.Inline())
			f.Text(40)
		}
	}
}

// curved is three trials of a study with a fidelity: complete, paused and stopped.
func curved(t *testing.T) Source {
	t.Helper()
	st := svm(t)
	st.Fidelity = study.Fidelity{Name: "epochs", Levels: []float64{1, 3, 9, 27}, Kind: study.FidelityCurve, Resume: true}
	s := Source{Study: st}
	for n, state := range []study.State{study.Complete, study.Paused, study.Stopped} {
		tr := trial(t, st, `{"kernel":"rbf","lr":0.1,"use.bias":false}`)
		tr.Number, tr.Tag, tr.State = n+1, "tagx", state
		to := []float64{27, 9, 3}[n]
		c := &study.Course{Start: 1, Legs: []study.Leg{{To: to, Reached: to, Ended: true}}}
		for k, r := range st.Fidelity.Levels {
			if r <= to {
				c.Put(study.Point{Resource: r, Seq: 10*n + k, Leg: 1,
					Observation: study.Observation{Values: study.Values{{Name: "loss", Value: 0.1*float64(n+1) + 1/r}}}})
			}
		}
		tr.Course = c
		tr.Observation = st.Fidelity.Latest(c)
		s.Trials = append(s.Trials, *tr)
	}
	return s
}

// TestCurves: the curves of a study as text, to the character.
func TestCurves(t *testing.T) {
	s := curved(t)
	golden(t, "curves.txt", Curves(s).Text(80))
	elements(t, Curves(s).SVG())
	by := Convergence(s, "resource")
	golden(t, "byresource.txt", by.Text(80))
	s.Trials = nil
	if f := Curves(s); len(f.Panels) != 0 {
		t.Errorf("curves of no trial: %+v", f)
	}
}
