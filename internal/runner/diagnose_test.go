package runner

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/gp"
	"bohier/internal/journal"
	"bohier/internal/study"
)

// TestLeftOut: leave-one-out predictions come in the objective's units and sign
// under every transform.
func TestLeftOut(t *testing.T) {
	checks := 0
	for _, transform := range []string{"none", "log", "power", "copula"} {
		for _, d := range []study.Direction{study.Minimize, study.Maximize} {
			st := newStudy(t, plainSpace()...)
			st.Objective.Transform, st.Objective.Direction = transform, d
			confs := sampled(t, st, 25)
			y := smooth(confs)
			for k, v := range y {
				y[k] = 100 * math.Exp(3*v)
			}
			a, err := newCycle(t, st).Analyse(context.Background(), &journal.State{Trials: completed(confs, y)})
			if err != nil {
				t.Fatal(err)
			}
			label := fmt.Sprintf("%s, %s", transform, d)
			l := a.LeftOut
			seen := slices.Sorted(slices.Values(l.Observed))
			inside, sum := 0, 0.0
			for i, v := range slices.Sorted(slices.Values(y)) {
				if math.Abs(seen[i]/v-1) > 1e-9 {
					t.Errorf("%s: value %v, want %v", label, seen[i], v)
				}
			}
			for i, v := range l.Observed {
				if below := v < l.Low[i]; below != (l.Level[i] < 0.05) {
					t.Errorf("%s: %v above %v is at level %v", label, v, l.Low[i], l.Level[i])
				}
				if above := v > l.High[i]; above != (l.Level[i] > 0.95) {
					t.Errorf("%s: %v under %v is at level %v", label, v, l.High[i], l.Level[i])
				}
				if l.Low[i] <= v && v <= l.High[i] {
					inside++
				}
				sum += square(v-l.Mean[i]) / 25
				checks++
			}
			if got := a.Rating.Coverage90; math.Abs(got-float64(inside)/25) > 1e-9 {
				t.Errorf("%s: coverage %v, want %d of 25", label, got, inside)
			}
			if got := a.Rating.RMSE; math.Abs(got/math.Sqrt(sum)-1) > 1e-9 {
				t.Errorf("%s: rmse %v, want %v", label, got, math.Sqrt(sum))
			}
			if math.IsNaN(a.Rating.LogLoss) || len(a.Ranges) != len(a.Hyper) {
				t.Errorf("%s: log loss %v, %d ranges of %d hyperparameters", label, a.Rating.LogLoss, len(a.Ranges), len(a.Hyper))
			}
			for _, r := range a.Ranges {
				if r.Value != a.Hyper[r.Name] || r.Low > r.High {
					t.Errorf("%s: range %+v of %v", label, r, a.Hyper[r.Name])
				}
			}
		}
	}
	if checks != 200 {
		t.Errorf("%d predictions checked", checks)
	}
}

// TestConcessions: what the fit and earlier suggestions had to do without.
func TestConcessions(t *testing.T) {
	st := newStudy(t, number("x"))
	st.Objective.Direction = study.Maximize
	confs := sampled(t, st, 6)
	trials := completed(confs, []float64{1, 2, 3, 4, 5, -1e9})
	trials[1].Source, trials[3].Source, trials[4].Source = "fallback:flat", "fallback:search", "fallback:flat"
	h := readHistory(st, trials, 0)
	f := &fitted{sign: -1, raw: []float64{-1, -2, -3, -4, -5, 1e3}, report: &gp.Report{
		Jitter: 1e-8, Fallback: "noise", Points: 600, FitPoints: 500,
	}}
	want := []string{
		"jitter: 1e-08 of the variance was added to the nearly singular kernel matrix",
		"noise: fitted with at least 1e-3 of the values' variance, because no kernel matrix was stable with less",
		"subset: hyperparameters were fitted on 500 of 600 points",
		"outliers: 1 of 6 values were pulled in to -1000",
		"suggestions: 2 without a surrogate, because all values were equal",
		"suggestions: 1 without a surrogate, because the search found nothing new",
	}
	if diff := cmp.Diff(want, concessions(f, st, h, trials)); diff != "" {
		t.Error(diff)
	}
}

// TestDoubts: too few values in the intervals, and predictions no better than the
// mean, are said; chance is not.
func TestDoubts(t *testing.T) {
	for _, c := range []struct {
		n             int
		coverage, std float64
		want          string
	}{
		{30, 27.0 / 30, -1, ""},
		{30, 1, -1, ""},
		{30, 23.0 / 30, -1, ""}, // happens to one in 39 calibrated surrogates
		{30, 21.0 / 30, -1, "too sure of itself"},
		{5, 3.0 / 5, -1, ""},
		{10, 1, 0.1, "learnt nothing"},
		{4, 1, 0.1, ""},
	} {
		f := &fitted{report: &gp.Report{LOO: gp.LOO{Mean: make([]float64, c.n), Coverage90: c.coverage, StdLogLoss: c.std}}}
		got := strings.Join(f.doubts(), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestBoundWarnings: what a bound means is said where it means something.
func TestBoundWarnings(t *testing.T) {
	for warning, want := range map[string]string{
		"plain.theta[lr] is at its lower bound":          "plain.theta[lr] is at its lower bound: lr seems not to matter",
		"imp.theta[lr] is at its upper bound":            "imp.theta[lr] is at its upper bound: what one value of lr gives says nothing about the next",
		"fm.lengthscale[a.b] is at its upper bound":      "fm.lengthscale[a.b] is at its upper bound: a.b seems not to matter",
		"pattern 01: ico.theta[x] is at its lower bound": "pattern 01: ico.theta[x] is at its lower bound: x seems not to matter",
		"fm.beta[x] is at its upper bound":               "fm.beta[x] is at its upper bound",
		"signal is at its upper bound":                   "signal is at its upper bound",
		"the surrogate uses 2000 of 2500 points":         "the surrogate uses 2000 of 2500 points",
		"noise is at its lower bound":                    "",
		"noise is at its upper bound":                    "noise is at its upper bound",
	} {
		f := &fitted{report: &gp.Report{Warnings: []string{warning}}}
		if got := strings.Join(f.doubts(), "; "); got != want {
			t.Errorf("%s: %q, want %q", warning, got, want)
		}
	}
}
