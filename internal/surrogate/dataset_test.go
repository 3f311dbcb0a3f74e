package surrogate

import (
	"slices"
	"testing"

	"bohier/internal/study/studytest"
)

// With transform: auto one absurd value on the bad side is pulled in before the
// fit; with transform: none the values stand as they are.
func TestAutoPullsOutliersIn(t *testing.T) {
	for transform, pulled := range map[string]bool{"auto": true, "none": false} {
		st := studytest.NewStudy(t, studytest.Number("x"))
		st.Objective.Transform = transform
		confs := studytest.Sampled(t, st, 8)
		y := make([]float64, len(confs))
		for k, c := range confs {
			y[k] = studytest.Sq(c.Value[0] - 0.3)
		}
		y[2], y[5] = 1e12, 1e12
		var d Data
		for k, trials := 0, studytest.Completed(confs, y); k < len(trials); k++ {
			d.Observed = append(d.Observed, &trials[k])
		}
		f, err := fitSpec(t.Context(), st, Spec{"matern52", "none"}, d, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Max(f.raw) < 1e12; got != pulled {
			t.Errorf("transform %s: outliers pulled in: %v", transform, got)
		}
	}
}
