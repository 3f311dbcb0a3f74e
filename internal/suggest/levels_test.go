package suggest

import (
	"fmt"
	"math"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// The surrogate sees a trial at the levels that it has reached and at its highest resource, or
// at all of its points; configurations are compared at the highest level with three trials,
// else the lowest with any, or the one that the study names.
func TestRowsOfCurves(t *testing.T) {
	for name, c := range map[string]struct {
		change func(f *study.Fidelity)
		upTo   []float64
		rows   string // the number of rows by resource
		at     float64
	}{
		"none":            {nil, nil, "map[]", 27},
		"one":             {nil, []float64{1}, "map[1:1]", 1},
		"lowest":          {nil, []float64{1, 1, 1}, "map[1:3]", 1},
		"two at three":    {nil, []float64{3, 3, 1}, "map[1:3 3:2]", 1},
		"three at three":  {nil, []float64{3, 3, 3, 9}, "map[1:4 3:4 9:1]", 3},
		"two complete":    {nil, []float64{27, 27, 3}, "map[1:3 3:3 9:2 27:2]", 3},
		"three complete":  {nil, []float64{27, 27, 27}, "map[1:3 3:3 9:3 27:3]", 27},
		"between levels":  {nil, []float64{2, 5}, "map[1:2 2:1 3:1 5:1]", 1},
		"all points":      {func(f *study.Fidelity) { f.Use = "all" }, []float64{2, 2, 2}, "map[1:3 2:3]", 1},
		"final":           {func(f *study.Fidelity) { f.Model = "final" }, []float64{27, 3}, "map[27:1]", 27},
		"full":            {func(f *study.Fidelity) { f.AcquireAt = "full" }, []float64{1}, "map[1:1]", 27},
		"a level":         {func(f *study.Fidelity) { f.AcquireAt = "9" }, []float64{1}, "map[1:1]", 9},
		"surrogate looks": {func(f *study.Fidelity) { f.Start = study.StartAuto }, []float64{3, 3, 3}, "map[3:3]", 27},
		"a level of looks": {func(f *study.Fidelity) { f.Start, f.AcquireAt = study.StartAuto, "3" }, []float64{9},
			"map[3:1 9:1]", 3},
	} {
		st, trial := epochs(t, studytest.Number("x"))
		st.Fidelity.Start = study.StartLow
		if c.change != nil {
			c.change(&st.Fidelity)
		}
		var trials []study.Trial
		for k, r := range c.upTo {
			tr := trial(k+1, space.Configuration{Value: []float64{float64(k) / 10}, Active: []bool{true}}, r)
			if tr.Course.Find(r) == nil {
				tr.Course.Put(study.Point{Resource: r, Seq: 10*k + 15, Observation: tr.Observation})
			}
			trials = append(trials, tr)
		}
		h, rows := readHistory(st, trials, Request{}), map[float64]int{}
		for _, row := range h.Rows {
			rows[row.Resource]++
		}
		if got := fmt.Sprint(rows); got != c.rows || h.At != c.at {
			t.Errorf("%s: %s, compared at %v; want %s and %v", name, got, h.At, c.rows, c.at)
		}
	}
}

// Trials under way are believed to come out at full resource, each once: those with a curve, and those without.
func TestPendingCurvesAreBelieved(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"))
	var trials []study.Trial
	for k, x := range []float64{0.1, 0.3, 0.55, 0.75, 0.95, 0.2, 0.41, 0.6, 0.85} {
		trials = append(trials, trial(k+1, space.Configuration{Value: []float64{x}, Active: []bool{true}},
			map[bool]float64{true: 27, false: 3}[k < 5]))
	}
	for k := range trials[6:] {
		trials[6+k].State, trials[6+k].Values = study.Pending, nil
	}
	trials[7].Course, trials[8].Course = nil, nil
	s := mustFit(t, st, trials, Request{Number: 10, Seed: 3})
	if believed := (scoring{s}).pendingPoints(nil); believed.Len() != 4 {
		t.Errorf("%d are believed", believed.Len())
	}
}

// Constraints do not choose by themselves once a trial on its way keeps them, however flat the objective is.
func TestFlatCurvesWithConstraints(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"))
	st.Constraints = []study.Constraint{{Name: "c", Bound: 0.5}}
	var trials []study.Trial
	for k := range 7 {
		x := float64(k) / 7
		trials = append(trials, trial(k+1, space.Configuration{Value: []float64{x}, Active: []bool{true}}, 3))
		last := &trials[k]
		last.Values = study.NamedOf(map[string]float64{"f": 1, "c": x})
		for i := range last.Course.Points {
			last.Course.Points[i].Values = last.Values
		}
	}
	if s, err := Next(t.Context(), st, trials, Request{Number: 8, Seed: 1}); err != nil || s.Source != "fallback:flat" {
		t.Errorf("%+v, %v", s, err)
	}
}

// A study whose model is of the full resource alone has no ends to tell from curves.
func TestFinalModelHasNoCurves(t *testing.T) {
	st, trial := epochs(t, studytest.Number("x"))
	st.Fidelity.Model = "final"
	var trials []study.Trial
	for k := range 5 {
		trials = append(trials, trial(k+1, space.Configuration{Value: []float64{float64(k) / 5}, Active: []bool{true}}, 27))
	}
	s := mustFit(t, st, trials, Request{Number: 6, Seed: 3})
	if _, ends := s.note.Outcomes[study.EndsFit]; ends || s.curves != nil {
		t.Errorf("curves %+v, ends %v", s.curves, ends)
	}
}

// A cost divides where the plan says so and there is a surrogate of it.
func TestNoCostDivides(t *testing.T) {
	costs := map[string]outcome{"cost": {}}
	for _, s := range []*surrogates{
		{plan: &study.Plan{}, others: costs},
		{plan: &study.Plan{Factors: []study.Factor{{Name: "cost", Weight: 1}}}},
	} {
		if got := s.logCost(space.Configuration{}); got != 0 {
			t.Errorf("%+v: a cost of %v", s.plan, got)
		}
	}
}

// A configuration satisfies what was measured of its like, and does not fail as those beside it
// failed; where nothing restricts outcomes, nothing is said.
func TestSatisfying(t *testing.T) {
	for name, c := range map[string]struct {
		bound, fails float64
		low, high    bool
	}{
		"a bound":  {0.45, 2, true, false},
		"failures": {2, 0.65, true, false},
		"neither":  {2, 2, true, true},
		"all bad":  {-1, 2, false, false},
	} {
		st := studytest.NewStudy(t, studytest.Number("x"))
		st.Constraints = []study.Constraint{{Name: "c", Bound: c.bound}}
		trials := tenths(st, func(conf space.Configuration) (study.Observation, study.Failure) {
			if conf.Value[0] > c.fails {
				return study.Observation{}, study.Infeasible
			}
			return study.Observation{Values: study.NamedOf(map[string]float64{"f": 0, "c": conf.Value[0]})}, ""
		})
		p, err := Satisfying(t.Context(), readHistory(st, trials, Request{}), Request{Seed: 1})
		must(t, err)
		got := p([]space.Configuration{trials[1].Config, trials[8].Config})
		if got[0] > 0.5 != c.low || got[1] > 0.5 != c.high || math.IsNaN(got[0]) {
			t.Errorf("%s: at 0.1 with probability %v, at 0.8 %v", name, got[0], got[1])
		}
	}
	st := studytest.NewStudy(t, studytest.Number("x"))
	if p, err := Satisfying(t.Context(), readHistory(st, nil, Request{}), Request{}); p != nil || err != nil {
		t.Errorf("without restrictions: %v", err)
	}
}

// Of a long curve fifty points at most are seen, evenly, its levels and the last among them,
// and none below the first level that deserves trust; a short one is seen whole.
func TestLongCurvesAreThinned(t *testing.T) {
	f := &study.Fidelity{Levels: []float64{1, 10, 101, 203}}
	trusted := []bool{false, true, true, true}
	for _, n := range []int{59, 60, 203} {
		var points []study.Point
		for r := range n {
			points = append(points, study.Point{Resource: float64(r + 1)})
		}
		rows, gap := curveRows(f, trusted, points), 0.0
		for k := range rows[1:] {
			gap = max(gap, rows[k+1].Resource-rows[k].Resource)
		}
		if len(rows) > mostRows || rows[0].Resource != 10 || rows[len(rows)-1].Resource != float64(n) ||
			(n == 59) != (gap == 1) || gap > 5 {
			t.Errorf("of %d points %d are seen, from %v to %v, with gaps up to %v", n, len(rows), rows[0].Resource,
				rows[len(rows)-1].Resource, gap)
		}
	}
}

// A trial that cost nothing tells nothing of the logarithm of costs.
func TestCostOfNothing(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Cost = &study.Cost{Name: "s", Exponent: 1}
	trials := tenths(st, func(c space.Configuration) (study.Observation, study.Failure) {
		cost := 10 * c.Value[0]
		return study.Observation{Values: study.Values{{Name: "f", Value: c.Value[0]}}, Cost: &cost}, ""
	})
	s := mustFit(t, st, trials, Request{Number: 11, Seed: 1})
	if n := len(s.others["cost"].fit.Y); n != 9 {
		t.Errorf("%d costs are modelled, want the nine above 0", n)
	}
}
