// Soak runs the long tests of the journal and of a run, and every fuzz test, again and again with fresh seeds until the
// time is up, and once the other packages whose tests have more to do with BOHIER_SOAK. It prints what was reached
// beside what each must reach. Run it from the root of the repository:
//
//	soak -time 60m
//
// It exits with 1 if a test fails, or if the time did not suffice for the table.
// Round n runs with BOHIER_SOAK=n, by which any failure can be repeated; the first is of the day.
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
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := soak(ctx, *limit, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func soak(ctx context.Context, limit time.Duration, only string) error {
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
	packages, fuzzers, err := findSteps(".")
	if err != nil {
		return err
	}
	steps := slices.DeleteFunc(slices.Concat(tests, packages, fuzzers),
		func(s step) bool { return !chosen.MatchString(s.name) })
	b := &tally{figures: map[string]int{}, passed: map[string]int{}, partial: only != ""}
	start := time.Now()
	over := func() bool { return time.Since(start) >= limit || ctx.Err() != nil }
	again := slices.ContainsFunc(steps, func(s step) bool { return !s.once })
	for first, round := int(start.Unix()/86400), int(start.Unix()/86400); ; round++ {
		for _, s := range steps {
			if over() || s.once && round > first {
				continue
			}
			began := time.Now()
			cmd := s.command(ctx, binary)
			cmd.Env = append(os.Environ(), "BOHIER_SOAK="+strconv.Itoa(round))
			out, err := cmd.CombinedOutput()
			if ctx.Err() != nil {
				break
			}
			fmt.Printf("round %d  %-34s %6.0f s  %s\n", round, s.name, time.Since(began).Seconds(), b.add(s, string(out), err))
			if err != nil {
				return errors.Join(fmt.Errorf("%s failed in round %d: %w\n%s", s.name, round, err, out), b.print(os.Stdout, nil))
			}
		}
		if !again || over() {
			fmt.Printf("\nrounds %d to %d begun in %v\n\n", first, round, time.Since(start).Round(time.Second))
			return b.print(os.Stdout, steps)
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
		return exec.CommandContext(ctx, "go", "test", "-tags=postgres", "-count=1", "-skip",
			"^(Fuzz.*|"+strings.Join(names(tests), "|")+")$", "-timeout", "60m", "./"+s.pkg)
	}
	if s.pkg != "" && !strings.HasPrefix(s.name, "Fuzz") {
		return exec.CommandContext(ctx, "go", "test", "-tags=postgres", "-count=1", "-run", "^"+s.name+"$", "-v", "-timeout",
			"60m", "./"+s.pkg)
	}
	if s.pkg != "" {
		return exec.CommandContext(ctx, "go", "test", "-run", "^$", "-fuzz", "^"+s.name+"$", "-fuzztime",
			strconv.Itoa(executions)+"x", "./"+s.pkg)
	}
	c := exec.CommandContext(ctx, binary, "-test.run", "^"+s.name+"$", "-test.v", "-test.timeout", "60m")
	c.Dir = journal
	return c
}

func names(steps []step) []string {
	var out []string
	for _, s := range steps {
		out = append(out, s.name)
	}
	return out
}

var fuzzFunc = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// findSteps are the packages below a directory whose tests ask for BOHIER_SOAK, but for the
// journal, whose long tests are steps, and all fuzz tests.
func findSteps(root string) (packages, fuzzers []step, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		pkg := filepath.ToSlash(filepath.Dir(path))
		s := step{name: pkg, pkg: pkg, once: true}
		if bytes.Contains(text, []byte(`Getenv("BOHIER_SOAK")`)) && !strings.HasSuffix(pkg, journal) &&
			!slices.Contains(packages, s) {
			packages = append(packages, s)
		}
		for _, m := range fuzzFunc.FindAllSubmatch(text, -1) {
			fuzzers = append(fuzzers, step{name: string(m[1]), pkg: pkg})
		}
		return err
	})
	return packages, fuzzers, err
}
