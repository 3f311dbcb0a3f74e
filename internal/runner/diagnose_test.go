package runner_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// TestLeftOut: leave-one-out predictions come in the objective's units and sign under every transform.
func TestLeftOut(t *testing.T) {
	checks := 0
	for _, transform := range []string{"none", "log", "power", "copula"} {
		for _, d := range []study.Direction{study.Minimize, study.Maximize} {
			st := studytest.NewStudy(t, studytest.PlainSpace()...)
			st.Objectives[0].Transform, st.Objectives[0].Direction = transform, d
			confs := studytest.Sampled(t, st, 25)
			y := studytest.Smooth(confs)
			for k, v := range y {
				y[k] = 100 * math.Exp(3*v)
			}
			a, err := newCycle(t, st).Analyze(context.Background(), &journal.State{Trials: studytest.Completed(confs, y)})
			must(t, err)
			label := fmt.Sprintf("%s, %s", transform, d)
			l := a.LeftOut()
			seen := slices.Sorted(slices.Values(l.Observed))
			inside, sum := 0, 0.0
			for i, v := range slices.Sorted(slices.Values(y)) {
				if !(math.Abs(seen[i]/v-1) <= 1e-9) {
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
				sum += studytest.Sq(v-l.Mean[i]) / 25
				checks++
			}
			if got := a.Rating().Coverage90; !(math.Abs(got-float64(inside)/25) <= 1e-9) {
				t.Errorf("%s: coverage %v, want %d of 25", label, got, inside)
			}
			if got := a.Rating().RMSE; !(math.Abs(got/math.Sqrt(sum)-1) <= 1e-9) {
				t.Errorf("%s: rmse %v, want %v", label, got, math.Sqrt(sum))
			}
			if math.IsNaN(a.Rating().LogLoss) || len(a.Ranges()) != len(a.Report.Hyper) {
				t.Errorf("%s: log loss %v, %d ranges of %d hyperparameters", label, a.Rating().LogLoss, len(a.Ranges()), len(a.Report.Hyper))
			}
			for _, r := range a.Ranges() {
				if r.Value != a.Report.Hyper[r.Name] || r.Low > r.High {
					t.Errorf("%s: range %+v of %v", label, r, a.Report.Hyper[r.Name])
				}
			}
		}
	}
	if checks != 200 {
		t.Errorf("%d predictions checked", checks)
	}
}
