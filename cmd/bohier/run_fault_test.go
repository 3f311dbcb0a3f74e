//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bohier/internal/execute"
	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// figure reports how much a test did, in the form that make soak adds up.
func figure(t *testing.T, what string, got int) {
	t.Helper()
	t.Logf("figure %s: %d", what, got)
}

const readOnly = "made read-only"

// damages are what may happen to a journal while a run works with it.
var damages = map[string]func(t *testing.T, path string){
	"archived": func(t *testing.T, path string) {
		if _, err := journal.Archive(context.Background(), journal.Options{Path: path}, path+".aside"); err != nil {
			t.Log(err) // before it began
		}
	},
	"removed": func(_ *testing.T, path string) { _ = os.Remove(path) },
	"removed with its lock": func(_ *testing.T, path string) {
		_ = os.Remove(path)
		_ = os.Remove(path + ".lock")
	},
	"replaced": func(_ *testing.T, path string) { _ = os.Rename(otherJournal(path), path) },
	"emptied":  func(_ *testing.T, path string) { _ = os.Truncate(path, 0) },
	"truncated": func(_ *testing.T, path string) {
		if b, err := os.ReadFile(path); err == nil {
			_ = os.Truncate(path, int64(len(b)*2/3))
		}
	},
	"cut back, its lock gone": func(_ *testing.T, path string) {
		if b, err := os.ReadFile(path); err == nil {
			lines := strings.SplitAfter(string(b), "\n")
			_ = os.Truncate(path, int64(len(strings.Join(lines[:len(lines)*2/3], ""))))
			_ = os.Remove(path + ".lock")
		}
	},
	"changed": func(_ *testing.T, path string) { // in place: what is appended meanwhile stays
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			return
		}
		defer f.Close()
		if b, err := io.ReadAll(f); err == nil && len(b) > 0 {
			_, _ = f.WriteAt([]byte{b[len(b)/2] ^ 1}, int64(len(b)/2))
		}
	},
	"a directory": func(_ *testing.T, path string) {
		_ = os.Rename(path, path+".aside")
		_ = os.Mkdir(path, 0o777)
	},
	readOnly: func(_ *testing.T, path string) { _ = os.Chmod(path, 0o444) },
	"given back by hand": func(_ *testing.T, path string) {
		_, _ = journal.Update(context.Background(), journal.Options{Path: path},
			func(s *journal.State) ([]journal.Record, error) {
				return s.Return(s.Trials, ""), nil
			})
	},
	"reported from elsewhere": func(_ *testing.T, path string) {
		_, _ = journal.Update(context.Background(), journal.Options{Path: path},
			func(s *journal.State) ([]journal.Record, error) {
				for _, t := range s.Pending() {
					recs, _, err := s.Observe(t.ID(),
						study.Report{Observation: study.Observation{Values: study.Values{{Name: "f", Value: 7}}}})
					return recs, err
				}
				return nil, nil
			})
	},
}

// otherJournal stands beside the journal, for another study.
func otherJournal(path string) string { return filepath.Join(filepath.Dir(path), "other.jsonl") }

func faultStudy(t *testing.T, dir, name string) runner.Session {
	t.Helper()
	file := filepath.Join(dir, "bohier.yaml")
	text := `objective: {name: f, direction: minimize}
space: {x: {type: float, low: 0, high: 1}}
initial: {count: 100}
budget: {trials: 4}
seed: 1
run: {shell: "echo 0.5", parallel: 2}
`
	mustWrite(t, file, text)
	session, err := call{streams: streams{Env: os.LookupEnv},
		place: place{study: file, journal: filepath.Join(dir, name), lockTimeout: 10 * time.Second}}.session()
	noError(t, err)
	return session
}

// steps counts the steps of a run and does damage at one of them. A step is an event of the loop or a time that the
// journal asks for: before a lock is taken, under it, before a record is written.
type steps struct {
	sync.Mutex
	count, at int
	damage    func()
	over      chan struct{} // closed when the damage is done; nil: not begun
}

// next is one step; it reports whether the damage was over before.
func (s *steps) next() (passed bool) {
	s.Lock()
	defer s.Unlock()
	select {
	case <-s.over:
		passed = true
	default:
	}
	if s.count++; s.count == s.at {
		// Some kinds wait for the lock, which this step may hold.
		s.over = make(chan struct{})
		go func() { defer close(s.over); s.damage() }()
		select {
		case <-s.over:
		case <-time.After(20 * time.Millisecond):
		}
	}
	return passed
}

// Whatever happens to its journal at whatever step, a run ends without a panic, with a code that does not deny what was
// recorded, and what it says is true: every result is recorded, or shown with the way to record it. One step in 24 is
// tried, other ones of every kind of damage; BOHIER_SOAK=1 tries them all.
func TestRunWhoseJournalIsDamaged(t *testing.T) {
	stride := 24
	if os.Getenv("BOHIER_SOAK") != "" {
		stride = 1
	}
	var reached atomic.Int64
	t.Cleanup(func() { figure(t, "runs whose journal was damaged at a step", int(reached.Load())) })
	for k, what := range slices.Sorted(maps.Keys(damages)) {
		t.Run(what, func(t *testing.T) {
			if what == readOnly && os.Getuid() == 0 {
				// To root nothing is read-only. Not in parallel: a run takes up whatever process of this one has ended.
				asNobody(t)
				return
			}
			t.Parallel() // runs wait for locks and for the disk more than they work
			for at := 1 + k%stride; damagedAt(t, what, damages[what], at); at += stride {
				reached.Add(1)
			}
		})
	}
}

var recordedByHand = regexp.MustCompile(`result of trial (\S+) is not recorded`)

func damagedAt(t *testing.T, what string, damage func(*testing.T, string), at int) (reached bool) {
	t.Helper()
	dir := t.TempDir()
	session := faultStudy(t, dir, "j.jsonl")
	path := session.Journal.Path
	other := session.Journal
	other.Path = otherJournal(path)
	if _, err := journal.Update(context.Background(), other, func(*journal.State) ([]journal.Record, error) {
		return []journal.Record{{Kind: journal.KindNote, Note: "another one"}}, nil
	}); err != nil {
		t.Fatal(err)
	}
	s := &steps{at: at, damage: func() { damage(t, path) }}
	session.Journal.Now = func() time.Time { s.next(); return time.Unix(0, 0) }
	var recorded, after, began, said []string
	late := map[string]bool{} // began after the damage
	var events sync.Mutex
	event := func(e execute.Event) {
		passed := s.next()
		events.Lock()
		defer events.Unlock()
		switch e.Kind {
		case execute.Started:
			began = append(began, e.Trial.ID())
			late[e.Trial.ID()] = passed
		case execute.Recorded:
			recorded = append(recorded, e.Trial.ID())
			if late[e.Trial.ID()] {
				after = append(after, e.Trial.ID())
			}
		case execute.Warned:
			said = append(said, e.Err.Error())
		}
	}
	summary, err := execute.Loop(context.Background(), session, execute.LoopOptions{
		Dir: dir, Trials: filepath.Join(dir, "trials"), Worker: "w", Event: event,
	})
	if s.over != nil {
		<-s.over
	}
	where := fmt.Sprintf("%s at step %d of %d (%v; said %q)", what, at, s.count, err, said)
	code := exitCode(err)
	if code == int(study.Usage) || code == int(study.Unexpected) || code == int(study.Exhausted) {
		t.Errorf("%s: exit code %d", where, code)
	}
	elsewhere := strings.Contains(strings.Join(said, "\n"), "reported from elsewhere")
	if elsewhere && what != "reported from elsewhere" {
		t.Errorf("%s: nobody reported anything", where)
	}
	// Every trial that began is recorded, or said not to be, or given back.
	text := strings.Join(said, "\n")
	if err != nil {
		text += "\n" + err.Error()
	}
	for _, id := range began {
		told := slices.ContainsFunc(recordedByHand.FindAllStringSubmatch(text, -1),
			func(m []string) bool { return m[1] == id })
		if !slices.Contains(recorded, id) && !told && !strings.Contains(text, "trial "+id+" was reported") &&
			!strings.Contains(text, "given back") && summary.Returned == 0 {
			t.Errorf("%s: nothing was said of trial %s", where, id)
		}
	}
	if err == nil && summary.Complete != len(recorded) {
		t.Errorf("%s: %d complete, %d recorded", where, summary.Complete, len(recorded))
	}
	// What was recorded is there, unless the damage was done to it after.
	kept := ""
	for _, name := range []string{path, path + ".aside"} {
		b, _ := os.ReadFile(name)
		kept += string(b)
	}
	want := recorded
	if what != "archived" && what != "given back by hand" && what != "reported from elsewhere" && what != "a directory" &&
		what != readOnly {
		want = after
	}
	for _, id := range want {
		number, tag, _ := strings.Cut(id, "-")
		if !strings.Contains(kept, fmt.Sprintf(`"t":"observe","trial":%s,"tag":"%s"`, number, tag)) {
			t.Errorf("%s: trial %s is recorded and not there", where, id)
		}
	}
	if s.count < at {
		return false
	}
	next(t, session, where)
	return true
}

// asNobody runs the test that calls it as a user without rights.
func asNobody(t *testing.T) {
	t.Helper()
	dir, err := os.MkdirTemp("", "bohier-test-") // t.TempDir is closed to others
	noError(t, err)
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	noError(t, err)
	binary, err := os.ReadFile(self)
	const nobody = 65534
	file := filepath.Join(dir, "test")
	noError(t, errors.Join(err, os.WriteFile(file, binary, 0o755), os.Chmod(dir, 0o755),
		os.Mkdir(filepath.Join(dir, "tmp"), 0o777),
		os.Chown(filepath.Join(dir, "tmp"), nobody, nobody)))
	cmd := exec.Command(file, "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(dir, "tmp"), "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM):
		t.Skip("no other user can be become here")
	case err != nil || !strings.Contains(string(out), "--- PASS"):
		t.Errorf("%v\n%s", err, out)
	}
}

// next is what a user does then: run again, with repair where that is the way.
func next(t *testing.T, session runner.Session, where string) {
	t.Helper()
	path := session.Journal.Path
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if err := errors.Join(os.Remove(path), os.Rename(path+".aside", path)); err != nil {
			return // it had not begun
		}
	}
	_ = os.Chmod(path, 0o666)
	session.Journal.Now = nil
	o := execute.LoopOptions{Dir: filepath.Dir(path), Trials: filepath.Join(filepath.Dir(path), "trials"), Worker: "w"}
	_, err := execute.Loop(context.Background(), session, o)
	if exitCode(err) == int(study.Damaged) {
		if _, err := journal.Repair(context.Background(), session.Journal, true); err != nil {
			return // nothing of it is left
		}
		if _, err = journal.Update(context.Background(), session.Journal, func(s *journal.State) ([]journal.Record, error) {
			// The record of who has it, or of its result, was damaged: nobody can tell but the user.
			return s.Return(s.Trials, ""), nil
		}); err != nil {
			t.Error(err)
		}
		_, err = execute.Loop(context.Background(), session, o)
	}
	if strings.HasPrefix(where, "cut back") { // a result is lost, and the process that had the trial left in order
		if _, returnErr := journal.Update(context.Background(), session.Journal,
			func(s *journal.State) ([]journal.Record, error) {
				return s.Return(s.Trials, ""), nil
			}); returnErr != nil {
			t.Error(returnErr)
		}
		_, err = execute.Loop(context.Background(), session, o)
	}
	state, _, readErr := session.Read(context.Background())
	if complete := study.In(study.Complete, state.Trials); err != nil || readErr != nil || len(complete) != 4 {
		t.Errorf("%s: the next run: %v, %v, %d complete", where, err, readErr, len(complete))
	}
}
