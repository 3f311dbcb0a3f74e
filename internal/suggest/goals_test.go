package suggest

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"bohier/internal/gp"
	"bohier/internal/lists"
	"bohier/internal/pareto"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/surrogate"
)

// tradeoffs are objectives whose optima lie apart.
func tradeoffs(m int) studytest.Measure {
	return func(c space.Configuration) (study.Observation, study.Failure) {
		o := study.Observation{Values: study.Values{}}
		for k := range m {
			v := 0.0
			for i, x := range c.Value {
				if c.Active[i] {
					v += studytest.Sq(x - 0.2 - 0.6*float64((i+k)%m)/float64(m-1))
				}
			}
			o.Values.Set(string(rune('f'+k)), v)
		}
		return o, ""
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mustNext(t testing.TB, st *study.Study, trials []study.Trial, r Request) *study.Suggestion {
	t.Helper()
	s, err := Next(t.Context(), st, trials, r)
	must(t, err)
	return s
}

// mustFit is fitSurrogates.
func mustFit(t testing.TB, st *study.Study, trials []study.Trial, r Request) *surrogates {
	t.Helper()
	s, err := fitSurrogates(t.Context(), st, trials, r)
	must(t, err)
	return s
}

// told are n random trials of a study, measured.
func told(t testing.TB, st *study.Study, n int, m studytest.Measure) []study.Trial {
	t.Helper()
	trials := studytest.PendingTrials(studytest.Sampled(t, st, n))
	for k := range trials {
		trials[k].State = study.Complete
		trials[k].Observation, _ = m(trials[k].Config)
	}
	return trials
}

func suggested(t testing.TB, st *study.Study, trials []study.Trial) *study.Suggestion {
	t.Helper()
	s := mustNext(t, st, trials, Request{Number: len(trials) + 1, Seed: 3})
	studytest.Check(t, st, trials, s.Config)
	return s
}

// Whatever a study of several objectives has beside them, the surrogates suggest: two of
// them, in some cases more; BOHIER_SOAK=1 takes every case with three.
func TestSeveralObjectivesWithEverything(t *testing.T) {
	constrained := func(st *study.Study, trials []study.Trial) {
		st.Constraints = []study.Constraint{{Name: "c", Bound: 0.5}, {Name: "g", Bound: 0.6}}
		for k := range trials {
			trials[k].Values.Set("c", trials[k].Config.Value[1])
		}
	}
	cases := map[string]func(st *study.Study, trials []study.Trial){
		"alone":       func(*study.Study, []study.Trial) {},
		"constrained": constrained,
		"infeasible": func(st *study.Study, trials []study.Trial) {
			constrained(st, trials)
			st.Constraints[0].Bound = -1
		},
		"cost": func(st *study.Study, trials []study.Trial) {
			st.Cost = &study.Cost{Name: "cost", Exponent: 1}
			for k := range trials {
				cost := 1 + trials[k].Config.Value[1]
				trials[k].Cost = &cost
			}
		},
		"failures": func(_ *study.Study, trials []study.Trial) {
			for k := range 3 {
				trials[k].State, trials[k].Failure, trials[k].Values = study.Failed, study.Infeasible, nil
			}
		},
		"pending": func(_ *study.Study, trials []study.Trial) {
			for k := range 2 {
				trials[k].State, trials[k].Values = study.Pending, nil
			}
		},
		"plain":     func(st *study.Study, _ []study.Trial) { st.Policy.Plain = true },
		"parego":    func(st *study.Study, _ []study.Trial) { st.Acquisition.Name = "parego" },
		"reference": func(st *study.Study, _ []study.Trial) { r := 0.7; st.Objectives[0].Reference = &r },
		"prior": func(st *study.Study, _ []study.Trial) {
			st.Space.Param(1).Prior = &space.Prior{Mode: 0.3, Strength: "medium"}
		},
		"one point": func(_ *study.Study, trials []study.Trial) {
			for k := range trials[1:] {
				trials[k+1].Values = study.NamedOf(map[string]float64{"f": 9 + float64(k), "g": 9 + float64(k), "h": 9, "i": 9})
			}
		},
	}
	for name, apply := range cases {
		for _, m := range []int{2, 3, 4} {
			often := m == 3 && os.Getenv("BOHIER_SOAK") != ""
			if m > 2 && !often && name != "alone" && (m > 3 || name != "constrained" && name != "pending") {
				continue
			}
			t.Run(fmt.Sprint(name, m), func(t *testing.T) {
				t.Parallel()
				st := studytest.Several(t, m, "auto", studytest.TreeSpace()...)
				trials := told(t, st, 9, tradeoffs(m))
				apply(st, trials)
				s := suggested(t, st, trials)
				if s.Source == "initial" { // the mode of a prior
					s = suggested(t, st, append(trials, studytest.OutcomeOf(10, s, tradeoffs(m))))
				}
				if s.Source != "model" {
					t.Fatalf("source %s", s.Source)
				}
				if len(s.Plan.Objectives) != m || len(s.Fit.Objectives) == 0 {
					t.Errorf("plan of %d objectives, fits of %d", len(s.Plan.Objectives), len(s.Fit.Objectives))
				}
			})
		}
	}
}

// What says nothing about the front leaves the suggestion as it is.
func TestSeveralObjectivesMetamorphic(t *testing.T) {
	t.Parallel()
	changes := map[string]func(st *study.Study, trials []study.Trial){
		"scaled": func(_ *study.Study, trials []study.Trial) {
			for k := range trials {
				trials[k].Values.Set("g", math.Ldexp(trials[k].Values.Of("g"), 40))
			}
		},
		"moved": func(_ *study.Study, trials []study.Trial) {
			for k := range trials {
				trials[k].Values.Set("g", 3.7*trials[k].Values.Of("g")+11.3)
			}
		},
		"turned": func(st *study.Study, trials []study.Trial) {
			st.Objectives[1].Direction = study.Maximize
			for k := range trials {
				trials[k].Values.Set("g", -trials[k].Values.Of("g"))
			}
		},
		"permuted": func(st *study.Study, _ []study.Trial) {
			slices.Reverse(st.Objectives)
		},
	}
	for _, m := range []int{2, 3} {
		suggestion := func(apply func(*study.Study, []study.Trial)) []float64 {
			st := studytest.Several(t, m, "none", studytest.PlainSpace()...)
			trials := told(t, st, 11, tradeoffs(m))
			apply(st, trials)
			return suggested(t, st, trials).Config.Value
		}
		want := suggestion(func(*study.Study, []study.Trial) {})
		for name, apply := range changes {
			got := suggestion(apply)
			for i, v := range got {
				if off := math.Abs(v - want[i]); off > 1e-6 || off > 0 && name != "permuted" && name != "moved" { // sums of other order round
					t.Errorf("%s, %d objectives: %v instead of %v", name, m, got, want)
				}
			}
		}
	}
}

// The study of two equal objectives is that of one.
func TestEqualObjectives(t *testing.T) {
	st := studytest.Several(t, 2, "none", studytest.Number("x"))
	trials := told(t, st, 10, func(c space.Configuration) (study.Observation, study.Failure) {
		v := math.Sin(7*c.Value[0]) + studytest.Sq(c.Value[0])
		return study.Observation{Values: study.NamedOf(map[string]float64{"f": v, "g": v})}, ""
	})
	got, want := suggested(t, st, trials).Config.Value[0], suggested(t, st.For(0), trials).Config.Value[0]
	if !(math.Abs(got-want) <= 1e-3) {
		t.Errorf("%v, one objective alone %v", got, want)
	}
}

// Rules about one objective act on each for which they can.
func TestRulesOfEachObjective(t *testing.T) {
	st := studytest.Several(t, 2, "auto", studytest.Number("x"))
	st.Objectives[0].Transform = "log"
	p := policy.Decide(newView(readHistory(st, told(t, st, 8, tradeoffs(2)), Request{Number: 9}), Request{Number: 9}), policy.InForce(st))
	for k, want := range []bool{false, true} {
		if m := p.Objectives[k].Model.Spec; m.Winsorise != want {
			t.Errorf("objective %d is modelled by %+v", k, m)
		}
	}
}

// An objective whose values are all equal plays no part: the study of the others is left, with a warning.
func TestConstantObjectiveDropsOut(t *testing.T) {
	st := studytest.Several(t, 2, "none", studytest.PlainSpace()...)
	trials := told(t, st, 11, tradeoffs(2))
	for k := range trials {
		trials[k].Values.Set("g", 5)
	}
	s := suggested(t, st, trials)
	if len(s.Warnings) == 0 || !strings.Contains(s.Warnings[0], "objective g plays no part") {
		t.Errorf("warnings %q", s.Warnings)
	}
	one := suggested(t, st.For(0), trials)
	for i := range s.Config.Value {
		if !(math.Abs(s.Config.Value[i]-one.Config.Value[i]) <= 0.02) {
			t.Fatalf("%v, alone %v", s.Config.Value, one.Config.Value)
		}
	}
	for k := range trials {
		trials[k].Values.Set("f", 1)
	}
	if s = suggested(t, st, trials); s.Source != "fallback:flat" {
		t.Errorf("source %s where all values are equal", s.Source)
	}
}

// A new objective of a running study: trials without its value teach the others.
func TestNewObjective(t *testing.T) {
	st := studytest.Several(t, 2, "none", studytest.PlainSpace()...)
	trials := told(t, st, 12, tradeoffs(2))
	for k := range 6 {
		trials[k].Values.Delete("g")
	}
	h := readHistory(st, trials, Request{Number: 13})
	if len(h.Observed) != 6 || len(h.goals[0].Observed) != 12 || len(h.goals[1].Observed) != 6 {
		t.Errorf("%d trials with both, %d and %d with each", len(h.Observed), len(h.goals[0].Observed),
			len(h.goals[1].Observed))
	}
	if s := suggested(t, st, trials); s.Source != "model" {
		t.Errorf("source %s", s.Source)
	}
}

// The front is found: most of what can be dominated is, with few trials.
func TestSeveralObjectivesFindTheFront(t *testing.T) {
	t.Parallel()
	two := func(c space.Configuration) (study.Observation, study.Failure) {
		x, y := c.Value[0], c.Value[1]
		g := 1 + 3*y
		return study.Observation{Values: study.NamedOf(map[string]float64{"f": x, "g": g * (1 - math.Sqrt(x/g))})}, ""
	}
	var volumes []float64
	for seed := range uint64(5) {
		st := studytest.Several(t, 2, "auto", studytest.PlainSpace()...)
		trials := simulateSeed(t, st, seed, 22, two)
		st.Objectives[0].Reference, st.Objectives[1].Reference = new(1.1), new(1.1)
		volumes = append(volumes, st.Standing(study.Pointers(trials)).Front().Volume)
	}
	if lists.Median(volumes) < 0.83 { // 0.8767 at most
		t.Errorf("hypervolumes %v", volumes)
	}
}

// The reference point does not go beyond a bound on the objective, and a reference that
// was given counts once a trial is better.
func TestReferencePoint(t *testing.T) {
	st := studytest.Several(t, 2, "none", studytest.PlainSpace()...)
	trials := told(t, st, 10, tradeoffs(2))
	fit := func() scoring {
		s := mustFit(t, st, trials, Request{Number: 11, Seed: 1})
		return scoring{s}
	}
	front := [][]float64{{-1, 0}, {0, -2}}
	s := fit()
	if got := s.reference(front, 0); math.Abs(got[0]-1) > 1e-12 || math.Abs(got[1]-0.2) > 1e-12 {
		t.Errorf("reference %v, want two deviations beyond the ideal, and a tenth of the extent beyond the nadir", got)
	}
	if got := s.reference(front, 1); math.Abs(got[0]-1) > 1e-12 || math.Abs(got[1]-1) > 1e-12 {
		t.Errorf("reference %v, want a deviation beyond the nadir", got)
	}
	st.Objectives[0].Reference = new(s.goals[0].fit.Model.Units().Value(-0.5))
	if got := fit().reference(front, 0); !(math.Abs(got[0]+0.5) <= 1e-9) {
		t.Errorf("given and better: reference %v", got)
	}
	st.Objectives[0].Reference = new(s.goals[0].fit.Model.Units().Value(-1.5))
	if got := fit().reference(front, 0); !(math.Abs(got[0]-1) <= 1e-12) {
		t.Errorf("given and not reached: reference %v", got)
	}
	st.Objectives[0].Reference = nil
	st.Constraints = []study.Constraint{{Name: "g", Bound: s.goals[1].fit.Model.Units().Value(0.05)}}
	if got := fit().reference(front, 0); !(math.Abs(got[1]-0.05) <= 1e-9) {
		t.Errorf("bounded: reference %v", got)
	}
}

// The front is that of the values, where noise is not material, however little the means of the surrogates are off: of
// trials that share the least value of one objective, the best in the other.
func TestFrontOfMeasuredValues(t *testing.T) {
	st := studytest.Several(t, 2, "auto", studytest.PlainSpace()...)
	trials := told(t, st, 16, func(c space.Configuration) (study.Observation, study.Failure) {
		x, y := c.Value[0], c.Value[1]
		return study.Observation{Values: study.NamedOf(map[string]float64{"f": max(0, x-0.7), "g": x + y})}, ""
	})
	s := mustFit(t, st, trials, Request{Number: 17, Seed: 1})
	believed := make([][]*gp.Model, 2)
	for j, g := range s.goals {
		believed[j] = []*gp.Model{g.fit.Model}
	}
	means := meansOf(believed, feasiblePoints(st, s.h.Observed))
	off := len(pareto.Front(means[0]))
	s.measured(means, feasible(s.st, s.h.Observed))
	if got, want := len(pareto.Front(means[0])), len(st.Standing(study.Pointers(trials)).Front().Trials); got != want || off == want {
		t.Errorf("a front of %d, of means %d, want %d", got, off, want)
	}
}

// One suggestion in three reaches beyond the front.
func TestReachInTurns(t *testing.T) {
	st := studytest.Several(t, 2, "none", studytest.PlainSpace()...)
	trials := told(t, st, 12, tradeoffs(2))
	far := 0
	for n := 100; n < 130; n++ {
		r := Request{Number: n, Seed: 9}
		if policy.Decide(newView(readHistory(st, trials, Request{Number: n}), r), policy.InForce(st)).Reach > 0 {
			far++
		}
	}
	if far != 10 {
		t.Errorf("%d of 30 suggestions reach beyond the front, want 10", far)
	}
	st.Policy.Without = []string{"front.reach"}
	for n := 100; n < 103; n++ {
		if p := policy.Decide(newView(readHistory(st, trials, Request{Number: n}), Request{Number: n, Seed: 9}),
			policy.InForce(st)); p.Reach > 0 || studytest.Uses(p, "front.reach") {
			t.Errorf("suggestion %d reaches beyond the front though the rule is left out", n)
		}
	}
}

// A pending trial with a value of one objective teaches that one, and is believed in by the surrogates of the others.
func TestPartialTrialTeachesWhatItHas(t *testing.T) {
	st := studytest.Several(t, 2, "none", studytest.PlainSpace()...)
	trials := told(t, st, 12, tradeoffs(2))
	trials[11].State = study.Pending
	trials[11].Values.Delete("g")
	h := readHistory(st, trials, Request{Number: 13})
	if len(h.pending) != 1 || len(h.Observed) != 11 {
		t.Errorf("%d pending, %d with all", len(h.pending), len(h.Observed))
	}
	if f, g := h.goals[0], h.goals[1]; len(f.Observed) != 12 || len(f.pending) != 0 || len(g.Observed) != 11 ||
		len(g.pending) != 1 {
		t.Errorf("f: %d told, %d pending; g: %d and %d", len(f.Observed), len(f.pending), len(g.Observed), len(g.pending))
	}
	whole := slices.Clone(trials)
	whole[11].Values = nil
	if a, b := suggested(t, st, trials), suggested(t, st, whole); slices.Equal(a.Config.Value, b.Config.Value) {
		t.Errorf("%v with and without the value", a.Config.Value)
	}
}

// Each objective learns from what earlier studies measured under its name; the front is of
// own trials, so that the first one is a point of the design.
func TestSeveralObjectivesWarmStart(t *testing.T) {
	st := studytest.Several(t, 2, "none", studytest.PlainSpace()...)
	st.WarmStart = &study.WarmStart{Journals: []string{"old"}}
	old := told(t, st, 20, tradeoffs(2))
	source := surrogate.Source{Objective: "g"}
	for k := range old {
		source.Configs, source.Values = append(source.Configs, old[k].Config), append(source.Values, old[k].Values.Of("g"))
	}
	r := Request{Number: 1, Seed: 3, Sources: []surrogate.Source{source}}
	first, err := Next(t.Context(), st, nil, r)
	if err != nil || first.Source != "design" {
		t.Fatalf("first %+v, %v", first, err)
	}
	trials := []study.Trial{studytest.OutcomeOf(1, first, tradeoffs(2))}
	trials = append(trials, told(t, st, 3, tradeoffs(2))[2])
	trials[1].Number = 2
	r.Number = 3
	s, err := Next(t.Context(), st, trials, r)
	if err != nil || s.Source != "model" {
		t.Fatalf("third %+v, %v", s, err)
	}
	fits := mustFit(t, st, trials, r)
	for j, want := range []int{0, 1} { // only g was measured in the old study
		if got := len(fits.goals[j].h.Sources); got != want {
			t.Errorf("objective %d learns from %d earlier studies, want %d", j, got, want)
		}
	}
}

// Several configurations at the least value of an objective say that it is the least there
// is: the search does not go on to try others that are worse in the rest.
func TestLeastValueOfAnObjective(t *testing.T) {
	st := studytest.Several(t, 2, "auto", studytest.Number("x"), studytest.Number("y"))
	edge := func(c space.Configuration) (study.Observation, study.Failure) { // f is 0 in half of the space
		x, y := c.Value[0], c.Value[1]
		f := max(0, 0.5-x) * math.Cos(1e-9*y)
		return study.Observation{Values: study.NamedOf(map[string]float64{"f": f, "g": 1 + x + studytest.Sq(y-0.6)})}, ""
	}
	trials := told(t, st, 12, edge)
	ties := 0
	for k := range trials {
		if trials[k].Values.Of("f") == 0 {
			ties++
			trials[k].Values.Set("f", 1e-17*float64(k)) // up to rounding
		}
	}
	plan := planned(st, trials, Request{Number: 13, Seed: 3})
	if want := min(1, 0.2*float64(ties-1)); ties < 4 || plan.Objectives[0].Xi != want || plan.Objectives[1].Xi != 0 {
		t.Errorf("ξ of %+v, want %v for the first of %d ties", plan.Objectives, want, ties)
	}
	if got := plan.Objectives[0].Model.Spec.Transform; got != "none" {
		t.Errorf("the transform is %s", got)
	}
	equal := []*study.Trial{{Config: trials[0].Config}, {Config: trials[1].Config}, {Config: trials[1].Config}}
	if n := floored(st.For(0), equal); n != 2 {
		t.Errorf("%d of two configurations share the value that all have", n)
	}
	with := suggested(t, st, trials)
	st.Policy.Without = []string{"xi.floor"}
	if without := suggested(t, st, trials); with.Config.Equal(without.Config) {
		t.Errorf("%v is suggested whether the rule acts or not", with.Config.Value)
	}
}
