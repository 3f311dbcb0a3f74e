package study

import "strings"

// A Template is text with {name} placeholders, where a name is one a parameter
// can have; other braces are text. It is immutable; the zero value is the empty
// text.
type Template struct{ parts []part }

// part is literal text, or a placeholder when name is not empty.
type part struct{ text, name string }

// ParseTemplate reads a template; every text is one.
func ParseTemplate(text string) Template {
	var t Template
	done := 0 // text before it is in parts
	for i := 0; i < len(text); i++ {
		if text[i] != '{' {
			continue
		}
		n := nameLength(text[i+1:])
		if n == 0 || i+1+n == len(text) || text[i+1+n] != '}' {
			continue
		}
		if i > done {
			t.parts = append(t.parts, part{text: text[done:i]})
		}
		t.parts = append(t.parts, part{name: text[i+1 : i+1+n]})
		i += n + 1
		done = i + 1
	}
	if done < len(text) {
		t.parts = append(t.parts, part{text: text[done:]})
	}
	return t
}

// nameLength is the length of the parameter name that text begins with, 0 if
// there is none.
func nameLength(text string) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '.' && c != '-' && (c < '0' || c > '9')) {
			return i
		}
	}
	return len(text)
}

// Names are the placeholders in order of appearance, repetitions included.
func (t Template) Names() []string {
	var names []string
	for _, p := range t.parts {
		if p.name != "" {
			names = append(names, p.name)
		}
	}
	return names
}

// Expand replaces every placeholder by its value; ok is false when value lacks
// one of them.
func (t Template) Expand(value func(name string) (string, bool)) (text string, ok bool) {
	var b strings.Builder
	for _, p := range t.parts {
		if p.name == "" {
			b.WriteString(p.text)
			continue
		}
		v, ok := value(p.name)
		if !ok {
			return "", false
		}
		b.WriteString(v)
	}
	return b.String(), true
}

// An Argv is a command line with placeholders. An argument whose placeholder has
// no value is dropped; so is a whole group, an element such as
// "[--degree {degree}]" that stands for several arguments.
type Argv struct{ groups [][]Template }

// ParseArgv reads the elements of a command. An element in brackets that holds a
// placeholder is a group, split at blanks before values are put in, so that a
// value never splits an argument; [[ and ]] at its ends stand for brackets.
func ParseArgv(elements []string) Argv {
	var a Argv
	for _, e := range elements {
		words := []string{e}
		switch {
		case strings.HasPrefix(e, "[[") && strings.HasSuffix(e, "]]"):
			words[0] = e[1 : len(e)-1]
		case strings.HasPrefix(e, "[") && strings.HasSuffix(e, "]") && len(ParseTemplate(e).Names()) > 0:
			words = strings.Fields(e[1 : len(e)-1])
		}
		group := make([]Template, len(words))
		for i, w := range words {
			group[i] = ParseTemplate(w)
		}
		a.groups = append(a.groups, group)
	}
	return a
}

// Names are the placeholders in order of appearance, repetitions included.
func (a Argv) Names() []string {
	var names []string
	for _, g := range a.groups {
		for _, t := range g {
			names = append(names, t.Names()...)
		}
	}
	return names
}

// Expand is the command line for the given values.
func (a Argv) Expand(value func(name string) (string, bool)) []string {
	var argv []string
	for _, g := range a.groups {
		words, all := make([]string, len(g)), true
		for i, t := range g {
			var ok bool
			words[i], ok = t.Expand(value)
			all = all && ok
		}
		if all {
			argv = append(argv, words...)
		}
	}
	return argv
}
