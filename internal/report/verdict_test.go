package report_test

import (
	"strings"
	"testing"

	"bohier/internal/report"
	"bohier/internal/study"
)

func TestVerdict(t *testing.T) {
	complete := func(source string, values ...float64) []study.Trial {
		var out []study.Trial
		for k, v := range values {
			out = append(out, study.Trial{Number: k + 1, Tag: "aaaa", State: study.Complete, Source: source,
				Observation: study.Observation{Values: study.Values{{Name: "loss", Value: v}}}})
		}
		return out
	}
	failed := study.Trial{Number: 9, State: study.Failed, Failure: study.Transient}
	target := 0.5
	for name, c := range map[string]struct {
		trials []study.Trial
		budget int
		target *float64
		want   string
	}{
		"nothing": {nil, 0, nil, "No trial was made yet."},
		"all failed": {[]study.Trial{failed}, 10, nil,
			"10 of 10 trials are left.|No trial is complete yet.|1 trial failed for passing reasons."},
		"latest": {complete("design", 3), 10, nil,
			"9 of 10 trials are left.|Found by trial 1-aaaa, the latest result."},
		"stalled": {complete("design", 4, 1, 2), 3, nil,
			"The budget of 3 trials is used.|50 % below the median of the initial design, 2.|Found by trial 2-aaaa; 1 " +
				"complete trial since then brought nothing better."},
		"negative": {complete("design", 4, -1, 2), 0, nil,
			"The median of the initial design was 2.|Found by trial 2-aaaa; 1 complete trial since then brought nothing better."},
		"given values": {complete("added", 4, 1, 2), 0, nil,
			"Found by trial 2-aaaa; 1 complete trial since then brought nothing better."},
		"target": {complete("added", 1, 0.5), 9, &target,
			"The target 0.5 is reached.|Found by trial 2-aaaa, the latest result."},
	} {
		st := svm(t)
		st.Objectives[0].Target = c.target
		s := report.NewSummary(st, c.trials)
		s.Status.Count(c.trials)
		if best := st.Best(c.trials, 1); len(best) > 0 {
			b := report.TrialOf(st, &best[0], report.Listing{})
			s.Status.Best = &b
		}
		if c.budget > 0 {
			s.Status.Budget = &report.Budget{Trials: c.budget, Left: c.budget - s.Status.Complete}
		}
		if got := strings.Join(s.Verdict(st, c.trials), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A lucky value of the leader reaches no target; its posterior does, if it surely is as good.
func TestTargetOfALeader(t *testing.T) {
	target := 0.5
	lucky := report.Trial{Values: study.Values{{Name: "loss", Value: 0.1}}, By: "posterior"}
	for sd, want := range map[float64]bool{0.01: true, 0.2: false} {
		lucky.Posterior = &study.Posterior{Estimate: &study.Estimate{Mean: 0.4, Std: sd}}
		if got := report.Reaches(&lucky, study.Objective{Name: "loss", Target: &target}); got != want {
			t.Errorf("a mean of 0.4 ± %v reaches 0.5: %v", sd, got)
		}
	}
}
