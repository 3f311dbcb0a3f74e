package suggest

import (
	"context"
	"slices"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// `design: lhs` is one Latin hypercube of exactly as many points as there are trials of
// the design, those that the study asks for, or the one of its defaults, come before it.
func TestLatinDesign(t *testing.T) {
	for own := range 3 {
		st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
		st.Initial.Design, st.Initial.Count = "lhs", 9
		if own == 1 {
			st.Space.Param(0).Default = new(0.1)
		}
		for k := range own / 2 * 2 {
			st.Initial.Points = append(st.Initial.Points, space.Assignment{0: 0.1 * float64(k), 1: 0.5})
		}
		trials := simulate(t, st, 9, studytest.Value(func(c space.Configuration) float64 { return c.Value[0] }))
		n, parts := 9-own, map[int]bool{}
		for k, tr := range trials {
			if (tr.Source == "initial") != (k < own) {
				t.Errorf("trial %d comes from %s", k+1, tr.Source)
			}
			if k >= own {
				parts[int(tr.Config.Value[0]*float64(n))] = true
			}
		}
		if len(parts) != n {
			t.Errorf("after %d points of its own %d points lie in %d parts of the range", own, n, len(parts))
		}
	}
}

// In place of a design point that was tried comes a later one of the same design.
func TestDesignPointThatWasTried(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	point := func(at int) space.Configuration {
		c, err := st.Space.DesignPoint("halton", 3, st.Initial.Count, at)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	trials := studytest.Completed([]space.Configuration{point(1)}, []float64{1})
	s, err := Next(t.Context(), st, trials, Request{Number: 2, Seed: 3})
	if err != nil || s.Source != "design" || !s.Config.Equal(point(1+designStride)) {
		t.Errorf("%+v, %v; want %v", s, err, point(1+designStride))
	}
}

// A hypercube stays whole where trials of the design fail for no fault of theirs or are
// abandoned: their parts come again after all others, once.
func TestLatinDesignIsWhole(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
	st.Initial.Design, st.Initial.Count = "lhs", 7
	ctx, trials := context.Background(), []study.Trial(nil)
	next := func(told []study.Trial) *study.Suggestion {
		t.Helper()
		s, err := Next(ctx, st, told, Request{Number: len(told) + 1, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	parts, complete := map[int]bool{}, 0
	for complete < 7 {
		s := next(trials)
		if s.Source != "design" {
			t.Fatalf("trial %d comes from %s", len(trials)+1, s.Source)
		}
		tr := study.Trial{Number: len(trials) + 1, Config: s.Config, Source: s.Source, State: study.Complete,
			Observation: study.Observation{Values: map[string]float64{"f": s.Config.Value[0]}}}
		switch tr.Number {
		case 2:
			tr.State, tr.Failure, tr.Values = study.Failed, study.Transient, nil
		case 4:
			tr.State, tr.Values = study.Abandoned, nil
		default:
			parts[int(7*s.Config.Value[0])], complete = true, complete+1
		}
		trials = append(trials, tr)
	}
	if len(parts) != 7 {
		t.Errorf("7 points lie in %d parts of the range", len(parts))
	}
	// Who asks at once gets different points, and the one lost twice comes no more.
	reserved := append(slices.Clone(trials[:7]), study.Trial{Number: 8, State: study.Reserved})
	one, other := next(trials[:7]), next(reserved)
	if one.Config.Value[0] == other.Config.Value[0] {
		t.Errorf("two who ask at once get %v", one.Config.Value)
	}
	lost := trials[1]
	lost.Number = 8
	if s := next(append(slices.Clone(trials[:7]), lost)); s.Config.Value[0] == lost.Config.Value[0] {
		t.Errorf("lost twice, suggested again: %v", s.Config.Value)
	}
}

// A hypercube is whole, too, where what was lost is the study's own point or a measurement
// once more: numbers of trials then run ahead of the points.
func TestLatinDesignIsWholeAfterOtherLosses(t *testing.T) {
	for _, source := range []string{"initial", SourceReplicate} {
		st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
		st.Initial.Design, st.Initial.Count = "lhs", 6
		if source == "initial" {
			st.Initial.Count, st.Initial.Points = 7, []space.Assignment{{0: 0.1, 1: 0.5}}
		} else {
			st.Replicates.Each = 2
		}
		var trials []study.Trial
		left, parts := 2, [2]map[int]bool{{}, {}} // to lose, parts of the ranges with a point
		for {
			s, err := Next(t.Context(), st, trials, Request{Number: len(trials) + 1, Seed: 5})
			if err != nil {
				t.Fatal(err)
			}
			if s.Source == "model" {
				break
			}
			tr := study.Trial{Number: len(trials) + 1, Config: s.Config, Source: s.Source, State: study.Complete,
				Observation: study.Observation{Values: map[string]float64{"f": s.Config.Value[0]}}}
			switch {
			case s.Source == source && left > 0:
				tr.State, tr.Failure, tr.Values, left = study.Failed, study.Transient, nil, left-1
			case s.Source == "design":
				for i, v := range s.Config.Value {
					parts[i][int(6*v)] = true
				}
			}
			trials = append(trials, tr)
		}
		if left != 0 || len(parts[0]) != 6 || len(parts[1]) != 6 {
			t.Errorf("%d of %s left to lose, points in the parts %v", left, source, parts)
		}
	}
}

// While all values are equal the search goes on with a low-discrepancy design, whatever the
// first trials were: every 16th of each range has its share, which plain draws miss.
func TestFlatValuesAreSpread(t *testing.T) {
	for _, design := range []string{"", "random", "lhs", "halton"} {
		st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
		st.Initial.Design, st.Initial.Count = design, 5
		trials := simulate(t, st, 69, studytest.Value(func(space.Configuration) float64 { return 1 }))
		var parts [2][16]int
		for _, tr := range trials[5:] { // 64
			if tr.Source != "fallback:flat" {
				t.Fatalf("trial %d comes from %s", tr.Number, tr.Source)
			}
			for i := range parts {
				parts[i][min(15, int(16*tr.Config.Value[i]))]++
			}
		}
		for i := range parts {
			if least, most := slices.Min(parts[i][:]), slices.Max(parts[i][:]); least < 2 || most > 6 {
				t.Errorf("design %q: the 16 parts of parameter %d have %v of 64 points", design, i, parts[i])
			}
		}
	}
}
