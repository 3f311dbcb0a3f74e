package space

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bohier/internal/jsonscan"
)

// ParseJSON reads a configuration from an object that gives exactly the active parameters (constants may be left out).
// Numbers must be in range; Proposable checks that they are on their grids. A choice may be given by its text or as a
// number that its text equals. The result satisfies the constraints. Fills are objects with values for active
// parameters that data lacks; the last that has one in range counts.
func (s *Space) ParseJSON(data []byte, fills ...json.RawMessage) (Configuration, error) {
	c := NewConfiguration(len(s.params))
	if err := s.scan(data, func(i int, v float64) { c.Value[i], c.Active[i] = v, true }); err != nil {
		return Configuration{}, err
	}
	own := slices.Clone(c.Active)
	for _, fill := range fills {
		_ = members(fill, func(name string, t token) error { // many are empty
			if i, known := s.Index(name); known && !own[i] {
				if v, wrong := s.parseToken(i, t); wrong == nil {
					c.Value[i], c.Active[i] = v, true
				}
			}
			return nil
		})
	}
	for _, i := range s.depend.Order { // parents first
		c.Active[i] = own[i] || (c.Active[i] || s.params[i].Kind == Constant) && s.holds(i, c)
	}
	return s.given(c)
}

// Given is the configuration of exactly the values in a: each active parameter has one, no
// inactive parameter has one, and the constraints between inputs hold.
func (s *Space) Given(a Assignment) (Configuration, error) {
	c := NewConfiguration(len(s.params))
	for i, v := range a {
		c.Value[i], c.Active[i] = v, true
	}
	return s.given(c)
}

// given adds the constants to a configuration, and checks it.
func (s *Space) given(c Configuration) (Configuration, error) {
	for i := range s.params {
		if s.params[i].Kind == Constant {
			c.Active[i] = true
		}
	}
	return c, s.Validate(c)
}

// ParsePartial reads values for some parameters. Whether they fit together is for Complete to say.
func (s *parameters) ParsePartial(data []byte) (Assignment, error) {
	a := Assignment{}
	return a, s.scan(data, func(i int, v float64) {
		if s.params[i].Kind != Constant {
			a[i] = v
		}
	})
}

// scan reads values by parameter; each is checked alone.
func (s *parameters) scan(data []byte, set func(i int, v float64)) error {
	seen := make([]bool, len(s.params))
	return members(data, func(name string, t token) error {
		i, err := s.Lookup(name)
		if err != nil {
			return err
		}
		if seen[i] {
			return fmt.Errorf("%s: given twice", name)
		}
		seen[i] = true
		v, err := s.parseToken(i, t)
		if err != nil {
			return err
		}
		set(i, v)
		return nil
	})
}

// Lookup finds a parameter by name or returns an error that suggests one.
func (s *parameters) Lookup(name string) (int, error) {
	i, ok := s.Index(name)
	if !ok {
		return 0, fmt.Errorf("no parameter %q; %s", name, Offered(name, "parameters", s.Names()))
	}
	return i, nil
}

func (s *parameters) parseToken(i int, t token) (float64, error) {
	p := &s.params[i]
	if !p.IsNumber() {
		if k, ok := s.valueOf(i, t); ok {
			return float64(k), nil
		}
		if v, err := s.ParseValue(i, t.text); err == nil || t.quoted || t.text != "null" {
			return v, err
		}
	}
	switch {
	case t.text == "null" && !t.quoted:
		return 0, fmt.Errorf("%s: null is no value", p.Name)
	case t.nested:
		return 0, fmt.Errorf("%s: a value is a number, a string or a boolean", p.Name)
	case t.quoted || t.text == "true" || t.text == "false":
		return 0, fmt.Errorf("%s: %q is not a JSON number", p.Name, t.text)
	}
	return s.ParseValue(i, t.text)
}

// valueOf finds a value of a choice by its text and type.
func (s *parameters) valueOf(i int, t token) (int, bool) {
	if k, ok := s.json[i].index[t.text]; ok && t.quoted == (s.params[i].Literal(k) == Text) {
		return k, true
	}
	if t.quoted {
		return 0, false
	}
	k, ok := s.json[i].other[t.text]
	return k, ok
}

// ParseAssignments reads name=value texts, as command-line flags give them.
func (s *parameters) ParseAssignments(texts []string) (Assignment, error) {
	a := Assignment{}
	var errs []error
	for _, t := range texts {
		name, value, ok := strings.Cut(t, "=")
		if !ok {
			errs = append(errs, fmt.Errorf("%q: write name=value", t))
			continue
		}
		i, err := s.Lookup(name)
		if err == nil {
			var v float64
			if v, err = s.ParseValue(i, value); err == nil {
				if old, given := a[i]; given && !(old == v || math.IsNaN(v)) {
					err = fmt.Errorf("%s: given twice", name)
				}
				a[i] = v
			}
		}
		errs = append(errs, err)
	}
	return a, errors.Join(errs...)
}

// token is a value: the text of a string, or the literal of anything else, a list or mapping without white space.
type token struct {
	text   string
	quoted bool
	nested bool // a list or mapping
}

// members calls f for every member of the object in data, which must be all there is.
func members(data []byte, f func(name string, v token) error) (err error) {
	s := jsonscan.Scanner{B: data}
	if s.Peek() != '{' {
		return errors.New("a configuration is a JSON object")
	}
	s.Object(func(name []byte) {
		v := tokenOf(&s)
		if s.Err == nil && err == nil {
			err = f(text(name), v)
		}
	})
	if s.End(); err == nil && s.Err != nil {
		err = fmt.Errorf("JSON: %w", s.Err)
	}
	return err
}

// tokenOf reads the value that comes next.
func tokenOf(s *jsonscan.Scanner) token {
	switch s.Peek() {
	case '"':
		return token{text: text(s.Text()), quoted: true}
	case '{', '[':
		var b bytes.Buffer
		if raw := s.Value(1); s.Err == nil {
			_ = json.Compact(&b, raw) // which the scanner has found to be JSON
		}
		return token{text: b.String(), nested: true}
	}
	return token{text: string(s.Value(1))}
}

// text replaces invalid UTF-8.
func text(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
