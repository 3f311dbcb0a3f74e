package problems

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Point checks a configuration and keeps its active part as numbers.
func (p *Problem) Point(x map[string]any) (Point, error) {
	out := Point{}
	known := map[string]*Param{}
	for i := range p.Params {
		q := &p.Params[i]
		known[q.Name] = q
		if !active(q, known, out) {
			continue
		}
		raw, ok := x[q.Name]
		if !ok {
			return nil, fmt.Errorf("%s is active but has no value", q.Name)
		}
		v, err := q.number(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.Name, err)
		}
		out[q.Name] = v
	}
	for name := range x {
		if known[name] == nil {
			return nil, fmt.Errorf("there is no parameter %q", name)
		}
	}
	return out, nil
}

// active decides a parameter's conditions on the part of the point before it.
func active(q *Param, known map[string]*Param, x Point) bool {
	for _, c := range q.When {
		v, ok := x[c.Name]
		if !ok {
			return false
		}
		switch c.Op {
		case "gt":
			ok = v > c.Bound
		case "ge":
			ok = v >= c.Bound
		default:
			ok = slices.ContainsFunc(c.Values, func(s string) bool { return known[c.Name].choice(s) == v })
		}
		if !ok {
			return false
		}
	}
	return true
}

// number turns a raw value into what a Point holds.
func (q *Param) number(raw any) (float64, error) {
	if q.Kind != Float && q.Kind != Int {
		s := fmt.Sprint(raw)
		if f, ok := raw.(float64); ok {
			s = strconv.FormatFloat(f, 'g', -1, 64)
		}
		if !slices.Contains(q.Choices, s) {
			return 0, fmt.Errorf("%q is not one of %s", s, strings.Join(q.Choices, ", "))
		}
		return q.choice(s), nil
	}
	v, err := toFloat(raw)
	switch {
	case err != nil:
		return 0, err
	case q.Kind == Int && v != math.Trunc(v):
		return 0, fmt.Errorf("%v is not an integer", v)
	case !(v >= q.Low && v <= q.High):
		return 0, fmt.Errorf("%v is outside %v … %v", v, q.Low, q.High)
	}
	return v, nil
}

// choice is the number that stands for a choice.
func (q *Param) choice(s string) float64 {
	if q.Kind == Ordinal {
		if v, err := strconv.ParseFloat(s, 64); err == nil {
			return v
		}
	}
	return float64(slices.Index(q.Choices, s))
}

func toFloat(raw any) (float64, error) {
	switch v := raw.(type) {
	case float64:
		return v, nil
	case int:
		return float64(v), nil
	case int64:
		return float64(v), nil
	case json.Number:
		return v.Float64()
	}
	return 0, fmt.Errorf("%v (%T) is not a number", raw, raw)
}
