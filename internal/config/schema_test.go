package config

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	_ "bohier/internal/seeded"
)

// validator returns what the schema has against a text.
func validator(t *testing.T, o Options) func(text string) error {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema(o)))
	must(t, err)
	c := jsonschema.NewCompiler()
	must(t, c.AddResource("study.json", document))
	s, err := c.Compile("study.json")
	must(t, err)
	return func(text string) error {
		var x any
		if err := yaml.Unmarshal([]byte(text), &x); err != nil {
			return err
		}
		return s.Validate(x)
	}
}

// studyTexts are the study files and the cases of the messages: ok by the name of
// those that load, others of those that do not.
func studyTexts(t *testing.T) (ok, others map[string]string) {
	t.Helper()
	ok, others = map[string]string{"init": string(Template)}, map[string]string{}
	for _, file := range studyFiles(t) {
		data, err := os.ReadFile(file)
		must(t, err)
		ok[file], ok[file+" printed"] = string(data), string(Print(load(t, file)))
	}
	for _, archive := range []string{"yaml", "space", "conditions", "sections"} {
		_, entries := readArchive(t, "testdata/messages/"+archive+".txtar")
		for _, e := range entries {
			name, isCase := strings.CutSuffix(e.name, ".yaml")
			switch {
			case isCase && strings.HasPrefix(name, "ok"):
				ok[name] = complete(e.text)
			case isCase && !strings.HasPrefix(name, "whole-"):
				others[name] = complete(e.text)
			}
		}
	}
	return ok, others
}

// aboutKeys are the messages about keys and words, which the schema knows too.
var aboutKeys = regexp.MustCompile(`has no key| needs "| cannot be "|mean the same|has both|given twice|has no type|is not a type of|does not apply to|is not a graph`)

// fatal is what *testing.T and *rapid.T have in common here.
type fatal interface{ Fatalf(string, ...any) }

// agree checks one text: what loads validates, and prints to the same study; what validates has no mistake in a key or
// word. It reports whether the text loads and whether it validates.
func agree(t fatal, validate func(string) error, text string) (loads, valid bool) {
	st, r := Parse("s.yaml", []byte(text), gated)
	err := validate(text)
	if st != nil && err != nil {
		t.Fatalf("loads, and the schema refuses it: %v\n%s", err, text)
	}
	for _, p := range r.Errors {
		if err == nil && aboutKeys.MatchString(p.Message) {
			t.Fatalf("the schema accepts: %s\n%s", p.Message, text)
		}
	}
	if st != nil {
		printsTheSame(t, st, gated)
	}
	return st != nil, err == nil
}

// TestSchemaAgreesWithLoading checks both on every study file and every case of the messages, right and wrong.
func TestSchemaAgreesWithLoading(t *testing.T) {
	validate := validator(t, gated)
	ok, others := studyTexts(t)
	loaded, refused := 0, 0
	for _, texts := range []map[string]string{ok, others} {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			t.Run(name, func(t *testing.T) {
				loads, valid := agree(t, validate, texts[name])
				if loads {
					loaded++
				} else if !valid {
					refused++
				}
			})
		}
	}
	if loaded < 40 || refused < 60 {
		t.Errorf("%d files load, %d are refused by both", loaded, refused)
	}
}

// drawNode is a scalar, list or mapping that may or may not fit where it is put.
func drawNode(t *rapid.T) *yaml.Node {
	words := []string{"0", "1", "-1", "2.5", "1e3", "true", "True", "null", `"3"`, "lap", "30m", "a", `"a"`, "''",
		"[]", "[a, b]", "[1, 2]", "[[1, 2], {a: 1}, null]", "{}", "{name: a}", "{low: 0, high: 1}", "{regret: 0.1}", "x == a"}
	for i := range keys {
		if k := &keys[i]; k.words != nil {
			words = append(words, k.words(gated)...)
		}
	}
	var n yaml.Node
	must(t, yaml.Unmarshal([]byte(rapid.SampledFrom(words).Draw(t, "value")), &n))
	return n.Content[0]
}

// mutate changes one place of a document.
func mutate(t *rapid.T, root *yaml.Node, names []string) {
	var maps_, scalars []*yaml.Node
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		switch n.Kind {
		case yaml.MappingNode:
			maps_ = append(maps_, n)
			for i := 1; i < len(n.Content); i += 2 {
				walk(n.Content[i])
			}
			return
		case yaml.ScalarNode:
			scalars = append(scalars, n)
		}
		for _, c := range n.Content {
			walk(c)
		}
	}
	walk(root)
	m := rapid.SampledFrom(maps_).Draw(t, "mapping")
	name := rapid.SampledFrom(names).Draw(t, "key")
	at := 0
	if n := len(m.Content) / 2; n > 0 {
		at = 2 * rapid.IntRange(0, n-1).Draw(t, "place")
	}
	how := rapid.SampledFrom([]string{"add", "rename", "remove", "replace", "scalar"}).Draw(t, "change")
	switch {
	case how == "scalar" && len(scalars) > 0:
		*rapid.SampledFrom(scalars).Draw(t, "scalar") = *drawNode(t)
	case how == "add" || len(m.Content) == 0:
		m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, drawNode(t))
	case how == "rename":
		m.Content[at] = &yaml.Node{Kind: yaml.ScalarNode, Value: name}
	case how == "remove":
		m.Content = slices.Delete(m.Content, at, at+2)
	default:
		m.Content[at+1] = drawNode(t)
	}
}

// TestSchemaAgreesOnChangedFiles changes files that load, key by key, and holds both directions for whatever comes out.
func TestSchemaAgreesOnChangedFiles(t *testing.T) {
	validate := validator(t, gated)
	ok, _ := studyTexts(t)
	files := slices.Sorted(maps.Keys(ok))
	names := []string{"x-note", "nonsense"}
	for i := range keys {
		names = append(names, keys[i].spellings()...)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return n == "*" })
	loaded, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var doc yaml.Node
		must(t, yaml.Unmarshal([]byte(ok[rapid.SampledFrom(files).Draw(t, "file")]), &doc))
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			if doc.Content[0].Kind != yaml.MappingNode {
				break
			}
			mutate(t, doc.Content[0], names)
		}
		text, err := yaml.Marshal(&doc)
		if err != nil {
			t.Skip(err)
		}
		if yaml.Unmarshal(text, new(any)) != nil {
			t.Skip("not YAML any more") // duplicate keys
		}
		loads, valid := agree(t, validate, string(text))
		if loads {
			loaded++
		} else if !valid {
			refused++
		}
	})
	if loaded == 0 || refused == 0 {
		t.Errorf("%d files load, %d are refused by both", loaded, refused)
	}
}

// TestEveryKeyIsDescribed walks the schema: no property without a description,
// and no key of the vocabulary that the schema lacks.
func TestEveryKeyIsDescribed(t *testing.T) {
	var root any
	must(t, json.Unmarshal(Schema(Options{}), &root))
	described := map[string]bool{}
	var walk func(s any, at string)
	walk = func(s any, at string) {
		switch s := s.(type) {
		case []any:
			for _, x := range s {
				walk(x, at)
			}
		case map[string]any:
			for name, x := range s {
				if properties, is := x.(map[string]any); is && name == "properties" {
					for key, p := range properties {
						text, _ := p.(map[string]any)["description"].(string)
						if len(text) < 10 || !strings.HasSuffix(text, ".") {
							t.Errorf("%s.%s: description %q", at, key, text)
						}
						described[key] = true
						walk(p, at+"."+key)
					}
					continue
				}
				walk(x, at)
			}
		}
	}
	walk(root, "")
	for i := range keys {
		for _, name := range keys[i].spellings() {
			if name != "*" && !described[name] {
				t.Errorf("the schema has no property %s", name)
			}
		}
	}
	if len(described) < 90 {
		t.Errorf("%d names of properties", len(described))
	}
}

func must(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
