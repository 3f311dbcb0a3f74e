package surrogate

import (
	"slices"
	"testing"

	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A model that winsorises pulls an absurd value on the bad side in before the fit; for
// another the values stand as they are.
func TestWinsorise(t *testing.T) {
	for _, pulled := range []bool{true, false} {
		st := studytest.NewStudy(t, studytest.Number("x"))
		confs := studytest.Sampled(t, st, 8)
		y := make([]float64, len(confs))
		for k, c := range confs {
			y[k] = studytest.Sq(c.Value[0] - 0.3)
		}
		y[2], y[5] = 1e12, 1e12
		d := Data{Rows: RowsOf(study.Pointers(studytest.Completed(confs, y)))}
		f, err := Fit(t.Context(), st, study.ModelSpec{Kernel: "matern52", Transform: "none", Winsorise: pulled}, d,
			study.HyperSet{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Max(f.raw) < 1e12; got != pulled {
			t.Errorf("winsorise %v: outliers pulled in: %v", pulled, got)
		}
	}
}
