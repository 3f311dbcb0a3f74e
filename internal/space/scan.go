package space

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"bohier/internal/jsonscan"
)

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
