package runner_test

import (
	"context"
	"math"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// TestWarpingAuto: axes are warped where the objective is busy at one end of them
// and predicted better for it, and left straight where it is not.
func TestWarpingAuto(t *testing.T) {
	for name, c := range map[string]struct {
		f      func(x, y float64) float64
		warped bool
	}{
		"busy near 0": {func(x, y float64) float64 { return studytest.Sq(math.Log10(x+1e-3)+2) + 0.1*y }, true},
		"even":        {func(x, y float64) float64 { return math.Sin(5*x) + studytest.Sq(y-0.3) }, false},
		"a plane":     {func(x, y float64) float64 { return x - 2*y }, false},
		"busy near 1": {func(x, y float64) float64 { return math.Sin(12*x*x*x*x) + y }, true},
	} {
		t.Run(name, func(t *testing.T) {
			st := studytest.NewStudy(t, studytest.PlainSpace()...)
			st.Objectives[0].Transform, st.Surrogate.Warping = "none", "auto"
			confs := studytest.Sampled(t, st, 40)
			y := make([]float64, len(confs))
			for k, conf := range confs {
				y[k] = c.f(conf.Value[0], conf.Value[1])
			}
			rmse := func(warping string) (float64, bool) {
				st.Surrogate.Warping = warping
				a, err := newCycle(t, st).Analyze(context.Background(),
					&journal.State{Trials: studytest.Completed(confs[:30], y[:30])})
				must(t, err)
				mean, _, _ := a.Predict(confs[30:])
				sum := 0.0
				for k, m := range mean {
					sum += studytest.Sq(m-y[30+k]) / 10
				}
				return math.Sqrt(sum), a.Spec.Warping == study.WarpingOn
			}
			auto, warped := rmse("auto")
			off, _ := rmse("false")
			on, _ := rmse("true")
			t.Logf("root mean square error: %.3g auto, %.3g straight, %.3g warped", auto, off, on)
			if warped != c.warped {
				t.Errorf("warped %v, want %v", warped, c.warped)
			}
		})
	}
}

// TestWarpingAutoReplays: the decisions are recorded with the suggestions, which come out again bit for bit; a decision
// holds until there is a quarter more to decide by.
func TestWarpingAutoReplays(t *testing.T) {
	st := studytest.NewStudy(t, studytest.PlainSpace()...)
	st.Objectives[0].Transform, st.Surrogate.Warping = "none", "auto"
	c := newCycle(t, st)
	last, decisions, kept := 0, 0, 0
	for n := range 34 {
		play(t, c, 1, studytest.Value(func(c space.Configuration) float64 {
			return math.Sin(12*math.Pow(c.Value[0], 4)) +
				c.Value[1]
		}))
		state := mustRead(t, c)
		fit := state.LastFit()
		if fit == nil || n < 20 { // too little to decide by
			continue
		}
		at := fit.Compared["model.warping"].Observations
		if at == 0 || at > n || 4*n >= 5*at {
			t.Errorf("trial %d: the decision is from %v of %v trials", n+1, at, n)
		}
		if at == last {
			kept++
		} else {
			decisions++
		}
		last = at
	}
	if decisions < 2 || kept < 2 {
		t.Errorf("%d decisions, %d kept; want some of both", decisions, kept)
	}
	same := 0
	if err := c.Replay(context.Background(), nil, nil, func(r runner.Replayed) error {
		if !r.Same() {
			t.Errorf("trial %d: %s instead of %s (%v)", r.Trial.Number, r.Got, r.Want, r.Err)
		}
		same++
		return nil
	}); err != nil || same != 34 {
		t.Errorf("%d suggestions replayed: %v", same, err)
	}
}

// TestWarpingAutoHonoursExponents: a study that sets the exponents has warped axes
// whatever the data say; the kernel matrix is that of the fit.
func TestWarpingAutoHonoursExponents(t *testing.T) {
	st := studytest.NewStudy(t, studytest.PlainSpace()...)
	st.Objectives[0].Transform, st.Surrogate.Warping = "none", "auto"
	confs := studytest.Sampled(t, st, 30)
	y := make([]float64, len(confs))
	for k, c := range confs {
		y[k] = math.Sin(12*math.Pow(c.Value[0], 4)) + c.Value[1]
	}
	c, s := newCycle(t, st), &journal.State{Trials: studytest.Completed(confs, y)}
	near := []space.Configuration{{Value: []float64{0.1, 0.5}, Active: []bool{true, true}},
		{Value: []float64{0.2, 0.5}, Active: []bool{true, true}}}
	far := []space.Configuration{{Value: []float64{0.8, 0.5}, Active: []bool{true, true}},
		{Value: []float64{0.9, 0.5}, Active: []bool{true, true}}}
	correlation := func(pair []space.Configuration) float64 {
		a, err := c.Analyze(t.Context(), s)
		must(t, err)
		gram, err := runner.Gram(st, a, pair)
		must(t, err)
		return gram[0][1] / gram[0][0]
	}
	if a, b := correlation(near), correlation(far); a < b+0.05 {
		t.Errorf("correlation over a tenth: %.3f at the quiet end, %.3f at the busy one", a, b)
	}
	st.Surrogate.Fixed = map[string]float64{"warp.a[*]": 1, "warp.b[*]": 1}
	if a, b := correlation(near), correlation(far); !(math.Abs(a-b) <= 1e-9) {
		t.Errorf("correlation over a tenth of straight axes: %.3f and %.3f", a, b)
	}
	a, err := c.Analyze(context.Background(), s)
	must(t, err)
	if _, ok := a.Report.Hyper["warp.a[x]"]; !ok {
		t.Errorf("hyperparameters: %v", a.Report.Hyper)
	}
}
