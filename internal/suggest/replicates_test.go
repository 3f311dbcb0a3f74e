package suggest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// repeated are n trials of a study in which configurations are measured again.
func repeated(t *testing.T, st *study.Study, n int, m studytest.Measure) (trials []study.Trial) {
	t.Helper()
	var warm *study.FitRecord
	for len(trials) < n {
		s, err := Next(t.Context(), st, trials, Request{Number: len(trials) + 1, Seed: 3, Warm: warm})
		if err != nil {
			t.Fatalf("trial %d: %v", len(trials)+1, err)
		}
		if s.Fit != nil {
			warm = s.Fit
		}
		trials = append(trials, studytest.OutcomeOf(len(trials)+1, s, m))
	}
	return trials
}

// With replicates: 3 every configuration is measured three times before the next, in the
// initial design and after it; one that failed as infeasible is not.
func TestEveryConfigurationThreeTimes(t *testing.T) {
	st := studytest.NewStudy(t, studytest.PlainSpace()...)
	st.Replicates.Each = 3
	st.Initial.Count = 2
	rng := rand.New(rand.NewPCG(1, 2))
	noisy := func(c space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: study.Values{{Name: st.Objective().Name, Value: c.Value[0] + 0.1*rng.NormFloat64()}}}, ""
	}
	trials := repeated(t, st, 12, noisy)
	for k := range trials {
		first := trials[k/3*3]
		if !trials[k].Config.Equal(first.Config) || (trials[k].Source == SourceReplicate) != (k%3 > 0) {
			t.Errorf("trial %d is %v of %s, the first of its three %v", k+1, trials[k].Config.Value, trials[k].Source,
				first.Config.Value)
		}
		if k%3 == 0 && k > 0 && trials[k].Config.Equal(trials[k-1].Config) {
			t.Errorf("trial %d repeats what was measured three times", k+1)
		}
	}
	if trials[3].Source != "design" || trials[6].Source != "model" {
		t.Errorf("sources %s and %s", trials[3].Source, trials[6].Source)
	}
	trials = trials[:10]
	trials[9].State, trials[9].Failure, trials[9].Values = study.Failed, study.Infeasible, nil
	if s, err := Next(t.Context(), st, trials, Request{Number: 11, Seed: 3}); err != nil || s.Source == SourceReplicate {
		t.Errorf("an infeasible configuration is measured again")
	}
}

// On a finite space with noise, repeats go to the configurations that may be best, the space is not exhausted, and the
// right one is found more often than by single measurements.
func TestRepeatsOnAFiniteSpace(t *testing.T) {
	values := []float64{0.5, 0.1, 0.9, 0, 0.7, 0.3, 0.8, 0.6}
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	st := studytest.NewStudy(t, space.Parameter{Name: "k", Kind: space.Categorical, Values: names})
	st.Replicates = study.NewReplicates()
	st.Objectives[0].Transform, st.Objectives[0].Noise.SD, st.Budget.Trials = "none", 0.2, 32
	rng := rand.New(rand.NewPCG(3, 4))
	trials := repeated(t, st, 32, func(c space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: study.Values{{Name: st.Objective().Name, Value: values[int(c.Value[0])] +
			0.2*rng.NormFloat64()}}}, ""
	})
	n, again := make([]int, len(names)), 0
	for k := range trials {
		n[int(trials[k].Config.Value[0])]++
		if trials[k].Source == SourceReplicate {
			again++
		}
	}
	if again < 20 || n[3]+n[1] < 10 || n[3] < 5 {
		t.Errorf("%d repeats; measured %v times, want the 2nd and the 4th most", again, n)
	}
}

// Elsewhere the best of the initial design is measured again, once, unless values are known to be noisy.
func TestProbeAfterTheDesign(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Replicates = study.NewReplicates()
	design := policy.InitialCount(st)
	for _, known := range []bool{false, true} {
		trials := repeated(t, st, design+3, func(c space.Configuration) (study.Observation, study.Failure) {
			o := study.Observation{Values: study.Values{{Name: st.Objective().Name, Value: studytest.Sq(c.Value[0] - 0.3)}}}
			if known {
				o.Stderr = new(0.1)
			}
			return o, ""
		})
		again := trials[design]
		if probe := again.Source == SourceReplicate; probe == known ||
			probe && !again.Config.Equal(st.Best(trials[:design], 1)[0].Config) {
			t.Errorf("noise known %v: after the design %v of %s", known, again.Config.Value, again.Source)
		}
		for _, later := range trials[design+1:] {
			if !known && later.Source == SourceReplicate {
				t.Errorf("trial %d is another repeat of exact values", later.Number)
			}
		}
	}
}

// Where every configuration was measured once, the best one is measured again, to see
// whether values are noisy; the space is exhausted where they are not.
func TestRepeatOfAnExhaustedSpace(t *testing.T) {
	st := studytest.NewStudy(t, space.Parameter{Name: "k", Kind: space.Int, High: 7})
	st.Replicates = study.NewReplicates()
	for _, noise := range []float64{0, 1e-3} {
		measured := 0.0
		trials := repeated(t, st, 9, func(c space.Configuration) (study.Observation, study.Failure) {
			measured++
			return study.Observation{Values: study.Values{{Name: st.Objective().Name, Value: studytest.Sq(c.Value[0]-5) +
				noise*measured}}}, ""
		})
		if last := trials[8]; last.Source != SourceReplicate || last.Config.Value[0] != 5 {
			t.Errorf("after all configurations %v of %s, want the best again", last.Config.Value, last.Source)
		}
		s, err := Next(t.Context(), st, trials, Request{Number: 10, Seed: 3})
		if again := err == nil && s.Source == SourceReplicate; again != (noise > 0) ||
			!again && !study.HasCode(err, study.Exhausted) {
			t.Errorf("noise %v: %+v, %v", noise, s, err)
		}
	}
	st.Objectives[0].Noise.None = true
	trials := told(t, st, 8, func(c space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: study.Values{{Name: st.Objective().Name, Value: c.Value[0]}}}, ""
	})
	for k := range trials {
		trials[k].Config.Value[0] = float64(k)
	}
	if s, err := Next(t.Context(), st, trials, Request{Number: 9, Seed: 3}); !study.HasCode(err, study.Exhausted) {
		t.Errorf("without noise: %+v, %v", s, err)
	}
}

// Of several objectives, repeats go to what may be on the front, to all parts of it.
func TestRepeatsOfSeveralObjectives(t *testing.T) {
	values := [][]float64{{0.9, 0.9}, {0, 0.8}, {0.8, 0.85}, {0.3, 0.3}, {1, 0.7}, {0.8, 0}, {0.7, 1}, {0.95, 0.6}}
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	st := studytest.Several(t, 2, "none", space.Parameter{Name: "k", Kind: space.Categorical, Values: names})
	for j := range st.Objectives {
		st.Objectives[j].Noise.SD = 0.2
	}
	st.Replicates, st.Budget.Trials = study.NewReplicates(), 32
	st.Replicates.Most = 8
	rng := rand.New(rand.NewPCG(3, 4))
	trials := repeated(t, st, 32, func(c space.Configuration) (study.Observation, study.Failure) {
		v := values[int(c.Value[0])]
		return study.Observation{Values: study.NamedOf(map[string]float64{"f": v[0] + 0.2*rng.NormFloat64(),
			"g": v[1] + 0.2*rng.NormFloat64()})}, ""
	})
	n, again := make([]int, len(names)), 0
	for k := range trials {
		n[int(trials[k].Config.Value[0])]++
		if trials[k].Source == SourceReplicate {
			again++
		}
	}
	if again < 20 || n[1] < 3 || n[3] < 4 || n[5] < 3 || n[1]+n[3]+n[5] < 18 || slices.Max(n) > 8 {
		t.Errorf("%d repeats; measured %v times, want the 2nd, 4th and 6th most, 8 times at most", again, n)
	}
}

// The gain of a measurement is 0 where values are exact and known, and larger where less is known among equals.
func TestGainsOfMeasurements(t *testing.T) {
	st := studytest.NewStudy(t, studytest.PlainSpace()...)
	st.Objectives[0].Transform, st.Objectives[0].Noise.SD = "none", 0.2
	rng := rand.New(rand.NewPCG(5, 6))
	trials := told(t, st, 12, func(c space.Configuration) (study.Observation, study.Failure) {
		return study.Observation{Values: study.Values{{Name: st.Objective().Name, Value: studytest.Sq(c.Value[0]-0.5) +
			0.2*rng.NormFloat64()}}}, ""
	})
	s := mustFit(t, st, trials, Request{Number: 13, Seed: 1})
	all := groups(s.h)
	if len(all) != 12 {
		t.Fatalf("%d configurations", len(all))
	}
	w, err := choice{scoring{s}}.rating(choice{scoring{s}}.pointsAt(all))
	must(t, err)
	gains, err := w.gains(choice{scoring{s}}.pointsAt(all))
	must(t, err)
	for k, g := range gains {
		if !(g >= 0) || math.IsInf(g, 0) {
			t.Errorf("gain %d is %v", k, g)
		}
	}
	known := trials
	for k := range known { // each measured twenty times more, alike
		for range 20 {
			known[k].Replicates = append(known[k].Replicates, known[k].Observation)
		}
	}
	if s, err = fitSurrogates(t.Context(), st, known, Request{Number: 13, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	if w, err = (choice{scoring{s}}).rating((choice{scoring{s}}).pointsAt(all)); err != nil {
		t.Fatal(err)
	}
	after, err := w.gains(choice{scoring{s}}.pointsAt(groups(s.h)))
	must(t, err)
	before, now := 0.0, 0.0
	for k := range gains {
		before, now = before+gains[k], now+after[k]
	}
	if !(now < before/2) {
		t.Errorf("gains of %v in all, after twenty measurements more of each %v", before, now)
	}
}
