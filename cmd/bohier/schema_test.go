package main

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"bohier/internal/config"
	"bohier/internal/policy"
)

// TestSchemaKnowsEveryName holds that the printed schema accepts whatever name
// this program has, and no other.
func TestSchemaKnowsEveryName(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(config.Schema(options())))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("study.json", document); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile("study.json")
	names := policy.Names()
	type object = map[string]any
	for _, k := range []struct {
		what  string
		names []string
		with  func(name string) (section string, value any)
	}{
		{"kernel", names.Kernels, func(n string) (string, any) { return "surrogate", object{"kernel": n} }},
		{"base", names.Bases, func(n string) (string, any) { return "surrogate", object{"kernel": object{"base": n}} }},
		{"acquisition", names.Acquisitions, func(n string) (string, any) { return "acquisition", n }},
		{"design", names.Designs, func(n string) (string, any) { return "initial", object{"design": n} }},
	} {
		if len(k.names) < 3 {
			t.Errorf("%s: names %q", k.what, k.names)
		}
		for _, name := range append([]string{"nonsense"}, k.names...) {
			section, value := k.with(name)
			file := object{"objective": object{"direction": "minimize"}, "space": object{"x": []any{"a", "b"}}, section: value}
			if err := schema.Validate(file); (err == nil) != (name != "nonsense") {
				t.Errorf("%s %s: %v", k.what, name, err)
			}
		}
	}
}
