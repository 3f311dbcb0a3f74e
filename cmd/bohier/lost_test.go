//go:build unix

package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bohier/internal/execute"
	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// beatOf makes the times of lost workers short: 100 ms between signs of life, a second
// until a worker is lost, 250 ms where it had this one's name.
const beatOf = 100 * time.Millisecond

// ghost gives a trial to a worker on a machine of which nothing is heard.
func ghost(t *testing.T, c runner.Session, worker string) study.Trial {
	t.Helper()
	trials, _, err := c.Suggest(t.Context(), runner.Ask{N: 1, Worker: worker})
	noError(t, err)
	return trials[0]
}

func watched(t *testing.T, ctx context.Context, c runner.Session, wait bool) (execute.Summary, string, error) {
	t.Helper()
	var mu sync.Mutex
	said := ""
	sum, err := execute.Loop(ctx, c,
		execute.LoopOptions{Dir: t.TempDir(), Trials: t.TempDir(), Worker: "me", Wait: wait, Beat: beatOf,
			Event: func(e execute.Event) {
				mu.Lock()
				defer mu.Unlock()
				if e.Err != nil {
					said += e.Err.Error() + "\n"
				}
			}})
	return sum, said, err
}

// A run that waits takes over the trial of a worker of which nothing is heard.
func TestLostWorker(t *testing.T) {
	for _, worker := range []string{"elsewhere/0#ghost", "me/3#ghost"} {
		c := faultStudy(t, t.TempDir(), "lost.journal.jsonl")
		lost := ghost(t, c, worker)
		sum, said, err := watched(t, t.Context(), c, true)
		if err != nil || sum.Complete != 4 || !strings.Contains(said, "no sign of that worker") {
			t.Errorf("%s: %+v, %v\n%s", worker, sum, err, said)
		}
		state, _, err := c.Read(t.Context())
		noError(t, err)
		if now, err := state.Trial(lost.ID()); err != nil || now.State != study.Complete || now.Lost != 1 ||
			!strings.HasPrefix(now.Worker, "me/") {
			t.Errorf("%s: %+v, %v", worker, now, err)
		}
	}
}

// A worker that is started again has its trials after the time that is said, 150 s, and not
// when a sign of life happens to be due after that. (A busy machine gets three tries.)
func TestLostInTime(t *testing.T) {
	const beat = 600 * time.Millisecond
	for try := 1; ; try++ {
		c := faultStudy(t, t.TempDir(), "time.journal.jsonl")
		ghost(t, c, "me/0#ghost")
		var begun, told time.Time
		begun = time.Now()
		_, err := execute.Loop(t.Context(), c,
			execute.LoopOptions{Dir: t.TempDir(), Trials: t.TempDir(), Worker: "me", Wait: true, Beat: beat,
				Event: func(e execute.Event) {
					if e.Err != nil && strings.Contains(e.Err.Error(), "no sign of that worker") {
						told = time.Now()
					}
				}})
		if err != nil || told.IsZero() || told.Sub(begun) < beat*150/60 {
			t.Fatalf("told after %v: %v", told.Sub(begun), err)
		}
		if took := told.Sub(begun); took < beat*200/60 { // the fourth sign at the earliest
			return
		} else if try == 3 {
			t.Fatalf("%v after the start", took)
		}
	}
}

// Without --wait a run does not stay, and a worker that gives signs of life is never lost.
func TestLivingWorker(t *testing.T) {
	c := faultStudy(t, t.TempDir(), "living.journal.jsonl")
	alive := ghost(t, c, "elsewhere/0#living")
	if sum, _, err := watched(t, t.Context(), c, false); err != nil || sum.Complete != 3 {
		t.Fatalf("%+v, %v", sum, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var beats sync.WaitGroup
	beats.Go(func() {
		for n := uint64(1); ctx.Err() == nil; n++ {
			_ = c.Journal.Beats().Beat(ctx, "elsewhere#living", n)
			time.Sleep(beatOf / 3)
		}
	})
	enough, cancel := context.WithTimeout(t.Context(), 20*beatOf)
	defer cancel()
	if _, said, err := watched(t, enough, c, true); !errors.Is(err, context.DeadlineExceeded) || said != "" {
		t.Errorf("%v\n%s", err, said)
	}
	stop()
	beats.Wait()
	state, _, err := c.Read(t.Context())
	noError(t, err)
	if now, err := state.Trial(alive.ID()); err != nil || now.Waiting || now.State != study.Pending {
		t.Errorf("%+v, %v", now, err)
	}
}

// A command whose trial another worker has by now is stopped, and the run goes on.
func TestTakenTrial(t *testing.T) {
	c := faultStudy(t, t.TempDir(), "taken.journal.jsonl")
	slow := *c.Study
	run := *slow.Run
	run.Shell, run.Parallel = `case $BOHIER_TRIAL in 1-*) sleep 60;; esac; echo 0.5`, 1
	slow.Run = &run
	mine := c
	mine.Study = &slow
	ended := make(chan string, 1)
	go func() {
		sum, said, err := watched(t, t.Context(), mine, false)
		if err != nil || sum.Complete != 3 {
			t.Errorf("%+v, %v", sum, err)
		}
		ended <- said
	}()
	for {
		state, _, err := c.Read(t.Context())
		noError(t, err)
		if len(state.Trials) > 0 && state.Trials[0].State == study.Pending {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if _, _, err := c.Update(t.Context(), func(now *journal.State) ([]journal.Record, *study.Trial, error) {
		return now.ReturnOne("1")
	}); err != nil {
		t.Fatal(err)
	}
	taken := ghost(t, c, "other/0#quick")
	if taken.Number != 1 {
		t.Fatalf("took trial %d", taken.Number)
	}
	stop := make(chan struct{})
	go func() { // it lives
		for n := uint64(1); ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(beatOf / 3):
				_ = c.Journal.Beats().Beat(context.Background(), "other#quick", n)
			}
		}
	}()
	if said := <-ended; !strings.Contains(said, "another worker has taken the trial") {
		t.Errorf("%s", said)
	}
	close(stop)
	if _, _, err := c.Observe(t.Context(), "1",
		study.Report{Observation: study.Observation{Values: study.Values{{Name: "f", Value: 1}}}}); err != nil {
		t.Error(err)
	}
}

// The job of a trial that is abandoned elsewhere is cancelled, and the run goes on.
func TestAbandonedJob(t *testing.T) {
	c := faultStudy(t, t.TempDir(), "jobs.journal.jsonl")
	st := *c.Study
	run := *st.Run
	run.Shell, run.ResultFile, run.Parallel = "", "{dir}/result", 1
	run.Jobs = study.Jobs{
		Job: "bohier-{run}-{id}", Every: 10 * time.Millisecond,
		Submit: []string{"sh", "-c", `[ "$1" = 1 ] && : >"$0/queued" || echo 0.5 >"$BOHIER_RESULT"`, "{dir}", "{trial}"},
		Find:   []string{"sh", "-c", `[ ! -e "$0/queued" ] || echo "$1"`, "{dir}", "{job}"},
		Cancel: []string{"sh", "-c", `mv "$0/queued" "$0/cancelled"`, "{dir}", "{job}"},
	}
	st.Run = &run
	mine := c
	mine.Study = &st
	trials := t.TempDir()
	var said string
	var sum execute.Summary
	var ended sync.WaitGroup
	ended.Go(func() {
		var err error
		sum, err = execute.Loop(t.Context(), mine,
			execute.LoopOptions{Dir: t.TempDir(), Trials: trials, Worker: "me", Beat: beatOf,
				Event: func(e execute.Event) {
					if e.Err != nil {
						said += e.Err.Error()
					}
				}})
		if err != nil {
			t.Error(err)
		}
	})
	file := func(name string) bool {
		found, _ := filepath.Glob(filepath.Join(trials, "1-*", name))
		return len(found) == 1
	}
	for !file("queued") && t.Context().Err() == nil {
		time.Sleep(5 * time.Millisecond)
	}
	if _, _, err := c.Update(t.Context(), func(now *journal.State) ([]journal.Record, *study.Trial, error) {
		return now.Abandon("1", "")
	}); err != nil {
		t.Fatal(err)
	}
	ended.Wait()
	if !file("cancelled") || sum.Complete != 4 || !strings.Contains(said, "ended from elsewhere") {
		t.Errorf("%+v, cancelled: %v\n%s", sum, file("cancelled"), said)
	}
}
