package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"bohier/docs"
)

// validators are the schemas of the reference, made strict: a member that they do not
// list is an error here, so that none is left out.
func validators(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	files, err := docs.Schemas.ReadDir("reference")
	noError(t, err)
	out := map[string]*jsonschema.Schema{}
	for _, f := range files {
		text, err := docs.Schemas.ReadFile("reference/" + f.Name())
		noError(t, err)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		noError(t, err)
		name := strings.TrimSuffix(f.Name(), ".schema.json")
		closeObjects(doc)
		c := jsonschema.NewCompiler()
		noError(t, c.AddResource("mem:"+name, doc))
		// $id is a name, not a place.
		delete(doc.(map[string]any), "$id")
		if out["bohier/"+name+"/1"], err = c.Compile("mem:" + name); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		_, has := v["properties"].(map[string]any)
		if _, others := v["additionalProperties"]; has && !others {
			v["additionalProperties"] = false
		}
		for _, part := range v {
			closeObjects(part)
		}
	case []any:
		for _, part := range v {
			closeObjects(part)
		}
	}
}

// TestOutputsFitTheirSchemas runs every command that prints JSON, in studies of every
// kind, and validates what it prints, errors included.
func TestOutputsFitTheirSchemas(t *testing.T) {
	valid, seen := validators(t), map[string]bool{}
	var check func(line string, v any)
	check = func(line string, v any) {
		t.Helper()
		if list, many := v.([]any); many {
			for _, one := range list {
				check(line, one)
			}
			return
		}
		object, _ := v.(map[string]any)
		name, _ := object["schema"].(string)
		if valid[name] == nil {
			t.Errorf("%s: no schema for %q in %v", line, name, v)
			return
		}
		if err := valid[name].Validate(v); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		seen[name] = true
		if object["result"] != nil {
			check(line, object["result"])
		}
	}
	for _, c := range studiesOfEveryKind {
		dir := t.TempDir()
		for name, text := range map[string]string{"bohier.yaml": c.study, "points.jsonl": c.points,
			"trials.jsonl": c.trials} {
			mustWrite(t, filepath.Join(dir, name), text)
		}
		for _, line := range strings.Split(strings.TrimSpace(c.lines), "\n") {
			args, input, want := strings.Fields(line), "", 0
			if n, err := strconv.Atoi(args[0]); err == nil { // its exit code
				args, want = args[1:], n
			}
			if args[0] == "serve" {
				_, input, _ = strings.Cut(line, "<")
				args = []string{"serve", "--stdio"}
			} else {
				args = append(args[:1:1], append([]string{"-o", "json"}, args[1:]...)...)
				if args[0] == "journal" {
					args = []string{"journal", args[3], "-o", "json"}
				}
			}
			var out, errs bytes.Buffer
			code := runProgram(t.Context(), streams{
				Stdin: strings.NewReader(input), Stdout: &out, Stderr: &errs, Dir: dir,
				Env: func(string) (string, bool) { return "", false },
			}, args)
			if code != want {
				t.Fatalf("%s: exit code %d\n%s%s", line, code, &out, &errs)
			}
			if line == "best" {
				noError(t, os.WriteFile(filepath.Join(dir, "baseline.json"), out.Bytes(), 0o600))
			}
			if k := bytes.Index(errs.Bytes(), []byte(`{"schema"`)); k >= 0 && want != 0 {
				out.Write(errs.Bytes()[k:])
			}
			if out.Len() == 0 {
				t.Errorf("%s printed nothing", line)
			}
			for d := json.NewDecoder(&out); d.More(); {
				var v any
				if err := d.Decode(&v); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				check(line, v)
			}
		}
	}
	for name := range valid {
		if !seen[name] {
			t.Errorf("nothing printed %s", name)
		}
	}
}

// studiesOfEveryKind are studies with the commands to run in them; a number before one is its exit code.
var studiesOfEveryKind = []struct{ study, trials, points, lines string }{
	{
		study: goldenStudy,
		trials: `{"params":{"lr":0.01,"kernel":"rbf"},"values":{"loss":3,"size":1},"metrics":{"epochs":3},"cost":2}
{"params":{"lr":0.1,"kernel":"poly","degree":3},"values":{"loss":2,"size":1},"stderr":0.1}
{"params":{"lr":0.2,"kernel":"rbf"},"values":{"loss":1.5,"size":7}}
{"params":{"lr":0.3,"kernel":"poly","degree":2},"values":{"loss":1,"size":1}}
{"params":{"lr":0.03,"kernel":"rbf"},"values":{"loss":2.5,"size":1}}
{"params":{"lr":0.05,"kernel":"rbf"},"values":{"loss":2.2,"size":1}}
{"params":{"lr":0.07,"kernel":"rbf"},"fail":"infeasible"}
`,
		points: `{"lr":0.5,"kernel":"rbf"}` + "\n",
		lines: `version
check
status
11 best
2 status --unknown
suggest --dry-run
add --json trials.jsonl
suggest -n 2
explain 8
explain 1
observe 8 loss=0.9 size=1 --metric acc=0.5 --note fine --cost 3
observe 8 loss=0.95 size=1 --replicate
return 9
abandon 9
enqueue lr=0.4 kernel=rbf
status
best
best --by posterior
trials
show 8
4 show 99
model
model --gram --points points.jsonl
predict --points points.jsonl
score points.jsonl
report
gate --baseline baseline.json --measured 1
journal verify
journal replay
doctor --fs .
serve <{"id":1,"verb":"status"}`,
	},
	{
		study: `objectives: [{name: a, direction: minimize}, {name: b, direction: maximize}]
space: {x: {type: float, low: 0, high: 1}, k: [u, v]}
seed: 2
budget: {trials: 30}
`,
		trials: `{"params":{"x":0.1,"k":"u"},"values":{"a":1,"b":1}}
{"params":{"x":0.4,"k":"v"},"values":{"a":2,"b":3}}
{"params":{"x":0.7,"k":"u"},"values":{"a":3,"b":2}}
{"params":{"x":0.9,"k":"v"},"values":{"a":1.5,"b":1.4}}
{"params":{"x":0.2,"k":"u"},"values":{"a":1.2,"b":1.8}}
{"params":{"x":0.3,"k":"v"},"values":{"a":0.4,"b":0.3}}
`,
		points: `{"x":0.5,"k":"u"}` + "\n",
		lines: `add --json trials.jsonl
suggest
explain 7
observe 7 a=0.5 b=0.4
status
best
best --pick knee
trials
model
predict --points points.jsonl
score points.jsonl
report`,
	},
	{
		study: `objective: {name: loss, direction: minimize, noise: 0.5}
space: {x: {type: float, low: 0, high: 1}}
cost: seconds
seed: 2
`,
		trials: `{"params":{"x":0.1},"values":{"loss":1},"cost":2}
{"params":{"x":0.2},"values":{"loss":0.8},"cost":2}
{"params":{"x":0.3},"values":{"loss":1.4},"cost":1}
{"params":{"x":0.5},"values":{"loss":0.4},"cost":1}
{"params":{"x":0.6},"values":{"loss":0.9},"cost":1}
{"params":{"x":0.9},"values":{"loss":2},"cost":1}
`,
		points: `{"x":0.5}` + "\n",
		lines: `add --json trials.jsonl
suggest
explain 7
status
best
report`,
	},
	{
		study: `objectives: [{name: a, direction: minimize, noise: 0.3, reference: 0.1}, {name: b, direction: maximize}]
space: {x: {type: float, low: 0, high: 1}}
seed: 2
`,
		trials: `{"params":{"x":0.1},"values":{"a":1,"b":1}}
{"params":{"x":0.1},"values":{"a":1.4,"b":1}}
{"params":{"x":0.4},"values":{"a":2,"b":3}}
{"params":{"x":0.7},"values":{"a":3,"b":2}}
{"params":{"x":0.9},"values":{"a":1.5,"b":1.4}}
{"params":{"x":0.2},"values":{"a":1.2,"b":1.8}}
`,
		points: `{"x":0.5}` + "\n",
		lines: `add --json trials.jsonl
suggest
explain 7
status
best
best --by observed
best --pick a
trials
show 1
score points.jsonl
report`,
	},
	{
		study: `objective: {name: loss, direction: minimize}
space: {x: {type: float, low: 0, high: 1}}
fidelity: {name: epochs, low: 1, high: 9, resume: true, probes: 0}
seed: 2
budget: {resource: 60}
`,
		lines: `suggest
observe 1 0.5 --at 1
10 verdict 1
suggest
observe 2 0.4 --at 1
status
trials
show 1
report`,
	},
}
