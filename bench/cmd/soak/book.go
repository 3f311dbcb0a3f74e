package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const schema = "bohier/soak/1"

// A book adds figures up, over runs and revisions.
type book struct {
	Schema   string             `json:"schema"`
	Since    string             `json:"since"` // RFC 3339, as is Last
	Last     string             `json:"last"`
	Rounds   int                `json:"rounds"` // begun; the seeds used are 1 to Rounds
	Figures  map[string]int     `json:"figures"`
	Steps    map[string]*result `json:"steps"` // by test, fuzz test, package or script
	partial  bool               // only some of the tests run: the table leaves out what they do not report
	revision string             // of the tree; empty: unknown
}

// A result is how often a step passed, failed and was left out for want of something.
type result struct {
	Passed   int     `json:"passed"`
	Failed   int     `json:"failed"`
	Skipped  int     `json:"skipped"` // tests of it
	Seconds  float64 `json:"seconds"`
	Revision string  `json:"revision,omitempty"` // where it passed last
}

func newBook() *book {
	return &book{Schema: schema, Figures: map[string]int{}, Steps: map[string]*result{}}
}

// readBook is the book in a file, an empty one where there is none.
func readBook(file, revision string) (*book, error) {
	b := newBook()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, b)
		if err == nil && b.Schema != schema {
			err = fmt.Errorf("schema %q instead of %q", b.Schema, schema)
		}
	} else if errors.Is(err, fs.ErrNotExist) {
		err, b.Since = nil, time.Now().Format(time.RFC3339)
	}
	if err != nil {
		return nil, fmt.Errorf("tally %s: %w", file, err)
	}
	b.revision = revision
	return b, nil
}

// write puts the book into a file, whole or not at all.
func (b *book) write(file string) error {
	b.Last = time.Now().Format(time.RFC3339)
	text, err := json.MarshalIndent(b, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", append(text, '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// begin is the number of the next round.
func (b *book) begin() int { b.Rounds++; return b.Rounds }

// passed reports whether a step has passed in this revision, as far as is known.
func (b *book) passed(s step) bool {
	r := b.Steps[s.name]
	return r != nil && b.revision != "" && r.Revision == b.revision
}

// order puts the steps that have passed least often first, so that runs too short for
// all get to all in turn.
func (b *book) order(steps []step) {
	times := func(s step) int {
		if r := b.Steps[s.name]; r != nil {
			return r.Passed
		}
		return 0
	}
	slices.SortStableFunc(steps, func(s, t step) int { return times(s) - times(t) })
}

var (
	figureLine = regexp.MustCompile(`(?m)\bfigure (.+): (\d+)$`)
	skipLine   = regexp.MustCompile(`(?m)^\s*--- SKIP: (\S+)`)
	execsLine  = regexp.MustCompile(`\bexecs: (\d+)`)
)

// add takes the figures from the output of a step, which ended with err, and returns
// them as text.
func (b *book) add(s step, out string, err error, took time.Duration) string {
	r := b.Steps[s.name]
	if r == nil {
		r = &result{}
		b.Steps[s.name] = r
	}
	r.Seconds += took.Seconds()
	var said []string
	put := func(what, n string) {
		v, _ := strconv.Atoi(n) // digits, by the expression
		b.Figures[what] += v
		said = append(said, fmt.Sprintf("%s %s", n, what))
	}
	for _, m := range figureLine.FindAllStringSubmatch(out, -1) {
		put(m[1], m[2])
	}
	if m := execsLine.FindAllStringSubmatch(out, -1); s.pkg != "" && len(m) > 0 {
		put(fuzzing, m[len(m)-1][1])
	}
	if m := skipLine.FindAllString(out, -1); len(m) > 0 {
		r.Skipped += len(m)
		said = append(said, "skipped")
	}
	if err != nil {
		r.Failed++
		return strings.Join(append(said, "FAILED"), ", ")
	}
	r.Passed++
	r.Revision = b.revision
	return strings.Join(said, ", ")
}

// missed is an error that names the steps that have never passed.
func (b *book) missed(steps []step) error {
	var none []string
	for _, s := range steps {
		if r := b.Steps[s.name]; r == nil || r.Passed == 0 {
			none = append(none, s.name)
		}
	}
	if len(none) > 0 {
		return fmt.Errorf("not run to an end yet (give it more time): %s", strings.Join(none, ", "))
	}
	return nil
}

// print writes the table; the error names what was not reached, and what should be 0.
func (b *book) print(w io.Writer) error {
	var short []string
	fmt.Fprintln(w, "| figure | at least | reached |\n|---|---|---|")
	for _, f := range wanted {
		if b.partial && b.Figures[f.what] == 0 {
			continue
		}
		fmt.Fprintf(w, "| %s | %d | %d |\n", f.what, f.n, b.Figures[f.what])
		if b.Figures[f.what] < f.n {
			short = append(short, f.what)
		}
	}
	fmt.Fprintln(w, "\n| figure | at most | counted |\n|---|---|---|")
	for _, what := range zeros {
		n, counted := b.Figures[what]
		if !counted { // left out, or not run yet
			continue
		}
		fmt.Fprintf(w, "| %s | 0 | %d |\n", what, n)
		if n > 0 {
			short = append(short, fmt.Sprintf("%s: %d", what, n))
		}
	}
	passed, failed := 0, 0
	var skipped []string
	for _, name := range slices.Sorted(maps.Keys(b.Steps)) {
		r := b.Steps[name]
		passed, failed = passed+r.Passed, failed+r.Failed
		if r.Skipped > 0 {
			skipped = append(skipped, name)
		}
	}
	fmt.Fprintf(w, "\nsteps passed: %d, failed: %d, since %s\n", passed, failed, b.Since)
	if len(skipped) > 0 {
		fmt.Fprintf(w, "with tests that were skipped: %s\n", strings.Join(skipped, ", "))
	}
	if len(short) > 0 {
		return fmt.Errorf("not reached (give it more time), or not 0: %s", strings.Join(short, ", "))
	}
	return nil
}
