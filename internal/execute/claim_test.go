package execute

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"bohier/internal/runner"
	"bohier/internal/study"
	"bohier/internal/study/studytest"
)

// A trial that was given up can be taken, though a command that just starts has its lock file open yet.
func TestTrialIsFreeAfterItsClaim(t *testing.T) {
	l := &loop{LoopOptions: LoopOptions{Trials: t.TempDir()}, self: thisProcess()}
	trial := &study.Trial{Number: 1, Tag: "abcd"}
	starting, free, err := lockFile(filepath.Join(l.dir(trial), "lock"))
	if err != nil || !free {
		t.Fatalf("the lock of a new trial is free: %v, %v", free, err)
	}
	time.AfterFunc(50*time.Millisecond, func() { starting.Close() })
	c, err := l.claim(trial)
	if err != nil || c == nil {
		t.Fatalf("after its lock was given up the trial is taken by %v, %v", c, err)
	}
	c.Close()
}

// A trial that another process runs, and goes on running, is left to it.
func TestClaimIsExclusive(t *testing.T) {
	t.Parallel() // it takes clearTime
	dir, trial := t.TempDir(), &study.Trial{Number: 1, Tag: "abcd"}
	one, other := &loop{LoopOptions: LoopOptions{Trials: dir}}, &loop{LoopOptions: LoopOptions{Trials: dir}}
	first, err := one.claim(trial)
	if err != nil || first == nil {
		t.Fatal(first, err)
	}
	defer first.Close()
	if second, err := other.claim(trial); err != nil || second != nil {
		t.Errorf("%v, %v; want none", second, err)
	}
}

// The next leg of a trial waits until the command of the leg before has ended.
func TestNextLegWaits(t *testing.T) {
	l := &loop{LoopOptions: LoopOptions{Trials: t.TempDir()}, self: thisProcess()}
	trial := &study.Trial{Number: 1, Tag: "abcd"}
	first, err := l.claim(trial)
	if err != nil || first == nil {
		t.Fatal(first, err)
	}
	var ended atomic.Bool
	time.AfterFunc(50*time.Millisecond, func() { ended.Store(true); first.Close() })
	second, err := l.claim(trial)
	if err != nil || second == nil {
		t.Fatal(second, err)
	}
	defer second.Close()
	if !ended.Load() {
		t.Error("two commands of a trial at once")
	}
}

// A command whose leg is over is not stopped because another worker has the next leg.
func TestLegsAreNotTaken(t *testing.T) {
	course := func(legs int) *study.Course { return &study.Course{Legs: make([]study.Leg, legs)} }
	for _, c := range []struct {
		leg  int
		want error
	}{{1, errTaken}, {2, nil}} {
		var u underWay
		ctx, end := u.begin(t.Context(), &study.Trial{Number: 1, Worker: "a/0#x", Course: course(1)})
		u.stopTaken([]study.Trial{{Number: 1, State: study.Pending, Worker: "b/0#y", Course: course(c.leg)}}, false)
		if got := context.Cause(ctx); !errors.Is(got, c.want) {
			t.Errorf("leg %d: %v, want %v", c.leg, got, c.want)
		}
		end()
	}
}

// What says that a process died stays until its trials have been given back, even where the
// process got them a moment before it died.
func TestFilesOfTheDeadStayWhileTheyHaveTrials(t *testing.T) {
	st := studytest.NewStudy(t, studytest.Number("x"))
	seed := uint64(7)
	s := runner.Session{Study: st}
	s.Journal.Path, s.Journal.Space, s.Journal.Seed = filepath.Join(t.TempDir(), "journal.jsonl"), st.Space, &seed
	s.Journal.Study = []byte(`{"objective":{"name":"f","direction":"minimize"}}`)
	l := &loop{Session: s, LoopOptions: LoopOptions{Trials: t.TempDir()}, nonce: "here", self: thisProcess()}
	other := &loop{LoopOptions: LoopOptions{Trials: l.Trials}, nonce: "gone"}
	must(t, other.enlist())
	trials, _, err := s.Suggest(t.Context(), runner.Ask{Worker: "run@host/1#gone"})
	must(t, err)
	other.leave(false)
	for _, given := range []bool{false, true} {
		if given {
			if _, err := s.ReturnAll(t.Context(), trials, "stopped"); err != nil {
				t.Fatal(err)
			}
		}
		must(t, l.forget(t.Context()))
		if _, err := os.Stat(other.lifeFile); (err == nil) == given {
			t.Errorf("trials given back: %v; the file: %v", given, err)
		}
	}
}
