package suggest

import (
	"slices"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// Numbers that others have reserved come before a later one, and are no configurations yet;
// abandoned and transiently failed trials are forgotten.
func TestReservedTrialsAreAhead(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	at := func(x float64) space.Configuration {
		return space.Configuration{Value: []float64{x}, Active: []bool{true}}
	}
	trials := []study.Trial{
		{Number: 1, State: study.Reserved}, {Number: 2, State: study.Pending, Config: at(0.2)},
		{Number: 3, State: study.Abandoned, Config: at(0.3)},
		{Number: 4, State: study.Failed, Failure: study.Transient, Config: at(0.4)},
		{Number: 5, State: study.Reserved}, {Number: 6, State: study.Reserved},
	}
	h := readHistory(st, trials, Request{Number: 5})
	if h.ahead != 1 || len(h.pending) != 1 || h.seen.len() != 1 || len(h.Observed)+len(h.Infeasible) != 0 {
		t.Errorf("%d ahead, %d pending, %d seen, %d observed, %d infeasible", h.ahead, len(h.pending), h.seen.len(),
			len(h.Observed), len(h.Infeasible))
	}
}

// TestResultsAreKept compares histories of requests that keep what results say with those of requests
// that do not, as trials become pending and get results.
func TestResultsAreKept(t *testing.T) {
	const n = mostTold + 1
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Objectives = []study.Objective{{Name: "f", Direction: study.Minimize}, {Name: "g", Direction: study.Maximize}}
	trials := make([]study.Trial, n, n+8)
	at := func(x float64) space.Configuration {
		return space.Configuration{Value: []float64{x}, Active: []bool{true}}
	}
	values := func(f, g float64) study.Observation {
		return study.Observation{Values: study.Values{{Name: "f", Value: f}, {Name: "g", Value: g}}}
	}
	for k := range trials {
		x := float64(k) / n
		trials[k] = study.Trial{Number: k + 1, State: study.Complete, Config: at(x), Observation: values(x, x)}
	}
	kept, told := new(Kept), 0
	check := func(what string) {
		t.Helper()
		for _, one := range []*study.Study{st, st.For(0), st.For(1)} {
			r := Request{Number: len(trials) + 1}
			b := readHistory(one, trials, r)
			r.Kept, r.Told = kept, told
			a := readHistory(one, trials, r)
			numbers := func(trials []*study.Trial) (out []int) {
				for _, t := range trials {
					out = append(out, t.Number)
				}
				return out
			}
			if !slices.Equal(numbers(a.Observed), numbers(b.Observed)) || a.seen.len() != b.seen.len() {
				t.Errorf("%s: %d trials and %d seen, want %d and %d", what, len(a.Observed), a.seen.len(), len(b.Observed),
					b.seen.len())
			}
			for _, x := range []float64{0, 0.5, 2, 3} {
				if a.new(at(x)) != b.new(at(x)) {
					t.Errorf("%s: whether %v is new is %v", what, x, a.new(at(x)))
				}
			}
		}
	}
	check("at first")
	check("again")
	trials = append(trials, study.Trial{Number: n + 1, State: study.Pending, Config: at(2)},
		study.Trial{Number: n + 2, State: study.Pending, Config: at(0)}, study.Trial{Number: n + 3, State: study.Reserved})
	check("with pending trials")
	told, trials[n].State, trials[n].Observation = 1, study.Complete, values(-1, 2)
	check("with a result")
}

// Of very many trials surrogates learn from a share with the best of them, whatever the order in
// which they were made; all count as tried.
func TestShareOfManyTrials(t *testing.T) {
	const n = 2 * mostTold
	st := studytest.NewStudy(t, studytest.Number("x"))
	several := *st
	several.Objectives = []study.Objective{{Name: st.Objective().Name, Direction: study.Minimize},
		{Name: "g", Direction: study.Maximize}}
	confs := make([]space.Configuration, n)
	y := make([]float64, n)
	for k := range confs {
		confs[k] = space.Configuration{Value: []float64{float64(k) / n}, Active: []bool{true}}
		y[k] = studytest.Sq(float64(k)/n - 0.3)
	}
	trials := studytest.Completed(confs, y)
	for k := range trials {
		trials[k].Values.Set("g", -studytest.Sq(float64(k)/n-0.8))
	}
	for _, one := range []*study.Study{st, &several} {
		h := readHistory(one, trials, Request{Number: n + 1})
		if len(h.Observed) < fairShare || len(h.Observed) > fairShare+leaders {
			t.Errorf("%d of %d trials are learnt from", len(h.Observed), n)
		}
		if h.seen.len() != n {
			t.Errorf("%d of %d configurations count as tried", h.seen.len(), n)
		}
		known, fourth := map[int]bool{}, 0
		for _, t := range h.Observed {
			if known[t.Number] = true; t.Number%4 == 0 {
				fourth++
			}
		}
		if best := one.Best(trials, 1)[0]; !known[best.Number] {
			t.Errorf("the best, trial %d, is missing", best.Number)
		}
		if share := float64(fourth) / float64(len(h.Observed)); share < 0.2 || share > 0.3 {
			t.Errorf("every fourth trial has a share of %.2f", share)
		}
		more, kept := readHistory(one, append(trials, study.Trial{Number: n + 1, State: study.Pending, Config: confs[0]}),
			Request{Number: n + 2}), 0
		for _, t := range more.Observed {
			if known[t.Number] {
				kept++
			}
		}
		if kept < len(h.Observed)-1 {
			t.Errorf("a further trial leaves %d of %d", kept, len(h.Observed))
		}
		for _, g := range more.goals {
			if len(g.Observed) != len(more.Observed) {
				t.Errorf("%s is learnt from %d trials", g.st.Objective().Name, len(g.Observed))
			}
		}
	}
	few := readHistory(st, trials[:mostTold], Request{Number: mostTold + 1})
	if len(few.Observed) != mostTold {
		t.Errorf("%d of %d trials are learnt from", len(few.Observed), mostTold)
	}
}
