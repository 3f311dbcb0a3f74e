package exchange

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
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
	{"optuna", "optuna.csv"},
	{"smac", "smac/runhistory.json"},
	{"smac", "smac/configspace.json"},
	{"ax", "ax.json"},
	{"irace", "irace/irace.jsonl"},
	{"irace", "irace/scenario.txt"},
	{"irace", "irace/parameters.txt"},
	{"wandb", "wandb.jsonl"},
}

func input(t testing.TB, file string) Input {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(file))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Input{Name: file, Data: data, Dir: os.DirFS(filepath.Dir(path))}
}

// TestRead reads every file and compares all that was read with read.golden.
func TestRead(t *testing.T) {
	var b strings.Builder
	for _, s := range sources {
		st, err := Read(s.tool, input(t, s.file), Options{})
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
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

func summary(st *Study) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q objectives %q form %s budget %d command %q\n", st.Name, st.Objectives, st.Form, st.Budget, st.Command)
	for _, n := range slices.Concat(st.SpaceNotes, st.Notes) {
		fmt.Fprintln(&b, "note:", n)
	}
	if st.Form == "optuna" {
		b.Write(st.Space)
	}
	for _, t := range st.Trials {
		fmt.Fprintf(&b, "%s %s %q", t.Name, t.State, t.Why)
		for _, p := range t.Params {
			fmt.Fprintf(&b, " %s=%s%s", p.Name, p.JSON, p.Text)
		}
		for _, v := range t.Scores {
			fmt.Fprintf(&b, " -> %.6g", v)
		}
		for _, name := range slices.Sorted(maps.Keys(t.Values)) {
			fmt.Fprintf(&b, " -> %s=%.6g", name, t.Values[name])
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
	st, err := Read("irace", input(t, "irace/irace.jsonl"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	head, rows, err := rowsOf(input(t, "irace/irace-configurations.csv"))
	if err != nil {
		t.Fatal(err)
	}
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
	_, results, err := rowsOf(input(t, "irace/irace-experiments.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for k := range st.Trials {
		sum, n := 0.0, 0.0
		for _, row := range results {
			if row[k+1] != "NA" {
				var v float64
				fmt.Sscan(row[k+1], &v)
				sum += v
				n++
			}
		}
		if got := st.Trials[k].Scores; n > 0 && (len(got) != 1 || abs(got[0]-sum/n) > 1e-12*abs(sum)) {
			t.Errorf("configuration %d: %v, R has %v", k+1, got, sum/n)
		}
	}
}

func abs(x float64) float64 { return max(x, -x) }

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ tool, data, study, want string }{
		{"optuna", "hello", "", "no storage of Optuna"},
		{"optuna", string(input(t, "optuna.jsonl").Data), "x", `there is no study "x"`},
		{"optuna", string(input(t, "irace/irace.jsonl").Data), "", "this is a study of irace, not of optuna"},
		{"optuna", `{"import":"optuna"}` + "\n{", "", "line 2: unexpected end"},
		{"smac", "{}", "", "no configurations"},
		{"ax", "{}", "", "no search space"},
		{"irace", "parameterFile = \"p.txt\"\nmaxExperiments = 100\n", "", "p.txt of parameterFile is not beside it"},
		{"wandb", "hello", "", "neither a sweep nor a table"},
		{"vizier", "", "", "not a tool"},
	} {
		_, err := Read(c.tool, Input{Name: "f", Data: []byte(c.data)}, Options{Study: c.study})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.20q: %v, want %q", c.tool, c.data, err, c.want)
		}
	}
}
