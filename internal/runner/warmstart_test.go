package runner_test

import (
	"math"
	"strings"
	"testing"

	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/suggest"
)

func bowlSpace() []space.Parameter {
	return []space.Parameter{studytest.Category("k", "a", "b", "c"), studytest.Number("x"), studytest.Number("y")}
}

func within(c space.Configuration, limit float64) bool {
	return c.Value[0] == 1 && math.Abs(c.Value[1]-0.3) < limit && math.Abs(c.Value[2]-0.7) < limit
}

// The trials of a related study, of another objective in the other direction, make the
// first suggestion good, and the next ones better than without them.
func TestWarmStart(t *testing.T) {
	old := studytest.NewStudy(t, bowlSpace()...)
	old.Objectives[0].Name, old.Objectives[0].Direction = "score", study.Maximize
	before := newCycle(t, old)
	play(t, before, 25, func(c space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: study.Values{{Name: "score", Value: 7 - studytest.Bowl(0.03, 1000)(c)}}}, ""
	})

	st := studytest.NewStudy(t, bowlSpace()...)
	st.WarmStart = &study.WarmStart{Journals: []string{before.Journal.Path}}
	c := newCycle(t, st)
	trials := play(t, c, 8, studytest.Value(studytest.Bowl(0, 1)))
	if first := trials[0]; first.Source != "model" || !within(first.Config, 0.15) {
		t.Errorf("the first suggestion is %s (%s)", st.Space.Key(first.Config), first.Source)
	}
	average := 0.0
	for _, tr := range trials[:6] {
		average += studytest.Bowl(0, 1)(tr.Config) / 6
	}
	if average > 0.1 { // measured: 0.04; at random 0.5
		t.Errorf("the first 6 suggestions come to %v on average", average)
	}
	s := mustRead(t, c)
	if best := st.Best(s.Trials, 1)[0].Values.Of("f"); best > 0.003 {
		t.Errorf("the best of 8 is %v", best)
	}
	replayed(t, c, 8)
	a, err := c.Analyze(t.Context(), s)
	must(t, err)
	if _, ok := a.Report.Hyper["task.beta"]; !ok {
		t.Errorf("no task.beta among %v", a.Report.Hyper)
	}
	mean, _, _ := a.Predict([]space.Configuration{trials[3].Config})
	if d := mean[0] - studytest.Bowl(0, 1)(trials[3].Config); !(math.Abs(d) <= 0.05) {
		t.Errorf("a tried configuration is predicted %v off", d)
	}
	gram, err := runner.Gram(st, a, []space.Configuration{trials[0].Config, trials[5].Config})
	if err != nil || gram[0][1] != gram[1][0] || !(gram[0][0] > 0) {
		t.Errorf("kernel matrix %v, %v", gram, err)
	}
	if e, _, err := c.Explain(t.Context(), "1", nil); err != nil || e.Observed == nil || *e.Observed != 0 {
		t.Errorf("explanation %+v, %v", e, err)
	}
	learning, request, err := c.Question(t.Context(), s)
	must(t, err)
	if r, _, err := suggest.Pick(t.Context(), learning, s.Trials, request,
		[]space.Configuration{trials[0].Config, {Value: []float64{1, 0.3, 0.7}, Active: []bool{true, true, true}}},
		1); err != nil || r[0].Tried {
		t.Errorf("picked %+v, %v", r, err)
	}
}

// A journal of the same objective in the other direction tells of the same number: what was
// best there is the worst here, and is not proposed.
func TestWarmStartOfTheOtherDirection(t *testing.T) {
	old := studytest.NewStudy(t, studytest.Number("x"))
	old.Objectives[0].Direction = study.Maximize
	before := newCycle(t, old)
	play(t, before, 20, studytest.Value(func(c space.Configuration) float64 { return c.Value[0] })) // best at 1
	for name, want := range map[string]string{
		"f": "has f to maximize, and this study to minimize: its values are those of the same f, so that its best is " +
			"bad here",
		"error": "has the objective f, to maximize: good values there count as good for error",
	} {
		st := studytest.NewStudy(t, studytest.Number("x"))
		st.Objectives[0].Name = name
		st.WarmStart = &study.WarmStart{Journals: []string{before.Journal.Path}}
		c := newCycle(t, st)
		_, warnings, err := runner.ReadWarmStart(c, t.Context())
		if err != nil || len(warnings) != 1 || !strings.HasSuffix(warnings[0], want) {
			t.Errorf("%s: %q, %v", name, warnings, err)
		}
		trials := mustSuggest(t, c, runner.Ask{N: 1})
		if x := trials[0].Config.Value[0]; (name == "f") != (x < 0.2) {
			t.Errorf("%s: x = %v is proposed first", name, x)
		}
	}
}

// An earlier study that says the opposite is overruled by this one's trials.
func TestWarmStartFromAnUnrelatedStudy(t *testing.T) {
	before := newCycle(t, studytest.NewStudy(t, bowlSpace()...))
	play(t, before, 15, studytest.Value(func(c space.Configuration) float64 { return -studytest.Bowl(0.2, 1)(c) }))
	st := studytest.NewStudy(t, bowlSpace()...)
	st.WarmStart = &study.WarmStart{Journals: []string{before.Journal.Path}}
	c := newCycle(t, st)
	trials := play(t, c, 30, studytest.Value(studytest.Bowl(0, 1)))
	if best := st.Best(observed(t, c), 1)[0].Values.Of("f"); best > 0.02 {
		t.Errorf("the best of %d is %v", len(trials), best)
	}
}

func observed(t *testing.T, c runner.Session) []study.Trial {
	t.Helper()
	s := mustRead(t, c)
	return s.Trials
}

// Studies share what they have in common: new parameters count as their default
// or the middle, dropped ones are dropped, impossible values leave trials out.
func TestEarlierTranslates(t *testing.T) {
	before := newCycle(t, studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x"),
		studytest.Number("gone")))
	play(t, before, 12, studytest.Value(func(c space.Configuration) float64 { return c.Value[1] }))

	x := studytest.Number("x")
	x.Low = 0.5 // half of the trials are impossible now
	half := 0.25
	y := studytest.Number("y")
	y.Default = &half
	st := studytest.NewStudy(t, x, studytest.Category("k", "b", "a"), y, studytest.When(studytest.Number("z"), 1, 1))
	st.WarmStart = &study.WarmStart{Journals: []string{before.Journal.Path}}
	st.Surrogate.Warping = "true"
	c := newCycle(t, st)
	earlier, warnings, err := runner.ReadWarmStart(c, t.Context())
	if err != nil || len(earlier) != 1 {
		t.Fatalf("%d earlier studies, %v", len(earlier), err)
	}
	e := earlier[0]
	fits := 0
	for _, tr := range observed(t, before) {
		if tr.Config.Value[1] < 0.5 {
			continue
		}
		conf := e.Configs[fits]
		wantK := 1 - tr.Config.Value[0]
		if conf.Value[0] != tr.Config.Value[1] || conf.Value[1] != wantK || conf.Value[2] != 0.25 ||
			conf.Active[3] != (wantK == 1) || conf.Active[3] && conf.Value[3] != 0.5 {
			t.Errorf("trial %d became %s", tr.Number, st.Space.Key(conf))
		}
		if e.Values[fits] != tr.Config.Value[1] {
			t.Errorf("trial %d has value %v", tr.Number, e.Values[fits])
		}
		fits++
	}
	if fits == 0 || fits == 12 || fits != len(e.Configs) {
		t.Fatalf("%d configurations, want %d of 12", len(e.Configs), fits)
	}
	all := strings.Join(warnings, "\n")
	if !strings.Contains(all, "warping is off") || !strings.Contains(all, "of 12 complete trials") {
		t.Errorf("warnings: %s", all)
	}
	play(t, c, 3, studytest.Value(func(c space.Configuration) float64 { return c.Value[0] }))

	st.WarmStart.Journals = []string{c.Journal.Path}
	if _, _, err := runner.ReadWarmStart(c, t.Context()); err == nil || !strings.Contains(err.Error(), "own journal") {
		t.Errorf("its own journal: %v", err)
	}
	st.WarmStart.Journals = []string{"/nowhere/old.jsonl"}
	if _, _, err := c.Suggest(t.Context(), runner.Ask{}); err == nil ||
		!strings.Contains(err.Error(), "there is no journal") {
		t.Errorf("a missing journal: %v", err)
	}
}
