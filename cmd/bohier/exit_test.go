package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"bohier/internal/study"
)

func TestExitCode(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(interrupted{syscall.SIGTERM})
	for want, err := range map[int]error{
		0:   nil,
		1:   io.EOF,
		2:   usage("", "x"),
		3:   fmt.Errorf("wrapped: %w", study.Errorf(study.Exhausted, "", "x")),
		4:   reported(study.Errorf(study.Conflict, "", "x")),
		5:   study.Errorf(study.LockTimeout, "", "x"),
		6:   study.Errorf(study.Damaged, "", "x"),
		7:   undelivered(io.ErrClosedPipe),
		8:   errors.Join(io.EOF, study.Errorf(study.PerhapsRecorded, "", "x")),
		9:   alreadyReported{study.Errorf(study.Mismatch, "", "x")},
		143: cause(ctx, fmt.Errorf("fit: %w", context.Canceled)),
	} {
		if got := exitCode(err); got != want {
			t.Errorf("%v: exit code %d, want %d", err, got, want)
		}
	}
}

// What the system refuses is 7, whoever asked for it; what is said with a code of its own keeps it.
func TestExitCodeOfRefusals(t *testing.T) {
	var all []error
	for _, e := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.EAGAIN, syscall.ENOMEM, syscall.ENOSPC,
		syscall.EDQUOT, syscall.EIO} {
		all = append(all, os.NewSyscallError("pipe2", e), &fs.PathError{Op: "fork/exec", Path: "/bin/sh", Err: e},
			&study.Error{Code: study.Usage, Err: &fs.PathError{Op: "open", Path: "bohier.yaml", Err: e}})
	}
	all = append(all, &fs.PathError{Op: "open", Path: os.DevNull, Err: syscall.ENOENT},
		&fs.PathError{Op: "mkdir", Path: "trials", Err: syscall.EACCES},
		&fs.PathError{Op: "open", Path: "trials/1/stdout", Err: syscall.EROFS})
	for _, err := range all {
		if got := exitCode(fmt.Errorf("wrapped: %w", err)); got != 7 {
			t.Errorf("%v: exit code %d, want 7", err, got)
		}
	}
	for want, err := range map[int]error{
		1: &fs.PathError{Op: "fork/exec", Path: "./train", Err: syscall.ENOENT},
		2: &study.Error{Code: study.Usage, Err: &fs.PathError{Op: "open", Path: "bohier.yaml", Err: syscall.EACCES}},
		5: &study.Error{Code: study.LockTimeout, Err: syscall.EAGAIN},
		8: &study.Error{Code: study.PerhapsRecorded, Err: syscall.EIO},
	} {
		if got := exitCode(err); got != want {
			t.Errorf("%v: exit code %d, want %d", err, got, want)
		}
	}
}

// inProcess runs a command line on buffers.
func inProcess(dir string, args ...string) (code int, stdout, stderr string) {
	return inProcessUnder(context.Background(), dir, args...)
}

func inProcessUnder(ctx context.Context, dir string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = runProgram(ctx, streams{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir,
		Env: func(string) (string, bool) { return "", false },
	}, args)
	return code, out.String(), errs.String()
}

// Every command's help shows examples first and at least the exit codes 0, 1
// and 2, says nothing on stderr, and mentions no line too wide for a terminal.
func TestHelpOfEveryCommand(t *testing.T) {
	checked := 0
	var visit func(path []string, c *cobra.Command)
	visit = func(path []string, c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(append(path[:len(path):len(path)], sub.Name()), sub)
		}
		if c.Name() == "help" || c.Hidden {
			return
		}
		checked++
		code, out, errs := inProcess(t.TempDir(), append(path, "--help")...)
		if code != 0 || errs != "" {
			t.Errorf("%v: exit code %d, %q", path, code, errs)
		}
		examples, flags, codes := strings.Index(out, "\nExamples:\n"), strings.Index(out, "\nFlags:\n"),
			strings.Index(out, "\nExit codes:\n    0  done")
		if examples < 0 || flags < examples || codes < flags {
			t.Errorf("%v: examples at %d, flags at %d, exit codes at %d", path, examples, flags, codes)
		}
		if c.Annotations["exits"] == "" && len(path) > 0 {
			t.Errorf("%v lists no exit codes of its own", path)
		}
		for _, line := range strings.Split(out, "\n") {
			if len(line) > 130 {
				t.Errorf("%v: a line of %d bytes: %s", path, len(line), line)
			}
		}
	}
	visit(nil, newRoot(&globals{}))
	if checked < 20 {
		t.Errorf("only %d commands", checked)
	}
}

func TestDirIsWhereRelativePathsStart(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := inProcess(dir, "init"); code != 0 {
		t.Fatal(errs)
	}
	code, out, errs := inProcess(dir, "suggest")
	if code != 0 || !json.Valid([]byte(out)) {
		t.Fatalf("suggest: %d, %q, %q", code, out, errs)
	}
	if _, err := os.Stat(dir + "/bohier.journal.jsonl"); err != nil {
		t.Error(err)
	}
}

func TestLogFormats(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := inProcess(dir, "init"); code != 0 {
		t.Fatal(errs)
	}
	const warning = "recorded as failed"
	for want, flags := range map[string][]string{
		"warning: trial 1-":          nil,
		`{"level":"warn","time":"20`: {"--log-format", "json"},
		"":                           {"-q"},
	} {
		inProcess(dir, "suggest")
		_, id, _ := inProcess(dir, "trials", "--state", "pending", "-o", "id")
		code, _, errs := inProcess(dir, append([]string{"observe", strings.TrimSpace(id), "nan"}, flags...)...)
		if code != 0 || want == "" && errs != "" || want != "" && !strings.Contains(errs, warning) ||
			!strings.HasPrefix(errs, strings.TrimSuffix(want, "1-")) {
			t.Errorf("%v: exit code %d, %q; want %q", flags, code, errs, want)
		}
	}
}
