// Command mutate changes operators of a package, one at a time, and runs its tests: a
// change that no test notices survives.
//
//	mutate [-n 15] [-seed 1] [-tests PKG,…] PKG…
//
// The changes are a random sample of those that compile. Sources stay as they are: the go
// command is given an overlay. A change counts as caught, too, when the tests take five
// times as long as without it. Survivors are printed with their lines, for people to look
// at: some change nothing a test could see.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 15, "changes of each package")
	seed := flag.Uint64("seed", 1, "picks them")
	tests := flag.String("tests", "", "packages whose tests run, separated by commas; default: the package itself")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if flag.NArg() == 0 || *n < 1 {
		flag.Usage()
		os.Exit(2)
	}
	caught, survived := 0, 0
	for _, pkg := range flag.Args() {
		c, s, err := run(ctx, filepath.Clean(pkg), *tests, *n, rand.New(rand.NewPCG(*seed, 0)))
		caught, survived = caught+c, survived+s
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutate:", err)
			os.Exit(1)
		}
	}
	fmt.Printf("%d caught, %d survived (%.0f %%)\n", caught, survived, 100*float64(survived)/float64(max(1, caught+survived)))
}

// run tries n changes of the package in dir.
func run(ctx context.Context, dir, tests string, n int, r *rand.Rand) (caught, survived int, err error) {
	packages := []string{"./" + filepath.ToSlash(dir)}
	if tests != "" {
		packages = strings.Split(tests, ",")
	}
	begun := time.Now()
	if out, err := test(ctx, "", 0, packages); err != nil {
		return 0, 0, fmt.Errorf("the tests fail without a change: %w\n%s", err, out)
	}
	limit := 5*time.Since(begun) + 30*time.Second
	all, err := changes(dir)
	if err != nil {
		return 0, 0, err
	}
	aside, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(aside)
	for _, k := range r.Perm(len(all)) {
		if caught+survived == n {
			break
		}
		c := all[k]
		overlay, err := c.overlay(aside)
		if err != nil {
			return caught, survived, err
		}
		out, err := test(ctx, overlay, limit, packages)
		if ctx.Err() != nil {
			return caught, survived, ctx.Err()
		}
		if bytes.Contains(out, []byte("[build failed]")) {
			continue // does not compile
		}
		verdict := "caught  "
		if err == nil {
			verdict = "SURVIVED"
			survived++
		} else {
			caught++
		}
		fmt.Printf("%s %s  by %s\n", verdict, c, failing(out))
	}
	fmt.Printf("%s: %d caught, %d survived of %d possible changes\n", dir, caught, survived, len(all))
	return caught, survived, nil
}

// failing names the first test that failed.
func failing(out []byte) string {
	for _, line := range strings.Split(string(out), "\n") {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: "); ok {
			return name
		}
		if strings.HasPrefix(line, "panic: ") {
			return line
		}
	}
	return "nothing"
}

func test(ctx context.Context, overlay string, limit time.Duration, packages []string) ([]byte, error) {
	args := []string{"test", "-vet=off", "-failfast", "-ldflags=-s -w"}
	if overlay != "" {
		args = append(args, "-overlay", overlay, "-timeout", limit.Round(time.Second).String())
	}
	return command(ctx, "go", append(args, packages...)...)
}

func command(ctx context.Context, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "RAPID_NOFAILFILE=true") // the next change is not judged by what this one failed
	return cmd.CombinedOutput()
}

// A change replaces an operator of a file.
type change struct {
	file     string
	at       token.Position
	from, to string
}

func (c change) String() string {
	text, _ := os.ReadFile(c.file)
	line := strings.Split(string(text), "\n")[c.at.Line-1]
	return fmt.Sprintf("%s:%d:%d: %s → %s in %s", filepath.ToSlash(c.file), c.at.Line, c.at.Column, c.from, c.to, strings.TrimSpace(line))
}

// overlay writes the changed file aside and returns the go command's overlay of it.
func (c change) overlay(dir string) (string, error) {
	text, err := os.ReadFile(c.file)
	if err != nil {
		return "", err
	}
	path, err := filepath.Abs(c.file)
	if err != nil {
		return "", err
	}
	aside := filepath.Join(dir, "changed.go")
	changed := string(text[:c.at.Offset]) + c.to + string(text[c.at.Offset+len(c.from):])
	if err := os.WriteFile(aside, []byte(changed), 0o600); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: aside}})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, list, 0o600)
}

// changes are all changes of the package in dir, tests and generated files aside.
func changes(dir string) ([]change, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var out []change
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		out = append(out, operators(set, tree, file)...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s holds nothing to change", dir)
	}
	return out, nil
}
