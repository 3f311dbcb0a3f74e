package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// TestUsualIsWhatAbsentKeysStandFor sets every key that has a default to it, and
// loads the same study as without the key.
func TestUsualIsWhatAbsentKeysStandFor(t *testing.T) {
	const jobs = `{run: {submit: [x], find: [x, "{job}"], cancel: [x, "{job}"], result_file: "{dir}/r"}}`
	beside := map[string]string{ // what a section needs for its keys to be allowed
		"run.":                   "{run: {command: [x]}}",
		"run.job":                jobs,
		"run.every":              jobs,
		"warm_start.":            "{warm_start: {journals: [testdata/full.yaml]}}",
		"surrogate.nugget":       "{surrogate: {form: kriging}}",
		"surrogate.kernel.name":  "{}",
		"surrogate.kernel.":      "{surrogate: {kernel: {name: hmodlap}}}",
		"fidelity.":              "{fidelity: {name: epochs, low: 1, high: 27}}",
		"space.*.prior.strength": "{space: {n: {prior: {mode: 2}}}}",
		"objectives.":            "{objectives: [{name: a, direction: minimize}, {name: b, direction: minimize}]}",
		"stop.hypervolume.":      "{objectives: [{name: a, direction: minimize}, {name: b, direction: minimize}]}",
	}
	checked := 0
	for i := range keys {
		k := &keys[i]
		if k.usual == "" {
			continue
		}
		var document map[string]any
		base := "{objective: {direction: minimize}, space: {n: {type: int, low: 1, high: 9}, c: [a, b]}}"
		must(t, yaml.Unmarshal([]byte(base), &document))
		for _, prefix := range []string{k.path, k.path[:strings.LastIndexByte(k.path, '.')+1]} {
			var extra map[string]any
			if text, ok := beside[prefix]; ok {
				must(t, yaml.Unmarshal([]byte(text), &extra))
				overlay(document, extra)
				break
			}
		}
		if document["objectives"] != nil {
			delete(document, "objective")
		}
		at := document
		parts := strings.Split(k.path, ".")
		for _, part := range parts[:len(parts)-1] {
			if part == "*" {
				part = "n"
			}
			if part == "objectives" {
				at = at[part].([]any)[0].(map[string]any)
				continue
			}
			if at[part] == nil {
				at[part] = map[string]any{}
			}
			at = at[part].(map[string]any)
		}
		without := marshal(t, document)
		var usual any
		must(t, yaml.Unmarshal([]byte(k.usual), &usual))
		at[parts[len(parts)-1]] = usual
		with := marshal(t, document)
		a, ra := Parse("t.yaml", without, Options{})
		b, rb := Parse("t.yaml", with, Options{})
		if a == nil || b == nil {
			t.Errorf("%s: %s%s\n%s", k.path, ra, rb, with)
			continue
		}
		if d := cmp.Diff(asValues(a), asValues(b)); d != "" {
			t.Errorf("%s: %s is not the default (-absent +set):\n%s", k.path, k.usual, d)
		}
		checked++
	}
	if checked < 30 {
		t.Errorf("%d defaults", checked)
	}
}

func overlay(m, extra map[string]any) {
	for name, v := range extra {
		below, is := v.(map[string]any)
		if own, both := m[name].(map[string]any); is && both {
			overlay(own, below)
			continue
		}
		m[name] = v
	}
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	out, err := yaml.Marshal(v)
	must(t, err)
	return out
}
