package config

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
)

// rawValue reads a value of a parameter as the space stores it. key says what
// the value is for.
func (l *loader) rawValue(d *decl, n *yaml.Node, key string) (float64, bool) {
	p := &d.param
	choice := p.Kind == space.Ordinal || p.Kind == space.Categorical
	if n.Kind != yaml.ScalarNode && !choice {
		l.errorf(n, "", "%s of %s must be a value, not a %s", key, d.name, kindName(n))
		return 0, false
	}
	switch p.Kind {
	case space.Bool:
		v, ok := l.boolean(n, key+" of "+d.name)
		if v {
			return 1, ok
		}
		return 0, ok
	case space.Ordinal, space.Categorical:
		if i := l.valueOf(p, n); i >= 0 {
			return float64(i), true
		}
		l.errorf(n, suggest(n.Value, "values", p.Values, d.line()), "%s is not a value of %s", shown(n), d.name)
		return 0, false
	case space.Constant:
		if i := l.valueOf(p, n); i == 0 {
			return 0, true
		}
		l.errorf(n, "leave it out", "%s is the constant %s (line %d)", d.name, p.Values[0], d.line())
		return 0, false
	}
	v, ok := l.number(n, key+" of "+d.name)
	if !ok {
		return 0, false
	}
	v, msg := onGrid(p, v)
	if msg != "" {
		l.errorf(n, "", "%s of %s: %s", key, d.name, msg)
		return 0, false
	}
	return v, true
}

// valueIndex finds a choice's value by its text, else by the number or bool it writes or
// what the list or mapping holds.
func valueIndex(p *space.Parameter, text string) int {
	if i := slices.Index(p.Values, text); i >= 0 {
		return i
	}
	for i, v := range p.Values {
		if p.Literal(i) == space.Boolean && strings.EqualFold(text, v) {
			return i
		}
	}
	want, msg := parseNumber(text)
	if msg != "" {
		same := space.CanonicalValue(text, space.Structure)
		return slices.IndexFunc(p.Values, func(s string) bool {
			return same != "" && space.CanonicalValue(s, space.Structure) == same
		})
	}
	return slices.IndexFunc(p.Values, func(s string) bool {
		v, msg := parseNumber(s)
		return msg == "" && v == want
	})
}

// onGrid is the value of a numeric parameter that v means, which rounding in
// another program may have moved a little; msg says why there is none.
func onGrid(p *space.Parameter, v float64) (value float64, msg string) {
	switch {
	case v < p.Low || v > p.High:
		return v, fmt.Sprintf("%s is outside %s to %s", num(v), num(p.Low), num(p.High))
	case p.Kind == space.Int && v != math.Trunc(v):
		return v, fmt.Sprintf("%s is not a whole number", num(v))
	case p.Step == 0 && p.Precision == 0:
		return v, ""
	}
	alone := *p
	alone.Condition, alone.Default, alone.Prior = nil, nil, nil
	s, err := space.New([]space.Parameter{alone}, nil, nil)
	if err == nil {
		v, err = s.ParseValue(0, num(v))
	}
	if err != nil {
		return v, strings.TrimPrefix(err.Error(), p.Name+": ")
	}
	return v, ""
}
