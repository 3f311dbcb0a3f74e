package execute

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"bohier/internal/jsonscan"
	"bohier/internal/space"
	"bohier/internal/study"
)

// ErrTwice is an object that says two things under one name.
var ErrTwice = errors.New("is given twice in the JSON object")

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

// Object reads one JSON object, in which no name may come twice, with numbers as json.Number; NaN and infinities as
// Python writes them become texts. Members named in raw stay JSON, json.RawMessage, which may alias text.
func Object(text []byte, raw ...string) (map[string]any, error) {
	text = jsonscan.NonFinite(text, func(m []byte) []byte { return fmt.Appendf(nil, "%q", m) })
	p := &parser{Scanner: jsonscan.Scanner{B: text}}
	if p.Peek() != '{' {
		return nil, errors.New("want an object")
	}
	object := p.object(0, raw)
	if p.End(); p.Err != nil && p.twice == nil {
		return nil, p.Err
	}
	return object, p.twice
}

// A parser reads any value; twice is the first name that an object has twice.
type parser struct {
	jsonscan.Scanner
	twice error
}

func (p *parser) object(depth int, raw []string) map[string]any {
	object := map[string]any{}
	p.Object(func(text []byte) {
		name := space.Name(string(text))
		if _, twice := object[name]; twice && p.twice == nil {
			p.twice = fmt.Errorf("%s %w", clip(name), ErrTwice)
		}
		if slices.Contains(raw, name) {
			object[name] = json.RawMessage(p.Value(depth))
		} else {
			object[name] = p.nested(depth)
		}
	})
	return object
}

func (p *parser) any(depth int) any {
	switch p.Peek() {
	case '{':
		return p.object(depth, nil)
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

// ParseNumber reads a decimal number, NaN and infinities, and -nan as C programs print it, with any minus sign.
func ParseNumber(text string) (float64, bool) {
	text = strings.ReplaceAll(text, "\u2212", "-")
	if strings.EqualFold(text, "-nan") {
		return math.NaN(), true
	}
	v, err := space.Decimal(text)
	return v, err == nil || errors.Is(err, strconv.ErrRange)
}

// errTooLarge is the error of a number beyond all that a float64 holds.
var errTooLarge = errors.New("too large for a number (at most 1.8e308)")

// Reported is ParseNumber of a text in which a number beyond all is a slip and not infinity. The error,
// after the text and "is", describes the fault.
func Reported(text string) (float64, error) {
	v, ok := ParseNumber(text)
	switch {
	case !ok:
		return 0, errors.New("not a number")
	case math.IsInf(v, 0) && strings.ContainsAny(text, "0123456789"):
		return 0, errTooLarge
	}
	return v, nil
}

// readPlaced is ResultOf the report of a command, with the outcomes from where run.result says that they lie.
func readPlaced(st *study.Study, object map[string]any) (study.Report, error) {
	if st.Run == nil || len(st.Run.Result) == 0 {
		return ResultOf(st, object)
	}
	values, _ := object["values"].(map[string]any)
	found := map[string]any{}
	for name, path := range st.Run.Result {
		if v, ok := at(object, path); ok {
			found[name] = v
		}
	}
	for name := range st.Run.Result {
		delete(values, name)
		delete(object, name)
		if v, ok := found[name]; ok {
			object[name] = v
		}
	}
	t, err := ResultOf(st, object)
	if path := st.Run.Result[st.Objective().Name]; path != "" && Lacks(err) {
		err = missingError{fmt.Sprintf("there is nothing at %s, where run.result has the objective %s", path,
			st.Objective().Name)}
	}
	return t, err
}

// at is the value at a path of a JSON value: names of members and places in lists, from 0 or
// negative from the end, joined by dots. A member whose own name has dots is found, too.
func at(v any, path string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		if inner, ok := v[path]; ok {
			return inner, true
		}
		for i, r := range path {
			if r != '.' {
				continue
			}
			if inner, ok := v[path[:i]]; ok {
				if found, ok := at(inner, path[i+1:]); ok {
					return found, true
				}
			}
		}
	case []any:
		place, rest, deeper := strings.Cut(path, ".")
		k, err := strconv.Atoi(place)
		if k < 0 {
			k += len(v)
		}
		if err != nil || k < 0 || k >= len(v) {
			return nil, false
		}
		if !deeper {
			return v[k], true
		}
		return at(v[k], rest)
	}
	return nil, false
}

// deeper describes how a study file names the place of an outcome's value within an object: at the first number that
// has its name, or lies within a value that has it; empty where there is none.
func deeper(object map[string]any, name string) string {
	path := numberBelow(object, name, "", false)
	if path == "" {
		return ""
	}
	return fmt.Sprintf("; name its path, such as run: {result: {%s: %s}}", name, path)
}

// numberBelow is the path to the first number of v, which lies at path, that has a name, or lies within a value that
// has it.
func numberBelow(v any, name, path string, named bool) string {
	if _, err := number(v); err == nil && named {
		return path
	}
	object, _ := v.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(object)) {
		at := strings.TrimPrefix(path+"."+key, ".")
		if found := numberBelow(object[key], name, at, named || key == name); found != "" {
			return found
		}
	}
	return ""
}

// inJSON is a value as it was reported.
func inJSON(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
