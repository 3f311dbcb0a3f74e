package surrogate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/gp"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// TestConcessions: what the fit and earlier suggestions had to do without.
func TestDegradations(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Objectives[0].Direction = study.Maximize
	confs := studytest.Sampled(t, st, 6)
	trials := studytest.Completed(confs, []float64{1, 2, 3, 4, 5, -1e9})
	trials[1].Source, trials[3].Source, trials[4].Source = "fallback:flat", "fallback:search", "fallback:flat"
	var d Data
	for k := range trials {
		d.Observed = append(d.Observed, &trials[k])
	}
	f := &Fitted{Sign: -1, raw: []float64{-1, -2, -3, -4, -5, 1e3}, Report: &gp.Report{
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
	if diff := cmp.Diff(want, Degradations(f, st, d, trials)); diff != "" {
		t.Error(diff)
	}
}

// TestDoubts: too few values in the intervals, and predictions no better than the mean, are said; chance is not.
func TestDistrust(t *testing.T) {
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
		f := &Fitted{Report: &gp.Report{LOO: func() gp.LOO {
			return gp.LOO{Mean: make([]float64, c.n), Coverage90: c.coverage, StdLogLoss: c.std}
		}}}
		got := strings.Join(f.Distrust(), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// TestStopped: a bound that stops a fit is told with its value and with what to do.
func TestStopped(t *testing.T) {
	r := gp.Range{Name: "fm.beta[x]", Low: 1e-4, High: 30, Met: "upper"}
	for want, prior := range map[string]*[2]float64{
		"fm.beta[x] is at its upper bound 30, where the likelihood still climbs: set surrogate.inference to map, or widen " +
			"surrogate.hyperparameters.bounds": nil,
		"fm.beta[x] is at its upper bound 30, where the posterior still climbs: widen surrogate.hyperparameters.bounds": {1,
			2},
	} {
		r.Prior = prior
		f := &Fitted{Report: &gp.Report{Stopped: []gp.Range{r}, LOO: func() gp.LOO { return gp.LOO{} }}}
		if got := f.Stopped(); len(got) != 1 || got[0] != want {
			t.Errorf("%q, want %q", got, want)
		}
		if diff := cmp.Diff(f.Stopped(), f.Distrust()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestExplained(t *testing.T) {
	y := []float64{1, 1, 1, 5, 5, 5}
	if v := explained(y, []int{0, 0, 0, 1, 1, 1}, squares(y)); v != 1 {
		t.Errorf("a group for each value explains %v, not all", v)
	}
	if v := explained(y, []int{0, 1, 2, 0, 1, 2}, squares(y)); v != 0 {
		t.Errorf("groups alike explain %v", v)
	}
	if v := explained([]float64{2, 2, 2}, []int{0, 1, 0}, 0); v != 0 {
		t.Errorf("nothing to explain, yet %v", v)
	}
	y = []float64{1e300, -1e300, 0, 1}
	if v := explained(y, []int{0, 1, 0, 1}, squares(y)); v != 0 {
		t.Errorf("beyond squares: %v", v)
	}
}
