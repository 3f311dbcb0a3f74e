package config

import (
	"bytes"
	"fmt"
	"strings"
)

// A Key is one key of the study file as a reference shows it.
type Key struct {
	Path     string   // dotted; NAME stands for a parameter's or another name that users choose
	Also     []string // other spellings of its last part
	Value    string   // what it may be
	Default  string   // the value it stands for where it is absent; empty: none, or a rule that Text gives
	Required bool     // its section is not complete without it
	Text     string   // what it means, with its unit, in a sentence
	Example  string   // of its use, as lines of a study file; empty: there is none that loads
	Wrong    string   // a value that is refused there
	Error    string   // what is said of it
}

// Since is the version from which on a key is there: all of them came with the first.
const Since = "the first version"

// Reference lists every key of the study file, sections before their keys.
func Reference(o Options) []Key {
	var out []Key
	for i := range keys {
		k := &keys[i]
		r := Key{Path: shownPath(k.path), Also: k.spellings()[1:], Value: k.value.text, Default: k.usual, Required: k.must,
			Text: strings.ToUpper(k.text[:1]) + k.text[1:] + "."}
		if k.words != nil && k.words(o) != nil {
			words := strings.Join(k.words(o), ", ")
			r.Value = strings.Replace(r.Value, "words", "words ("+words+")", 1)
			if r.Value == k.value.text {
				r.Value = strings.Replace(r.Value, "word", words, 1)
			}
		}
		shown, refused := k.example()
		r.Example, r.Wrong = shown, k.refused()
		if _, said := Parse("bohier.yaml", []byte(around(shown)), o); len(said.Errors) > 0 {
			r.Example = ""
		}
		if _, said := Parse("bohier.yaml", []byte(around(refused)), o); len(said.Errors) > 0 {
			r.Error = said.Errors[0].Message
		}
		out = append(out, r)
	}
	return out
}

// shownPath is a path as people read it.
func shownPath(path string) string {
	path = strings.Replace(path, "*", "NAME", 1)
	return strings.Replace(path, "condition.", "CONDITION.", 1)
}

// ReferencePage is the reference as a page of Markdown: the sections of the file,
// then the keys of each.
func ReferencePage(o Options) []byte {
	var b bytes.Buffer
	b.WriteString(pageHead)
	all := Reference(o)
	var groups []string
	b.WriteString(tableHead)
	for _, k := range all {
		group, _, below := strings.Cut(k.Path, ".")
		if below {
			if len(groups) == 0 || groups[len(groups)-1] != group {
				groups = append(groups, group)
			}
			continue
		}
		b.WriteString(k.row())
	}
	for _, group := range groups {
		title := "`" + group + "`"
		if group == "CONDITION" {
			title = "Conditions as mappings"
		}
		fmt.Fprintf(&b, "\n## %s\n%s", title, tableHead)
		for _, k := range all {
			if strings.HasPrefix(k.Path, group+".") {
				b.WriteString(k.row())
			}
		}
	}
	return b.Bytes()
}

const tableHead = "\n| key | value | default | meaning |\n|---|---|---|---|\n"

// row is the key as a row of a table.
func (k *Key) row() string {
	name, def := "`"+k.Path+"`", k.Default
	if len(k.Also) > 0 {
		name += " (also `" + strings.Join(k.Also, "`, `") + "`)"
	}
	switch {
	case def != "":
		def = "`" + def + "`"
	case k.Required:
		def = "required"
	}
	cell := strings.NewReplacer("|", `\|`, "*", `\*`, "<", `\<`).Replace
	code := func(text string) string {
		return "`` " + strings.ReplaceAll(strings.ReplaceAll(text, "|", `\|`), "\n", " `` <br> `` ") + " ``"
	}
	return fmt.Sprintf("| %s | %s | %s | %s<br>%s<br>%s is refused: %s |\n", name, cell(k.Value), def, cell(k.Text),
		code(k.Example), code(k.Wrong), cell(k.Error))
}

const pageHead = `# The study file

Every key, as ` + "`bohier help study`" + ` and ` + "`bohier schema`" + ` know it. A path is written with dots;
NAME stands for a name that you choose, such as that of a parameter. Keys that start
with ` + "`x-`" + ` are ignored, so that YAML anchors have a place. Every key is there since
` + Since + `. Each has an example and one of the errors that it can give; the others
say as exactly where and what is wrong.

A small study:

` + "```yaml" + `
objective: {name: loss, direction: minimize}
space:
  lr: {type: float, low: 1e-5, high: 1.0, scale: log}
  layers: {type: int, low: 1, high: 8}
  activation: [relu, gelu, tanh]
` + "```" + `
`
