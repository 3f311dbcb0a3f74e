package config

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"maps"

	"bohier/internal/lists"
	"bohier/internal/space"
)

// Schema is a JSON Schema (draft-07) of the study file, for editors that complete, explain and check while typing. It
// accepts every file that loads and refuses keys and words that loading does not know; conditions, bounds and names are
// checked further by loading.
func Schema(o Options) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	w := schemaWriter{o}
	if err := e.Encode(w.file()); err != nil {
		panic("config: " + err.Error()) // maps of texts always encode
	}
	return b.Bytes()
}

type schemaObject = map[string]any

// A schemaWriter turns the vocabulary into a schema.
type schemaWriter struct{ Options }

// word is one of a key's words; where the program lists none, any.
func (w *schemaWriter) word(k *key) schemaObject {
	if k.words == nil || k.words(w.Options) == nil {
		return schemaObject{"type": []string{"string", "number", "boolean"}}
	}
	words := []any{}
	for _, s := range k.words(w.Options) {
		words = append(words, s)
		if s == "true" || s == "false" { // with and without quotes
			words = append(words, s == "true")
		}
	}
	return schemaObject{"enum": words}
}

func ref(name string) schemaObject { return schemaObject{"$ref": "#/definitions/" + name} }

func anyOf(s ...schemaObject) schemaObject { return schemaObject{"anyOf": s} }

func has(name string) schemaObject { return schemaObject{"required": []string{name}} }

// described is a schema with the meaning of a key. A reference stands alone in draft-07: keys beside it count for
// nothing.
func described(s schemaObject, k *key) schemaObject {
	s = maps.Clone(s)
	if r, is := s["$ref"]; is {
		s = schemaObject{"allOf": []schemaObject{{"$ref": r}}}
	}
	about := k.sentence()
	if k.usual != "" {
		about += " Default: " + k.usual + "."
	}
	s["description"] = about
	return s
}

// section is a mapping with the keys below path only, beside keys that start with x-.
func (w *schemaWriter) section(path string) schemaObject { return w.keys(sections[path]) }

func (w *schemaWriter) keys(section section) schemaObject {
	properties, all := schemaObject{}, []schemaObject{}
	for _, k := range section {
		s := described(k.value.schema(k, w), k)
		for _, name := range k.spellings() {
			properties[name] = s
		}
		if k.must && k.once == "" {
			names := k.spellings()
			if k.unless != "" {
				names = append(names, section.key(k.unless).spellings()...)
			}
			all = append(all, oneOfKeys(names))
		}
		all = append(all, notTogether(k.spellings())...)
		for _, other := range section.excluded(k) {
			for _, name := range k.spellings() {
				for _, o := range section.key(other).spellings() {
					all = append(all, notTogether([]string{name, o})...)
				}
			}
		}
	}
	return closed(properties, all)
}

func closed(properties schemaObject, all []schemaObject) schemaObject {
	s := schemaObject{"type": "object", "properties": properties, "additionalProperties": false,
		"patternProperties": schemaObject{"^x-": schemaObject{}, "^<<$": schemaObject{}}}
	if len(all) > 0 {
		s["allOf"] = all
	}
	return s
}

// oneOfKeys asks for at least one of the keys.
func oneOfKeys(names []string) schemaObject {
	if len(names) == 1 {
		return has(names[0])
	}
	return anyOf(lists.Of(names, has)...)
}

// notTogether allows at most one of the keys.
func notTogether(names []string) []schemaObject {
	var out []schemaObject
	for i, a := range names {
		for _, b := range names[i+1:] {
			out = append(out, schemaObject{"not": schemaObject{"required": []string{a, b}}})
		}
	}
	return out
}

//go:embed schema.json
var schemaFrame []byte

// file is the whole schema: schema.json with the keys of the sections.
func (w *schemaWriter) file() (s schemaObject) {
	if err := json.Unmarshal(schemaFrame, &s); err != nil {
		panic("config: " + err.Error())
	}
	maps.Copy(s, w.section(""))
	definitions := s["definitions"].(schemaObject)
	mapping := definitions["condition"].(schemaObject)["anyOf"].([]any)[2].(schemaObject)
	mapping["properties"] = w.section("condition")["properties"]
	comparisons := mapping["additionalProperties"].(schemaObject)["anyOf"].([]any)[2].(schemaObject)
	maps.Copy(comparisons, w.section("condition.*"))
	maps.Copy(definitions["density"].(schemaObject), w.section("surrogate.hyperparameters.prior.*"))
	definitions["kernel"] = anyOf(w.word(sections["surrogate.kernel"].key("name")), w.section("surrogate.kernel"))
	definitions["parameter"] = w.parameter()
	return s
}

// parameter has one alternative for each type, with the keys of that type.
func (w *schemaWriter) parameter() schemaObject {
	key, alternatives := sections["space.*"].key, []schemaObject{ref("values")}
	for kind, name := range kindNames {
		s := w.keys(keysOf(space.Kind(kind)))
		s["properties"].(schemaObject)["type"] = described(schemaObject{"const": name}, key("type"))
		if space.Kind(kind) != space.Constant {
			s["required"] = []string{"type"}
		}
		alternatives = append(alternatives, s)
	}
	return schemaObject{"anyOf": alternatives}
}
