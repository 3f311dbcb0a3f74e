package config

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohier/internal/space"
	"bohier/internal/study"
)

func studyFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/studies/*.yaml")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d study files: %v", len(files), err)
	}
	return append(files, "testdata/full.yaml")
}

func load(t *testing.T, file string) *study.Study {
	t.Helper()
	st, r := Load(file, Options{})
	if st == nil {
		t.Fatal(r.String())
	}
	return st
}

// comparable is a study as values: conditions as texts, no pointers to compare.
type comparable struct {
	Study      study.Study
	Params     []space.Parameter
	Conditions []string
	Clauses    []string
}

func asValues(st *study.Study) comparable {
	c := comparable{Study: *st}
	c.Study.Space = nil
	for _, p := range st.Space.Params() {
		c.Conditions = append(c.Conditions, st.Space.Format(p.Condition))
		p.Condition = nil
		c.Params = append(c.Params, p)
	}
	for _, k := range st.Space.Forbidden() {
		c.Clauses = append(c.Clauses, "forbidden "+st.Space.Format(k.Expr))
	}
	for _, k := range st.Space.Require() {
		c.Clauses = append(c.Clauses, "require "+st.Space.Format(k.Expr))
	}
	return c
}

// printsTheSame holds that a study's normal form loads to the same study, which
// prints alike, and that the form journals keep loads to the same space.
func printsTheSame(t fatal, st *study.Study, o Options) {
	text := Print(st)
	again, r := Parse(st.File, text, o)
	if again == nil {
		t.Fatalf("%s: %s\n%s", st.File, r, text)
	}
	if d := cmp.Diff(asValues(st), asValues(again)); d != "" {
		t.Fatalf("%s (-read +printed and read):\n%s", st.File, d)
	}
	if twice := Print(again); !bytes.Equal(text, twice) {
		t.Fatalf("%s: printing twice differs:\n%s", st.File, cmp.Diff(string(text), string(twice)))
	}
	if a, b := st.Space.Fingerprint(), again.Space.Fingerprint(); a != b {
		t.Fatalf("%s: fingerprint %s, printed and read %s", st.File, a, b)
	}
	kept, r := Parse(st.File, JSON(st), o)
	if kept == nil {
		t.Fatalf("%s: as journals keep it: %s\n%s", st.File, r, JSON(st))
	}
	if a, b := st.Space.Describe(), kept.Space.Describe(); a != b {
		t.Fatalf("%s: as journals keep it (-read +kept):\n%s", st.File, cmp.Diff(a, b))
	}
}

func TestPrintLoadsToTheSameStudy(t *testing.T) {
	for _, file := range studyFiles(t) {
		printsTheSame(t, load(t, file), Options{})
	}
}

// TestPrintedTextsThatCannotBeSeen: conditions name values that have no visible form, or a backslash.
func TestPrintedTextsThatCannotBeSeen(t *testing.T) {
	values := "['a\u00a0b', 'c\u200bd', 'e\\u00a0', '\U000e0001']"
	st, r := Parse("t.yaml", []byte("objective: {direction: minimize}\nspace: {k: "+values+
		", x: {type: float, low: 0, high: 1, active_if: {k: "+values+"}}}"), Options{})
	if st == nil {
		t.Fatal(r)
	}
	printsTheSame(t, st, Options{})
}

// Lists and mappings are printed with all that they hold: characters that YAML has as escapes only, and long names.
func TestPrintedListsAndMappings(t *testing.T) {
	long := strings.Repeat("k", 1100)
	st, r := Parse("t.yaml", []byte(`{objective: {direction: minimize}, space: {c: {value: [1e3, "1e3", null, {}]},
k: [["\x7f", "\x85\x9f"], ["\uffff"], {? `+long+` : {"a: b": [true]}}], f: {type: float, low: 0, high: 1, default: -0}}}`),
		Options{})
	if st == nil {
		t.Fatal(r)
	}
	want := "  c: {value: [1e3, \"1e3\", null, {}]}\n" +
		"  k: {type: categorical, values: [[\"\\x7F\", \"\\N\\x9F\"], [\"\\uFFFF\"], {? " + long +
		" : {'a: b': [true]}}]}\n  f: {type: float, low: 0, high: 1, scale: linear, default: 0}\n"
	if got := string(Print(st)); !strings.Contains(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	JSON(st)
}

// Texts that look like numbers beyond the range of numbers, such as the names of commits, are printed in quotes.
func TestPrintedTextsBeyondNumbers(t *testing.T) {
	st, r := Parse("t.yaml", []byte(`{name: "12e4567", context: "1e999", objective: {direction: minimize},
space: {k: ["43e9012", "-.5e999", "1_0e999"]}, run: {command: [train, "9e999"]}}`), Options{})
	if st == nil {
		t.Fatal(r)
	}
	printsTheSame(t, st, Options{})
}

// TestSamplesOfStudies draws from every shared study: the conditions mean
// something, since several patterns of activity occur.
func TestSamplesOfStudies(t *testing.T) {
	for _, file := range studyFiles(t) {
		st := load(t, file)
		r := rand.New(rand.NewPCG(1, 2))
		patterns := map[string]bool{}
		for range 300 {
			c, err := st.Space.Complete(nil, r)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if err := st.Space.Validate(c); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			patterns[st.Space.BranchKey(c)] = true
		}
		if len(patterns) < 2 {
			t.Errorf("%s: %d patterns of activity in 300 samples", file, len(patterns))
		}
	}
}

func TestInitLoads(t *testing.T) {
	for file, name := range map[string]string{"svm.yaml": "svm", "bohier.yaml": "config", "made/bohier.yaml": "made",
		"/bohier.yaml": "bohier"} {
		st, r := Parse(file, Template, Options{})
		if st == nil || len(r.Warnings) > 0 {
			t.Fatalf("%s", r)
		}
		if st.Name != name || st.Space.Len() != 5 {
			t.Errorf("%s: name %q, %d parameters", file, st.Name, st.Space.Len())
		}
	}
}
