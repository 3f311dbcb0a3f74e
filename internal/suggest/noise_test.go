package suggest

import (
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
)

func TestMaterialNoise(t *testing.T) {
	sp, err := space.New([]space.Parameter{{Name: "x", Kind: space.Float, Low: 0, High: 1}}, nil, nil)
	must(t, err)
	st := &study.Study{Space: sp, Objectives: []study.Objective{{Name: "f", Transform: "auto"}}}
	at := func(x, v float64) study.Trial {
		c, err := sp.ParseJSON([]byte(`{"x":0.5}`))
		must(t, err)
		c.Value[0] = x
		return study.Trial{State: study.Complete, Config: c,
			Observation: study.Observation{Values: study.Values{{Name: "f", Value: v}}}}
	}
	fit := func(champion, spec string, noise float64) *study.FitRecord {
		return &study.FitRecord{Used: champion,
			Models: map[string]study.ModelFit{spec: {Hyper: study.HyperSet{Values: map[string]float64{"relative.noise": noise}}}}}
	}
	first, second := "matern52.power", "matern52.copula"
	plain := []study.Trial{at(0.1, 1), at(0.2, 2), at(0.2, 2)}
	reported, zero, again, failed := at(0.3, 1), at(0.3, 1), at(0.3, 1), at(0.2, 9)
	se, none := 0.1, 0.0
	reported.Stderr, zero.Stderr = &se, &none
	again.Replicates = []study.Observation{{Values: study.Values{{Name: "f", Value: 1.5}}}}
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
		if got := MaterialNoise(st, study.Pointers(append(plain[:3:3], c.more...)), c.fit); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
