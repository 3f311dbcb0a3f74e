package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// surrogates are settings of every kernel, and of what adds hyperparameters to kernels, by
// the kind of space that they are tried on.
func surrogates(t *testing.T) map[string][]string {
	out := map[string][]string{}
	add := func(space, settings string) { out[space] = append(out[space], settings) }
	for _, name := range kernelNames(t) {
		switch name {
		case "lap", "dif":
			add("choices", "kernel: "+name)
		case "auto", "add", "multiply":
		default:
			add("tree", "kernel: "+name)
			add("tree", "kernel: {name: "+name+", ard: false}")
		}
	}
	add("tree", "kernel: {add: [imp, {multiply: [mix, {add: [linear, modlap, addlap]}]}]}")
	add("tree", "kernel: {multiply: [effects, {add: [prodlap, se]}]}")
	add("choices", "kernel: auto")
	add("tree", "kernel: auto")
	add("tree", "kernel: {name: auto, ard: false}")
	for _, mean := range []string{"zero", "linear"} {
		add("tree", "{kernel: auto, mean: "+mean+"}")
	}
	add("tree", "kernel: {add: [{name: imp, ard: false}, {name: modlap, ard: false, embedding: imp}]}")
	add("numbers", "kernel: auto")
	add("tree", "kernel: {name: box, combine: sum, ard: false}")
	add("tree", "{kernel: imp, warping: true}")
	add("numbers", "{kernel: matern52, form: kriging}")
	add("numbers", "{kernel: matern52, mean: linear}")
	add("tree", "{kernel: adddif, inference: mle}")
	for _, m := range []string{"curve", "crossval", "product", "auto", "auto folds"} {
		for _, k := range []string{"auto", "modlap", "addlap"} {
			add("curves "+m, "kernel: "+k)
		}
	}
	return out
}

// kernelNames are those that the schema of the study file lists.
func kernelNames(t *testing.T) []string {
	t.Helper()
	out, _ := runIn(t, t.TempDir(), 0, nil, "schema")
	list := regexp.MustCompile(`"auto",\s*"matern52"[^\]]*`).FindString(out)
	var names []string
	if err := json.Unmarshal([]byte("["+list+"]"), &names); err != nil || len(names) < 20 {
		t.Fatalf("%d kernels in the schema, %v", len(names), err)
	}
	return names
}

// runIn runs a command in a directory with files, and fails unless it exits with code.
func runIn(t *testing.T, dir string, code int, files map[string]string, args ...string) (stdout, stderr string) {
	t.Helper()
	for name, text := range files {
		mustWrite(t, filepath.Join(dir, name), text)
	}
	var out, errs bytes.Buffer
	if got := runProgram(t.Context(), streams{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir,
		Env: func(string) (string, bool) { return "", false },
	}, args); got != code {
		t.Fatalf("%v: exit code %d\n%s", args, got, &errs)
	}
	return out.String(), errs.String()
}

// studyOf is the study file of a kind of space, and rows of values.
func studyOf(kind, surrogate string) (file, rows string) {
	numbers := "  x: {type: float, low: 1, high: 100, scale: log}\n  n: {type: int, low: 0, high: 9}\n"
	choices := "  c: [a, b, d]\n  d: [a, b, d, e]\n  e: {type: bool}\n  g: [u, v]\n"
	space := numbers + choices + "  z: {type: float, low: 0, high: 1, active_if: {c: [a, b]}}\n" +
		"  h: {type: categorical, values: [r, s, t], active_if: {c: d}}\n"
	kind, model, curves := strings.Cut(kind, " ")
	switch kind {
	case "numbers":
		space = numbers
	case "choices":
		space = choices
	}
	if !strings.HasPrefix(surrogate, "{") {
		surrogate = "{" + surrogate + "}"
	}
	if !strings.Contains(surrogate, "mean:") { // compared otherwise, unless hyperparameters are set
		surrogate = strings.TrimSuffix(surrogate, "}") + ", mean: constant}"
	}
	file = "objective: {name: f, direction: maximize, transform: power}\nspace:\n" + space + "surrogate: " + surrogate +
		"\n"
	if curves {
		model, folds := strings.CutSuffix(model, " folds")
		of := map[bool]string{true: "folds", false: "curve"}[folds || model == "crossval"]
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
			p = append(p, fmt.Sprintf(`"c":%q,"d":%q,"e":%v,"g":%q`, c, pick("a", "b", "d", "e"), r.IntN(2) == 0,
				pick("u", "v")))
			if kind != "choices" && c != "d" {
				p = append(p, fmt.Sprintf(`"z":%g`, r.Float64()))
			} else if kind != "choices" {
				p = append(p, fmt.Sprintf(`"h":%q`, pick("r", "s", "t")))
			}
		}
		fmt.Fprintf(&b, `{"params":{%s},"values":{"f":%g}}`+"\n", strings.Join(p, ","), v)
	}
	return file, b.String()
}

// What `bohier model -o json` prints as hyperparameters is accepted under `fixed` as it is, for
// every kernel, and gives the same likelihood, and a suggestion.
func TestPrintedHyperparametersCanBeFixed(t *testing.T) {
	t.Parallel()
	tried := 0
	for kind, list := range surrogates(t) {
		for _, s := range list {
			dir := t.TempDir()
			file, rows := studyOf(kind, s)
			type printed struct {
				Kernel          string             `json:"kernel"`
				Likelihood      float64            `json:"log_marginal_likelihood"`
				Hyperparameters map[string]float64 `json:"hyperparameters"`
			}
			model := func() (m printed) {
				t.Helper()
				out, _ := runIn(t, dir, 0, nil, "model", "-o", "json")
				noError(t, json.Unmarshal([]byte(out), &m))
				return m
			}
			runIn(t, dir, 0, map[string]string{"bohier.yaml": file, "rows.jsonl": rows}, "add", "--json", "rows.jsonl")
			first := model()
			fixed, err := json.Marshal(first.Hyperparameters)
			noError(t, err)
			open := strings.TrimSuffix(strings.TrimPrefix(s, "{"), "}")
			if !strings.HasPrefix(s, "{") {
				open = s
			}
			file, _ = studyOf(kind, "{"+open+", hyperparameters: {fixed: "+string(fixed)+"}}")
			runIn(t, dir, 0, map[string]string{"bohier.yaml": file}, "check")
			second := model()
			if strings.Contains(kind, "auto") { // models are compared
				runIn(t, dir, 0, nil, "suggest", "--dry-run")
			}
			tried++
			if first.Kernel != second.Kernel ||
				!slices.Equal(slices.Sorted(maps.Keys(first.Hyperparameters)), slices.Sorted(maps.Keys(second.Hyperparameters))) {
				t.Errorf("%s, %s: %s with %v, when fixed %s with %v", kind, s, first.Kernel, first.Hyperparameters, second.Kernel,
					second.Hyperparameters)
			} else if !(math.Abs(first.Likelihood-second.Likelihood) <= 1e-6) {
				t.Errorf("%s, %s: likelihood %v, when fixed %v", kind, s, first.Likelihood, second.Likelihood)
			}
		}
	}
	if tried < len(kernelNames(t)) {
		t.Errorf("only %d kernels tried", tried)
	}
}
