package policy

import (
	"math"
	"math/rand/v2"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Noisy values are modelled with and without a transform, and by what makes them likelier:
// with one where they spread over decades, without one where they do not; for suggestions
// and for questions about the study alike.
func TestTransformOfNoisyValues(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	for _, c := range []struct {
		transform, without string
		steep              float64
		fit                *study.FitRecord
		challenged         bool
		want               string
	}{
		{transform: "auto", steep: 1, want: "power"},
		{transform: "auto", steep: 1, fit: fits("power", 0.005, 0), want: "power"},
		{transform: "auto", steep: 1, fit: fits("power", 0.02, 0), challenged: true, want: "none"},
		{transform: "auto", steep: 9, fit: fits("power", 0.02, 0), challenged: true, want: "power"},
		{transform: "auto", steep: 1, fit: fits("none", 0.02, 0.005), challenged: true, want: "none"},
		{transform: "auto", steep: 1, fit: fits("none", 0.005, 0.005), want: "power"},
		{transform: "power", steep: 1, fit: fits("power", 0.02, 0), want: "power"},
		{transform: "none", steep: 1, fit: fits("none", 0, 0.02), want: "none"},
		{transform: "auto", without: "noise.transform", steep: 1, fit: fits("power", 0.02, 0), want: "power"},
	} {
		st.Objective.Transform, st.Policy.Without = c.transform, []string{c.without}
		rng := rand.New(rand.NewPCG(1, 2))
		trials := told(t, st, 16, func(at space.Configuration) (study.Observation, study.Failure) {
			v := math.Sin(5*at.Value[0]) + 0.2*rng.NormFloat64()
			return study.Observation{Values: map[string]float64{st.Objective.Name: math.Exp(c.steep*v) - 1}}, ""
		})
		r := Request{Number: 17, Seed: 3, Warm: c.fit}
		if got := Planned(st, trials, r).Model.Challenger != nil; got != c.challenged {
			t.Errorf("%+v: compared: %v", c, got)
		}
		f, err := FitObjective(t.Context(), st, ReadHistory(st, trials, 17), r)
		if err != nil || f.Transform.Name() != c.want {
			t.Errorf("%+v: asked: %v, %v", c, f.Transform.Name(), err)
		}
		s, err := Next(t.Context(), st, trials, r)
		if err != nil || s.Fit.Used != "matern52."+c.want {
			t.Errorf("%+v: suggested with %+v, %v", c, s.Fit, err)
		}
		if _, compared := s.Fit.Models["matern52.power"]; compared != (c.transform != "none") {
			t.Errorf("%+v: kept %+v", c, s.Fit.Models)
		}
	}
}

// The evidence is a density of the values in their own unit, whatever their transform.
func TestEvidenceHasTheValuesUnit(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	for _, transform := range []string{"none", "power"} {
		st.Objective.Transform = transform
		evidence := func(unit float64) float64 {
			trials := told(t, st, 16, func(at space.Configuration) (study.Observation, study.Failure) {
				return study.Observation{Values: map[string]float64{st.Objective.Name: unit * math.Exp(3*math.Sin(5*at.Value[0]))}}, ""
			})
			f, err := FitObjective(t.Context(), st, ReadHistory(st, trials, 17), Request{Number: 17, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			return f.Evidence()
		}
		if got, want := evidence(1024)-evidence(1), -16*math.Log(1024); !(math.Abs(got-want) <= 1e-6*math.Abs(want)) {
			t.Errorf("%s: a unit of 1/1024 changes the evidence by %v, want %v", transform, got, want)
		}
	}
}

// fits are those of a model with and without a transform, with so much noise.
func fits(champion string, power, none float64) *study.FitRecord {
	of := func(noise float64) study.ModelFit {
		return study.ModelFit{Hyper: study.HyperSet{"relative.noise": noise}}
	}
	return &study.FitRecord{Used: "matern52." + champion, Models: map[string]study.ModelFit{"matern52.power": of(power), "matern52.none": of(none)}}
}

func TestMaterialNoise(t *testing.T) {
	sp, err := space.New([]space.Parameter{{Name: "x", Kind: space.Float, Low: 0, High: 1}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	st := &study.Study{Space: sp, Objective: study.Objective{Name: "f", Transform: "auto"}}
	at := func(x, v float64) study.Trial {
		c, err := sp.ParseJSON([]byte(`{"x":0.5}`))
		if err != nil {
			t.Fatal(err)
		}
		c.Value[0] = x
		return study.Trial{State: study.Complete, Config: c, Observation: study.Observation{Values: map[string]float64{"f": v}}}
	}
	fit := func(champion, spec string, noise float64) *study.FitRecord {
		return &study.FitRecord{Used: champion, Models: map[string]study.ModelFit{spec: {Hyper: study.HyperSet{"relative.noise": noise}}}}
	}
	first, second := "matern52.power", "matern52.copula"
	plain := []study.Trial{at(0.1, 1), at(0.2, 2), at(0.2, 2)}
	reported, zero, again, failed := at(0.3, 1), at(0.3, 1), at(0.3, 1), at(0.2, 9)
	se, none := 0.1, 0.0
	reported.Stderr, zero.Stderr = &se, &none
	again.Replicates = []study.Observation{{Values: map[string]float64{"f": 1.5}}}
	failed.State = study.Failed
	for name, c := range map[string]struct {
		more []study.Trial
		fit  *study.FitRecord
		want bool
	}{
		"nothing known":                {nil, nil, false},
		"a fit with little noise":      {nil, fit(first, first, 0.0099), false},
		"a fit with noise":             {nil, fit(first, first, 0.01), true},
		"noise of what is no champion": {nil, fit(first, second, 0.5), false},
		"noise of another champion":    {nil, fit(second, second, 0.5), true},
		"a reported standard error":    {[]study.Trial{reported}, nil, true},
		"a standard error of 0":        {[]study.Trial{zero}, nil, false},
		"a replicate that differs":     {[]study.Trial{again}, nil, true},
		"another trial that differs":   {[]study.Trial{at(0.2, 2.5)}, nil, true},
		"a failed trial":               {[]study.Trial{failed}, nil, false},
		"equal values elsewhere":       {[]study.Trial{at(0.9, 2)}, nil, false},
	} {
		if got := MaterialNoise(st, append(plain[:3:3], c.more...), c.fit); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
