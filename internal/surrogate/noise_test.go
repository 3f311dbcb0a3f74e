package surrogate_test

import (
	"context"
	"math"
	"testing"

	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/surrogate"
)

// A study that says what its noise is has nothing of it to estimate: none leaves it at
// its floor, a standard deviation stands for every measurement.
func TestKnownNoise(t *testing.T) {
	st := studytest.NewStudy(t, studytest.PlainSpace()...)
	confs := studytest.Sampled(t, st, 25)
	y := make([]float64, len(confs))
	for k, c := range confs {
		y[k] = c.Value[0] + 0.3*math.Sin(float64(7*k*k)) // noise
	}
	h := surrogate.Data{Observed: study.Pointers(studytest.Completed(confs, y))}
	sd := func(noise study.Noise) (std, noisy, again float64) {
		st.Objectives[0].Noise = noise
		f, err := surrogate.Fit(context.Background(), st, study.ModelSpec{Kernel: "matern52", Transform: "none"}, h,
			study.HyperSet{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		noisy = math.Sqrt(f.Model.StandardNoise())
		_, at, measured := f.Predict(st.Space, confs[:1])
		return at[0], noisy, measured(0)
	}
	_, estimated, _ := sd(study.Noise{})
	exact, none, _ := sd(study.Noise{None: true})
	known, floor, again := sd(study.Noise{SD: 0.25})
	if !(estimated > 0.1) || !(none < 0.01) || !(floor < 0.01) {
		t.Errorf("noise %v estimated, %v with none, %v beside a known one", estimated, none, floor)
	}
	if want := math.Hypot(known, 0.25); math.Abs(again-want) > 1e-3 {
		t.Errorf("standard deviation of a measurement with known noise: %v, want %v", again, want)
	}
	h.Observed[0].Stderr, h.Observed[1].Stderr, h.Observed[2].Stderr = new(3.0), new(4.0), new(5.0)
	if reported, _, again := sd(study.Noise{}); !(again > math.Hypot(reported, 4)-1e-3) {
		t.Errorf("standard deviation of a measurement with reported errors: %v, and %v without noise", again, reported)
	}
	if !(exact < 0.02) || !(known > 0.05) {
		t.Errorf("standard deviation at a trial: %v without noise, %v with a known one", exact, known)
	}
}
