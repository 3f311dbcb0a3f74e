package study

import (
	"fmt"
	"strings"
)

// A Template is text with {name} placeholders. {{ and }} stand for braces. It is
// immutable; the zero value is the empty text.
type Template struct{ parts []part }

// part is literal text, or a placeholder when name is not empty.
type part struct{ text, name string }

// ParseTemplate reads a template. A placeholder's name is whatever stands
// between its braces; a lone brace is an error.
func ParseTemplate(text string) (Template, error) {
	var t Template
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			t.parts = append(t.parts, part{text: literal.String()})
			literal.Reset()
		}
	}
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case (b == '{' || b == '}') && i+1 < len(text) && text[i+1] == b:
			literal.WriteByte(b)
			i++
		case b == '}':
			return Template{}, fmt.Errorf("unmatched } in %q; write }} for a brace", text)
		case b == '{':
			end := strings.IndexAny(text[i+1:], "{}")
			if end < 0 || text[i+1+end] != '}' {
				return Template{}, fmt.Errorf("unmatched { in %q; write {{ for a brace", text)
			}
			if end == 0 {
				return Template{}, fmt.Errorf("empty placeholder {} in %q; write {{}} for braces", text)
			}
			flush()
			t.parts = append(t.parts, part{name: text[i+1 : i+1+end]})
			i += end + 1
		default:
			literal.WriteByte(b)
		}
	}
	flush()
	return t, nil
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
func ParseArgv(elements []string) (Argv, error) {
	var a Argv
	for _, e := range elements {
		words := []string{e}
		switch {
		case strings.HasPrefix(e, "[[") && strings.HasSuffix(e, "]]"):
			words[0] = e[1 : len(e)-1]
		case strings.HasPrefix(e, "[") && strings.HasSuffix(e, "]") && strings.Contains(e, "{"):
			words = strings.Fields(e[1 : len(e)-1])
		}
		group := make([]Template, len(words))
		for i, w := range words {
			t, err := ParseTemplate(w)
			if err != nil {
				return Argv{}, err
			}
			group[i] = t
		}
		a.groups = append(a.groups, group)
	}
	return a, nil
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
