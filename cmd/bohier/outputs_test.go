package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bohier/docs"
	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/study"
)

// outputs are the objects that commands print with -o json, by the name in "schema".
var outputs = map[string][]any{
	"suggestion": {report.Suggestion{}}, "receipt": {report.Receipt{}, report.Enqueued{}}, "trial": {report.Trial{}},
	"status": {report.Status{}}, "check": {check{}}, "model": {report.Model{}, report.Models{}},
	"prediction": {report.Prediction{}}, "candidate": {report.Candidate{}}, "explanation": {study.Explanation{}},
	"verify": {journal.Verdict{}}, "replay": {report.Replay{}}, "doctor": {journal.FileSystem{}, journal.Database{}},
	"gate": {report.Gate{}}, "report": {report.Summary{}}, "version": {report.Version{}},
	"error": {failed{}}, "response": {response{}},
}

// TestOutputSchemas: the schemas of the reference are those of the types that are
// printed, every member of which has a meaning.
func TestOutputSchemas(t *testing.T) {
	s := &schemas{t: t, about: typeComments(t, "../../internal/report", "../../internal/journal", "../../internal/study",
		"../../internal/policy", "../../internal/config", "."),
		used: map[string]bool{}}
	files := map[string][]byte{}
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		files[name+".schema.json"] = s.document(name)
	}
	for word := range meanings {
		if !s.used[word] {
			t.Errorf("nothing printed has %s", word)
		}
	}
	files["json.md"] = outputPage()
	for name, want := range files {
		goldenFile(t, filepath.Join("../../docs/reference", name), want)
	}
	printed := maps.Collect(helpTable("printed"))
	for _, v := range verbs() {
		_, formats, _ := strings.Cut(helpText(strings.ReplaceAll(v.name, " ", "-")), "\noutput ")
		formats, _, _ = strings.Cut(formats, "\n")
		if slices.Contains(strings.Fields(formats), "json") && printed[v.name] == "" {
			t.Errorf("help/printed.txt does not name the object that %s prints", v.name)
		}
	}
	there, err := docs.Schemas.ReadDir("reference")
	if err != nil || len(there) != len(outputs) {
		t.Errorf("%d schemas in the program, want %d (%v)", len(there), len(outputs), err)
	}
}

// schemas makes JSON Schemas of Go types.
type schemas struct {
	t     *testing.T
	about map[string]string // comments of types
	defs  map[string]any
	used  map[string]bool // meanings
}

// An object keeps its members in the order in which it is given them.
type object struct {
	names  []string
	values []any
}

func (o *object) add(name string, value any) {
	o.names, o.values = append(o.names, name), append(o.values, value)
}

func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for k, name := range o.names {
		value, err := json.Marshal(o.values[k])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, ",%q:%s", name, value)
	}
	if b.Len() == 0 {
		return []byte("{}"), nil
	}
	return append(append([]byte("{"), b.Bytes()[1:]...), '}'), nil
}

// document is the schema of one output.
func (s *schemas) document(name string) []byte {
	s.defs = map[string]any{}
	var kinds []*object
	for _, v := range outputs[name] {
		kinds = append(kinds, s.object(reflect.TypeOf(v), name))
	}
	doc := &object{}
	doc.add("$schema", "http://json-schema.org/draft-07/schema#")
	doc.add("$id", "bohier/"+name+"/1")
	if len(kinds) == 1 {
		doc.names, doc.values = append(doc.names, kinds[0].names...), append(doc.values, kinds[0].values...)
	} else {
		doc.add("anyOf", kinds)
	}
	if len(s.defs) > 0 {
		doc.add("definitions", s.defs)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(doc); err != nil {
		s.t.Fatal(err)
	}
	return b.Bytes()
}

// object is the schema of a struct; output is the name that its schema member has.
func (s *schemas) object(of reflect.Type, output string) *object {
	members, required := &object{}, []string{}
	s.members(of, of.Name(), output, members, &required)
	out := &object{}
	if about := s.about[strings.Replace(path.Base(of.PkgPath()), "bohier", "main", 1)+"."+of.Name()]; about != "" {
		out.add("description", about)
	}
	out.add("type", "object")
	out.add("properties", members)
	if len(required) > 0 {
		out.add("required", required)
	}
	if of == reflect.TypeFor[study.Posterior]() { // in place of its members
		out.add("additionalProperties", s.value(reflect.TypeFor[study.Estimate](), true, ""))
	}
	return out
}

func (s *schemas) members(of reflect.Type, owner, output string, members *object, required *[]string) {
	for k := range of.NumField() {
		f := of.Field(k)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "": // its members are there, or none of them
			embedded := f.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
				s.members(embedded, embedded.Name(), output, members, new([]string))
			} else {
				s.members(embedded, embedded.Name(), output, members, required)
			}
		case name == "-" || !f.IsExported():
		default:
			value := s.value(f.Type, strings.Contains(options, "omit"), name)
			if name == "schema" && output != "" {
				value = &object{}
				value.add("const", "bohier/"+output+"/1")
			}
			value.add("description", s.meaning(owner, name))
			members.add(name, value)
			if !strings.Contains(options, "omit") {
				*required = append(*required, name)
			}
		}
	}
}

func (s *schemas) meaning(owner, name string) string {
	for _, word := range []string{owner + "." + name, name} {
		if text, ok := meanings[word]; ok {
			s.used[word] = true
			return text
		}
	}
	s.t.Errorf("the member %s of %s has no meaning in outputwords_test.go", name, owner)
	return ""
}

// value is the schema of a member; optional ones are absent where they have no value, others may be null.
func (s *schemas) value(of reflect.Type, optional bool, name string) *object {
	out := &object{}
	kind := func(names ...string) *object {
		if len(names) == 1 {
			out.add("type", names[0])
		} else {
			out.add("type", names)
		}
		return out
	}
	switch {
	case of == reflect.TypeFor[**float64]():
		return kind("number", "null")
	case of == reflect.TypeFor[json.RawMessage]():
		if name == "params" {
			return kind("object")
		}
		return out
	case of == reflect.TypeFor[study.State]():
		kind("string").add("enum", []study.State{study.Pending, study.Complete, study.Failed, study.Abandoned, study.Paused,
			study.Stopped})
		return out
	}
	switch of.Kind() {
	case reflect.Pointer:
		inner := s.value(of.Elem(), optional, name)
		if optional {
			return inner
		}
		for k, part := range inner.names {
			switch part {
			case "type":
				inner.values[k] = []any{inner.values[k], "null"}
				return inner
			case "$ref":
				null := &object{}
				null.add("type", "null")
				out.add("anyOf", []*object{inner, null})
				return out
			}
		}
		return inner
	case reflect.Bool:
		return kind("boolean")
	case reflect.String:
		return kind("string")
	case reflect.Float64:
		return kind("number")
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return kind("integer")
	case reflect.Slice, reflect.Array:
		if strings.HasPrefix(of.Name(), "Named[") { // values by name
			kind("object").add("additionalProperties", s.value(of.Elem().Field(1).Type, true, name))
			return out
		}
		kind("array").add("items", s.value(of.Elem(), true, name))
		return out
	case reflect.Map:
		kind("object").add("additionalProperties", s.value(of.Elem(), true, name))
		return out
	case reflect.Interface:
		return out
	case reflect.Struct:
		def := of.Name()
		if of.PkgPath() == reflect.TypeFor[study.Plan]().PkgPath() {
			def = path.Base(of.PkgPath()) + "." + def
		}
		if _, known := s.defs[def]; !known {
			s.defs[def] = nil // recursion
			s.defs[def] = s.object(of, "")
		}
		out.add("$ref", "#/definitions/"+def)
		return out
	}
	s.t.Fatalf("no schema for %v", of)
	return nil
}

// typeComments are the comments of the types of packages, without the type's name.
func typeComments(t *testing.T, dirs ...string) map[string]string {
	out := map[string]string{}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		noError(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			noError(t, err)
			for _, d := range file.Decls {
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.TYPE {
					continue
				}
				for _, spec := range g.Specs {
					s := spec.(*ast.TypeSpec)
					text := s.Doc.Text()
					if len(g.Specs) == 1 {
						text = g.Doc.Text()
					}
					out[file.Name.Name+"."+s.Name.Name] = strings.Join(strings.Fields(text), " ")
				}
			}
		}
	}
	return out
}

// outputPage lists the commands with their schemas.
func outputPage() []byte {
	b := bytes.NewBufferString(outputHead)
	by := map[string][]string{}
	for command, output := range helpTable("printed") {
		if by[output] == nil {
			by[""] = append(by[""], output)
		}
		by[output] = append(by[output], command)
	}
	for _, name := range by[""] {
		fmt.Fprintf(b, "| `%s` | [%s](%s.schema.json) |\n", strings.Join(by[name], "`, `"), name, name)
	}
	return b.Bytes()
}

const outputHead = `# What commands print as JSON

Commands print JSON with ` + "`-o json`" + `. A schema describes each kind of object and the meaning of every member.

- ` + "`bohier schema COMMAND`" + ` prints the JSON Schema.
- A command that prints several objects prints an array with ` + "`-o json`" + `, and one object a line with ` + "`-o jsonl`" + `.

A later minor version may add members. It renames and retypes none. A reader ignores members that it does not know.

| command | schema |
|---|---|
`
