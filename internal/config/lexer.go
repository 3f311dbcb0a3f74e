package config

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"bohier/internal/lazy"
)

// escape is an escape of a text in quotes: of a sign, or of a code point, as space.Quoted writes invisible signs.
var escape = lazy.Regexp(`\\(?:[\\"']|u[0-9a-f]{4}|U[0-9a-f]{8})`)

// The beginning of a text is a number, with the part of a word behind it, a text in quotes, a word
// or a sign. A word is one of space.IsWord.
var beginning = lazy.Regexp(`(?s)^(?:((?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)([._\pL\pM\pN]*)|` +
	`("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|([_\pL][_\pL\pM\pN]*)|` +
	`(==|!=|<=|>=|&&|\|\||[&|!]|=[><]?|<>|\*\*|//|[-<>+*/%()\[\],]))`)

// otherSigns are those of other languages: the fault, and the replacement.
var otherSigns = map[string][2]string{
	"&&": {"a word of conditions", "and"}, "||": {"a word of conditions", "or"}, "&": {"a word of conditions", "and, or"},
	"|": {"a word of conditions", "and, or"}, "!": {"a word of conditions", "not"}, "=>": {"a comparison", ">="},
	"=<": {"a comparison", "<="}, "<>": {"a comparison", "!="}, "=": {"a comparison", "=="},
	"**": {"an operation", "a * a"}, "//": {"an operation", "(a - a % b) / b"},
}

// lex cuts an expression into tokens; the last one is termEnd. It is nil after a mistake.
func (s *scope) lex(n *yaml.Node) (out []term) {
	source := n.Value
	if len(source) > maxSource {
		s.errorf(s.inScalar(n, 0), "split it into a list: all entries must hold",
			"the expression has %d bytes; at most %d", len(source), maxSource)
		return nil
	}
	for rest := strings.TrimLeft(source, " \t\n"); rest != ""; rest = strings.TrimLeft(rest, " \t\n") {
		t := term{at: s.inScalar(n, utf8.RuneCountInString(source[:len(source)-len(rest)]))}
		fail := func(hint, format string, args ...any) []term {
			s.errorf(t.at, hint, format, args...)
			return nil
		}
		m := beginning().FindStringSubmatch(rest)
		if m == nil && (rest[0] == '"' || rest[0] == '\'') {
			return fail("", "the quote is never closed")
		} else if m == nil {
			first, _ := utf8.DecodeRuneInString(rest)
			return fail("quote a name or value that holds it", "%q has no meaning in a condition", string(first))
		}
		number, more, quoted, word, sign := m[1], m[2], m[3], m[4], m[5]
		other, foreign := otherSigns[sign]
		switch {
		case foreign:
			return fail("write "+other[1], "%q is not %s", sign, other[0])
		case more != "":
			return fail(fmt.Sprintf("quote it to mean a value: %q", m[0]), "%q is neither a number nor a word", m[0])
		case number != "":
			if _, msg := parseNumber(number); msg != "" {
				return fail("", "%s", msg)
			}
			t.kind, t.text = termNumber, number
		case quoted != "":
			t.kind, t.text = termString, escape().ReplaceAllStringFunc(quoted[1:len(quoted)-1], unescaped)
		case word != "":
			t.kind, t.text = termWord, word
		default:
			t.kind, t.text = termSign, sign
		}
		out = append(out, t)
		rest = rest[len(m[0]):]
	}
	return append(out, term{kind: termEnd, at: s.inScalar(n, utf8.RuneCountInString(source))})
}

func unescaped(e string) string {
	if len(e) == 2 {
		return e[1:]
	}
	r, _, _, err := strconv.UnquoteChar(e, 0)
	if err != nil {
		return e // of no character
	}
	return string(r)
}
