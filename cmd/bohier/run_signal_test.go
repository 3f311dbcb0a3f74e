//go:build linux

package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Signals at random moments of a run, in its fits and in its commands: its code is that of the signal, it says so
// without a stack trace, nothing that it started is left, and in the end every trial is complete, once.
func TestRunUnderSignals(t *testing.T) {
	// Not beside the tests that run in this process: a run there reaps what it adopted,
	// and would take the processes of this test for that.
	rounds, trials, seed := 10, "14", uint64(1)
	if os.Getenv("BOHIER_SOAK") != "" {
		rounds, trials, seed = 400, "120", uint64(time.Now().UnixNano())
	}
	dir := t.TempDir()
	study := `objective: {name: f, direction: minimize}
space: {x: {type: float, low: 0, high: 1}, y: [a, b, c]}
initial: {count: 3}
budget: {trials: ` + trials + `}
seed: 1
run: {shell: "(env -i setsid sleep 60 &); sleep 0.05 & wait; echo $BOHIER_P_X", parallel: 2, grace: 1s}
`
	// Where control groups can be made, even a daemon that cleared its environment ends.
	probe := t.TempDir()
	cmd, errs := program_(t, probe, "run", "-q")
	for d, text := range map[string]string{dir: study, probe: strings.Replace(study, "trials: "+trials, "trials: 1", 1)} {
		mustWrite(t, filepath.Join(d, "bohier.yaml"), text)
	}
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, errs)
	}
	if len(processesOf(probe)) > 0 {
		t.Log("no control groups (version 2) can be made here: without daemons that clear their environment")
		study = strings.Replace(study, "(env -i setsid sleep 60 &); ", "", 1)
		mustWrite(t, filepath.Join(dir, "bohier.yaml"), study)
	}
	random := rand.New(rand.NewPCG(1, seed))
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGXCPU, syscall.SIGKILL}
	for range rounds {
		cmd, errs := program_(t, dir, "run", "-q")
		noError(t, cmd.Start())
		time.Sleep(time.Duration(random.Int64N(int64(600 * time.Millisecond))))
		s := signals[random.IntN(len(signals))]
		_ = cmd.Process.Signal(s)
		if random.IntN(4) == 0 {
			time.Sleep(time.Duration(random.Int64N(int64(20 * time.Millisecond))))
			_ = cmd.Process.Signal(s)
		}
		err := cmd.Wait()
		status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
		byIt := errors.As(err, new(*exec.ExitError)) && ok &&
			(status.Signaled() && status.Signal() == s || status.ExitStatus() == 128+int(s))
		if err != nil && !byIt || strings.Contains(errs.String(), "goroutine ") ||
			strings.Contains(errs.String(), "interrupted by") {
			t.Fatalf("%v: %v\n%s", s, err, errs)
		}
		left := processesOf(dir)
		for try := 0; len(left) > 0 && try < 100; try++ { // the kernel takes a moment
			time.Sleep(10 * time.Millisecond)
			left = processesOf(dir)
		}
		if len(left) > 0 {
			t.Fatalf("%v left %q", s, left)
		}
	}
	cmd, errs = program_(t, dir, "run", "-q")
	if out, err := cmd.Output(); err != nil ||
		!bytes.Contains(out, []byte("trials   "+trials+" complete, 0 pending, 0 failed")) {
		t.Fatalf("%v: %s%s", err, out, errs)
	}
	figure(t, "runs that got signals", rounds)
	for _, verb := range []string{"verify", "replay"} {
		args := []string{"journal", verb}
		if verb == "replay" {
			args = append(args, "--verify")
		}
		cmd, errs := program_(t, dir, args...)
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v: %s", verb, err, errs)
		}
	}
	if left := processesOf(dir); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// program_ is this program as a process of its own, and what it says.
func program_(t *testing.T, dir string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	noError(t, err)
	errs := &bytes.Buffer{}
	return &exec.Cmd{Path: self, Args: append([]string{"bohier"}, args...), Dir: dir, Stderr: errs}, errs
}

// processesOf are the commands of trials in a directory that live.
func processesOf(dir string) (found []string) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		env, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		cwd, _ := os.Readlink(filepath.Join("/proc", e.Name(), "cwd"))
		if cwd == dir || bytes.Contains(env, []byte("BOHIER_PARAMS="+dir)) {
			line, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
			found = append(found, e.Name()+": "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}
