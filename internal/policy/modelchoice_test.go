package policy

import (
	"math"
	"slices"
	"strings"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// played fits, number by number, what the plans for the last n of the trials say, and
// returns what the fits left.
func played(t *testing.T, st *study.Study, trials []study.Trial, n int, each func(p *study.Plan, before, after *study.FitRecord)) *study.FitRecord {
	t.Helper()
	var warm *study.FitRecord
	for k := len(trials) - n; k < len(trials); k++ {
		h := ReadHistory(st, trials[:k], k+1)
		p := Decide(newView(st, h, Request{Number: k + 1, Seed: 3, Warm: warm}), Rules())
		_, after, err := fitPlan(t.Context(), st, h, p.Model, warm, 3)
		if err != nil {
			t.Fatal(err)
		}
		if each != nil {
			each(p, warm.Clone(), after)
		}
		warm = after
	}
	return warm
}

// In its turn a challenger is fitted beside the champion; one that predicts the
// observations better becomes the champion, one that predicts them clearly worse does
// not make the suggestion.
func TestChallenge(t *testing.T) {
	// Values over several orders of magnitude: without a transform they are hard to predict.
	st := studytest.NewStudy(t, studytest.Category("a", "p", "q", "r", "s"), studytest.Category("b", "p", "q", "r", "s"), studytest.Category("c", "p", "q", "r", "s"), studytest.Number("x"))
	st.Objective.Transform, st.Among, st.Initial.Count = "auto", 2, 60
	trials := simulate(t, st, 60, studytest.Value(func(c space.Configuration) float64 {
		return math.Exp(3 * (math.Sin(3*c.Value[0]) + math.Cos(5*c.Value[1]) + math.Sin(7*c.Value[2]) + studytest.Sq(c.Value[3]-0.3)))
	}))
	st.Initial.Count = 5
	all := specs(st)
	worse := 0
	warm := played(t, st, trials, 4*len(all), func(p *study.Plan, before, after *study.FitRecord) {
		fitted := 0
		for _, s := range all {
			if after.Models[s.Name()].Density != before.Models[s.Name()].Density {
				fitted++
			}
		}
		if want := len(p.Model.Specs()); fitted != want {
			t.Errorf("%d models are fitted, want %d", fitted, want)
		}
		c := p.Model.Challenger
		if c == nil {
			if after.Used != p.Model.Spec.Name() || after.Champion != after.Used {
				t.Errorf("without a challenger %s is used and %s the champion", after.Used, after.Champion)
			}
			return
		}
		lead := after.Models[p.Model.Spec.Name()].Density - after.Models[c.Name()].Density
		if lead > 0 && after.Champion == c.Name() || lead < 0 && after.Champion != c.Name() {
			t.Errorf("%s leads %s by %v, champion: %s", p.Model.Spec.Name(), c.Name(), lead, after.Champion)
		}
		if lead*40 > p.Model.Tolerance*1.5 { // 36 to 59 observations
			worse++
			if after.Used == c.Name() {
				t.Errorf("%s suggests though it predicts worse by %v an observation", c.Name(), lead)
			}
		}
	})
	if len(warm.Models) != len(all) || worse == 0 {
		t.Errorf("%d of %d models had a turn, %d of them clearly worse", len(warm.Models), len(all), worse)
	}
}

// Beyond coldLimit trials only models that were fitted before are fitted.
func TestColdChallengers(t *testing.T) {
	v := busyView(t)
	challengers := func() map[string]bool {
		out := map[string]bool{}
		for _, p := range plansOf(v, Rules(), 60) {
			if c := p.Model.Challenger; c != nil {
				out[c.Name()] = true
			}
		}
		return out
	}
	if v.Observed = coldLimit; len(challengers()) != len(v.Specs)-1 {
		t.Errorf("with %d trials the challengers are %v", v.Observed, challengers())
	}
	v.Observed = coldLimit + 1
	if len(challengers()) != 0 {
		t.Errorf("with %d trials %v are fitted cold", v.Observed, challengers())
	}
	v.Fit.Models["box.copula"] = study.ModelFit{}
	if c := challengers(); len(c) != 1 || !c["box.copula"] {
		t.Errorf("of one model with a fit to start from the challengers are %v", c)
	}
}

// Of several objectives `transform: auto` takes what predicts observations left out: the
// powers of one that grows exponentially.
func TestTransformChoice(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"), studytest.Number("y"))
	st.Objective.Transform, st.Among = "auto", 2
	st.Initial.Count = 30 // points of the design alone
	trials := simulate(t, st, 30, studytest.Value(func(c space.Configuration) float64 {
		return math.Exp(4 * (studytest.Sq(c.Value[0]-0.3) + c.Value[1]))
	}))
	st.Initial.Count = 5
	warm := played(t, st, trials, 10, nil)
	if !strings.HasSuffix(warm.Champion, ".power") || len(warm.Models) < 2 {
		t.Errorf("the champion is %v of %v", warm.Champion, warm.Models)
	}
}

// Nothing challenges while a warm start has too few trials of its own to judge by, and
// nothing where there is one model only.
func TestWhenNothingChallenges(t *testing.T) {
	for name, change := range map[string]func(v *View){
		"unsettled": func(v *View) { v.Settled = false },
		"one model": func(v *View) { v.Specs = v.Specs[:1] },
	} {
		v := busyView(t)
		before := plansOf(v, Rules(), 20)
		if !slices.ContainsFunc(before, func(p *study.Plan) bool { return p.Model.Challenger != nil }) {
			t.Fatal("nothing ever challenges")
		}
		change(v)
		for _, p := range plansOf(v, Rules(), 20) {
			if p.Model.Challenger != nil {
				t.Errorf("%s: %v challenges", name, p.Model.Challenger)
			}
		}
	}
}
