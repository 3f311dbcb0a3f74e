package config_test

import (
	"strings"
	"testing"

	"bohier/internal/config"
	"bohier/internal/study"
)

const smallStudy = "objective: {name: f, direction: minimize}\nspace: {x: {type: float, low: 0, high: 1}}\n"

func TestLimitsOfRun(t *testing.T) {
	for text, want := range map[string]study.Study{
		"":                         {Budget: study.Budget{FailFast: 3}},
		"budget: {fail_fast: off}": {},
		"budget: {fail_fast: 7}":   {Budget: study.Budget{FailFast: 7}},
		"cost: duration":           {Budget: study.Budget{FailFast: 3}, Cost: &study.Cost{Name: "duration", Exponent: 1}},
		"cost: {name: duration}":   {Budget: study.Budget{FailFast: 3}, Cost: &study.Cost{Name: "duration", Exponent: 1}},
		"run: {shell: a}":          {Budget: study.Budget{FailFast: 3}, Run: &study.Run{TimeoutMeans: study.TimeoutRetry}},
		"run: {shell: a, timeout_means: infeasible}": {Budget: study.Budget{FailFast: 3},
			Run: &study.Run{TimeoutMeans: study.TimeoutInfeasible}},
	} {
		st, r := config.Parse("s.yaml", []byte(smallStudy+text), config.Options{})
		if st == nil {
			t.Errorf("%s: %s", text, r)
			continue
		}
		again, _ := config.Parse("s.yaml", config.Print(st), config.Options{})
		for k, got := range []*study.Study{st, again} {
			if got.Budget.FailFast != want.Budget.FailFast || (got.Cost == nil) != (want.Cost == nil) ||
				got.Cost != nil && *got.Cost != *want.Cost ||
				got.Run != nil && got.Run.TimeoutMeans != want.Run.TimeoutMeans {
				t.Errorf("%s, read %d: %+v %+v %+v", text, k, got.Budget, got.Cost, got.Run)
			}
		}
	}
	for text, want := range map[string]string{
		"budget: {fail_fast: 0}":                "fail_fast",
		"budget: {fail_fast: never}":            "fail_fast",
		"cost: [duration]":                      "cost must be a name, or a mapping",
		"run: {shell: a, timeout_means: maybe}": `run.timeout_means cannot be "maybe"`,
	} {
		if st, r := config.Parse("s.yaml", []byte(smallStudy+text), config.Options{}); st != nil ||
			!strings.Contains(r.String(), want) {
			t.Errorf("%s: %s", text, r)
		}
	}
}
