package runner_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"bohier/internal/journal"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/suggest"
	"bohier/internal/surrogate"
)

// soak asks for all cases. It is no variable: the go command keeps results by the
// environment that a test reads, which it does not see before main.
func soak() bool { return os.Getenv("BOHIER_SOAK") != "" }

// TestDegenerateSets: whatever the trials, Next gives a finite, valid and new configuration, or says that none is left.
// One case in four runs: of the 45 of a space and a transform other ones each time, and the largest numbers always.
// BOHIER_SOAK=1 runs all.
func TestDegenerateSets(t *testing.T) {
	checks := 0
	for k, c := range degenerateCases(t) {
		if k%4 != 0 && !strings.Contains(c.name, "308") && !soak() {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			checks++
			c.run(t)
		})
	}
	if checks < 60 {
		t.Errorf("only %d cases, want 60", checks)
	}
}

// TestDegenerateSettings: nor does it depend on how the study models and chooses.
func TestDegenerateSettings(t *testing.T) {
	checks := 0
	values := degenerateValues()
	names := []string{"equal but one", "outlier 1e+300", "two of ±1.7e308", "scale 1e-320"}
	if soak() {
		names = slices.Sorted(maps.Keys(values))
	}
	for _, c := range []struct {
		name string
		set  func(st *study.Study)
	}{
		{"mle", func(st *study.Study) { st.Surrogate.Inference = "mle" }},
		{"direct", func(st *study.Study) { st.Surrogate.Optimizer, st.Surrogate.Evaluations = "direct", 60 }},
		{"kriging", func(st *study.Study) { st.Surrogate.Form = "kriging" }},
		{"kriging, re-interpolated", func(st *study.Study) {
			st.Surrogate.Form, st.Surrogate.Reinterpolate = "kriging",
				true
		}},
		{"warping", func(st *study.Study) { st.Surrogate.Warping = "true" }},
		{"arc", func(st *study.Study) { st.Surrogate.Kernel.Name = "arc" }},
		{"modlap", func(st *study.Study) { st.Surrogate.Kernel.Name = "hmodlap" }},
		{"ei", func(st *study.Study) { st.Acquisition.Name = "ei" }},
		{"lcb", func(st *study.Study) { st.Acquisition.Name, st.Acquisition.Kappa = "lcb", 2 }},
		{"de", func(st *study.Study) { st.Acquisition.Optimizer = "de" }},
		{"maximize", func(st *study.Study) { st.Objectives[0].Direction = study.Maximize }},
		{"constraint and cost", func(st *study.Study) {
			st.Constraints = []study.Constraint{{Name: "f", Bound: 0.5}}
			st.Cost = &study.Cost{Name: "s", Exponent: 1}
		}},
	} {
		for _, name := range names {
			t.Run(c.name+": "+name, func(t *testing.T) {
				checks++
				st := studytest.NewStudy(t, studytest.BranchedSpace()...)
				st.Objectives[0].Transform = "none"
				c.set(st)
				confs := studytest.Sampled(t, st, 12)
				y := values[name](studytest.Smooth(confs))
				trials := studytest.Completed(confs, y)
				for k := range trials {
					trials[k].Cost = new(math.Abs(y[k]))
				}
				degenerate{study: st, trials: append(trials,
					studytest.Numbered(studytest.PendingTrials(studytest.Sampled(t, st, 14)[12:]), 13)...)}.run(t)
			})
		}
	}
	if checks == 0 {
		t.Error("no case")
	}
}

// TestDegenerateWarmStarts: nor on what earlier studies tell.
func TestDegenerateWarmStarts(t *testing.T) {
	checks := 0
	values := degenerateValues()
	for _, was := range []string{"flat: all 7", "±1.7e308 by turns", "two of ±1.7e308", "scale 1e-320", "equal but one"} {
		for _, is := range []string{"flat: all 7", "±1.7e308 by turns", "outlier 1e+300"} {
			for n := range 3 {
				t.Run(fmt.Sprintf("%s, then %d of %s", was, n, is), func(t *testing.T) {
					checks++
					st := studytest.NewStudy(t, studytest.BranchedSpace()...)
					st.Objectives[0].Transform = []string{"none", "auto", "power"}[n]
					confs := studytest.Sampled(t, st, 24)
					y := studytest.Smooth(confs)
					degenerate{
						study: st, trials: studytest.Completed(confs[12:12+n], values[is](y)[12:]),
						earlier: []surrogate.Source{{Configs: confs[:12], Values: values[was](y)[:12]}},
					}.run(t)
				})
			}
		}
	}
	if checks != 45 {
		t.Errorf("%d cases, want 45", checks)
	}
}

// TestDegeneratePredictions: what is said of the surrogate is finite, too, with
// trials pending, under every transform:
// all values with one or two of the settings each, the largest numbers and with
// BOHIER_SOAK=1 all with all.
func TestDegeneratePredictions(t *testing.T) {
	checks := 0
	values := degenerateValues()
	for k, name := range slices.Sorted(maps.Keys(values)) {
		for turn, setting := range []string{"auto", "none", "power", "copula"} {
			if (k+turn)%3 != 0 && !strings.Contains(name, "308") && !soak() {
				continue
			}
			t.Run(setting+": "+name, func(t *testing.T) {
				st := studytest.NewStudy(t, studytest.BranchedSpace()...)
				st.Objectives[0].Transform = setting
				if setting != "auto" {
					st.Surrogate.Kernel.Name = "box"
				}
				confs := studytest.Sampled(t, st, 16)
				trials := append(studytest.Completed(confs[:10], values[name](studytest.Smooth(confs)[:10])),
					studytest.Numbered(studytest.PendingTrials(confs[10:13]), 11)...)
				c, s := newCycle(t, st), &journal.State{Trials: trials}
				a, err := c.Analyze(context.Background(), s)
				if study.HasCode(err, study.NoResult) {
					return // flat
				}
				must(t, err)
				checks++
				mean, std, stdNoisy := a.Predict(confs)
				var noisy []float64
				for i := range confs {
					noisy = append(noisy, stdNoisy(i))
				}
				st, r, err := c.Question(context.Background(), s)
				must(t, err)
				ranked, err := suggest.Rank(context.Background(), st, s.Trials, r, confs)
				must(t, err)
				for _, r := range ranked {
					mean, std = append(mean, r.Expected[0].Mean, r.Score), append(std, r.Expected[0].Std)
				}
				l := a.LeftOut()
				for what, list := range map[string][]float64{
					"means": mean, "deviations": std, "noisy deviations": noisy,
					"rating":   {a.Rating().RMSE, a.Rating().LogLoss, a.Rating().Coverage90},
					"left out": slices.Concat(l.Observed, l.Mean, l.Low, l.High, l.Level),
				} {
					for _, v := range list {
						if math.IsNaN(v) || math.IsInf(v, 0) {
							t.Errorf("%s: %v", what, list)
							break
						}
					}
				}
			})
		}
	}
	if checks < 35 || soak() && checks < 110 {
		t.Errorf("only %d surrogates", checks)
	}
}

// BenchmarkDegenerateSets lists the slowest cases under the default search; each is to take less than 2 s.
func BenchmarkDegenerateSets(b *testing.B) {
	cases := degenerateCases(b)
	took := make([]time.Duration, len(cases))
	for b.Loop() {
		for k, c := range cases {
			st := *c.study
			st.Acquisition.Candidates, st.Acquisition.Starts = 0, 0
			c.study = &st
			start := time.Now()
			c.run(b)
			took[k] = max(took[k], time.Since(start))
		}
	}
	order := make([]int, len(cases))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(took[b], took[a]) })
	for _, k := range order[:10] {
		b.Logf("%6.3f s  %s", took[k].Seconds(), cases[k].name)
	}
	b.ReportMetric(took[order[0]].Seconds(), "slowest-s")
}

// run checks the suggestion that a case leads to.
func (c degenerate) run(t testing.TB) {
	t.Helper()
	s, err := suggest.Next(context.Background(), c.study, c.trials,
		suggest.Request{Number: len(c.trials) + 1, Seed: 5, Sources: c.earlier})
	var end *study.Error
	switch {
	case c.over:
		if !errors.As(err, &end) || end.Code != study.Exhausted {
			t.Errorf("want the end of the study, got %v, %v", s, err)
		}
		return
	case err != nil:
		t.Error(err)
		return
	}
	studytest.Check(t, c.study, inside(c.trials), s.Config)
	if !strings.HasPrefix(s.Source, c.source) {
		t.Errorf("source %s, want %s", s.Source, c.source)
	}
	if _, err := json.Marshal(s.Fit); err != nil {
		t.Errorf("fit record: %v", err)
	}
	if _, err := json.Marshal(s.Plan); err != nil {
		t.Errorf("plan: %v", err)
	}
}

// inside are the trials whose configurations fit the space.
func inside(trials []study.Trial) []study.Trial {
	var out []study.Trial
	for _, trial := range trials {
		if !trial.Outside {
			out = append(out, trial)
		}
	}
	return out
}

// A degenerate case is trials that leave a surrogate little to hold on to.
type degenerate struct {
	name    string
	study   *study.Study
	trials  []study.Trial
	earlier []surrogate.Source // of a warm start
	source  string             // of the suggestion, its beginning
	over    bool               // nothing is left to suggest
}
