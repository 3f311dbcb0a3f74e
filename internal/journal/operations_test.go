package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bohier/internal/study"
)

var ctx = context.Background()

// filled is a journal with four trials: complete, failed, abandoned, pending.
func filled(t testing.TB) Options {
	o := options(t)
	for i := range 4 {
		mustAsk(t, o, "", float64(i)/8)
	}
	if _, err := tell(o, "1", 0.5, study.Once); err != nil {
		t.Fatal(err)
	}
	update(t, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Observe("2", study.Report{Failure: study.Infeasible, Note: "no convergence"})
		return recs, err
	})
	update(t, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Abandon("3", "machine lost")
		return recs, err
	})
	return o
}

// What a repair dropped is noted up to a bound, which splits no character.
func TestNoteOfARepairIsCut(t *testing.T) {
	for _, tag := range []string{"é", "aé"} { // one of which a cut at a byte would split
		o := filled(t)
		write(t, o.Path, slices.Concat(content(t, o.Path), []byte("lost\n"),
			forge(100, 0, `"t":"abandon","trial":1,"tag":"`+tag+strings.Repeat("é", 5000)+`"`)))
		if _, err := Repair(ctx, o, false); err != nil {
			t.Fatal(err)
		}
		note := string(content(t, o.Path))
		note = note[strings.Index(note, "repaired; dropped"):]
		if !strings.Contains(note, "…") || strings.Contains(note, "\ufffd") {
			t.Errorf("the note is not cut between two characters: …%s", note[len(note)-200:])
		}
	}
}

func content(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return b
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	must(t, os.WriteFile(path, b, 0o666))
}

func TestDecisions(t *testing.T) {
	o := filled(t)
	if rec, err := tell(o, "3", 7, study.Once); err != nil || !rec {
		t.Fatal("late result", rec, err)
	}
	_, err := tell(o, "2", 7, study.Once)
	wantCode(t, err, study.Conflict)
	_, err = tell(o, "4", 7, study.Replicate)
	wantCode(t, err, study.Conflict)
	if _, err := tell(o, "2", 7, study.Replace); err != nil {
		t.Fatal(err)
	}
	if rec, err := tell(o, "1", 0.75, study.Replicate); err != nil || !rec {
		t.Fatal(rec, err)
	}
	_, err = Update(ctx, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Abandon("1", "")
		return recs, err
	})
	wantCode(t, err, study.Conflict)
	s := update(t, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Observe("4", study.Report{Observation: value(3).Observation, Params: json.RawMessage(`{"x":0.875}`)})
		return recs, err
	})
	if got := s.Trials[3]; got.State != study.Complete || !got.Config.Equal(at(0.875)) || string(s.Made(4).Proposed) != `{"x":0.375}` {
		t.Errorf("actual %v, proposed %s", got.Config, s.Made(4).Proposed)
	}
	if s.Trials[1].State != study.Complete || s.Trials[1].Failure != "" || len(s.Trials[0].Replicates) != 1 ||
		s.Trials[2].Values.Of("loss") != 7 {
		t.Error(summary(s))
	}
	if a, b := summary(s), summary(read(t, o)); a != b {
		t.Errorf("the state after differs from what is read:\n%s\n%s", a, b)
	}
}

func TestReleaseAndOrphans(t *testing.T) {
	o := options(t)
	a := mustAsk(t, o, "", 0.25)
	s := update(t, o, func(s *State) ([]Record, error) { return s.Release([]study.Trial{*a}, "output closed"), nil })
	if _, _, err := s.Suggest(*a, &study.Suggestion{Config: at(0.5), Source: "model"}, s.Seq, 0); !errors.Is(err, ErrGone) {
		t.Errorf("a released number gets a configuration: %v", err)
	}
	if _, err := tell(o, a.ID(), 1, study.Once); code(err) != study.Conflict {
		t.Fatalf("a released trial was observed: %v", err)
	}
	b := mustAsk(t, o, "", 0.5)
	if b.Number != a.Number || b.Tag == a.Tag {
		t.Fatalf("released %s, then asked %s", a.ID(), b.ID())
	}
	if recs := read(t, o).Release([]study.Trial{*a}, ""); len(recs) > 0 {
		t.Errorf("%s, which is %s by now, is released: %+v", a.ID(), b.ID(), recs)
	}
	// A live reservation is left alone, a dead one is taken over.
	hold := &Hold{}
	ho := o
	ho.Hold = hold
	update(t, ho, func(s *State) ([]Record, error) { recs, _, err := s.Reserve(Asking{N: 1}); return recs, err })
	if c := mustAsk(t, o, "", 0.75); c.Number != 3 {
		t.Fatalf("a live reservation was taken over by %s", c.ID())
	}
	hold.Close()
	if c := mustAsk(t, o, "", 0.875); c.Number != 2 {
		t.Fatalf("the dead reservation 2 was not taken over; got %s", c.ID())
	}
}

func TestSpareAndTaken(t *testing.T) {
	o := options(t)
	a := mustAsk(t, o, "", 0.25)
	s := update(t, o, func(s *State) ([]Record, error) { recs, _, err := s.Reserve(Asking{N: 1}); return recs, err })
	sg := &study.Suggestion{Config: at(0.25), Source: "model"}
	if _, _, err := s.Suggest(s.Trials[1], sg, 0, 0); !errors.Is(err, ErrTaken) {
		t.Errorf("%s took 0.25 and the second got %v", a.ID(), err)
	}
	sg.Spare = append(sg.Spare, at(0.75))
	recs, tr, err := s.Suggest(s.Trials[1], sg, 0, 0)
	if err != nil || tr.Spare != 1 || recs[0].Spare != 1 || !tr.Config.Equal(at(0.75)) {
		t.Errorf("%+v %v", tr, err)
	}
	if _, tr, err := s.Suggest(s.Trials[1], sg, s.Seq, 0); err != nil || tr.Spare != 0 {
		t.Errorf("what was seen is no collision: %+v %v", tr, err)
	}
}

func TestKeys(t *testing.T) {
	o := options(t)
	before := reserve(t, o, Asking{N: 3, Key: "job", Flags: "fix"})
	s, trials, err := numbers(o, Asking{N: 3, Key: "job", Flags: "fix"})
	if err != nil || s.Seq != 4 || len(trials) != 3 || len(before) != 3 || trials[2].Number != 3 {
		t.Fatal(s.Seq, trials, err)
	}
	for _, a := range []Asking{{N: 1, Key: "job", Flags: "fix"}, {N: 2, Key: "job", Flags: "fix"}, {N: 3, Key: "job"}} {
		if _, _, err := s.Reserve(a); code(err) != study.Conflict {
			t.Errorf("%+v: %v", a, err)
		}
	}
}

func TestQueue(t *testing.T) {
	o := options(t)
	enqueue := func(s *State) ([]Record, error) {
		return s.Enqueue(json.RawMessage("{\"x\":\n0.5}"), "q")
	}
	update(t, o, enqueue)
	s := update(t, o, enqueue)
	if len(s.Queue) != 1 {
		t.Fatalf("queue %v", s.Queue)
	}
	update(t, o, func(s *State) ([]Record, error) { recs, _, err := s.Reserve(Asking{N: 1}); return recs, err })
	sg := &study.Suggestion{Config: at(0.5), Source: "enqueued"}
	s = update(t, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Suggest(s.Trials[0], sg, s.Seq, s.Queue[0].Seq)
		return recs, err
	})
	if len(s.Queue) != 0 {
		t.Fatal("served and still waiting")
	}
	s = update(t, o, func(s *State) ([]Record, error) { return s.Release(s.Trials, ""), nil })
	if len(s.Queue) != 1 || summary(s) != summary(read(t, o)) {
		t.Fatalf("released and not waiting: %s", summary(s))
	}
}

// On a network file system what looks rolled back may be a cache's old state, in which
// case a repair would be the damage.
func TestRolledBackByACache(t *testing.T) {
	for kind, warned := range map[string]bool{LockPosix: false, LockLease: true} {
		o := options(t)
		o.Lock = kind
		mustAsk(t, o, "", 0.25)
		old := content(t, o.Path)
		mustAsk(t, o, "", 0.5)
		write(t, o.Path, old)
		_, _, err := Read(ctx, o)
		var e *study.Error
		if !errors.As(err, &e) || e.Code != study.Damaged ||
			strings.Contains(e.Hint, "cache of a network file system") != warned {
			t.Errorf("%s: %#v", kind, err)
		}
	}
}

func TestRolledBackAndForked(t *testing.T) {
	o := filled(t)
	backup := content(t, o.Path)
	if _, err := tell(o, "4", 1, study.Once); err != nil {
		t.Fatal(err)
	}
	copied := o
	copied.Path = filepath.Join(t.TempDir(), "copy.jsonl")
	write(t, copied.Path, backup)
	write(t, o.Path, backup)
	_, _, err := Read(ctx, o)
	wantCode(t, err, study.Damaged)
	_, err = ask(o, "", 0.9)
	wantCode(t, err, study.Damaged)
	if _, err := Repair(ctx, o, false); code(err) != study.Damaged {
		t.Errorf("repair without accept: %v", err)
	}
	rep, err := Repair(ctx, o, true)
	if err != nil || len(rep.Done) != 1 {
		t.Fatal(rep, err)
	}
	mine := mustAsk(t, o, "", 0.9)
	theirs := mustAsk(t, copied, "", 0.8)
	if mine.Number != theirs.Number {
		t.Fatalf("%s %s", mine.ID(), theirs.ID())
	}
	_, err = tell(o, theirs.ID(), 3, study.Once)
	wantCode(t, err, study.Conflict)
	if _, err := tell(copied, "4", 2, study.Once); err != nil {
		t.Fatal(err)
	}
	m, err := Merge(ctx, o, copied)
	if err != nil || m.Added != 1 || m.Observed != 1 || len(m.Conflicts) != 0 {
		t.Fatalf("%+v %v", m, err)
	}
	if m, err := Merge(ctx, o, copied); err != nil || m.Added+m.Observed != 0 {
		t.Fatalf("merging again: %+v %v", m, err)
	}
	// The other machine's id is understood here now.
	if _, err := tell(o, theirs.ID(), 3, study.Once); err != nil {
		t.Fatal(err)
	}
	if s := read(t, o); len(s.Trials) != 6 || s.Trials[5].Values.Of("loss") != 3 || s.Trials[3].Values.Of("loss") != 2 {
		t.Error(summary(s))
	}
	write(t, o.Path, content(t, copied.Path))
	_, _, err = Read(ctx, o)
	wantCode(t, err, study.Damaged)
}

func TestRepairDamage(t *testing.T) {
	o := filled(t)
	data := content(t, o.Path)
	lines := bytes.SplitAfter(data, []byte{'\n'})
	// Line 3 is the suggestion of trial 1: its observation goes too.
	lines[2] = bytes.Replace(lines[2], []byte(`"x":0`), []byte(`"x":1`), 1)
	broken := bytes.Join(lines, nil)
	write(t, o.Path, broken)
	_, _, err := Read(ctx, o)
	wantCode(t, err, study.Damaged)
	if !strings.Contains(err.Error(), "line 3: the checksum does not hold") {
		t.Error(err)
	}
	v, err := Verify(ctx, o)
	if err != nil || v.Records != 2 || len(v.Problems) != 2 || v.Problems[0].Line != 3 {
		t.Fatalf("%+v %v", v, err)
	}
	rep, err := Repair(ctx, o, false)
	if err != nil || len(rep.Dropped) != 2 {
		t.Fatalf("%+v %v", rep, err)
	}
	if !bytes.Equal(content(t, rep.Saved), broken) {
		t.Error("the damaged journal was not kept")
	}
	s := read(t, o)
	if len(s.Trials) != 4 || s.Trials[0].State != study.Reserved || s.Trials[1].State != study.Failed ||
		s.Trials[2].State != study.Abandoned {
		t.Error(summary(s))
	}
	if v, err := Verify(ctx, o); err != nil || len(v.Problems) != 0 {
		t.Errorf("%+v %v", v, err)
	}
	if _, err := tell(o, "4", 1, study.Once); err != nil {
		t.Error(err)
	}
}

// Lost records cost what they said, not the trials after them.
func TestRepairKeepsLaterTrials(t *testing.T) {
	o := filled(t)
	want := read(t, o)
	lines := bytes.SplitAfter(content(t, o.Path), []byte{'\n'})
	for bad := 1; bad <= 2; bad++ {
		for i := 1; i+bad < len(lines); i++ {
			b := bytes.Join(lines[:i], nil)
			b = append(b, bytes.Repeat([]byte("?\n"), bad)...)
			write(t, o.Path, append(b, bytes.Join(lines[i+bad:], nil)...))
			if _, err := Repair(ctx, o, false); err != nil {
				t.Fatal(i, err)
			}
			s := read(t, o)
			trials := 4
			if bad == 2 && i == 7 {
				trials = 3 // both lines that told of the last one
			}
			if len(s.Trials) != trials {
				t.Fatalf("without %d lines from line %d:\n%s", bad, i+1, summary(s))
			}
			lost := 0
			for k := range s.Trials {
				if s.Trials[k].State != want.Trials[k].State || s.Trials[k].Tag != want.Trials[k].Tag {
					lost++
				}
			}
			if lost > bad {
				t.Errorf("without %d lines from line %d:\n%s", bad, i+1, summary(s))
			}
			mustAsk(t, o, "", 0.9)
		}
	}
}

// A journal that is longer than what is in memory at once is repaired as any.
func TestRepairLong(t *testing.T) {
	const n = 6000
	o := options(t)
	update(t, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Add(slices.Repeat([]study.Addition{addition([]byte(`{"x":0.5}`), value(1))}, n))
		return recs, err
	})
	data := content(t, o.Path)
	if len(data) < maxLine {
		t.Fatalf("%d bytes", len(data))
	}
	for _, bad := range []int{bytes.IndexByte(data, '\n') + 100, len(data) / 2} { // in the first trial, in the middle
		broken := bytes.Clone(data)
		broken[bad] = '#'
		write(t, o.Path, broken)
		if rep, err := Repair(ctx, o, false); err != nil || len(rep.Dropped) != 1 {
			t.Fatal(rep, err)
		}
		v, err := Verify(ctx, o)
		if err != nil || !v.OK || v.Records != n+2 { // the number of the lost one, and a note
			t.Fatalf("%+v %v", v, err)
		}
		complete := 0
		for _, tr := range read(t, o).Trials {
			if tr.State == study.Complete {
				complete++
			}
		}
		if complete != n-1 {
			t.Errorf("%d trials are left", complete)
		}
		if files, _ := filepath.Glob(o.Path + ".tmp*"); files != nil {
			t.Error(files)
		}
		must(t, os.Remove(o.Path+".lock")) // whose mark is of the journal repaired
	}
}

func TestMigrate(t *testing.T) {
	o := filled(t)
	n := o
	n.Space = line{"two"}
	n.Study = json.RawMessage(`{"space":{"x":{"type":"float","low":0,"high":0.2}}}`)
	_, _, err := Read(ctx, n)
	wantCode(t, err, study.Mismatch)
	if !strings.Contains(err.Error(), "~ space.x.high: 1 → 0.2") {
		t.Error(err)
	}
	_, err = ask(n, "", 0.1)
	wantCode(t, err, study.Mismatch)
	if _, lines, err := Migrate(ctx, n, nil); err != nil || len(lines) != 1 {
		t.Fatal(lines, err)
	}
	if _, lines, err := Migrate(ctx, n, nil); err != nil || len(lines) != 0 {
		t.Fatal("again", lines, err)
	}
	mustAsk(t, n, "", 0.1)
	_, _, err = Read(ctx, o)
	wantCode(t, err, study.Mismatch)
}

func TestStudyChangeIsNoted(t *testing.T) {
	o := filled(t)
	n := o
	seed := uint64(7)
	n.Seed = &seed
	n.Study = json.RawMessage(`{"space":{"x":{"type":"float","low":0,"high":1}},"budget":{"trials":9}}`)
	_, warnings, err := Read(ctx, n)
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "+ budget: {\"trials\":9}") {
		t.Fatal(warnings, err)
	}
	mustAsk(t, n, "", 0.7)
	s := read(t, n)
	if s.Seed != 7 || len(s.Warnings) != 0 || string(s.Study) != string(n.Study) {
		t.Errorf("seed %d, warnings %v, study %s", s.Seed, s.Warnings, s.Study)
	}
}

// Linking a file to its own name says that it exists, as after an archive that was killed on the way.
func TestArchiveByAnotherPathOfItsOwn(t *testing.T) {
	o := filled(t)
	t.Chdir(filepath.Dir(o.Path))
	whole := o.Path
	for _, names := range [][2]string{{filepath.Base(whole), whole}, {whole, filepath.Base(whole)}} {
		o.Path = names[0]
		if _, err := Archive(ctx, o, names[1]); code(err) != study.Usage {
			t.Errorf("%s under the name %s: %v", names[0], names[1], err)
		}
		if _, err := os.Stat(whole); err != nil {
			t.Fatal(err)
		}
	}
}

func TestArchive(t *testing.T) {
	o := filled(t)
	data := content(t, o.Path)
	to, err := Archive(ctx, o, "")
	must(t, err)
	if !bytes.Equal(content(t, to), data) {
		t.Error("the archive differs")
	}
	s, warnings, err := Read(ctx, o)
	if err != nil || s.Exists || len(warnings) != 0 {
		t.Error(s.Exists, warnings, err)
	}
	mustAsk(t, o, "", 0.5)
	if _, err := Archive(ctx, o, to); code(err) != study.Usage {
		t.Errorf("an archive was overwritten: %v", err)
	}
}

func TestReplaySeesThePrefix(t *testing.T) {
	o := filled(t)
	n := 0
	err := replay(o, func(prefix *State, tr *study.Trial, recorded json.RawMessage) error {
		prefix.In(o.Space, recorded)
		n++
		want, err := ReadUpTo(ctx, o, tr.From)
		if err != nil {
			return err
		}
		if summary(want) != summary(prefix) || prefix.Seq != tr.From || prefix.Trials[tr.Number-1].State != study.Reserved {
			t.Errorf("trial %d saw\n%s\nnot\n%s", tr.Number, summary(prefix), summary(want))
		}
		if string(recorded) != string(o.Study) {
			t.Errorf("trial %d was made by %s", tr.Number, recorded)
		}
		return nil
	})
	if err != nil || n != 4 {
		t.Fatal(n, err)
	}
}

// replay visits what every suggestion of a journal saw, with the study that made it.
func replay(o Options, visit func(prefix *State, t *study.Trial, recorded json.RawMessage) error) error {
	all := func(all []*Decision) ([]*Decision, error) { return all, nil }
	return Walk(ctx, o, all, func(d *Decision, prefix *State) error {
		return visit(prefix, &study.Trial{Number: d.Trial, Tag: d.Tag, From: d.From}, d.Study)
	})
}

func TestDescribeFS(t *testing.T) {
	d, err := DescribeFS(ctx, t.TempDir())
	if err != nil || !d.Locks || !d.Links || d.Sync <= 0 || len(d.Problems) > 0 {
		t.Errorf("%+v %v", d, err)
	}
	if left, _ := filepath.Glob(filepath.Join(d.Dir, ".bohier*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// A number given back is no part of the budget until somebody takes it; one whose process died is counted already.
func TestBudgetOfNumbersGivenBack(t *testing.T) {
	o := options(t).defaults()
	s := newState(&o)
	s.Trials = []study.Trial{
		{Number: 1, State: study.Complete}, {Number: 2, State: study.Reserved, Released: true},
		{Number: 3, State: study.Reserved},
	}
	for part, want := range []int{2, 3, 0} {
		if _, number, err := s.Reserve(Asking{N: 3, Full: part > 0}, []int{2, 3}[:part]...); err != nil || number != want {
			t.Errorf("part %d: number %d, %v", part, number, err)
		}
	}
}
