package execute

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"bohier/internal/jsonscan"
	"bohier/internal/space"
)

// errTwice is an object that says two things under one name.
var errTwice = errors.New("is given twice in the JSON object")

// Once is the error of a JSON object that says two things under one name, itself or within.
func Once(object []byte) error {
	_, err := parseObject(string(object))
	return err
}

// Decode is json.Unmarshal with an error that names the member that has another type than v.
func Decode(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		what := "it"
		if wrong.Field != "" {
			what = strconv.Quote(wrong.Field)
		}
		return fmt.Errorf("%s is of type %s", what, wrong.Value)
	}
	return err
}

// parseObject reads one JSON object, in which no name may come twice, with
// numbers as json.Number; NaN and infinities as Python writes them become texts.
func parseObject(text string) (map[string]any, error) {
	p := &parser{Scanner: jsonscan.Scanner{B: []byte(quoteNonFinite(text))}}
	if p.Peek() != '{' {
		return nil, errors.New("want an object")
	}
	v := p.any(0)
	if p.End(); p.Err != nil && p.twice == nil {
		return nil, p.Err
	}
	return v.(map[string]any), p.twice
}

// A parser reads any value; twice is the first name that an object has twice.
type parser struct {
	jsonscan.Scanner
	twice error
}

func (p *parser) any(depth int) any {
	switch p.Peek() {
	case '{':
		object := map[string]any{}
		p.Object(func(raw []byte) {
			name := space.Name(string(raw))
			if _, twice := object[name]; twice && p.twice == nil {
				p.twice = fmt.Errorf("%s %w", clip(name), errTwice)
			}
			object[name] = p.nested(depth)
		})
		return object
	case '[':
		var list []any
		p.Array(func() { list = append(list, p.nested(depth)) })
		return list
	case '"':
		return string(p.Text())
	case 't', 'f':
		return p.Boolean()
	case 'n':
		p.Value(depth)
		return nil
	}
	return json.Number(p.Number())
}

func (p *parser) nested(depth int) any {
	if depth >= jsonscan.MaxDepth {
		p.Fail("nested deeper than %d", jsonscan.MaxDepth)
		return nil
	}
	return p.any(depth + 1)
}

// ParseNumber reads a decimal number, NaN and infinities, and -nan as C programs
// print it, with any minus sign; unlike strconv it takes no hexadecimal and no underscores.
func ParseNumber(text string) (float64, bool) {
	text = strings.ReplaceAll(text, "\u2212", "-")
	if strings.ContainsAny(text, "xXpP_") {
		return 0, false
	}
	if strings.EqualFold(text, "-nan") {
		return math.NaN(), true
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil || errors.Is(err, strconv.ErrRange)
}

var nonFinite = lazily(`"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b`)

// quoteNonFinite puts quotes around NaN and ±Infinity outside strings.
func quoteNonFinite(text string) string {
	if !strings.Contains(text, "NaN") && !strings.Contains(text, "Infinity") {
		return text
	}
	return nonFinite().ReplaceAllStringFunc(text, func(m string) string {
		if m[0] == '"' {
			return m
		}
		return `"` + m + `"`
	})
}
