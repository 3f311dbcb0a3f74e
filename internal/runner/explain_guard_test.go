package runner

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"bohier/internal/journal"
	"bohier/internal/space"
	"bohier/internal/study"
)

// chosenBy is the score by which the search of today chooses for a trial, and
// whether it was the guard's turn.
func chosenBy(t *testing.T, c Cycle, trial *study.Trial) (score float64, guard bool) {
	t.Helper()
	then, _, err := journal.ReadUpTo(t.Context(), c.Journal, trial.From)
	if err != nil {
		t.Fatal(err)
	}
	o, err := look(t.Context(), c.Study, then.Trials, Request{Number: trial.Number, Seed: then.Seed, Warm: then.LastFit}, fitTurn)
	if err != nil {
		t.Fatal(err)
	}
	found, _, err := search(t.Context(), c.Study, o.fit, o.others, o.h, o.r)
	if err != nil {
		t.Fatal(err)
	}
	_, guard = neglected(c.Study, o.h, o.r, space.NewDomain(c.Study.Space, nil))
	return found[0].Score, guard
}

// An explanation gives the score that chose the trial, and says what a guard's
// turn looked at and what was to beat there.
func TestExplainGuard(t *testing.T) {
	c := newCycle(t, newStudy(t, treeSpace()...))
	seen := map[string]int{}
	for _, trial := range play(t, c, 22, value(tree)) {
		if trial.Source != "model" {
			continue
		}
		e, _, err := c.Explain(t.Context(), trial.ID(), nil)
		if err != nil {
			t.Fatal(err)
		}
		want, guard := chosenBy(t, c, &trial)
		if d := math.Abs(*e.Reason.Score - want); d > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("trial %d was chosen by %v, explained by %v", trial.Number, want, *e.Reason.Score)
		}
		g := e.Reason.Guard
		if branch := g != nil && g.Values == nil; slices.Contains(e.Reason.Factors, "middle") != branch {
			t.Errorf("trial %d: branch %v, multiplied %v", trial.Number, branch, e.Reason.Factors)
		}
		if (g != nil) != guard {
			t.Errorf("trial %d: guard %v, explained as %+v", trial.Number, guard, g)
		}
		if g == nil {
			continue
		}
		before := observed(t, c)[:trial.Number-1]
		switch {
		case g.Values != nil:
			seen["values"]++
			if g.Values[0].Name != "k" || g.Against != AgainstAll || g.Rival.Number != e.Reason.Incumbent.Number {
				t.Errorf("trial %d: rare values %+v", trial.Number, g)
			}
			k := trial.Config.Value[0]
			if n := tried(before, func(c space.Configuration) bool { return c.Value[0] == k }); n != g.Tried {
				t.Errorf("trial %d: value %v was tried %d times, not %d", trial.Number, k, n, g.Tried)
			}
		default:
			seen["branch"]++
			sp := c.Study.Space
			same := func(o space.Configuration) bool { return sp.BranchKey(o) == sp.BranchKey(trial.Config) }
			if n := tried(before, same); n != g.Tried {
				t.Errorf("trial %d: its branch was tried %d times, not %d", trial.Number, n, g.Tried)
			}
			holds := 0
			for _, active := range trial.Config.Active[2:] {
				if active {
					holds++
				}
			}
			if len(g.Holds) != holds || len(g.Fails) != 2-holds {
				t.Errorf("trial %d: branch %+v of %v", trial.Number, g, trial.Config)
			}
			if g.Against != AgainstBranch || !same(g.Rival.Config) {
				t.Errorf("trial %d: rival %+v", trial.Number, g)
			}
		}
	}
	if seen["branch"] == 0 || seen["values"] == 0 {
		t.Errorf("explained turns of the guard: %v", seen)
	}
}

func tried(trials []study.Trial, in func(space.Configuration) bool) (n int) {
	for k := range trials {
		if in(trials[k].Config) {
			n++
		}
	}
	return n
}

// Conditions on parameters that the branch does not have go without saying.
func TestExplainGuardNested(t *testing.T) {
	deep := number("z")
	deep.Condition = space.Compare{Op: space.Gt, Left: space.Ref{Param: 1}, Right: space.Const(0.5)}
	st := newStudy(t, category("k", "a", "b"), when(number("x"), 0, 1), deep)
	o := &outlook{st: st, h: readHistory(st, nil, 1)}
	for _, c := range []struct{ params, holds, fails string }{
		{`{"k":"a"}`, "[]", "[k in [b]]"},
		{`{"k":"b","x":0.2}`, "[k in [b]]", "[x > 0.5]"},
		{`{"k":"b","x":0.7,"z":0}`, "[k in [b] x > 0.5]", "[]"},
	} {
		conf, err := st.Space.ParseJSON([]byte(c.params))
		if err != nil {
			t.Fatal(err)
		}
		p := branch(space.NewDomain(st.Space, nil), st.Space, st.Space.BranchKey(conf))
		g := o.guarded(glance{part: p, view: o.h.within(st, p)}, conf, nil)
		if fmt.Sprint(g.Holds) != c.holds || fmt.Sprint(g.Fails) != c.fails {
			t.Errorf("%s: %v hold, %v fail", c.params, g.Holds, g.Fails)
		}
	}
}

// Where nothing new is left of what the guard looks at, it does not take the
// credit.
func TestExplainGuardExhausted(t *testing.T) {
	c := newCycle(t, newStudy(t, category("k", "a", "b"), when(number("x"), 0, 0)))
	turns := 0
	for _, trial := range play(t, c, 16, value(func(c space.Configuration) float64 { return c.Value[0] + square(c.Value[1]-0.3) })) {
		if trial.Source != "model" || trial.Config.Value[0] == 1 {
			continue
		}
		want, guard := chosenBy(t, c, &trial)
		if !guard {
			continue
		}
		turns++
		e, _, err := c.Explain(t.Context(), trial.ID(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if e.Reason.Guard != nil || math.Abs(*e.Reason.Score-want) > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("trial %d: guard %+v, score %v, chosen by %v", trial.Number, e.Reason.Guard, *e.Reason.Score, want)
		}
	}
	if turns == 0 {
		t.Error("the guard had no turn")
	}
}

// An explanation names what the score multiplies.
func TestExplainFactors(t *testing.T) {
	x := number("x")
	x.Prior = &space.Prior{Mode: 0.5, Strength: "weak"}
	st := newStudy(t, x, number("y"))
	st.Constraints = []study.Constraint{{Name: "c", Bound: 1.8}, {Name: "c", AtLeast: true, Bound: 0.1}}
	st.Cost = &study.Cost{Name: "s", Exponent: 1}
	c := newCycle(t, st)
	seconds := 2.0
	play(t, c, 7, func(conf space.Configuration) (study.Observation, study.Failure) {
		if conf.Value[0] > 0.8 || len(observed(t, c)) == 2 {
			return study.Observation{}, study.Infeasible
		}
		o, _ := constrained(conf)
		seconds++
		o.Cost = &seconds
		return o, ""
	})
	e, _, err := c.Explain(t.Context(), "7", nil)
	if err != nil || e.Reason == nil {
		t.Fatal(e, err)
	}
	if got, want := e.Reason.Factors, []string{"logei", "constraint.c", "cost", "feasibility", "prior"}; !slices.Equal(got, want) {
		t.Errorf("factors %v, want %v", got, want)
	}
	if e.Reason.Refused == 0 {
		t.Error("no failures are counted")
	}
}
