package config

import "strings"

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
			Text: k.sentence()}
		if k.words != nil && k.words(o) != nil {
			words := strings.Join(k.words(o), ", ")
			r.Value = strings.Replace(r.Value, "words", "words ("+words+")", 1)
			if r.Value == k.value.text {
				r.Value = strings.Replace(r.Value, "word", words, 1)
			}
		}
		shown, refused, _, wrong := k.example()
		r.Example, r.Wrong = shown, wrong
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
