package exchange

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expected outputs")

// The files of testdata were made by the tools themselves; the script that made each
// and the versions it used lie beside it. The JSON lines are what our scripts print of them.
var sources = []struct{ tool, file string }{
	{"optuna", "optuna.jsonl"},
	{"optuna", "optuna-two.jsonl"},
	{"optuna", "layers.jsonl"},
	{"optuna", "optuna-table.jsonl"},
	{"smac", "smac/runhistory.jsonl"},
	{"smac", "smac/configspace.json"},
	{"ax", "ax.jsonl"},
	{"irace", "irace/irace.jsonl"},
	{"irace", "irace/scenario.txt"},
	{"irace", "irace/parameters.txt"},
	{"wandb", "wandb-runs.jsonl"},
}

func input(t testing.TB, file string) Input {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(file))
	data, err := os.ReadFile(path)
	must(t, err)
	return Input{Name: file, Data: data, Dir: os.DirFS(filepath.Dir(path))}
}

// TestRead reads every file and compares all that was read with read.golden.
func TestRead(t *testing.T) {
	var b strings.Builder
	for _, s := range sources {
		st, err := Read(s.tool, input(t, s.file), "")
		if err != nil {
			t.Fatalf("%s: %v", s.file, err)
		}
		fmt.Fprintf(&b, "== %s:%s\n%s", s.tool, s.file, summary(st))
	}
	golden(t, "read.golden", b.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		must(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

func summary(st *Study) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q objectives", st.Name)
	for _, o := range st.Objectives {
		fmt.Fprintf(&b, " %q %s", o.Name, o.Direction)
	}
	fmt.Fprintf(&b, " form %s budget %d command %q\n", st.Form, st.Budget, st.Command)
	for _, n := range slices.Concat(st.SpaceNotes, st.Notes) {
		fmt.Fprintln(&b, "note:", n)
	}
	if st.Form == "optuna" {
		b.Write(st.Space)
	}
	for _, t := range st.Trials {
		fmt.Fprintf(&b, "%s %s %q", t.Name, t.State, t.Why)
		for _, p := range t.Params {
			fmt.Fprintf(&b, " %s=%s", p.Name, p.JSON)
		}
		for _, name := range slices.Sorted(maps.Keys(t.Values)) {
			fmt.Fprintf(&b, " -> %s=%.6g", name, *t.Values[name])
		}
		for what, v := range map[string]*float64{"stderr": t.Stderr} {
			if v != nil {
				fmt.Fprintf(&b, " %s %.4g", what, *v)
			}
		}
		if t.Duration != nil {
			fmt.Fprintf(&b, " in %.3g s", *t.Duration)
		}
		for _, name := range slices.Sorted(maps.Keys(t.Metrics)) {
			fmt.Fprintf(&b, " [%s %v]", name, t.Metrics[name])
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}

// What the script prints of the log of irace, against what R itself writes of it.
func TestLogAgainstR(t *testing.T) {
	st, err := Read("irace", input(t, "irace/irace.jsonl"), "")
	must(t, err)
	head, rows := rowsOf(t, "irace/irace-configurations.csv")
	if len(rows) != len(st.Trials) {
		t.Fatalf("%d configurations, R has %d", len(st.Trials), len(rows))
	}
	for k, row := range rows {
		got := map[string]string{".ID.": st.Trials[k].Name}
		for _, p := range st.Trials[k].Params {
			got[p.Name] = strings.Trim(string(p.JSON), `"`)
		}
		for i, cell := range row {
			if head[i] != ".PARENT." && cell != "NA" && got[head[i]] != cell {
				t.Errorf("configuration %d: %s is %q, R has %q", k+1, head[i], got[head[i]], cell)
			}
		}
	}
	_, results := rowsOf(t, "irace/irace-experiments.csv")
	for k := range st.Trials {
		sum, n := 0.0, 0.0
		for _, row := range results {
			if row[k] != "NA" {
				var v float64
				fmt.Sscan(row[k], &v)
				sum += v
				n++
			}
		}
		if got, ok := st.Trials[k].Values["objective"]; n > 0 && (!ok || abs(*got-sum/n) > 1e-12*abs(sum)) {
			t.Errorf("configuration %d: %v, R has %v", k+1, *got, sum/n)
		}
	}
}

func rowsOf(t *testing.T, file string) (head []string, rows [][]string) {
	t.Helper()
	_, err := ReadTable(input(t, file).Data, func(names []string) (func(int, []string) error, error) {
		head = names
		return func(_ int, cells []string) error {
			rows = append(rows, cells)
			return nil
		}, nil
	})
	must(t, err)
	return head, rows
}

func abs(x float64) float64 { return max(x, -x) }

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ tool, data, study, want string }{
		{"optuna", "hello", "", "nothing of optuna was found in it"},
		{"optuna", string(input(t, "optuna.jsonl").Data), "x", `there is no study "x"`},
		{"optuna", string(input(t, "irace/irace.jsonl").Data), "", "this is a study of irace, not of optuna"},
		{"optuna", `{"import":"optuna"}` + "\n{", "", "line 2: unexpected end"},
		{"optuna", `{"import":"optuna"}` + "\n" + `{"key":"import:optuna::1"}`, "", `line 2: "name" is missing`},
		{"ax", "{}", "", "nothing of ax was found in it"},
		{"irace", "parameterFile = \"p.txt\"\nmaxExperiments = 100\n", "", "p.txt of parameterFile is not beside it"},
		{"wandb", "hello", "", "nothing of wandb was found in it"},
		{"", `{"import":"vizier"}`, "", `"vizier" is not a tool whose trials can be read`},
		{"vizier", "", "", "nothing of vizier was found in it"},
	} {
		_, err := Read(c.tool, Input{Name: "f", Data: []byte(c.data)}, c.study)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.20q: %v, want %q", c.tool, c.data, err, c.want)
		}
	}
}

// What the scripts that need Python alone print of the tools' own files.
func TestScripts(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	for file, want := range map[string]string{"ax.json": "ax.jsonl",
		"ax-thresholds.json": "ax-thresholds.jsonl", "wandb.jsonl": "wandb-runs.jsonl",
		"smac/old.json": "smac/old.jsonl", "optuna.csv": "optuna-table.jsonl", "wandb-page.csv": "wandb-page.jsonl"} {
		tool, _, _ := strings.Cut(strings.ReplaceAll(want, "-", "/"), "/")
		script := Scripts[strings.TrimSuffix(tool, ".jsonl")]
		if !script.Reads(file, input(t, file).Data) || script.Reads(want, input(t, want).Data) {
			t.Errorf("%s is not what the script reads, or %s is", file, want)
		}
		got, err := script.Run(t.Context(), "testdata", os.LookupEnv, 1<<20, nil, file)
		if err != nil || string(got) != string(input(t, want).Data) {
			t.Errorf("%s: %v\n%s", file, err, cmp.Diff(string(input(t, want).Data), string(got)))
		}
	}
}

// Conditions of Optuna's spaces as trials show them. Of layers.jsonl, where all is certain, see read.golden.
func TestConditions(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	distributions := `{"n":{"name":"IntDistribution","attributes":{"low":1,"high":9}},"f":{"name":"FloatDistribution","attributes":{"low":0,"high":1}},` +
		`"m":{"name":"CategoricalDistribution","attributes":{"choices":["u","v","w"]}},"c":{"name":"IntDistribution","attributes":{"low":0,"high":1}}}`
	cases := []struct {
		name              string
		trials            func(k int) string // parameters of trial k of 20
		condition, remark string
	}{
		{"a number from a bound on", func(k int) string {
			if n := 1 + k%9; n >= 4 {
				return fmt.Sprintf(`"n":%d,"c":1`, n)
			}
			return fmt.Sprintf(`"n":%d`, 1+k%9)
		}, "n >= 4", ""},
		{"up to a bound", func(k int) string {
			if n := 1 + k%9; n <= 2 {
				return fmt.Sprintf(`"n":%d,"c":1`, n)
			}
			return fmt.Sprintf(`"n":%d`, 1+k%9)
		}, "n <= 2", ""},
		{"a gap stays open", func(k int) string {
			return []string{`"n":2`, `"n":5,"c":1`, `"n":1`, `"n":6,"c":0`}[k%4]
		}, "n >= 5", "no trial is between 2 and 5"},
		{"a float", func(k int) string {
			return []string{`"f":0.25`, `"f":0.5,"c":1`}[k%2]
		}, "f >= 0.5", "no trial is between 0.25 and 0.5"},
		{"a bound of few digits", func(k int) string {
			return []string{`"f":0.0062268791,"c":1`, `"f":0.0176084138986107`}[k%2]
		}, "f <= 0.007", "no trial is between 0.0062268791 and 0.0176084138986107"},
		{"a choice that no trial has", func(k int) string {
			return []string{`"m":"u"`, `"m":"v","c":1`}[k%2]
		}, "m == v", "no trial has w"},
		{"two that explain", func(k int) string {
			return []string{`"n":1,"m":"u"`, `"n":2,"m":"v","c":1`}[k%2]
		}, "", "active_if: n >= 2, or active_if: m == v"},
		{"none that explains", func(k int) string {
			return []string{`"n":1`, `"n":1,"c":1`}[k%2]
		}, "", ""},
		{"three of twenty suffice", func(k int) string {
			if k > 3 {
				return `"n":2`
			}
			return []string{`"n":2`, `"n":1,"c":1`}[min(k, 1)]
		}, "n <= 1", ""},
	}
	var b strings.Builder
	for i, c := range cases {
		fmt.Fprintf(&b, "%s\n[%s, [", map[bool]string{true: "[", false: ","}[i == 0], distributions)
		for k := range 20 {
			fmt.Fprintf(&b, "%s{%s}", map[bool]string{false: ","}[k == 0], c.trials(k))
		}
		b.WriteString("]]")
	}
	python := exec.Command("python3", "-c", `import json, runpy, sys
infer = runpy.run_path("scripts/optuna.py")["infer_conditions"]
cases = json.load(sys.stdin)
for space, trials in cases:
    infer(space, trials)
print(json.dumps([space["c"] for space, _ in cases]))`)
	python.Stdin, python.Stderr = strings.NewReader(b.String()+"]"), os.Stderr
	out, err := python.Output()
	must(t, err)
	var got []struct {
		ActiveIf string `json:"active_if"`
		Perhaps  string `json:"perhaps"`
	}
	must(t, json.Unmarshal(out, &got))
	for i, c := range cases {
		if got[i].ActiveIf != c.condition || got[i].Perhaps != c.remark {
			t.Errorf("%s: %+v", c.name, got[i])
		}
	}
}

// What a script says last is a line of a bounded length.
func TestScriptSaysMuch(t *testing.T) {
	if got := lastLine("one\n"+strings.Repeat("ö", 9000)+"\n", exec.ErrDot); got != strings.Repeat("ö", 500)+"…" {
		t.Errorf("%d bytes", len(got))
	}
}

// A script that prints without end is ended, whichever of its streams it fills.
func TestScriptPrintsTooMuch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an interpreter of the shell")
	}
	for _, to := range []string{"", " >&2"} {
		program := filepath.Join(t.TempDir(), "python")
		must(t, os.WriteFile(program, []byte("#!/bin/sh\nhead -c 9000000 /dev/zero"+to+"\n"), 0o700))
		lookup := func(string) (string, bool) { return program, true }
		got, err := Scripts["ax"].Run(t.Context(), t.TempDir(), lookup, 1000, nil, "f")
		if err == nil || got != nil || !strings.HasSuffix(err.Error(), "prints more than is read") {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
