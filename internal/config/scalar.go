package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
)

// parseNumber reads a decimal number from its text; msg says what is wrong
// with it, "" if nothing.
func parseNumber(text string) (v float64, msg string) {
	if !decimal().MatchString(text) {
		return 0, fmt.Sprintf("%q is not a number", text)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, text + " is too large for a number (at most 1.8e308)"
	}
	if v == 0 && strings.ContainsAny(strings.ToLower(text)[:mantissa(text)], "123456789") {
		return 0, text + " is too small for a number (it would be 0)"
	}
	if v == 0 {
		v = 0 // no negative zero
	}
	return v, ""
}

// mantissa is the length of a number's text before its exponent.
func mantissa(text string) int {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		return i
	}
	return len(text)
}

// number reads a finite number; key names it in messages.
func (l *loader) number(n *yaml.Node, key string) (float64, bool) {
	if n.Kind != yaml.ScalarNode {
		l.errorf(n, "", "%s must be a number, not a %s", key, kindName(n))
		return 0, false
	}
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 && !l.lenient {
		hint := ""
		if decimal().MatchString(n.Value) {
			hint = "remove the quotes"
		}
		l.errorf(n, hint, "%s must be a number, not the text %q", key, n.Value)
		return 0, false
	}
	v, msg := parseNumber(n.Value)
	if msg != "" {
		hint := ""
		if strings.HasPrefix(n.Value, "0x") || strings.HasPrefix(n.Value, "0o") || strings.HasPrefix(n.Value, "0b") {
			hint = "write it in decimal"
		} else if i := strings.Index(n.Value, ","); i > 0 {
			hint = "write a decimal point, not a comma"
		}
		l.errorf(n, hint, "%s must be a number: %s", key, msg)
		return 0, false
	}
	if msg = space.Misread(n.Value, v); msg != "" {
		l.errorf(n, "", "%s %s", key, msg)
		return 0, false
	}
	return v, true
}

// integer reads a whole number within [lo, hi].
func (l *loader) integer(n *yaml.Node, key string, lo, hi float64) (int, bool) {
	v, ok := l.number(n, key)
	if !ok {
		return 0, false
	}
	switch {
	case v != math.Trunc(v):
		l.errorf(n, "", "%s must be a whole number, not %s", key, n.Value)
	case v < lo && lo <= 1 && hi >= space.MaxInt:
		l.errorf(n, "", "%s must be at least %s, not %s", key, num(lo), n.Value)
	case v < lo || v > hi:
		l.errorf(n, "", "%s must be from %s to %s, not %s", key, num(lo), num(hi), n.Value)
	default:
		return int(v), true
	}
	return 0, false
}

// boolean reads true or false.
func (l *loader) boolean(n *yaml.Node, key string) (value, ok bool) {
	if n.Kind == yaml.ScalarNode && n.Style == 0 {
		switch n.Value {
		case "true", "True", "TRUE":
			return true, true
		case "false", "False", "FALSE":
			return false, true
		}
	}
	l.errorf(n, "", "%s must be true or false, not %s", key, shown(n))
	return false, false
}

// text reads a scalar as its text.
func (l *loader) text(n *yaml.Node, key string) (string, bool) {
	if n.Kind != yaml.ScalarNode {
		l.errorf(n, "", "%s must be a text, not a %s", key, kindName(n))
		return "", false
	}
	if isNull(n) && n.Value != "" {
		l.errorf(n, "quote it to mean the text: "+strconv.Quote(n.Value), "%s is %s, which means nothing", key, n.Value)
		return "", false
	}
	if strings.TrimSpace(n.Value) == "" {
		l.errorf(n, "", "%s is empty", key)
		return "", false
	}
	if strings.ContainsRune(n.Value, 0) {
		l.errorf(n, "", "%s holds a zero byte", key)
		return "", false
	}
	return n.Value, true
}

// duration reads a positive time such as 30m, 1h30m or 2d.
func (l *loader) duration(n *yaml.Node, key string) (time.Duration, bool) {
	s, ok := l.text(n, key)
	if !ok {
		return 0, false
	}
	if decimal().MatchString(s) {
		l.errorf(n, fmt.Sprintf("write %ss for seconds, %sm for minutes", s, s), "%s needs a unit", key)
		return 0, false
	}
	var d time.Duration
	rest := s
	if days, after, found := strings.Cut(s, "d"); found {
		v, err := strconv.ParseFloat(days, 64)
		if err != nil || !(v >= 0 && v <= 36500) {
			l.errorf(n, "examples: 90s, 30m, 2h, 1h30m, 2d", "%s must be a time, not %q", key, s)
			return 0, false
		}
		d, rest = time.Duration(v*24*float64(time.Hour)), after
	}
	if rest != "" {
		e, err := time.ParseDuration(rest)
		if err != nil {
			l.errorf(n, "examples: 90s, 30m, 2h, 1h30m, 2d", "%s must be a time, not %q", key, s)
			return 0, false
		}
		d += e
	}
	if d <= 0 {
		l.errorf(n, "", "%s must be longer than nothing", key)
		return 0, false
	}
	return d, true
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
