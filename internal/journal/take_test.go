package journal

import (
	"bytes"
	"maps"
	"os"
	"testing"

	"bohier/internal/study"
)

// give returns trials as they are known to their worker.
func give(t testing.TB, o Options, trials ...study.Trial) *State {
	t.Helper()
	return update(t, o, func(s *State) ([]Record, error) { return s.Return(trials, "terminated"), nil })
}

// reserve asks for trials, taking waiting ones first.
func reserve(t testing.TB, o Options, a Asking) []study.Trial {
	t.Helper()
	a.Take = true
	_, got, err := numbers(o, a)
	must(t, err)
	return got
}

func TestReturnAndTake(t *testing.T) {
	o := options(t)
	for i := range 3 {
		mustAsk(t, o, "", float64(i)/8)
	}
	s := give(t, o, read(t, o).Trials...)
	for k := range s.Trials {
		if w := s.Trials[k]; w.State != study.Pending || !w.Waiting || w.Returns != 1 {
			t.Errorf("%+v", w)
		}
	}
	if before := s.Seq; give(t, o, s.Trials...).Seq != before {
		t.Error("given back twice")
	}
	// The lowest number comes first, in the same number and tag, and once.
	a := reserve(t, o, Asking{N: 1, Worker: "a/0#one"})[0]
	if a.Number != 1 || a.Tag != s.Trials[0].Tag || a.State != study.Pending || !a.Config.Equal(at(0)) {
		t.Errorf("taken: %+v", a)
	}
	if got := read(t, o).Trials[0]; got.Waiting || got.Worker != "a/0#one" {
		t.Errorf("after the take: %+v", got)
	}
	// What the worker had before comes before lower numbers.
	b := reserve(t, o, Asking{N: 1, Worker: "b/0#one"})[0]
	give(t, o, a, b)
	if got := reserve(t, o, Asking{N: 2, Worker: "b/0#two"}); got[0].Number != b.Number || got[1].Number != 1 {
		t.Errorf("b had %d and took %d, then %d", b.Number, got[0].Number, got[1].Number)
	}
	// One that is not to be taken, and one whose newer owner is not spoken of.
	if got := reserve(t, o, Asking{N: 1, Except: []int{3}})[0]; got.State != study.Reserved {
		t.Errorf("excepted and taken: %+v", got)
	}
	if s := give(t, o, a); s.Trials[0].Waiting {
		t.Error("an owner of before gave back what another has")
	}
	// A result ends the waiting, and so does giving up.
	if _, err := tell(o, "3", 1, study.Once); err != nil {
		t.Fatal(err)
	}
	if got := read(t, o).Trials[2]; got.Waiting || got.State != study.Complete {
		t.Errorf("observed: %+v", got)
	}
	if s := give(t, o, read(t, o).Trials[2]); s.Trials[2].Waiting {
		t.Error("a complete trial was given back")
	}
}

// A key given when taking is one more key of the trial, whatever its first asker
// asked for, and gives way to a program that does not know of it.
func TestKeyOfATake(t *testing.T) {
	o := options(t)
	update(t, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Reserve(Asking{N: 1, Key: "first", Flags: "fix"})
		return recs, err
	})
	update(t, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Suggest(s.Trials[0], &study.Suggestion{Config: at(0.5)}, s.Seq, 0)
		return recs, err
	})
	give(t, o, read(t, o).Trials...)
	got := reserve(t, o, Asking{N: 1, Key: "second"})[0]
	if got.Number != 1 || got.Key != "first" {
		t.Fatalf("%+v", got)
	}
	if again := reserve(t, o, Asking{N: 1, Key: "second"})[0]; again.Number != 1 {
		t.Errorf("the key of a take gave %+v", again)
	}
	give(t, o, read(t, o).Trials...)
	batch := reserve(t, o, Asking{N: 2, Key: "batch"})
	give(t, o, read(t, o).Trials...)
	more := reserve(t, o, Asking{N: 3, Key: "batch"})
	if more[0].Number != 1 || more[1].Number != batch[1].Number || more[2].Number != 3 {
		t.Errorf("a key that asks for one more, of trials that wait, got %+v", more)
	}
	if other := reserve(t, o, Asking{N: 1})[0]; other.Number != 4 {
		t.Errorf("another one got %+v of a key that asked again", other)
	}
	if first := reserve(t, o, Asking{N: 1, Key: "first", Flags: "fix"})[0]; first.Number != 1 {
		t.Errorf("the first key gave %+v", first)
	}
	s := update(t, o, func(s *State) ([]Record, error) {
		return []Record{{Kind: KindReserve, Trial: 2, Tag: "othr", Key: "second"}}, nil
	})
	if got := s.ByKey("second"); got.Number != 2 {
		t.Errorf("the key belongs to %d", got.Number)
	}
}

// A program that does not know the records reads on, and sees a pending trial.
func TestTurnsAreOptional(t *testing.T) {
	o := filled(t)
	give(t, o, read(t, o).Trials[3])
	reserve(t, o, Asking{N: 1, Worker: "w", Key: "k"})
	known := rules
	rules = map[Kind]rule{}
	for k, r := range known {
		if k != KindReturn && k != KindTake {
			rules[k] = r
		}
	}
	defer func() { rules = known }()
	if s := read(t, o); s.Trials[3].State != study.Pending || s.Trials[3].Waiting {
		t.Error(summary(s))
	}
}

// A taken trial whose output could not be delivered waits again; it is not lost.
func TestReleaseOfATake(t *testing.T) {
	o := filled(t)
	give(t, o, read(t, o).Trials[3])
	got := reserve(t, o, Asking{N: 1})
	s := update(t, o, func(s *State) ([]Record, error) { return s.Release(got, "closed"), nil })
	if w := s.Trials[3]; !w.Waiting || w.Tag != got[0].Tag || len(s.Params(4)) == 0 {
		t.Errorf("%+v", w)
	}
}

// Merging and repair keep what waits waiting.
func TestWaitingSurvives(t *testing.T) {
	o := filled(t)
	give(t, o, read(t, o).Trials[3])
	into := options(t)
	if m, err := Merge(ctx, into, o); err != nil || m.Added != 4 || m.Observed != 0 {
		t.Fatal(m, err)
	}
	if s := read(t, into); !s.Trials[3].Waiting {
		t.Error("merged and not waiting: " + summary(s))
	}
	lines := bytes.SplitAfter(content(t, o.Path), []byte{'\n'})
	lines[3] = []byte("?\n")
	write(t, o.Path, bytes.Join(lines, nil))
	if _, err := Repair(ctx, o, false); err != nil {
		t.Fatal(err)
	}
	if s := read(t, o); !s.Trials[3].Waiting {
		t.Error("repaired and not waiting: " + summary(s))
	}
}

// A trial that is lost is for others; lost for the third time it has failed in passing.
func TestLose(t *testing.T) {
	o := options(t)
	mustAsk(t, o, "", 0.5)
	give(t, o, read(t, o).Trials...)
	for round := range 3 {
		worker := []string{"a/0#one", "b/0#two", "a/0#three"}[round]
		got := reserve(t, o, Asking{N: 1, Worker: worker})[0]
		late := got
		late.Worker = "other/0#gone"
		for _, trials := range [][]study.Trial{{late}, {got}, {got}} {
			update(t, o, func(s *State) ([]Record, error) { return s.Lose(trials) })
		}
		s := read(t, o).Trials[0]
		if last := round == 2; s.Waiting == last || s.Lost != min(round+1, 2) ||
			last && (s.State != study.Failed || s.Failure != study.Transient) {
			t.Errorf("lost %d times: %+v", round+1, s)
		}
	}
	// Given back for another reason it is not lost.
	mustAsk(t, o, "", 0.25)
	if s := give(t, o, read(t, o).Trials...); s.Trials[1].Lost != 0 || s.Trials[1].Returns != 1 {
		t.Errorf("%+v", s.Trials[1])
	}
}

func TestBeats(t *testing.T) {
	o := options(t)
	want := map[string]uint64{"a#1": 7, "k8s/x y/ü#2": 1}
	for worker, count := range want {
		for k := range count {
			must(t, o.Beats().Beat(t.Context(), worker, k+1))
		}
	}
	if got, err := o.Beats().Beats(t.Context()); err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for worker := range want {
		must(t, o.Beats().Leave(t.Context(), worker))
	}
	if got, err := o.Beats().Beats(t.Context()); err != nil || len(got) > 0 {
		t.Errorf("after all left: %v, %v", got, err)
	}
	if _, err := os.Stat(o.Path + ".beats"); err == nil {
		t.Error("an empty directory is left")
	}
}
