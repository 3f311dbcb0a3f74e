package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// golden compares an output with testdata/golden/NAME.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	goldenFile(t, filepath.Join("testdata", "golden", name), got)
}

// goldenFile compares an output with a file; `make golden` writes it anew.
func goldenFile(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		mustWrite(t, path, got)
	}
	if diff := cmp.Diff(string(mustRead(t, path)), string(got)); diff != "" {
		t.Errorf("%s is not what the program prints (make golden; read the diff): %s", path, diff)
	}
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mustRead(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	noError(t, err)
	return text
}

func mustWrite[T string | []byte](t testing.TB, path string, text T) {
	t.Helper()
	noError(t, os.WriteFile(path, []byte(text), 0o666))
}

// outputOf runs a command line that must succeed.
func outputOf(t *testing.T, dir string, args ...string) string {
	t.Helper()
	code, out, errs := inProcess(dir, args...)
	if code != 0 {
		t.Fatalf("%v: exit code %d\n%s%s", args, code, out, errs)
	}
	return out
}

// TestHelpGolden: usage, flags and exit codes of every command, as its help shows them.
func TestHelpGolden(t *testing.T) {
	var b bytes.Buffer
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		if c.Hidden || c.Name() == "help" {
			return
		}
		args := strings.Fields(c.CommandPath())[1:]
		text, rest, _ := strings.Cut(outputOf(t, t.TempDir(), append(args, "--help")...), "\nExit codes:\n")
		text, _, _ = strings.Cut(text, "\nFlags of every command:\n")
		_, text, _ = strings.Cut(text, "\nUsage:\n")
		fmt.Fprintf(&b, "==== %s\n%sExit codes:", c.CommandPath(), text)
		for _, line := range strings.Split(strings.TrimSpace(rest), "\n") {
			fmt.Fprint(&b, " ", strings.Fields(line)[0])
		}
		b.WriteString("\n")
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(newRoot(&globals{}))
	golden(t, "help.txt", b.Bytes())
}

const goldenStudy = `objective: {name: loss, direction: minimize}
constraints: [size <= 5]
space:
  lr: {type: float, low: 1e-4, high: 1, scale: log}
  kernel: [rbf, poly]
  degree: {type: int, low: 2, high: 5, active_if: {kernel: poly}}
seed: 4
budget: {trials: 30}
`

// TestJSONGolden: the keys and types of everything that is printed as JSON. A key that
// is renamed, dropped or retyped breaks the programs of others.
func TestJSONGolden(t *testing.T) {
	dir := t.TempDir()
	text := goldenStudy + "surrogate: {mean: linear}\n" // it has slopes to print
	mustWrite(t, filepath.Join(dir, "bohier.yaml"), text)
	var trials strings.Builder
	for k := range 12 {
		params := fmt.Sprintf(`{"lr":%g,"kernel":"rbf"}`, 0.01*float64(k+1))
		if k%3 == 0 {
			params = fmt.Sprintf(`{"lr":%g,"kernel":"poly","degree":%d}`, 0.02*float64(k+1), 2+k%4)
		}
		fmt.Fprintf(&trials, `{"params":%s,"values":{"loss":%d,"size":%d},"metrics":{"epochs":%d}}`+"\n", params,
			(k-5)*(k-5), k%7, k)
	}
	list := filepath.Join(dir, "trials.jsonl")
	mustWrite(t, list, trials.String())
	points := filepath.Join(dir, "points.jsonl")
	mustWrite(t, points, `{"lr":0.3,"kernel":"rbf"}`+"\n")
	var b bytes.Buffer
	for _, line := range []string{
		"version -o json", "check -o json", "status -o json", "add --json " + list + " -o json", "suggest -o json",
		"explain 13 -o json",
		"observe 13 loss=0.5 size=1 -o json", "status -o json", "best -o json", "show 13 -o json", "trials -o json",
		"model -o json",
		"predict --points " + points + " -o json", "score " + points + " -o json", "report -o json",
		"suggest --fix kernel=poly -o json",
		"abandon 14 -o json", "journal verify -o json",
	} {
		fmt.Fprintf(&b, "==== %s\n", strings.ReplaceAll(line, dir+string(filepath.Separator), ""))
		args := strings.Fields(line)
		d := json.NewDecoder(strings.NewReader(outputOf(t, dir, args...)))
		for d.More() {
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			shape(&b, "", v)
		}
	}
	golden(t, "json.txt", b.Bytes())
}

// shape writes the paths of all values with their types: of a list its first element,
// of a mapping whose keys depend on the study or the decision no more than that.
func shape(b *bytes.Buffer, path string, v any) {
	switch path[strings.LastIndex(path, ".")+1:] {
	case "params", "values", "metrics", "fit", "plan", "region":
		fmt.Fprintf(b, "%s depends\n", path)
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			shape(b, path+"."+name, v[name])
		}
	case []any:
		if len(v) == 0 {
			fmt.Fprintf(b, "%s list\n", path)
			return
		}
		shape(b, path+"[]", v[0])
	case string:
		if strings.HasSuffix(path, ".schema") {
			fmt.Fprintf(b, "%s %s\n", path, v)
			return
		}
		fmt.Fprintf(b, "%s text\n", path)
	case nil:
		fmt.Fprintf(b, "%s null\n", path)
	default:
		fmt.Fprintf(b, "%s %T\n", path, v)
	}
}
