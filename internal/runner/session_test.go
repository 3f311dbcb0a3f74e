package runner_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
	"bohier/internal/suggest"
)

// spread is the smallest distance between two of the trials.
func spread(st *study.Study, trials []study.Trial) float64 {
	confs := make([]space.Configuration, len(trials))
	for k := range trials {
		confs[k] = trials[k].Config
	}
	m, q := space.NewGower(st.Space), st.Space.EncodeAll(confs)
	least := math.Inf(1)
	for i := range confs {
		for j := range i {
			least = min(least, m.Distance(q, i, q, j))
		}
	}
	return least
}

// scoreAbove counts those of about n random configurations of a suggestion's branch that have a better score than it by
// what was known then; 0 where a part of the space was searched, by another score, or the point is of the design.
func scoreAbove(t *testing.T, c runner.Session, trial *study.Trial, n int) int {
	t.Helper()
	if trial.Source != "model" {
		t.Errorf("trial %d comes from %s", trial.Number, trial.Source)
		return n
	}
	then, err := journal.ReadUpTo(t.Context(), c.Journal, trial.From)
	must(t, err)
	now := mustRead(t, c)
	if p := now.Made(trial.Number).Plan; p.Region != nil || p.Design {
		return 0
	}
	sp, confs := c.Study.Space, []space.Configuration{trial.Config}
	sample := space.NewDomain(sp, nil).Sample(rand.New(rand.NewPCG(1, 2)), n*len(sp.Branches()))
	for i := range sample.Len() {
		if conf := sp.Decode(sample, i); sp.BranchKey(conf) == sp.BranchKey(trial.Config) {
			confs = append(confs, conf)
		}
	}
	r := suggest.Request{Number: trial.Number, Seed: then.Seed, Warm: then.LastFit()}
	ranked, err := suggest.Rank(t.Context(), c.Study, then.Trials, r, confs)
	must(t, err)
	return slices.IndexFunc(ranked, func(r suggest.Ranked) bool { return r.Config.Equal(trial.Config) })
}

// Counting pending trials keeps suggestions apart, and still good.
func TestPending(t *testing.T) {
	st := studytest.NewStudy(t, studytest.TreeSpace()...)
	st.Acquisition.Candidates, st.Acquisition.Starts = 200, 8
	c := newCycle(t, st)
	play(t, c, 15, studytest.Value(studytest.Tree))
	batch, _, err := c.Suggest(t.Context(), runner.Ask{N: 6})
	if err != nil || len(batch) != 6 {
		t.Fatalf("%d suggestions, %v", len(batch), err)
	}
	for k := range batch {
		studytest.Check(t, st, observed(t, c)[:15+k], batch[k].Config)
	}
	if s := spread(st, batch); s < 1e-3 {
		t.Errorf("two of a batch are %g apart", s)
	}
	for k := range batch {
		if scoreAbove(t, c, &batch[k], 300) > 0 {
			t.Errorf("random configurations are better than number %d of a batch", k+1)
		}
	}
	for k := range batch {
		tell(t, c, &batch[k], studytest.Value(studytest.Tree))
	}
	replayed(t, c, 21)
}

// Pending trials are counted under a spectrum flip, too.
func TestPendingFlip(t *testing.T) {
	st := studytest.NewStudy(t, studytest.TreeSpace()...)
	st.Surrogate.Kernel.Name = "icocor"
	c := newCycle(t, st)
	play(t, c, 12, studytest.Value(studytest.Tree))
	batch, warnings, err := c.Suggest(t.Context(), runner.Ask{N: 4})
	if err != nil || len(batch) != 4 || len(warnings) > 0 {
		t.Fatalf("%d suggestions, %v, %v", len(batch), warnings, err)
	}
	for k := range batch {
		if batch[k].Source != "model" {
			t.Errorf("number %d of a batch is from %s", k+1, batch[k].Source)
		}
	}
	if s := spread(st, batch); s < 1e-3 {
		t.Errorf("two of a batch are %g apart", s)
	}
}

// Processes that ask at once get different suggestions, each sensible, whether the surrogate chooses or the design.
func TestParallel(t *testing.T) {
	const n = 32
	for _, told := range []int{0, 12} {
		st := studytest.NewStudy(t, studytest.TreeSpace()...)
		c := newCycle(t, st)
		play(t, c, told, studytest.Value(studytest.Tree))
		var wait sync.WaitGroup
		got, failed := make([]study.Trial, n), make([]error, n)
		for k := range n {
			wait.Go(func() {
				trials, _, err := c.Suggest(t.Context(), runner.Ask{N: 1, Worker: fmt.Sprint("w", k)})
				if failed[k] = err; err == nil {
					got[k] = trials[0]
				}
			})
		}
		wait.Wait()
		must(t, errors.Join(failed...))
		const random = 300
		poor, above, seen := 0, 0, map[string]bool{}
		branches := map[string]int{}
		for k := range got {
			if err := st.Space.Validate(got[k].Config); err != nil {
				t.Error(err)
			}
			if told > 0 && got[k].Spare == 0 {
				if better := scoreAbove(t, c, &got[k], random); better > 0 {
					poor, above = poor+1, above+better
				}
			}
			seen[st.Space.Key(got[k].Config)] = true
			branches[st.Space.BranchKey(got[k].Config)]++
		}
		if len(seen) != n {
			t.Errorf("after %d trials %d asked at once and got %d different configurations", told, n, len(seen))
		}
		if len(branches) != 3 {
			t.Errorf("after %d trials only the branches %v are tried", told, branches)
		}
		// The search of this test is a short one, and who computes after whom is chance: some of the
		// suggestions miss a few of the random ones. One that was not searched for would miss half of them.
		if above > n*random/100 {
			t.Errorf("random configurations are better than %d suggestions of %d, %d of them in all", poor, n, above)
		}
		if s := spread(st, got); s < 1e-4 {
			t.Errorf("after %d trials two suggestions are %g apart", told, s)
		}
		t.Logf("after %d trials: branches %v, at least %.3g apart, %d poor by %d", told, branches, spread(st, got), poor,
			above)
		if told > 0 {
			replayed(t, c, told+n)
		}
	}
}

// Fixed values are kept, such suggestions replay, and values that exclude each other are refused.
func TestFix(t *testing.T) {
	st := studytest.NewStudy(t, studytest.TreeSpace()...)
	c := newCycle(t, st)
	for _, told := range []int{0, 14} {
		play(t, c, told, studytest.Value(studytest.Tree))
		for _, fixed := range []space.Assignment{{0: 2}, {1: 0.125}, {0: 1, 2: 0.9}, {3: 0.5}} {
			got := mustSuggest(t, c, runner.Ask{Fixed: fixed})
			for i, v := range fixed {
				if conf := got[0].Config; !conf.Active[i] || conf.Value[i] != v {
					t.Errorf("%s is %v, want %v", st.Space.Param(i).Name, conf.Value[i], v)
				}
			}
		}
	}
	replayed(t, c, 4+14+4)
	if _, _, err := c.Suggest(t.Context(), runner.Ask{Fixed: space.Assignment{0: 1, 3: 0.5}}); err == nil {
		t.Error("values that exclude each other were accepted")
	}
}

// A search stopped by a deadline replays: the suggestion says how far it came.
func TestDeadline(t *testing.T) {
	st := studytest.NewStudy(t, studytest.TreeSpace()...)
	st.Acquisition.Candidates, st.Acquisition.Starts = 4000, 60
	c := newCycle(t, st)
	play(t, c, 8, studytest.Value(studytest.Tree))
	cut := 0
	for range 3 {
		got, warnings, err := c.Suggest(t.Context(), runner.Ask{Deadline: time.Nanosecond})
		must(t, err)
		if said := slices.ContainsFunc(warnings,
			func(w string) bool { return strings.Contains(w, "deadline") }); said != (got[0].Cut > 0) {
			t.Errorf("after %d steps it says %q", got[0].Cut, warnings)
		}
		studytest.Check(t, st, observed(t, c)[:got[0].Number-1], got[0].Config)
		if got[0].Cut > 0 {
			cut++
		}
		tell(t, c, &got[0], studytest.Value(studytest.Tree))
	}
	if cut == 0 {
		t.Error("no search was stopped")
	}
	replayed(t, c, 11)
}

// A stopped search that found nothing new replays as well: its first step draws 64 of 60
// integers, of which one or two were not tried.
func TestDeadlineWithNothingNew(t *testing.T) {
	st := studytest.NewStudy(t, space.Parameter{Name: "m", Kind: space.Int, Low: 1, High: 60})
	st.Initial.Count, st.Acquisition.Candidates = 58, 1
	c := newCycle(t, st)
	value := studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[0] - 20) })
	play(t, c, 58, value)
	fell := 0
	for range 2 {
		got := mustSuggest(t, c, runner.Ask{Deadline: time.Nanosecond})
		if got[0].Cut > 0 && got[0].Source != "model" {
			fell++
		}
		tell(t, c, &got[0], value)
	}
	if fell == 0 {
		t.Error("no stopped search found nothing")
	}
	replayed(t, c, 60)
}

// A dry run tells what will be suggested next, the batch included, and changes nothing that a process goes on with.
func TestDryRun(t *testing.T) {
	st := studytest.NewStudy(t, studytest.TreeSpace()...)
	c := newCycle(t, st)
	c.Journal.Memory = &journal.Memory{Own: true}
	for _, told := range []int{0, 9} {
		play(t, c, told, studytest.Value(studytest.Tree))
		dry := mustSuggest(t, c, runner.Ask{N: 3, DryRun: true})
		before := len(observed(t, c))
		got := mustSuggest(t, c, runner.Ask{N: 3})
		if n := len(observed(t, c)); n != before+3 {
			t.Errorf("%d trials recorded, want 3", n-before)
		}
		for k := range got {
			if a, b := st.Space.Key(dry[k].Config), st.Space.Key(got[k].Config); a != b {
				t.Errorf("suggestion %d of %d: %s, the dry run said %s", k+1, told, b, a)
			}
		}
		for k := range got {
			tell(t, c, &got[k], studytest.Value(studytest.Tree))
		}
	}
}

// A batch ends with the budget, and a finite space with its configurations.
func TestNothingLeft(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Budget.Trials = 7
	c := newCycle(t, st)
	play(t, c, 4, studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[0] - 0.3) }))
	got, _, err := c.Suggest(t.Context(), runner.Ask{N: 5})
	if err != nil || len(got) != 3 {
		t.Errorf("%d suggestions of 3 left, %v", len(got), err)
	}
	if _, _, err = c.Suggest(t.Context(), runner.Ask{}); !study.HasCode(err, study.Exhausted) {
		t.Errorf("beyond the budget: %v", err)
	}

	st = studytest.NewStudy(t, studytest.Category("k", "a", "b", "c"), studytest.Category("l", "a", "b", "c"))
	c = newCycle(t, st)
	play(t, c, 9, studytest.Value(func(c space.Configuration) float64 { return c.Value[0] * c.Value[1] }))
	if _, _, err = c.Suggest(t.Context(), runner.Ask{}); !study.HasCode(err, study.Exhausted) {
		t.Errorf("beyond the last of 9 configurations: %v", err)
	}
}

// A batch cut short by the budget keeps its key: asking again as before gives the same trials.
func TestKeyedBatchMeetsTheBudget(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Budget.Trials = 5
	c := newCycle(t, st)
	play(t, c, 4, studytest.Value(func(c space.Configuration) float64 { return studytest.Sq(c.Value[0] - 0.3) }))
	first, _, err := c.Suggest(t.Context(), runner.Ask{N: 3, Key: "job"})
	if err != nil || len(first) != 1 {
		t.Fatalf("%d suggestions of 1 left, %v", len(first), err)
	}
	again, _, err := c.Suggest(t.Context(), runner.Ask{N: 3, Key: "job"})
	if err != nil || len(again) != 1 || again[0].ID() != first[0].ID() {
		t.Errorf("asked again: %v, %v", again, err)
	}
	if _, _, err := c.Suggest(t.Context(), runner.Ask{Key: "other"}); !study.HasCode(err, study.Exhausted) {
		t.Errorf("beyond the budget: %v", err)
	}
}

// A number given back is no part of the budget; one whose process died is.
func TestNumbersGivenBackAreLeft(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	st.Budget.Trials = 3
	left, _ := runner.Left(st, []study.Trial{{Number: 1, State: study.Complete},
		{Number: 2, State: study.Reserved, Released: true}, {Number: 3, State: study.Reserved}})
	if left != 1 {
		t.Fatalf("%d left", left)
	}
}
