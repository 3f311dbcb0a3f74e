package runner_test

import (
	"math"
	"testing"

	"bohier/internal/runner"
	"bohier/internal/study"
)

// Curves with little or nothing to learn from: every study ends when its budget does, with
// a best trial where one has a value at full resource, and its journal replays.
func TestDegenerateCurves(t *testing.T) {
	for name, c := range map[string]struct {
		levels   []float64
		units    float64
		trials   int
		rule     string
		value    func(x, r float64) float64
		complete bool // a trial has to be
		trialsAt int  // least number of trials
	}{
		"two levels": {levels: []float64{1, 9}, units: 40, value: func(x, r float64) float64 { return x + 1/r },
			complete: true, trialsAt: 4},
		"one trial": {levels: []float64{1, 3, 9}, trials: 1, value: func(x, r float64) float64 { return x },
			complete: true, trialsAt: 1},
		"equal values": {levels: []float64{1, 3, 9}, units: 40, value: func(x, r float64) float64 { return 1 },
			complete: true, trialsAt: 4},
		"constant curves": {levels: []float64{1, 3, 9}, units: 40, value: func(x, r float64) float64 { return x },
			complete: true, trialsAt: 4},
		"curves that rise": {levels: []float64{1, 3, 9}, units: 40, value: func(x, r float64) float64 { return x + r },
			complete: true, trialsAt: 4},
		"infeasible": {levels: []float64{1, 3, 9}, units: 40, value: func(x, r float64) float64 { return math.NaN() },
			trialsAt: 4},
		"no number at 3": {levels: []float64{1, 3, 9}, units: 40,
			value: func(x, r float64) float64 { return map[bool]float64{true: math.NaN(), false: x}[r >= 3] }, trialsAt: 4},
		"stopping": {levels: []float64{1, 3, 9}, units: 40, rule: study.SchedulerStopping,
			value: func(x, r float64) float64 { return 1 }, complete: true, trialsAt: 4},
		"median": {levels: []float64{1, 3, 9}, units: 40, rule: study.SchedulerMedian,
			value: func(x, r float64) float64 { return -r }, complete: true, trialsAt: 4},
		"spread": {levels: []float64{1, 3, 9}, units: 40, rule: study.SchedulerHyperband,
			value: func(x, r float64) float64 { return 1 / r }, complete: true, trialsAt: 4},
		"below one leg": {levels: []float64{1, 3, 9}, units: 9.5, value: func(x, r float64) float64 { return x },
			complete: true, trialsAt: 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := withLevels(t)
			f := s.Study.Fidelity
			f.Levels = c.levels
			if c.rule != "" {
				f.Scheduler = c.rule
			}
			s.Study.Fidelity = f
			s.Study.Budget.Resource, s.Study.Budget.Trials = c.units, c.trials
			legs := 0
			for ; legs < 200; legs++ {
				got, _, err := s.Suggest(t.Context(), runner.Ask{N: 1})
				if study.HasCode(err, study.Exhausted) || study.HasCode(err, study.NoResult) {
					break
				}
				must(t, err)
				trial := got[0]
				for _, r := range c.levels {
					l := trial.Course.Last()
					if r <= l.From || r > l.To || trial.State != study.Pending {
						continue
					}
					o := study.Observation{Values: study.Values{{Name: "f", Value: c.value(trial.Config.Value[0], r)}}}
					after, _, err := s.Observe(t.Context(), trial.ID(), study.Report{Observation: o, At: r})
					if err != nil {
						t.Fatalf("trial %d at %v: %v", trial.Number, r, err)
					}
					trial = after
				}
			}
			state, _, err := s.Read(t.Context())
			if err != nil || legs == 200 || len(state.Trials) < c.trialsAt {
				t.Fatalf("%d legs, %d trials, %v", legs, len(state.Trials), err)
			}
			complete := 0
			for i := range state.Trials {
				if state.Trials[i].State == study.Complete {
					complete++
				}
			}
			if (complete > 0) != c.complete {
				t.Errorf("%d trials are complete", complete)
			}
			comesOutAgain(t, s)
		})
	}
}

// High reached first and a value below it later: complete, the late value joins the curve.
func TestHighFirstLowLater(t *testing.T) {
	s := withLevels(t)
	got := mustSuggest(t, s, runner.Ask{N: 1})
	tell := func(r, v float64) study.Trial {
		t.Helper()
		after, _, err := s.Observe(t.Context(), got[0].ID(),
			study.Report{Observation: study.Observation{Values: study.Values{{Name: "f", Value: v}}}, At: r})
		must(t, err)
		return after
	}
	tell(9, 0.5)
	if after := tell(3, 0.7); after.State != study.Complete || after.Values.Of("f") != 0.5 || len(after.Course.Points) != 2 {
		t.Errorf("%s, %v, %v", after.State, after.Values, after.Course.Points)
	}
	if _, _, err := s.Observe(t.Context(), got[0].ID(),
		study.Report{Observation: study.Observation{Values: study.Values{{Name: "f", Value: 1}}}, At: 10}); !study.HasCode(err,
		study.Usage) {
		t.Errorf("beyond the full resource: %v", err)
	}
}
