package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bohier/internal/kernels"
)

// surrogates are settings of every kernel, and of what adds hyperparameters to kernels, by
// the kind of space that they are tried on.
func surrogates() map[string][]string {
	out := map[string][]string{}
	add := func(space, settings string) { out[space] = append(out[space], settings) }
	for _, name := range kernels.Names() {
		switch name {
		case "lap", "dif", "walk", "cosine":
			add("choices", "kernel: "+name)
		case "sum":
			add("tree", "kernel: {sum: [arc, imp]}")
		case "add":
			add("tree", "kernel: {add: [tree, {multiply: [mix, {add: [linear, modlap, addlap]}]}]}")
		case "multiply":
			add("tree", "kernel: {multiply: [effects, {add: [lap-like, se]}]}")
		default:
			add("tree", "kernel: "+name)
		}
	}
	for k, s := range out["tree"] {
		out["tree"][k] = strings.Replace(s, "lap-like", "prodlap", 1)
	}
	add("choices", "kernel: auto")
	add("tree", "kernel: auto")
	add("numbers", "kernel: auto")
	add("tree", "kernel: {name: modlap, order: 2}")
	add("tree", "kernel: {name: box, combine: sum, ard: false}")
	add("tree", "{kernel: imp, warping: true}")
	add("numbers", "{kernel: matern52, form: kriging}")
	add("numbers", "{kernel: matern52, mean: linear}")
	add("tree", "{kernel: auto, separate: true}")
	add("tree", "{kernel: tree, inference: mcmc}")
	add("tree", "{kernel: adddif, inference: mle}")
	for _, m := range kernels.FidelityModels() {
		for _, k := range []string{"auto", "modlap", "addlap"} {
			add("curves "+m, "kernel: "+k)
		}
	}
	return out
}

// studyOf is the study file of a kind of space, and rows of values.
func studyOf(kind, surrogate string) (file, rows string) {
	numbers := "  x: {type: float, low: 1, high: 100, scale: log}\n  n: {type: int, low: 0, high: 9}\n"
	choices := "  c: [a, b, d]\n  d: [a, b, d, e]\n  e: {type: bool}\n  g: [u, v]\n"
	space := numbers + choices + "  z: {type: float, low: 0, high: 1, active_if: {c: [a, b]}}\n"
	kind, model, curves := strings.Cut(kind, " ")
	switch {
	case kind == "numbers":
		space = numbers
	case kind == "choices":
		space = choices
	}
	if !strings.HasPrefix(surrogate, "{") {
		surrogate = "{" + surrogate + "}"
	}
	file = "objective: {name: f, direction: maximize}\nspace:\n" + space + "surrogate: " + surrogate + "\n"
	if curves {
		of := map[bool]string{true: "folds", false: "curve"}[model == "crossval"]
		file += "fidelity: {name: " + of + ", kind: " + of + ", low: 1, high: 9, model: " + model + "}\n"
	}
	r := rand.New(rand.NewPCG(3, 8))
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	var b strings.Builder
	for range 9 {
		var p []string
		v := r.NormFloat64()
		if kind != "choices" {
			x, n := 1+98*r.Float64(), r.IntN(10)
			v += math.Log(x) + float64(n)/3
			p = append(p, fmt.Sprintf(`"x":%g,"n":%d`, x, n))
		}
		if kind != "numbers" {
			c := pick("a", "b", "d")
			p = append(p, fmt.Sprintf(`"c":%q,"d":%q,"e":%v,"g":%q`, c, pick("a", "b", "d", "e"), r.IntN(2) == 0, pick("u", "v")))
			if kind != "choices" && c != "d" {
				p = append(p, fmt.Sprintf(`"z":%g`, r.Float64()))
			}
		}
		fmt.Fprintf(&b, `{"params":{%s},"values":{"f":%g}}`+"\n", strings.Join(p, ","), v)
	}
	return file, b.String()
}

// What `bohier model -o json` prints as hyperparameters is accepted under `fixed` as it is, for
// every kernel, and gives the same likelihood, unless there were several sets of them.
func TestPrintedHyperparametersCanBeFixed(t *testing.T) {
	tried := 0
	for kind, list := range surrogates() {
		for _, s := range list {
			dir := t.TempDir()
			file, rows := studyOf(kind, s)
			write := func(name, text string) {
				t.Helper()
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			bohier := func(args ...string) []byte {
				t.Helper()
				var out, errs bytes.Buffer
				if code := runProgram(t.Context(), streams{
					Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir,
					Env: func(string) (string, bool) { return "", false },
				}, args); code != 0 {
					t.Fatalf("%s, %s: %v: exit code %d\n%s", kind, s, args, code, &errs)
				}
				return out.Bytes()
			}
			type printed struct {
				Kernel          string             `json:"kernel"`
				Likelihood      float64            `json:"log_marginal_likelihood"`
				Hyperparameters map[string]float64 `json:"hyperparameters"`
			}
			model := func() (m printed) {
				t.Helper()
				if err := json.Unmarshal(bohier("model", "-o", "json"), &m); err != nil {
					t.Fatal(err)
				}
				return m
			}
			write("bohier.yaml", file)
			write("rows.jsonl", rows)
			bohier("add", "--json", "rows.jsonl")
			first := model()
			fixed, err := json.Marshal(first.Hyperparameters)
			if err != nil {
				t.Fatal(err)
			}
			open := strings.TrimSuffix(strings.TrimPrefix(s, "{"), "}")
			if !strings.HasPrefix(s, "{") {
				open = s
			}
			file, _ = studyOf(kind, "{"+open+", hyperparameters: {fixed: "+string(fixed)+"}}")
			write("bohier.yaml", file)
			bohier("check")
			second := model()
			tried++
			if first.Kernel != second.Kernel || !slices.Equal(slices.Sorted(maps.Keys(first.Hyperparameters)), slices.Sorted(maps.Keys(second.Hyperparameters))) {
				t.Errorf("%s, %s: %s with %v, when fixed %s with %v", kind, s, first.Kernel, first.Hyperparameters, second.Kernel, second.Hyperparameters)
			} else if math.Abs(first.Likelihood-second.Likelihood) > 1e-6 && !slices.Contains([]string{"{kernel: tree, inference: mcmc}", "{kernel: auto, separate: true}"}, s) {
				t.Errorf("%s, %s: likelihood %v, when fixed %v", kind, s, first.Likelihood, second.Likelihood)
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d kernels tried", tried)
	}
}
