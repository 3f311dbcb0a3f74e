package execute

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"bohier/internal/space"
)

// errTwice is an object that says two things under one name.
var errTwice = errors.New("is given twice in the JSON object")

// Once is the error of a JSON object that says two things under one name, itself or within.
func Once(object []byte) error {
	_, err := parseObject(string(object))
	return err
}

// parseObject reads one JSON object, in which no name may come twice, with
// numbers as json.Number; NaN and infinities as Python writes them become texts.
func parseObject(text string) (map[string]any, error) {
	text = quoteNonFinite(text)
	var whole map[string]json.RawMessage // of the standard decoder, which bounds the depth
	if err := json.Unmarshal([]byte(text), &whole); err != nil {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, err := parseValue(d)
	if err != nil {
		return nil, err
	}
	return v.(map[string]any), nil
}

func parseValue(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		object := map[string]any{}
		for d.More() {
			token, err := d.Token()
			if err != nil {
				return nil, err
			}
			name := space.Name(token.(string))
			v, err := parseValue(d)
			if err != nil {
				return nil, err
			}
			if _, twice := object[name]; twice {
				return nil, fmt.Errorf("%s %w", clip(name), errTwice)
			}
			object[name] = v
		}
		_, err = d.Token()
		return object, err
	case json.Delim('['):
		var list []any
		for d.More() {
			v, err := parseValue(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	}
	return token, nil
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
	return nonFinite().ReplaceAllStringFunc(text, func(m string) string {
		if m[0] == '"' {
			return m
		}
		return `"` + m + `"`
	})
}
