package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"bohier":   func() { os.Exit(program()) },
		"holdlock": holdLock,
	})
}

// TestScripts runs testdata/script: what a user sees of every command. Beside the
// usual commands there is `exits CODE COMMAND…`.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			useBuilt(e)
			e.Setenv("PAGE", filepath.Join(root, "docs", "manual", "shell-loop.md"))
			e.Setenv("PYTHON", os.Getenv("BOHIER_PYTHON"))
			e.Setenv("SOURCES", filepath.Join(root, "internal", "exchange", "testdata"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits_},
		Condition: func(name string) (bool, error) {
			if name == "peers" { // a Python with optuna
				return os.Getenv("BOHIER_PYTHON") != "", nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
	})
}

// useBuilt has a script run the program that was built, where the environment names one: it
// starts in half the time of this test program under its name.
func useBuilt(e *testscript.Env) {
	if built := os.Getenv("BOHIER_PROGRAM"); filepath.Base(built) == "bohier" {
		e.Setenv("PATH", filepath.Dir(built)+string(os.PathListSeparator)+e.Getenv("PATH"))
	}
}

// exits_ runs a command that must end with the given code.
func exits_(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENT...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// holdLock keeps the lock of the journal named by its argument, creates the file
// named by the second once it has it, and waits to be killed.
func holdLock() {
	f, err := os.OpenFile(os.Args[1]+".lock", os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		panic(err)
	}
	whole := unix.Flock_t{Type: unix.F_WRLCK}
	if err := unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLKW, &whole); err != nil {
		panic(err)
	}
	if err := os.WriteFile(os.Args[2], nil, 0o666); err != nil {
		panic(err)
	}
	time.Sleep(time.Minute)
}
