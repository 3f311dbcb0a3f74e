package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"bohier/internal/lazy"
)

type tokenKind int

const (
	tokEnd tokenKind = iota
	tokNumber
	tokWord
	tokString
	tokSign // operators, brackets, comma
)

type token struct {
	kind   tokenKind
	text   string
	offset int // in characters
}

// An exprError is a mistake at an offset (in characters) of an expression.
type exprError struct {
	offset    int
	msg, hint string
}

var (
	// A number with what follows it without a blank, a word (see space.IsWord), or a string.
	tokenForm = lazy.Regexp(`(?s)^(?:((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)([\pL\pM\pN_.]*)|` +
		`([\pL_][\pL\pM\pN_]*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))`)
	escapes = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\'`, `'`)
)

// lex cuts an expression into tokens; the last one is tokEnd.
func lex(source string) (out []token, err *exprError) {
	if len(source) > maxSource {
		return nil, &exprError{0, fmt.Sprintf("the expression has %d bytes; at most %d", len(source), maxSource),
			"split it into a list: all entries must hold"}
	}
	for rest := strings.TrimLeft(source, " \t\n"); rest != ""; rest = strings.TrimLeft(rest, " \t\n") {
		t := token{offset: utf8.RuneCountInString(source[:len(source)-len(rest)])}
		fail := func(hint, format string, args ...any) ([]token, *exprError) {
			return nil, &exprError{t.offset, fmt.Sprintf(format, args...), hint}
		}
		m := tokenForm().FindStringSubmatch(rest)
		switch {
		case m == nil && strings.ContainsAny(rest[:1], `"'`):
			return fail("", "the quote is never closed")
		case m == nil:
			s := signs[slices.IndexFunc(signs, func(s sign) bool { return strings.HasPrefix(rest, s.text) })]
			if s.text == "" {
				first, _ := utf8.DecodeRuneInString(rest)
				return fail("quote a name or value that holds it", "%q has no meaning in a condition", string(first))
			} else if s.instead != "" {
				return fail("write "+s.instead, "%q is not %s", s.text, s.what)
			}
			m, t.kind, t.text = []string{s.text}, tokSign, s.text
		case m[2] != "":
			return fail(fmt.Sprintf("quote it to mean a value: %q", m[0]), "%q is neither a number nor a word", m[0])
		case m[1] != "":
			if _, msg := parseNumber(m[1]); msg != "" {
				return fail("", "%s", msg)
			}
			t.kind, t.text = tokNumber, m[1]
		case m[3] != "":
			t.kind, t.text = tokWord, m[3]
		default:
			t.kind, t.text = tokString, escapes.Replace(m[4][1:len(m[4])-1])
		}
		out = append(out, t)
		rest = rest[len(m[0]):]
	}
	return append(out, token{offset: utf8.RuneCountInString(source)}), nil
}

// A sign is one of the language, or of others with what to write instead.
type sign struct{ text, what, instead string }

// signs in the order in which they are looked for; the last one is any other character.
var signs = []sign{
	{"==", "", ""}, {"!=", "", ""}, {"<=", "", ""}, {">=", "", ""},
	{"&&", "a word of conditions", "and"}, {"||", "a word of conditions", "or"}, {"&", "a word of conditions", "and, or"},
	{"|", "a word of conditions", "and, or"},
	{"!", "a word of conditions", "not"}, {"=>", "a comparison", ">="}, {"=<", "a comparison", "<="},
	{"<>", "a comparison", "!="}, {"=", "a comparison", "=="},
	{"**", "an operation", "a * a"}, {"//", "an operation", "(a - a % b) / b"},
	{"<", "", ""}, {">", "", ""}, {"+", "", ""}, {"-", "", ""}, {"*", "", ""}, {"/", "", ""}, {"%", "", ""},
	{"(", "", ""}, {")", "", ""}, {"[", "", ""}, {"]", "", ""}, {",", "", ""}, {"", "", ""},
}
