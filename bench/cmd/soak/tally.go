package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A tally adds up the figures that steps print, and which steps passed.
type tally struct {
	figures map[string]int
	passed  map[string]int // by name of a step
	skipped []string       // steps with tests that want something that is not here
	partial bool           // only some steps run: the table leaves out what they do not report
}

var (
	figureLine = regexp.MustCompile(`(?m)\bfigure (.+): (\d+)$`)
	skipLine   = regexp.MustCompile(`(?m)^\s*--- SKIP: (\S+)`)
	execsLine  = regexp.MustCompile(`\bexecs: (\d+)`)
)

// add takes the figures from the output of a step, which ended with err, and returns them as text.
func (b *tally) add(s step, out string, err error) string {
	var said []string
	put := func(what, n string) {
		v, _ := strconv.Atoi(n) // digits, by the expression
		b.figures[what] += v
		said = append(said, fmt.Sprintf("%s %s", n, what))
	}
	for _, m := range figureLine.FindAllStringSubmatch(out, -1) {
		put(m[1], m[2])
	}
	if m := execsLine.FindAllStringSubmatch(out, -1); s.pkg != "" && len(m) > 0 {
		put(fuzzing, m[len(m)-1][1])
	}
	if skipLine.MatchString(out) {
		said = append(said, "skipped")
		if !slices.Contains(b.skipped, s.name) {
			b.skipped = append(b.skipped, s.name)
		}
	}
	if err != nil {
		return strings.Join(append(said, "FAILED"), ", ")
	}
	b.passed[s.name]++
	return strings.Join(said, ", ")
}

// print writes the table. The error names the steps that did not pass, the figures that were not
// reached and those that should be 0.
func (b *tally) print(w io.Writer, steps []step) error {
	var none, short []string
	fmt.Fprintln(w, "| figure | at least | reached |\n|---|---|---|")
	for _, f := range wanted {
		if b.partial && b.figures[f.what] == 0 {
			continue
		}
		fmt.Fprintf(w, "| %s | %d | %d |\n", f.what, f.n, b.figures[f.what])
		if b.figures[f.what] < f.n {
			short = append(short, f.what)
		}
	}
	fmt.Fprintln(w, "\n| figure | at most | counted |\n|---|---|---|")
	for _, what := range zeros {
		if n, counted := b.figures[what]; counted {
			fmt.Fprintf(w, "| %s | 0 | %d |\n", what, n)
			if n > 0 {
				short = append(short, fmt.Sprintf("%s: %d", what, n))
			}
		}
	}
	for _, s := range steps {
		if b.passed[s.name] == 0 {
			none = append(none, s.name)
		}
	}
	var err error
	if len(none) > 0 {
		err = fmt.Errorf("not run to an end (give it more time): %s", strings.Join(none, ", "))
	}
	if len(b.skipped) > 0 {
		fmt.Fprintf(w, "\nwith tests that were skipped: %s\n", strings.Join(b.skipped, ", "))
	}
	if len(short) > 0 {
		err = errors.Join(err, fmt.Errorf("not reached (give it more time), or not 0: %s", strings.Join(short, ", ")))
	}
	return err
}
