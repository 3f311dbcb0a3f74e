package study

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bohier/internal/lazy"
	"bohier/internal/lists"
	"bohier/internal/space"
)

// A Template is text with {name} placeholders; other braces are text. It is immutable;
// the zero value is the empty text.
type Template struct {
	text  string
	found []Placeholder
}

// A Placeholder is {name} in a text: the name, and its place in bytes without the braces.
type Placeholder struct {
	Name     string
	From, To int
}

var (
	braces = lazy.Regexp(`\{([^{}]+)\}`)
	worded = lazy.Regexp(`^[\pL_][\pL\pM\pN_.-]*$`)
)

// Placeholders are the innermost braces around one of the names, around a text that could be a name without blanks and
// signs, or around a misspelt name with some: braces of programs in other languages are left alone.
func Placeholders(text string, names []string) (found []Placeholder) {
	for _, m := range braces().FindAllStringSubmatchIndex(text, -1) {
		name := space.Name(text[m[2]:m[3]])
		near, ok := space.Nearest(name, names)
		if worded().MatchString(name) || slices.Contains(names, name) || ok && !worded().MatchString(near) {
			found = append(found, Placeholder{name, m[2], m[3]})
		}
	}
	return found
}

// ParseTemplate reads a template; every text is one.
func ParseTemplate(text string, names []string) Template {
	return Template{text, Placeholders(text, names)}
}

// Named are the names that placeholders of a command can have beside words: parameters and the fidelity.
func (st *Study) Named() []string { return append(st.Space.Names(), st.Fidelity.Placeholders()...) }

// Names are the placeholders in order of appearance, repetitions included.
func (t Template) Names() []string {
	return lists.Of(t.found, func(p Placeholder) string { return p.Name })
}

// Expand replaces every placeholder by its value; ok is false when value lacks one of them.
func (t Template) Expand(value func(name string) (string, bool)) (text string, ok bool) {
	done := 0 // text before it is filled in
	for _, p := range t.found {
		v, ok := value(p.Name)
		if !ok {
			return "", false
		}
		text, done = text+t.text[done:p.From-1]+v, p.To+1
	}
	return text + t.text[done:], true
}

// An Argv is a command line with placeholders. An argument whose placeholder has no value is dropped; so is a whole
// group, an element such as "[--degree {degree}]" that stands for several arguments.
type Argv [][]Template

// ParseArgv reads the elements of a command. An element in brackets that holds a placeholder is a group, split at
// blanks before values are put in, so that a value never splits an argument; [[ and ]] at its ends stand for brackets.
func ParseArgv(elements, names []string) (a Argv) {
	for _, e := range elements {
		words := []string{e}
		switch {
		case strings.HasPrefix(e, "[[") && strings.HasSuffix(e, "]]"):
			words[0] = e[1 : len(e)-1]
		case strings.HasPrefix(e, "[") && strings.HasSuffix(e, "]") && len(Placeholders(e, names)) > 0:
			words = fields(e[1:len(e)-1], names)
		}
		a = append(a, lists.Of(words, func(w string) Template { return ParseTemplate(w, names) }))
	}
	return a
}

// fields splits a text at blanks outside of placeholders.
func fields(text string, names []string) []string {
	const blank = "\x00" // in a name; arguments cannot hold it
	for _, p := range Placeholders(text, names) {
		text = text[:p.From] + strings.ReplaceAll(text[p.From:p.To], " ", blank) + text[p.To:]
	}
	return lists.Of(strings.Fields(text), func(word string) string { return strings.ReplaceAll(word, blank, " ") })
}

// Names are the placeholders in order of appearance, repetitions included.
func (a Argv) Names() []string {
	return slices.Concat(lists.Of(slices.Concat(a...), Template.Names)...)
}

// Expand is the command line for the given values.
func (a Argv) Expand(value func(name string) (string, bool)) []string {
	var argv []string
	for _, g := range a {
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

// ResultGroups are the outcomes, or the cost, that a pattern finds with its groups, which have their names, or these as
// variables of shells; in a study with a fidelity the groups at and value find the resource and the objective. None
// where the only group is the whole result. The error describes the mistake in the groups.
func (st *Study) ResultGroups(re *regexp.Regexp) ([]string, *Error) {
	names := slices.Clone(re.SubexpNames()[1:])
	if _, err := st.Unnamed("", ""); len(names) == 1 && (names[0] == "" || err == nil) {
		return nil, nil
	}
	for _, resource := range st.Fidelity.Resources() {
		if at, value := re.SubexpIndex("at"), re.SubexpIndex("value"); len(names) == 2 && at > 0 && value > 0 {
			names[at-1], names[value-1] = resource, st.Objective().Name
			return names, nil
		}
	}
	each := lists.Of(st.Goals(), func(name string) string {
		return fmt.Sprintf(`%s=(?P<%s>\S+)`, name, space.Variable(name))
	})
	hint := "such as '" + strings.Join(each, " ") + "'"
	if len(names) == 0 || slices.Contains(names, "") {
		return nil, Errorf(Usage, hint, "needs exactly one group, not %d", len(names))
	}
	known := st.Reported()
	for k, name := range names {
		i := slices.IndexFunc(known, func(outcome string) bool { return name == outcome || name == space.Variable(outcome) })
		if i < 0 {
			return nil, Errorf(Usage, hint, "has a group %q, and the study measures nothing of that name", name)
		}
		names[k] = known[i]
	}
	return names, nil
}

// Reported are the names under which a command reports numbers that the study knows: its outcomes and the cost.
func (st *Study) Reported() []string {
	known := append(st.Outcomes(), "cost")
	if st.Cost != nil {
		known = append(known, st.Cost.Name)
	}
	return known
}

// ShellQuoted makes any text one word of a POSIX shell, and of fish, where a backslash between
// single quotes is no plain text: it stands outside of them.
func ShellQuoted(text string) string { return "'" + outside.Replace(text) + "'" }

var outside = strings.NewReplacer(`'`, `'\''`, `\`, `'\\'`)

// ShellWord is a text, quoted where a shell would not read it as one plain word.
func ShellWord(text string) string {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+:,./@-"
	if text != "" && strings.Trim(text, plain) == "" {
		return text
	}
	return ShellQuoted(text)
}
