// Soak runs the long tests of the journal and of a run, and every fuzz test, again and
// again with fresh seeds until the time is up, and once the other packages whose tests
// have more to do with BOHIER_SOAK. It prints what was reached beside what each must
// reach. Run it from the root of the repository:
//
//	soak -time 60m
//
// It exits with 1 if a test fails, or if the time did not suffice for the table.
// Round n runs with BOHIER_SOAK=n, by which any failure can be repeated.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	limit := flag.Duration("time", 60*time.Minute, "start nothing new after this `time`")
	only := flag.String("only", "", "run only the tests whose names match this `expression`")
	file := flag.String("tally", "soak.json", "add figures up in this `file`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := soak(ctx, *limit, *only, *file)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func soak(ctx context.Context, limit time.Duration, only, file string) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "journal.test")
	if out, err := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, "./"+journal).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	fuzzers, err := findFuzzers(".")
	if err != nil {
		return err
	}
	packages, err := findPackages(".")
	if err != nil {
		return err
	}
	steps := slices.DeleteFunc(slices.Concat(tests, packages, fuzzers), func(s step) bool { return !chosen.MatchString(s.name) })
	start := time.Now()
	b, err := readBook(file, revision(ctx))
	if err != nil {
		return err
	}
	b.partial = only != ""
	for first := b.Rounds + 1; ; {
		round := b.begin()
		b.order(steps)
		for _, s := range steps {
			if time.Since(start) >= limit || ctx.Err() != nil || s.once && (round > first || b.passed(s)) {
				continue
			}
			began := time.Now()
			cmd := s.command(ctx, binary)
			cmd.Env = append(os.Environ(), "BOHIER_SOAK="+strconv.Itoa(round))
			out, err := cmd.CombinedOutput()
			if ctx.Err() != nil {
				break
			}
			said := b.add(s, string(out), err, time.Since(began))
			fmt.Printf("round %d  %-34s %6.0f s  %s\n", round, s.name, time.Since(began).Seconds(), said)
			if failed := b.write(file); failed != nil {
				return failed
			}
			if err != nil {
				b.print(os.Stdout)
				return fmt.Errorf("%s failed in round %d: %w\n%s", s.name, round, err, out)
			}
		}
		again := slices.ContainsFunc(steps, func(s step) bool { return !s.once })
		if !again || time.Since(start) >= limit || ctx.Err() != nil {
			fmt.Printf("\nrounds %d to %d begun in %v\n\n", first, round, time.Since(start).Round(time.Second))
			return errors.Join(b.missed(steps), b.print(os.Stdout))
		}
	}
}

// A step is one test, one fuzz test of a package, or all tests of one.
type step struct {
	name string
	pkg  string // empty: a test of the journal or a script; the name: all tests
	once bool   // the same in every round
	run  string // a script
}

// command runs the step. A fuzz test ends after a number of executions, so that
// the figure does not depend on the machine.
func (s step) command(ctx context.Context, binary string) *exec.Cmd {
	if s.run != "" {
		return exec.CommandContext(ctx, s.run)
	}
	if s.pkg == s.name { // the tests that have steps of their own, and fuzz tests, apart
		return exec.CommandContext(ctx, "go", "test", "-tags=postgres", "-count=1", "-skip", "^(Fuzz.*|"+strings.Join(names(tests), "|")+")$", "-timeout", "60m", "./"+s.pkg)
	}
	if s.pkg != "" && !strings.HasPrefix(s.name, "Fuzz") {
		return exec.CommandContext(ctx, "go", "test", "-tags=postgres", "-count=1", "-run", "^"+s.name+"$", "-v", "-timeout", "60m", "./"+s.pkg)
	}
	if s.pkg != "" {
		return exec.CommandContext(ctx, "go", "test", "-run", "^$", "-fuzz", "^"+s.name+"$", "-fuzztime", strconv.Itoa(executions)+"x", "./"+s.pkg)
	}
	c := exec.CommandContext(ctx, binary, "-test.run", "^"+s.name+"$", "-test.v", "-test.timeout", "60m")
	c.Dir = journal
	return c
}

// revision is the commit of the tree; empty: it has changes, or no git tells.
func revision(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*").Output()
	if r := strings.TrimSpace(string(out)); err == nil && !strings.HasSuffix(r, "-dirty") {
		return r
	}
	return ""
}

func names(steps []step) []string {
	var out []string
	for _, s := range steps {
		out = append(out, s.name)
	}
	return out
}

// findPackages are the packages below a directory whose tests ask for BOHIER_SOAK,
// but for the journal, whose long tests are steps.
func findPackages(root string) ([]step, error) {
	var out []step
	err := walkTests(root, func(pkg string, text []byte) {
		s := step{name: pkg, pkg: pkg, once: true}
		if bytes.Contains(text, []byte(`Getenv("BOHIER_SOAK")`)) && !strings.HasSuffix(pkg, journal) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	})
	return out, err
}

var fuzzFunc = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// findFuzzers are the fuzz tests below a directory.
func findFuzzers(root string) ([]step, error) {
	var out []step
	err := walkTests(root, func(pkg string, text []byte) {
		for _, m := range fuzzFunc.FindAllSubmatch(text, -1) {
			out = append(out, step{name: string(m[1]), pkg: pkg})
		}
	})
	return out, err
}

// walkTests visits the files of tests below a directory.
func walkTests(root string, visit func(pkg string, text []byte)) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		visit(filepath.ToSlash(filepath.Dir(path)), text)
		return err
	})
}
