package exchange

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// pythonLiteral reads what Python prints of a dict of dicts, lists, texts, numbers,
// True, False and None, or JSON. Numbers that are not finite are nil.
func pythonLiteral(text string) (any, error) {
	p := &literalParser{rest: strings.TrimSpace(text)}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if p.skip(); p.rest != "" {
		return nil, fmt.Errorf("unexpected %.20q in a dict", p.rest)
	}
	return v, nil
}

type literalParser struct{ rest string }

var (
	literalNumber = regexp.MustCompile(`^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?`)
	literalWord   = regexp.MustCompile(`^-?[A-Za-z]+`)
	literalWords  = map[string]any{"True": true, "False": false, "true": true, "false": false, "None": nil, "null": nil,
		"nan": nil, "NaN": nil, "inf": nil, "-inf": nil, "Infinity": nil, "-Infinity": nil}
)

const deepestLiteral = 64

func (p *literalParser) skip() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

// take consumes a mark.
func (p *literalParser) take(mark string) bool {
	p.skip()
	if !strings.HasPrefix(p.rest, mark) {
		return false
	}
	p.rest = p.rest[len(mark):]
	return true
}

func (p *literalParser) value(depth int) (any, error) {
	if depth > deepestLiteral {
		return nil, fmt.Errorf("a dict is nested too deeply")
	}
	p.skip()
	switch {
	case p.take("{"):
		out := map[string]any{}
		for !p.take("}") {
			key, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			if !p.take(":") {
				return nil, fmt.Errorf("a colon is missing before %.20q", p.rest)
			}
			if out[fmt.Sprint(key)], err = p.value(depth + 1); err != nil {
				return nil, err
			}
			if !p.take(",") && !strings.HasPrefix(p.rest, "}") {
				return nil, fmt.Errorf("a comma is missing before %.20q", p.rest)
			}
		}
		return out, nil
	case p.take("["), p.take("("):
		out := []any{}
		for !p.take("]") && !p.take(")") {
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
			if !p.take(",") && !strings.HasPrefix(p.rest, "]") && !strings.HasPrefix(p.rest, ")") {
				return nil, fmt.Errorf("a comma is missing before %.20q", p.rest)
			}
		}
		return out, nil
	case strings.HasPrefix(p.rest, "'") || strings.HasPrefix(p.rest, `"`):
		return p.quoted()
	}
	if m := literalNumber.FindString(p.rest); m != "" {
		p.rest = p.rest[len(m):]
		v, err := strconv.ParseFloat(m, 64)
		if err != nil {
			return nil, nil //nolint:nilerr // beyond float64: not finite
		}
		return v, nil
	}
	m := literalWord.FindString(p.rest)
	v, known := literalWords[m]
	if !known {
		return nil, fmt.Errorf("%.20q is neither a number nor a text", p.rest)
	}
	p.rest = p.rest[len(m):]
	return v, nil
}

var literalEscapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': "\\", '\'': "'", '"': `"`, '/': "/", 'b': "\b", 'f': "\f"}

func (p *literalParser) quoted() (string, error) {
	quote := p.rest[0]
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		c := p.rest[i]
		switch {
		case c == quote:
			p.rest = p.rest[i+1:]
			return b.String(), nil
		case c != '\\' || i+1 == len(p.rest):
			b.WriteByte(c)
			continue
		}
		i++
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[p.rest[i]]
		switch s, ok := literalEscapes[p.rest[i]]; {
		case ok:
			b.WriteString(s)
		case digits > 0 && i+digits < len(p.rest):
			n, err := strconv.ParseUint(p.rest[i+1:i+1+digits], 16, 32)
			if err != nil {
				return "", fmt.Errorf("an escape that is none: %.10q", p.rest[i-1:])
			}
			b.WriteRune(rune(n))
			i += digits
		default:
			b.WriteByte('\\')
			b.WriteByte(p.rest[i])
		}
	}
	return "", fmt.Errorf("a text does not end: %.20q", p.rest)
}
