package examples

import (
	"bytes"
	"os/exec"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"bohier/internal/suggest"
)

// TestSchemaKnowsEveryName holds that the printed schema accepts whatever name
// the program has, and no other. It is not among the tests of cmd/bohier, whose binary
// is the program in the scripts there: loading the validator takes it longer than to start.
func TestSchemaKnowsEveryName(t *testing.T) {
	printed, err := exec.Command(bohier, "schema").Output()
	must(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(printed))
	must(t, err)
	c := jsonschema.NewCompiler()
	must(t, c.AddResource("study.json", document))
	schema := c.MustCompile("study.json")
	names := suggest.Names()
	type object = map[string]any
	for _, k := range []struct {
		what  string
		names []string
		with  func(name string) (section string, value any)
	}{
		{"kernel", names["kernels"], func(n string) (string, any) { return "surrogate", object{"kernel": n} }},
		{"base", names["bases"], func(n string) (string, any) { return "surrogate", object{"kernel": object{"base": n}} }},
		{"acquisition", names["acquisitions"], func(n string) (string, any) { return "acquisition", n }},
		{"design", names["designs"], func(n string) (string, any) { return "initial", object{"design": n} }},
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
