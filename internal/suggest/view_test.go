package suggest

import (
	"fmt"
	"slices"
	"testing"

	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/surrogate"
)

// Fixed values leave no region to choose; a study without trials enough has none.
func TestNoRegion(t *testing.T) {
	st := studytest.NewStudy(t, studytest.TreeSpace()...)
	st.Initial.Count = 8
	leader := slices.DeleteFunc(studytest.Sampled(t, st, 40),
		func(c space.Configuration) bool { return c.Value[0] != 0 })[:8]
	trials := studytest.Completed(leader, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	for _, c := range []struct {
		trials int
		fixed  space.Assignment
		want   bool
	}{{8, nil, true}, {7, nil, false}, {8, space.Assignment{0: 0}, false}} {
		v := newView(readHistory(st, trials[:c.trials], Request{Number: 9}), Request{Number: 9, Fixed: c.fixed})
		region := false
		for v.Number = 1; v.Number <= 30; v.Number++ {
			region = region || policy.Decide(v, policy.InForce(st)).Region != nil
		}
		if region != c.want {
			t.Errorf("%d trials, fixed %v: a region: %v", c.trials, c.fixed, region)
		}
	}
}

// A suggestion is poor if more than three times as many results before it beat it as it beats; equal values, values
// that no other dominates and trials of the design count for neither.
func TestPoorSuggestions(t *testing.T) {
	one, two := studytest.NewStudy(t, studytest.Number("x")), studytest.Several(t, 2, "none", studytest.Number("x"))
	for _, c := range []struct {
		what   string
		st     *study.Study
		values [][]float64 // nil: failed as infeasible
		want   int
	}{
		{"the worst", one, [][]float64{{1}, {2}, {3}, {4}}, 1},
		{"better than one of four", one, [][]float64{{1}, {2}, {3}, {5}, {4}}, 0},
		{"better than one of five", one, [][]float64{{1}, {2}, {3}, {3.5}, {5}, {4}}, 1},
		{"equal to the worst", one, [][]float64{{1}, {4}, {4}, {4}}, 1},
		{"equal to all", one, [][]float64{{1}, {1}, {1}, {1}}, 0},
		{"failed", one, [][]float64{{1}, {2}, {3}, nil}, 1},
		{"made with two results and a failure", one, [][]float64{nil, {1}, {2}, nil}, 0},
		{"failed like the others", one, [][]float64{nil, nil, nil, nil}, 0},
		{"a trade-off", two, [][]float64{{1, 9}, {2, 8}, {3, 7}, {9, 1}}, 0},
		{"reported in part", two, [][]float64{{1, 9}, {2, 8}, {3, 7}, {9}}, 0},
		{"dominated", two, [][]float64{{1, 9}, {2, 8}, {3, 7}, {9, 9}}, 1},
	} {
		var trials []study.Trial
		for k, v := range c.values {
			o := study.Trial{Number: k + 1, Source: "initial", State: study.Complete, Config: studytest.Sampled(t, c.st, 1)[0]}
			for i, y := range v {
				o.Values = o.Values.With(study.Values{{Name: c.st.Objectives[i].Name, Value: y}})
			}
			if v == nil {
				o.State, o.Failure = study.Failed, study.Infeasible
			}
			if k == len(c.values)-1 {
				o.Source = "model"
			}
			trials = append(trials, o)
		}
		h := readHistory(c.st, trials, Request{Number: len(trials) + 1})
		if got := poor(h, 3); got != c.want {
			t.Errorf("%s: %d poor suggestions, want %d", c.what, got, c.want)
		}
		if got := poor(h, len(trials)); got != 0 {
			t.Errorf("%s: a suggestion before the count began is poor", c.what)
		}
		for k := range c.st.Objectives { // asked about one objective alone
			if got := poor(readHistory(c.st.For(k), trials, Request{}), 3); got != c.want {
				t.Errorf("%s: %d poor suggestions for objective %d, want %d", c.what, got, k, c.want)
			}
		}
		for k := range trials[:len(trials)-1] {
			trials[k].Outside = true
		}
		if got := poor(readHistory(c.st, trials, Request{}), 0); got != 0 {
			t.Errorf("%s: a suggestion is poor beside trials that do not fit or were measured under another context", c.what)
		}
	}
}

// The best trial is in the middle if all of its active numbers are, whatever the surrogate has found since.
func TestBestInMiddle(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b"), studytest.Number("x"),
		space.Parameter{Name: "n", Kind: space.Int, Low: 1, High: 100, Scale: space.Log})
	point := func(source string, x, n, f float64) study.Trial {
		return study.Trial{State: study.Complete, Source: source,
			Observation: study.Observation{Values: study.Values{{Name: "f", Value: f}}},
			Config:      space.Configuration{Value: []float64{1, x, n}, Active: []bool{true, true, true}}}
	}
	middle, edge := point("initial", 0.5, 10, 2), point("initial", 0.5, 50, 3)
	for _, c := range []struct {
		what   string
		trials []study.Trial
		want   bool
	}{
		{"no trial", nil, false},
		{"the middle is the best", []study.Trial{edge, middle}, true},
		{"a number is not in the middle", []study.Trial{edge}, false},
		{"another point is better", []study.Trial{middle, point("initial", 0.2, 10, 1)}, false},
		{"a reported trial is better", []study.Trial{middle, point("added", 0.2, 10, 1)}, false},
		{"a suggestion is better", []study.Trial{middle, point("model", 0.2, 10, 1)}, true},
		{"a suggestion measured again is better",
			[]study.Trial{middle, point("model", 0.2, 10, 1), point(SourceReplicate, 0.2, 10, 1)}, true},
	} {
		trials := studytest.Numbered(c.trials, 1)
		if got := bestInMiddle(readHistory(st, trials, Request{Number: len(trials) + 1})); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	step := studytest.Number("x")
	step.Step = 0.5
	st = studytest.NewStudy(t, step, studytest.When(studytest.Number("y"), 0, 0.3))
	trials := studytest.Completed([]space.Configuration{{Value: []float64{0.3, 0.4}, Active: []bool{true, true}}},
		[]float64{1})
	if bestInMiddle(readHistory(st, trials, Request{Number: 2})) {
		t.Error("a configuration off the grid is its own middle")
	}
	st = studytest.NewStudy(t, studytest.Number("x"), studytest.When(studytest.Category("k", "a", "b"), 0, 0.2))
	c := space.Configuration{Value: []float64{0.2, 1}, Active: []bool{true, true}}
	trials = studytest.Numbered([]study.Trial{{State: study.Complete, Config: c,
		Observation: study.Observation{Values: study.Values{{Name: "f", Value: 1}}}}}, 1)
	if bestInMiddle(readHistory(st, trials, Request{Number: 2})) {
		t.Error("a configuration without numbers that could be in a middle is in the middle")
	}
}

// A view counts the trials of branches.
func TestView(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Category("k", "a", "b", "c"), studytest.Category("j", "p", "q", "r"),
		studytest.When(studytest.Category("m", "u", "v"), 0, 2), studytest.Number("x"))
	trial := func(f, k, j, m float64) study.Trial {
		return study.Trial{State: study.Complete, Observation: study.Observation{Values: study.Values{{Name: "f", Value: f}}},
			Config: space.Configuration{Value: []float64{k, j, m, 0.5}, Active: []bool{true, true, k == 2, true}}}
	}
	var trials []study.Trial
	for range 12 {
		trials = append(trials, trial(9, 2, 1, 0), trial(8, 2, 2, 0))
	}
	for n := range 12 {
		trials = append(trials, trial(1-float64(n)/10, 0, 0, 0), trial(5, 1, 0, 0), trial(6, 0, 2, 0))
	}
	trials = studytest.Numbered(trials, 1)
	view := func() *policy.View {
		return newView(readHistory(st, trials, Request{Number: len(trials) + 1}), Request{Number: len(trials) + 1, Seed: 1})
	}
	v := view()
	if v.Best != 58 || v.Observed != 60 {
		t.Errorf("%+v", v)
	}
	if b := v.Branches; len(b) != 2 || b[0].Tried != 36 || b[0].Best != 58 || b[0].Rank != 1 ||
		b[1].Tried != 24 || b[1].Best != 2 || b[1].Rank != 2 {
		t.Errorf("branches %+v", b)
	}
	var got []string
	for _, b := range slices.Concat(v.Values[1], v.Values[2]) {
		got = append(got, fmt.Sprint(b.Values, b.Tried, b.Best, b.Rank))
	}
	if want := []string{ // k decides whether there is m, and the best trials have none
		"[{j [p]}] 24 58 1", "[{j [q]}] 12 1 3", "[{j [r]}] 24 27 2", "[{m [u]}] 24 2 2", "[{m [v]}] 0 0 3",
	}; !slices.Equal(got, want) {
		t.Errorf("values %q, want %q", got, want)
	}
	for k := range trials { // a study whose parameters were changed
		trials[k].Outside = true
	}
	if b := view().Branches; b[0].Tried != 0 || b[1].Tried != 0 || b[0].Best != 0 || b[1].Best != 0 || b[0].Rank != 1 ||
		b[1].Rank != 1 {
		t.Errorf("where no trial fits the space: %+v", b)
	}
}

// Less is not better where the objective is maximised, what is infeasible does not count,
// and of equals the first is the best.
func TestBestOf(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Constraints = []study.Constraint{{Name: "c", Bound: 1}}
	number := 0
	trial := func(x, f, c float64) *study.Trial {
		number++
		return &study.Trial{Number: number, State: study.Complete,
			Config:      space.Configuration{Value: []float64{x}, Active: []bool{true}},
			Observation: study.Observation{Values: study.NamedOf(map[string]float64{"f": f, "c": c})}}
	}
	best := func(told []*study.Trial) int {
		return (&history{st: st, known: &results{}, Data: surrogate.Data{Observed: told}}).best()
	}
	told := []*study.Trial{trial(0.1, 1, 0), trial(0.2, 1, 0), trial(0.3, 2, 0), trial(0.4, 0, 2), trial(0.5, 1, 2)}
	if got := best(told); got != 1 {
		t.Errorf("minimised: %d", got)
	}
	st.Objectives[0].Direction = study.Maximize
	if got := best(told); got != 3 {
		t.Errorf("maximised: %d", got)
	}
	if got := best(told[3:]); got != 0 {
		t.Errorf("nothing feasible: %d", got)
	}
}

// Each of several objectives has a best trial of its own.
func TestBestOfEach(t *testing.T) {
	st := studytest.Several(t, 2, "auto", studytest.PlainSpace()...)
	trials := told(t, st, 8, tradeoffs(2))
	v := newView(History(st, trials, Request{Number: 9}), Request{Number: 9})
	for k, ob := range st.Objectives {
		if want := st.For(k).Best(trials, 1)[0].Number; v.Goals[k].Best != want {
			t.Errorf("%s: trial %d, want %d", ob.Name, v.Goals[k].Best, want)
		}
	}
	if v.Goals[0].Best == v.Goals[1].Best {
		t.Errorf("trial %d is the best of both", v.Best)
	}
}
