package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
)

// whole is a study file with the given lines of `space`.
func whole(parameters string) string {
	return "objective: {direction: minimize}\nspace:\n" + parameters
}

func manyParameters(n int) []byte {
	var b strings.Builder
	for i := range n {
		switch i % 3 {
		case 0:
			fmt.Fprintf(&b, "  c%d: [red, green, blue]\n", i)
		case 1:
			fmt.Fprintf(&b, "  n%d: {type: int, low: 1, high: 9, active_if: {c%d: red}}\n", i, i-1)
		default:
			fmt.Fprintf(&b, "  x%d: {type: float, low: 0, high: 1, default: 0.5, active_if: \"c%d in [red, blue] and n%d > "+
				"3\"}\n", i, i-2, i-1)
		}
	}
	return []byte(whole(b.String()))
}

func TestLimits(t *testing.T) {
	deep := "{a: 1}"
	for range 30 {
		deep = "{all: [" + deep + "]}"
	}
	cases := []struct{ name, text, want string }{
		{"bytes", whole("  a: [x, z]\n") + strings.Repeat("# comment\n", 110_000), "at most 1048576 bytes (1 MiB)"},
		{"depth", "objective: " + strings.Repeat("[", 20_000), "nested deeper than 64 levels"},
		{"keys", "x-many: {" + strings.Repeat("k", 1) + manyKeys(2001) + "}\n" + whole("  a: [x, z]\n"),
			"a mapping has 2002 keys"},
		{"parameters", string(manyParameters(1001)), "more than 1000 parameters"},
		{"values", whole("  a: [" + strings.TrimSuffix(strings.Repeat("v,", 10_001), ",") + "]\n"),
			"has 10001 values; at most 10000"},
		{"name", whole("  " + strings.Repeat("a", 257) + ": [x, z]\n"), "a name has 257 bytes; at most 256"},
		{"expression", whole("  a: [x, z]\n  b: {type: bool, active_if: \"" + strings.Repeat("a == x or ", 500) +
			"a == z\"}\n"), "at most 4096"},
		{"parts", whole("  a: {type: bool}\n  b: {type: bool, active_if: \"" + strings.Repeat("a+", 1200) + "a > 1\"}\n"),
			"more than 1000 parts"},
		{"condition", whole("  a: [x, z]\n  b: {type: bool, active_if: " + deep + "}\n"), "nested deeper than 64 levels"},
		{"zero byte", whole("  a: [x, z]\n") + "name: é\x00b\n", "l.yaml:4:8: error: this control character, U+0000, is not allowed"},
		{"not UTF-8", whole("  a: [x, z] # \xff\n"), "this byte is not UTF-8"},
		{"UTF-16", "\xff\xfea\x00", "this byte is not UTF-8"},
		{"empty", "", "the file is empty"},
		{"control characters", whole("  a: [x, z]\n") + "name: \"a\\0b\"\n", "name holds a zero byte"},
	}
	for _, c := range cases {
		st, r := Parse("l.yaml", []byte(c.text), Options{})
		if st != nil || !strings.Contains(r.String(), c.want) {
			t.Errorf("%s: want %q, got %.300s", c.name, c.want, r)
		}
	}
	for _, ok := range []string{"\ufeff" + whole("  a: [x, z]\n"),
		strings.ReplaceAll(whole("  a: [x, z]\n"), "\n", "\r\n"), string(manyParameters(1000))} {
		if st, r := Parse("l.yaml", []byte(ok), Options{}); st == nil {
			t.Errorf("%.40q: %.300s", ok, r)
		}
	}
}

// TestOneLongLine: a large file on one line, with a mistake in every value,
// takes time in proportion to its size and reports a part of them.
func TestOneLongLine(t *testing.T) {
	var b strings.Builder
	b.WriteString("{objective: {direction: minimize}, space: {a: {type: ordinal, values: [")
	for i := range 4500 {
		fmt.Fprintf(&b, "010, %d-é, ", i)
	}
	b.WriteString("z]}}}")
	_, r := Parse("l.yaml", []byte(b.String()), Options{})
	last := r.Errors[len(r.Errors)-1]
	if len(r.Errors) != maxProblems+1 || !strings.Contains(last.Message, "more are not shown") {
		t.Errorf("%d errors, the last: %s", len(r.Errors), last.Message)
	}
	if p := r.Errors[0]; p.Column != 72 || !strings.Contains(p.Snippet, "[010, 0-é, 010") {
		t.Errorf("first at column %d: %s", p.Column, p.Snippet)
	}
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ", k%d", i)
	}
	return b.String()
}

// TestStaticChecksGiveUp loads a chain of conditions with far more combinations than are tried.
func TestStaticChecksGiveUp(t *testing.T) {
	var b strings.Builder
	b.WriteString("  p0: [a, b, c, d]\n")
	for i := 1; i < 400; i++ {
		fmt.Fprintf(&b, "  p%d: {type: categorical, values: [a, b, c, d], active_if: {p%d: [a, b]}}\n", i, i-1)
	}
	if st, r := Parse("s.yaml", []byte(whole(b.String())), Options{}); st == nil || len(r.Warnings) > 0 {
		t.Fatal(r)
	}
}

// A symbolic link on the way does not lead what is written out of the study
// file's directory; one that stays inside is as good as any directory.
func TestLinksDoNotLeadOut(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for link, to := range map[string]string{
		"out": outside, "in": filepath.Join(dir, "runs"), "out.jsonl": filepath.Join(outside, "x"), "dots": "../..",
	} {
		must(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	for _, made := range []string{filepath.Join(dir, "runs"), filepath.Join(outside, "x")} {
		must(t, os.Mkdir(made, 0o777))
	}
	for path, want := range map[string]bool{
		"j.jsonl": true, "runs/j.jsonl": true, "in/j.jsonl": true, "new/deep/j.jsonl": true,
		"out/j.jsonl": false, "out/new/j.jsonl": false, "out.jsonl": false, "dots/j.jsonl": false,
	} {
		text := whole("  a: [x, z]\n")
		journal, r := Parse(filepath.Join(dir, "s.yaml"), []byte(text+"journal: "+path+"\n"), Options{})
		result, s := Parse(filepath.Join(dir, "s.yaml"), []byte(text+"run: {command: [a], result_file: "+path+"}\n"),
			Options{})
		if (journal != nil) != want || (result != nil) != want {
			t.Errorf("%s: %v %v", path, r, s)
		}
	}
}

func TestEndlessFile(t *testing.T) {
	if _, r := Load("/dev/zero", Options{}); len(r.Errors) != 1 ||
		!strings.Contains(r.Errors[0].Message, "at most 1048576") {
		t.Error(r)
	}
}

func TestLoadFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "tune.yaml")
	must(t, os.WriteFile(file, []byte(whole("  a: [x, z]\n")+"warm_start: {journals: [../old.jsonl, /abs.jsonl]}\n"),
		0o666))
	st, r := Load(file, Options{})
	if st == nil {
		t.Fatal(r)
	}
	if st.Name != "tune" || st.Journal != filepath.Join(dir, "tune.journal.jsonl") || st.File != file {
		t.Errorf("name %q, journal %q, file %q", st.Name, st.Journal, st.File)
	}
	if got := st.WarmStart.Journals; got[0] != filepath.Join(filepath.Dir(dir), "old.jsonl") || got[1] != "/abs.jsonl" {
		t.Errorf("journals %q", got)
	}
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "none.yaml"), "cannot be read: open "},
		{dir, "is a directory"},
	} {
		st, r := Load(c.path, Options{})
		if st != nil || !strings.Contains(r.String(), c.want) {
			t.Errorf("%s: %s", c.path, r)
		}
		if err := r.Err(); !study.HasCode(err, study.Usage) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.path, err)
		}
	}
	if err := (Report{}).Err(); err != nil {
		t.Errorf("an empty report is the error %v", err)
	}
}

func TestOptions(t *testing.T) {
	base := whole("  a: [x, z]\n")
	o := Options{Words: map[string][]string{
		"kernels": {"auto", "arc"}, "designs": {"halton"}, "acquisitions": {"ei"}, "bases": {"se"},
		"rules": {"region.branch"},
	}}
	st, r := Parse("o.yaml", []byte(base), o)
	if st == nil {
		t.Fatal(r)
	}
	if st.Objective().Transform != "auto" || st.Surrogate.Inference != "map" || st.Budget.Failures != 20 ||
		st.Surrogate.Warping != "auto" {
		t.Errorf("defaults %q %q %d %q", st.Objective().Transform, st.Surrogate.Inference, st.Budget.Failures,
			st.Surrogate.Warping)
	}
	if st.Surrogate.Starts != 0 || st.Acquisition.Candidates != 0 {
		t.Errorf("numbers that follow rules: %d starts of the fit, %d candidates", st.Surrogate.Starts,
			st.Acquisition.Candidates)
	}
	if again, r := Parse("o.yaml", Print(st), o); again == nil || again.Objective().Transform != "auto" {
		t.Errorf("printed: %s", r)
	}
	_, r = Parse("o.yaml", []byte(base+
		"initial: {design: random}\nacquisition: logei\nsurrogate: {kernel: {name: ico, base: rq}}\npolicy: {without: "+
		"[region.branch, region.branc]}\n"), o)
	text := r.String()
	for _, want := range []string{`initial.design cannot be "random"`, `acquisition.name cannot be "logei"`,
		`surrogate.kernel.name cannot be "ico"`,
		`surrogate.kernel.base cannot be "rq"`, `policy.without cannot be "region.branc"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if len(r.Errors) != 5 {
		t.Errorf("%d errors", len(r.Errors))
	}
}

func TestConditionMeansTheSameAsDeclared(t *testing.T) {
	st, r := Parse("t.yaml", []byte(whole("  x1: {type: float, low: 0, high: 1}\n  x2: {type: float, low: 0, high: 1, "+
		"active_if: {x1: {gt: 0.4}}}\n")), Options{})
	if st == nil {
		t.Fatal(r)
	}
	e := st.Space.Param(1).Condition
	for v, want := range map[float64]space.Truth{0.4: space.False, 0.41: space.True, 0: space.False, 1: space.True} {
		c := space.NewConfiguration(2)
		c.Value[0], c.Active[0] = v, true
		if got := e.Eval(c); got != want {
			t.Errorf("x1 = %v: %v", v, got)
		}
	}
	if got := e.Eval(space.NewConfiguration(2)); got != space.Unknown {
		t.Errorf("x1 inactive: %v", got)
	}
}
