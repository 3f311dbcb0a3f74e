package config

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
)

// A decoder makes Go values of the file's nodes.
type decoder struct {
	scope
	opt     Options
	lenient bool // the file is another tool's: of the YAML that people write
}

// parseNumber reads a decimal number from its text; msg describes the mistake in it, "" if nothing.
func parseNumber(text string) (v float64, msg string) {
	if !decimal().MatchString(text) {
		return 0, fmt.Sprintf("%q is not a number", text)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, text + " is too large for a number (at most 1.8e308)"
	}
	if mantissa, _, _ := strings.Cut(strings.ToLower(text), "e"); v == 0 && strings.ContainsAny(mantissa, "123456789") {
		return 0, text + " is too small for a number (it would be 0)"
	}
	if v == 0 {
		v = 0 // no negative zero
	}
	return v, ""
}

// number reads a finite number; key names it in messages.
func (r *decoder) number(n *yaml.Node, key string) (float64, bool) {
	v, msg := parseNumber(n.Value)
	quoted := n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 && !r.lenient
	switch misread := space.Misread(n.Value, v); {
	case n.Kind != yaml.ScalarNode:
		r.errorf(n, "", "%s must be a number, not a %s", key, kindName(n))
	case quoted:
		r.errorf(n, "write a number, without quotes", "%s must be a number, not the text %q", key, n.Value)
	case msg != "":
		r.errorf(n, "write a decimal number, such as 20 or 1e-3", "%s must be a number: %s", key, msg)
	case misread != "":
		r.errorf(n, "", "%s %s", key, misread)
	default:
		return v, true
	}
	return 0, false
}

// within reads a number, or a whole number, in the range of a shape.
func (r *decoder) within(n *yaml.Node, s *shape, key string) (float64, bool) {
	v, ok := r.number(n, key)
	wrong := s.wrong(v)
	switch {
	case !ok:
	case s.form == wholeForm && v != math.Trunc(v):
		r.errorf(n, "", "%s must be a whole number, not %s", key, n.Value)
	case wrong != "":
		r.errorf(n, "", "%s must be %s, not %s", key, wrong, n.Value)
	default:
		return v, true
	}
	return 0, false
}

// boolean reads true or false.
func (r *decoder) boolean(n *yaml.Node, key string) (value, ok bool) {
	if n.Kind == yaml.ScalarNode && n.Style == 0 {
		switch n.Value {
		case "true", "True", "TRUE":
			return true, true
		case "false", "False", "FALSE":
			return false, true
		}
	}
	r.errorf(n, "", "%s must be true or false, not %s", key, shown(n))
	return false, false
}

// text reads a scalar as its text.
func (r *decoder) text(n *yaml.Node, key string) (string, bool) {
	switch {
	case isNull(n) && n.Value != "":
		r.errorf(n, "quote it to mean the text: "+strconv.Quote(n.Value), "%s is %s, which means nothing", key, n.Value)
	case strings.TrimSpace(n.Value) == "":
		r.errorf(n, "", "%s is empty", key)
	case strings.ContainsRune(n.Value, 0):
		r.errorf(n, "", "%s holds a zero byte", key)
	default:
		return n.Value, true
	}
	return "", false
}

// duration reads a positive time such as 30m, 1h30m or 2d.
func (r *decoder) duration(n *yaml.Node, key string) (time.Duration, bool) {
	s, ok := r.text(n, key)
	if !ok {
		return 0, false
	}
	days, rest, found := strings.Cut(s, "d")
	if !found {
		days, rest = "0", s
	}
	v, wrongDays := strconv.ParseFloat(days, 64)
	d, wrongRest := time.ParseDuration(cmp.Or(rest, "0"))
	d += time.Duration(v * 24 * float64(time.Hour))
	switch {
	case wrongDays != nil || wrongRest != nil || !(v >= 0 && v <= 36500):
		r.errorf(n, "examples: 90s, 30m, 2h, 1h30m, 2d", "%s must be a time, not %q", key, s)
	case d <= 0:
		r.errorf(n, "", "%s must be longer than nothing", key)
	default:
		return d, true
	}
	return 0, false
}

// num writes a number in its shortest form that reads back the same.
func num(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if i := strings.Index(s, "e"); i >= 0 { // e-05 → e-5
		return s[:i+1] + strings.TrimPrefix(s[i+1:i+2], "+") + strings.TrimLeft(s[i+2:], "0")
	}
	return s
}

// shown is a node as messages quote it.
func shown(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return strconv.Quote(n.Value)
	}
	return "a " + kindName(n)
}
