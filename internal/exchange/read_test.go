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
// and the versions it used lie beside it.
var sources = []struct{ tool, file, study string }{
	{"optuna", "optuna.log", "forest or svm"},
	{"optuna", "optuna.log", "two"},
	{"optuna", "optuna.db", ""},
	{"optuna", "optuna.csv", ""},
	{"smac", "smac/runhistory.json", ""},
	{"smac", "smac/configspace.json", ""},
	{"ax", "ax.json", ""},
	{"irace", "irace/irace.Rdata", ""},
	{"irace", "irace/scenario.txt", ""},
	{"irace", "irace/parameters.txt", ""},
	{"wandb", "wandb-api.csv", ""},
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
		st, err := Read(s.tool, input(t, s.file), Options{Study: s.study})
		if err != nil {
			t.Fatalf("%s: %v", s.file, err)
		}
		fmt.Fprintf(&b, "== %s:%s %s\n%s", s.tool, s.file, s.study, summary(st))
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

// The journal file and the database hold the same study: Optuna's own sampler with the
// same seed filled both.
func TestStoragesAgree(t *testing.T) {
	a, err := Read("optuna", input(t, "optuna.log"), Options{Study: "forest or svm"})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Read("optuna", input(t, "optuna.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(a.Space), string(b.Space)); d != "" {
		t.Errorf("space:\n%s", d)
	}
	if len(a.Trials) != len(b.Trials) {
		t.Fatalf("%d and %d trials", len(a.Trials), len(b.Trials))
	}
	for i := range a.Trials {
		x, y := a.Trials[i], b.Trials[i]
		x.Duration, y.Duration = nil, nil
		if d := cmp.Diff(x, y); d != "" {
			t.Errorf("trial %s:\n%s", x.Name, d)
		}
	}
}

// The log of irace, read here, against what R itself writes of it.
func TestRDataAgainstR(t *testing.T) {
	st, err := Read("irace", input(t, "irace/irace.Rdata"), Options{})
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
			got[p.Name] = p.Text
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
		{"optuna", string(input(t, "optuna.log").Data), "", `there are 2 studies in it`},
		{"optuna", string(input(t, "optuna.log").Data), "x", `there is no study "x"`},
		{"optuna", `{"op_code":5,"trial_id":3}`, "", "there is no trial 3"},
		{"optuna", "SQLite format 3\x00", "", "not an SQLite database"},
		{"smac", "{}", "", "no configurations"},
		{"ax", "{}", "", "no search space"},
		{"irace", "\xfd7zXZ", "", "compressed with xz"},
		{"irace", "parameterFile = \"p.txt\"\nmaxExperiments = 100\n", "", "p.txt, is not beside it"},
		{"wandb", "hello", "", "neither a sweep nor a table"},
		{"nni", "", "", "not a tool"},
	} {
		_, err := Read(c.tool, Input{Name: "f", Data: []byte(c.data)}, Options{Study: c.study})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.20q: %v, want %q", c.tool, c.data, err, c.want)
		}
	}
}

// A database that is written to says so.
func TestDatabaseInUse(t *testing.T) {
	in := input(t, "optuna.db")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "optuna.db-wal"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	in.Dir = os.DirFS(dir)
	if _, err := Read("optuna", in, Options{}); err == nil || !strings.Contains(err.Error(), "write-ahead log") {
		t.Errorf("%v", err)
	}
}

func TestPythonLiteral(t *testing.T) {
	for text, want := range map[string]any{
		`{'a': 1, "b": [True, None, -2.5e-3], 'c': {'d': 'it\'s "x"\n'}}`: map[string]any{"a": 1.0, "b": []any{true, nil, -2.5e-3}, "c": map[string]any{"d": "it's \"x\"\n"}},
		`{}`: map[string]any{}, `(1, 'é\u00e9')`: []any{1.0, "éé"}, `nan`: nil, `{"a": null}`: map[string]any{"a": nil},
	} {
		got, err := pythonLiteral(text)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%s: %v %s", text, err, d)
		}
	}
	for _, bad := range []string{"", "{", "{'a'}", "{'a': <x>}", "[1 2]", "'a", "{} x", strings.Repeat("[", 100)} {
		if v, err := pythonLiteral(bad); err == nil {
			t.Errorf("%q is %v", bad, v)
		}
	}
}

// Files come from anywhere: whatever is in them, Read ends with a study or an error.
func FuzzRead(f *testing.F) {
	for _, s := range sources {
		data := input(f, s.file).Data
		if len(data) > 1<<14 {
			continue // large seeds make slow mutants
		}
		f.Add(s.tool, data)
	}
	f.Add("optuna", []byte(`{"op_code":0,"study_name":"a","directions":[1]}`+"\n"+`{"op_code":4,"study_id":0,"params":{"x":1},"distributions":{"x":"{}"}}`))
	f.Fuzz(func(t *testing.T, tool string, data []byte) {
		st, err := Read(tool, Input{Name: "f", Data: data}, Options{})
		if (st == nil) == (err == nil) {
			t.Errorf("%v, %v", st, err)
		}
	})
}

// Every byte of a database may be wrong.
func TestDamagedDatabase(t *testing.T) {
	whole := input(t, "optuna.db").Data
	step := 3001
	if os.Getenv("BOHIER_SOAK") != "" {
		step = 7
	}
	for at := 16; at < len(whole); at += step {
		for _, v := range []byte{0, 0xff, whole[at] ^ 0x10} {
			data := slices.Clone(whole)
			data[at] = v
			if st, err := Read("optuna", Input{Name: "f", Data: data}, Options{}); (st == nil) == (err == nil) {
				t.Fatalf("byte %d: %v, %v", at, st, err)
			}
		}
	}
	for _, n := range []int{0, 99, 100, 4095, 4096, 8192, len(whole) - 1} {
		if _, err := Read("optuna", Input{Name: "f", Data: whole[:n]}, Options{}); err == nil {
			t.Errorf("%d bytes are accepted", n)
		}
	}
}
