package config

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
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

// lex cuts an expression into tokens; the last one is tokEnd.
func lex(source string) ([]token, *exprError) {
	if len(source) > maxSource {
		return nil, &exprError{0, fmt.Sprintf("the expression has %d bytes; at most %d", len(source), maxSource),
			"split it into a list: all entries must hold"}
	}
	src := []rune(source)
	var out []token
	emit := func(k tokenKind, text string, from int) { out = append(out, token{k, text, from}) }
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n':
			i++
		case isDigit(c) || c == '.' && i+1 < len(src) && isDigit(src[i+1]):
			j := numberEnd(src, i)
			if j < len(src) && (inWord(src[j]) || src[j] == '.') {
				for j < len(src) && (inWord(src[j]) || src[j] == '.') {
					j++
				}
				return nil, &exprError{i, fmt.Sprintf("%q is neither a number nor a word", string(src[i:j])),
					fmt.Sprintf("quote it to mean a value: %q", string(src[i:j]))}
			}
			text := string(src[i:j])
			if _, msg := parseNumber(text); msg != "" {
				return nil, &exprError{i, msg, ""}
			}
			emit(tokNumber, text, i)
			i = j
		case isLetter(c):
			j := i
			for j < len(src) && inWord(src[j]) {
				j++
			}
			emit(tokWord, string(src[i:j]), i)
			i = j
		case c == '"' || c == '\'':
			text, j := inQuote(src, i)
			if j < 0 {
				return nil, &exprError{i, "the quote is never closed", ""}
			}
			emit(tokString, text, i)
			i = j
		default:
			rest := string(src[i:min(i+2, len(src))])
			sign := signs[slices.IndexFunc(signs, func(s sign) bool { return strings.HasPrefix(rest, s.text) })]
			switch {
			case sign.instead != "":
				return nil, &exprError{i, fmt.Sprintf("%q is not %s", sign.text, sign.what), "write " + sign.instead}
			case sign.text == "":
				return nil, &exprError{i, fmt.Sprintf("%q has no meaning in a condition", string(c)),
					"quote a name or value that holds it"}
			}
			emit(tokSign, sign.text, i)
			i += len(sign.text)
		}
	}
	emit(tokEnd, "", len(src))
	return out, nil
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

// numberEnd is where the number that starts at i ends.
func numberEnd(src []rune, i int) int {
	for i < len(src) && isDigit(src[i]) {
		i++
	}
	if i < len(src) && src[i] == '.' {
		i++
		for i < len(src) && isDigit(src[i]) {
			i++
		}
	}
	if i < len(src) && (src[i] == 'e' || src[i] == 'E') {
		j := i + 1
		if j < len(src) && (src[j] == '+' || src[j] == '-') {
			j++
		}
		if j < len(src) && isDigit(src[j]) {
			for j < len(src) && isDigit(src[j]) {
				j++
			}
			return j
		}
	}
	return i
}

// inQuote reads the string that starts at i; a backslash keeps the next
// character. The end is −1 if it is never closed.
func inQuote(src []rune, i int) (text string, end int) {
	var b strings.Builder
	for j := i + 1; j < len(src); j++ {
		switch {
		case src[j] == src[i]:
			return b.String(), j + 1
		case src[j] == '\\' && j+1 < len(src) && (src[j+1] == '\\' || src[j+1] == '"' || src[j+1] == '\''):
			j++
			b.WriteRune(src[j])
		default:
			b.WriteRune(src[j])
		}
	}
	return "", -1
}

func isDigit(c rune) bool { return c >= '0' && c <= '9' }

// isLetter reports whether a word may begin so; space.IsWord is the rule for whole words.
func isLetter(c rune) bool { return c == '_' || unicode.IsLetter(c) }

func inWord(c rune) bool { return c == '_' || unicode.In(c, unicode.L, unicode.M, unicode.N) }
