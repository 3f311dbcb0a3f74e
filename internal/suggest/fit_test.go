package suggest

import (
	"math"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// planned is the plan by which the surrogate would choose.
func planned(st *study.Study, trials []study.Trial, r Request) *study.Plan {
	return newSurrogates(History(st, trials, r), r).plan
}

// The record of a fit names the one model that was fitted.
func TestFitOfOneModel(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Objectives[0].Transform, st.Initial.Count = "auto", 6
	trials, fits := simulateWarm(t, st, 7, 9,
		studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[0] - 0.3) }))
	st.Policy.Without = []string{"model.choice"}
	r := Request{Number: 10, Seed: 7, Warm: fits[8]}
	_, after, err := fitPlan(t.Context(), readHistory(st, trials, Request{Number: 10}), planned(st, trials, r).Model, r.Warm, 7)
	if err != nil || after.Used != "matern52.power" {
		t.Errorf("%v, the record is %+v", err, after)
	}
}

// Choices without conditions are modelled by two kernels, and suggestions and questions come from the one that predicts
// observations left out better: effects where the choices only shift values, box where each changes what the others do.
// Settings that effects has no room for keep box alone.
func TestKernelsAreCompared(t *testing.T) {
	few := []string{"a", "b", "c", "d"}
	of := []space.Parameter{studytest.Category("k", few...), studytest.Category("l", few...),
		studytest.Category("m", few...), studytest.Number("x")}
	shifts := func(c space.Configuration) float64 {
		return []float64{0, 3, 1, 7}[int(c.Value[0])] + []float64{2, 0, 5, 1}[int(c.Value[1])] +
			[]float64{4, 9, 0, 2}[int(c.Value[2])] + c.Value[3]
	}
	changes := func(c space.Configuration) float64 {
		return math.Sin(2*c.Value[0]*c.Value[1] + 3*c.Value[1]*c.Value[2] + 5*c.Value[0] + 3*c.Value[3])
	}
	for _, c := range []struct {
		f       func(space.Configuration) float64
		set     func(*study.Study)
		want    string
		compare bool
	}{
		{shifts, func(*study.Study) {}, "effects.power", true},
		{changes, func(*study.Study) {}, "box.power", true},
		{shifts, func(st *study.Study) { // as a study file that names nothing is read
			st.Surrogate.Kernel.Combine, st.Surrogate.Kernel.AlwaysActive, st.Surrogate.Kernel.Constant = "joint", "plain", -1
		}, "effects.power", true},
		{shifts, func(st *study.Study) { st.Surrogate.Kernel.Name = "box" }, "box.power", false},
		{shifts, func(st *study.Study) { st.Surrogate.Kernel.Combine = "product" }, "box.power", false},
		{shifts, func(st *study.Study) { st.Surrogate.Form = "kriging" }, "box.power", false},
		{shifts, func(st *study.Study) { st.Surrogate.Fixed = map[string]float64{"plain.theta[x]": 1} }, "box.power",
			false},
		{shifts, func(st *study.Study) { st.Policy.Without = []string{"model.choice"} }, "box.power", false},
	} {
		st := studytest.NewStudy(t, of...)
		st.Objectives[0].Transform = "auto"
		c.set(st)
		trials := told(t, st, 24, func(at space.Configuration) (study.Observation, study.Failure) {
			return study.Observation{Values: study.Values{{Name: st.Objective().Name, Value: c.f(at)}}}, ""
		})
		others := map[string]study.Comparison{study.TransformComparison: {Observations: 23}}
		r := Request{Number: 25, Seed: 3, Warm: &study.FitRecord{Compared: others}}
		if got := planned(st, trials, r).Model.Challenger != nil; got != c.compare {
			t.Errorf("%+v: compared: %v", c, got)
		}
		s, err := Next(t.Context(), st, trials, r)
		if err != nil || s.Fit.Used != c.want {
			t.Errorf("%+v: suggested with %+v, %v", c, s.Fit, err)
			continue
		}
		f, err := FitObjective(t.Context(), readHistory(st, trials, Request{Number: 25}), Request{Number: 25, Seed: 3, Warm: s.Fit})
		if err != nil || f.Spec.Kernel+"."+f.Transform.Name() != c.want {
			t.Errorf("%+v: asked: %s, %v", c, f.Spec.Kernel, err)
		}
	}
}

// Where neither transform predicts much better, the one of the last comparison stays.
func TestTransformStays(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
	st.Objectives[0].Transform = "auto"
	trials := told(t, st, 12, func(at space.Configuration) (study.Observation, study.Failure) {
		v := math.Exp(4*at.Value[0]) + math.Sin(9*at.Value[1])
		return study.Observation{Values: study.Values{{Name: st.Objective().Name, Value: v}}}, ""
	})
	for _, ranks := range []bool{false, true} {
		last := study.Comparison{Observations: 9, Challenger: ranks}
		s := mustNext(t, st, trials, Request{Number: 13, Seed: 3,
			Warm: &study.FitRecord{Compared: map[string]study.Comparison{study.TransformComparison: last}}})
		if now := s.Fit.Compared[study.TransformComparison]; now.Observations != 12 || now.Challenger != ranks {
			t.Errorf("last time %+v, now %+v", last, now)
		}
	}
}

// Where values fall in one direction, the search goes farther in it than with a surrogate that
// expects a level, which stays near the best trial.
func TestPlaneGoesOn(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"), studytest.Number("u"), studytest.Number("v"))
	value := func(at space.Configuration) float64 { return 3*at.Value[0] - 2*at.Value[1] + at.Value[2] - at.Value[3] }
	trials := told(t, st, 7, func(at space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: study.Values{{Name: st.Objective().Name, Value: value(at)}}}, ""
	})
	next := map[string]float64{}
	for _, st.Surrogate.Mean = range []string{"constant", "auto"} {
		s := mustNext(t, st, trials, Request{Number: 8, Seed: 3})
		next[st.Surrogate.Mean] = value(s.Config)
	}
	if !(next["auto"] < next["constant"]-0.5) {
		t.Errorf("the least value is -3; those of the suggestions: %v", next)
	}
}

// Of integers over nine decades whose logarithm matters the surrogate learns so from ten trials.
func TestLogarithmIsLearntEarly(t *testing.T) {
	st := studytest.NewStudy(t, space.Parameter{Name: "n", Kind: space.Int, Low: 1, High: 1e9},
		space.Parameter{Name: "m", Kind: space.Int, Low: 0, High: 1e9})
	st.Surrogate.Warping = "auto"
	var confs []space.Configuration
	var y []float64
	for k := range 10 {
		a, b := math.Pow(10, float64(k)), math.Pow(10, float64(3*k%10))
		c := space.NewConfiguration(2)
		c.Value[0], c.Value[1], c.Active[0], c.Active[1] = min(a, 1e9), b, true, true
		confs, y = append(confs, c), append(y, studytest.Sq(float64(k)-3)+studytest.Sq(float64(3*k%10)-6))
	}
	f, err := FitObjective(t.Context(), readHistory(st, studytest.Completed(confs, y), Request{Number: 11}), Request{Number: 11, Seed: 3})
	if err != nil || f.Spec.Warping != study.WarpingLog {
		t.Errorf("%+v, %v: want logarithmic axes", f.Spec, err)
	}
}

// A deadline that ends the fit of one model, or of the second, leaves no time to compare them.
func TestNothingIsComparedInAHurry(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	trials := told(t, st, 16, func(at space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: study.Values{{Name: st.Objective().Name, Value: math.Sin(5 * at.Value[0])}}}, ""
	})
	straight := study.ModelSpec{Kernel: "matern52", Transform: "none"}
	warped := straight
	warped.Warping = study.WarpingOn
	steps := 0 // of the first model, then of both
	for _, cut := range []func() int{func() int { return 1 << 30 }, func() int { return 1 },
		func() int { return steps - 1 }} {
		p := &pace{cut: cut()}
		h := readHistory(st, trials, Request{Number: 17})
		h.pace, h.More = p, p.more
		_, note, err := fitPlan(t.Context(), h, study.ModelPlan{Spec: straight, Challenger: &warped, Rule: "model.warping"},
			nil, 3)
		compared := note.Compared["model.warping"].Observations == 16
		if steps = max(steps, p.steps); err != nil || compared != (p.ended() == 0) ||
			p.ended() > 0 && note.Used != straight.Name() {
			t.Errorf("cut %d of %d steps: %+v, %v", p.ended(), p.steps, note, err)
		}
	}
}
