package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
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
	t.Parallel()
	root, err := filepath.Abs("../..")
	noError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:                 scripts(t, "testdata/script"),
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			useBuilt(e)
			e.Setenv("PAGE", filepath.Join(root, "docs", "manual", "shell-loop.md"))
			e.Setenv("PYTHON", os.Getenv("BOHIER_PYTHON"))
			e.Setenv("SOURCES", filepath.Join(root, "internal", "exchange", "testdata"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits_, "call": call_},
		Condition: func(name string) (bool, error) {
			if name == "peers" { // a Python with optuna
				return os.Getenv("BOHIER_PYTHON") != "", nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
	})
}

// started matches a command of a script that starts the program, with the line before it; starts matches
// the arguments with which the program works in the background or starts others, and interpreters the
// scripts that set up those that the program starts.
var (
	started = regexp.MustCompile(`(?m)^(?:(?:stdin|ttyin) .*\n.*|(! )?(?:exec|exits (\d+)) bohier (.*))$`)
	starts  = regexp.MustCompile(`\brun\b|&$`)

	interpreters = regexp.MustCompile(`(?m)^env BOHIER_(PYTHON|RSCRIPT)=|^\[!?peers\]`)
)

// scripts is a directory with the scripts of another one. Most commands take a tenth of the time that
// their process takes to start: scripts call the program in the process of the tests, and start it with
// BOHIER_SOAK=1. A command with input, one in the background and one that starts others are always processes.
func scripts(t *testing.T, dir string) string {
	t.Helper()
	if os.Getenv("BOHIER_SOAK") != "" {
		return dir
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	noError(t, err)
	to := t.TempDir()
	for _, file := range files {
		text := mustRead(t, file)
		if !interpreters.Match(text) {
			text = started.ReplaceAllFunc(text, func(line []byte) []byte {
				m := started.FindStringSubmatch(string(line))
				if m[3] == "" || starts.MatchString(m[3]) {
					return line
				}
				return []byte(m[1] + "call " + cmp.Or(m[2], "0") + " " + m[3])
			})
		}
		mustWrite(t, filepath.Join(to, filepath.Base(file)), text)
	}
	return to
}

// call_ calls the program, which must end with the given code; after a "!" with another one.
func call_(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	dir := ts.MkAbs(".")
	var out, errs strings.Builder
	code := runProgram(context.Background(), streams{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir,
		Env: func(name string) (string, bool) { value := ts.Getenv(name); return value, value != "" },
	}, args[1:])
	relative := strings.NewReplacer(dir+string(os.PathSeparator), "") // as the output of a process in dir
	_, outErr := relative.WriteString(ts.Stdout(), out.String())
	_, errsErr := relative.WriteString(ts.Stderr(), errs.String())
	ts.Check(errors.Join(outErr, errsErr))
	if (code == want) == neg {
		ts.Fatalf("exit code %d", code)
	}
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
