package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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

var escapes = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\'`, `'`)

// leading is how many bytes at the beginning of a text are characters that are in.
func leading(text string, in func(rune) bool) int {
	return len(text) - len(strings.TrimLeftFunc(text, in))
}

// inWord reports whether a character can go on a word; see space.IsWord.
func inWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

// number is how many bytes at the beginning of a text are a number.
func number(text string) int {
	digits := func(from int) int {
		return from + leading(text[from:], func(r rune) bool { return r >= '0' && r <= '9' })
	}
	n := digits(0)
	if strings.HasPrefix(text[n:], ".") && (n > 0 || digits(1) > 1) {
		n = digits(n + 1)
	}
	if n > 0 && n < len(text) && text[n]|0x20 == 'e' {
		from := n + 1 + min(leading(text[n+1:], func(r rune) bool { return r == '-' || r == '+' }), 1)
		if end := digits(from); end > from {
			n = end
		}
	}
	return n
}

// literal is how many bytes at the beginning of a text are one in quotes; 0: they are never closed.
func literal(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		}
	}
	return 0
}

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
		n := number(rest)
		switch {
		case n > 0:
			if more := leading(rest[n:], func(r rune) bool { return r == '.' || inWord(r) }); more > 0 {
				word := rest[:n+more]
				return fail(fmt.Sprintf("quote it to mean a value: %q", word), "%q is neither a number nor a word", word)
			}
			if _, msg := parseNumber(rest[:n]); msg != "" {
				return fail("", "%s", msg)
			}
			t.kind, t.text = tokNumber, rest[:n]
		case rest[0] == '"' || rest[0] == '\'':
			if n = literal(rest); n == 0 {
				return fail("", "the quote is never closed")
			}
			t.kind, t.text = tokString, escapes.Replace(rest[1:n-1])
		case leading(rest, func(r rune) bool { return r == '_' || unicode.IsLetter(r) }) > 0:
			n = leading(rest, inWord)
			t.kind, t.text = tokWord, rest[:n]
		default:
			s := signs[slices.IndexFunc(signs, func(s sign) bool { return strings.HasPrefix(rest, s.text) })]
			if s.text == "" {
				first, _ := utf8.DecodeRuneInString(rest)
				return fail("quote a name or value that holds it", "%q has no meaning in a condition", string(first))
			} else if s.instead != "" {
				return fail("write "+s.instead, "%q is not %s", s.text, s.what)
			}
			n, t.kind, t.text = len(s.text), tokSign, s.text
		}
		out = append(out, t)
		rest = rest[n:]
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
