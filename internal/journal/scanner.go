package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// maxDepth bounds the nesting of values in a line.
const maxDepth = 64

// A scanner reads one JSON text strictly: no duplicate names in any object, no
// control characters, bounded depth. After the first error every call does
// nothing.
type scanner struct {
	b   []byte
	i   int
	err error
}

func (s *scanner) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("column %d: %w", s.i+1, fmt.Errorf(format, args...))
	}
	s.i = len(s.b)
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\n', '\r':
			s.i++
		default:
			return
		}
	}
}

func (s *scanner) peek() byte {
	s.space()
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

func (s *scanner) expect(c byte) {
	if s.peek() != c || s.i == len(s.b) {
		s.fail("want %q", c)
		return
	}
	s.i++
}

// object calls member for each name; member must consume the value.
func (s *scanner) object(member func(name []byte)) {
	s.expect('{')
	if s.peek() == '}' {
		s.i++
		return
	}
	for s.err == nil {
		s.space()
		name := s.text()
		s.expect(':')
		if s.err != nil {
			return
		}
		member(name)
		if s.peek() != ',' {
			s.expect('}')
			return
		}
		s.i++
	}
}

// array calls element for each element, which it must consume.
func (s *scanner) array(element func()) {
	s.expect('[')
	if s.peek() == ']' {
		s.i++
		return
	}
	for s.err == nil {
		element()
		if s.peek() != ',' {
			s.expect(']')
			return
		}
		s.i++
	}
}

// text reads a string. The result aliases the input unless it had escapes.
func (s *scanner) text() []byte {
	if s.peek() != '"' || s.i == len(s.b) {
		s.fail("want a string")
		return nil
	}
	start, plain := s.i+1, true
	for j := start; j < len(s.b); j++ {
		switch c := s.b[j]; {
		case c == '\\':
			plain = false
			j++
		case c < 0x20:
			s.i = j
			s.fail("control character in a string")
			return nil
		case c == '"':
			s.i = j + 1
			if plain {
				return s.b[start:j]
			}
			var out string
			if err := json.Unmarshal(s.b[start-1:j+1], &out); err != nil {
				s.fail("malformed string")
				return nil
			}
			return []byte(out)
		}
	}
	s.fail("unfinished string")
	return nil
}

func (s *scanner) boolean() bool {
	s.space()
	switch rest := s.b[s.i:]; {
	case bytes.HasPrefix(rest, []byte("true")):
		s.i += 4
		return true
	case bytes.HasPrefix(rest, []byte("false")):
		s.i += 5
	default:
		s.fail("want true or false")
	}
	return false
}

// run skips digits, and reports whether there were any.
func (s *scanner) run() bool {
	from := s.i
	for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		s.i++
	}
	return s.i > from
}

// skip skips one of two characters, and reports whether it was there.
func (s *scanner) skip(a, b byte) bool {
	if s.i < len(s.b) && (s.b[s.i] == a || s.b[s.i] == b) {
		s.i++
		return true
	}
	return false
}

// digits skips a number by the grammar of RFC 8259 and returns its text.
func (s *scanner) digits() []byte {
	s.space()
	start := s.i
	s.skip('-', '-')
	zero := s.i < len(s.b) && s.b[s.i] == '0'
	from := s.i
	ok := s.run() && !(zero && s.i > from+1)
	if ok && s.skip('.', '.') {
		ok = s.run()
	}
	if ok && s.skip('e', 'E') {
		s.skip('+', '-')
		ok = s.run()
	}
	if !ok {
		s.i = start
		s.fail("want a number")
		return nil
	}
	return s.b[start:s.i]
}

func (s *scanner) float() float64 {
	t := s.digits()
	if s.err != nil {
		return 0
	}
	v, err := strconv.ParseFloat(string(t), 64)
	if err != nil {
		s.fail("%s is not a finite number", t)
	}
	return v
}

// count reads a whole number ≥ 0 that an int holds.
func (s *scanner) count() int {
	t := s.digits()
	if s.err != nil {
		return 0
	}
	v, err := strconv.Atoi(string(t))
	if err != nil || v < 0 || v > 1<<40 {
		s.fail("%s is not a count", t)
	}
	return v
}

func (s *scanner) hex() uint32 {
	t := s.text()
	if s.err != nil {
		return 0
	}
	v, err := parseHex(t)
	if err != nil {
		s.fail("want eight hexadecimal digits")
	}
	return v
}

var errHex = errors.New("want eight lower-case hexadecimal digits")

func parseHex(t []byte) (uint32, error) {
	if len(t) != 8 {
		return 0, errHex
	}
	var v uint32
	for _, c := range t {
		switch {
		case c >= '0' && c <= '9':
			v = v<<4 | uint32(c-'0')
		case c >= 'a' && c <= 'f':
			v = v<<4 | uint32(c-'a'+10)
		default:
			return 0, errHex
		}
	}
	return v, nil
}

// value skips any value, checking it, and returns its text.
func (s *scanner) value(depth int) []byte {
	if depth > maxDepth {
		s.fail("nested deeper than %d", maxDepth)
		return nil
	}
	c := s.peek()
	start := s.i
	switch c {
	case '{':
		s.members(depth)
	case '[':
		s.array(func() { s.value(depth + 1) })
	case '"':
		s.text()
	case 't', 'f':
		s.boolean()
	case 'n':
		if !bytes.HasPrefix(s.b[s.i:], []byte("null")) {
			s.fail("want a value")
			return nil
		}
		s.i += 4
	default:
		s.digits()
	}
	if s.err != nil {
		return nil
	}
	return s.b[start:s.i]
}

// members skips an object, checking it.
func (s *scanner) members(depth int) {
	var room [16][]byte
	names := room[:0]
	var many map[string]bool // instead, when a search would take long
	s.object(func(name []byte) {
		if many[string(name)] {
			s.fail("duplicate name %q", name)
		}
		for _, n := range names {
			if bytes.Equal(n, name) {
				s.fail("duplicate name %q", name)
			}
		}
		if names = append(names, name); len(names) > 32 {
			if many == nil {
				many = map[string]bool{}
			}
			for _, n := range names {
				many[string(n)] = true
			}
			names = names[:0]
		}
		s.value(depth + 1)
	})
}

func validUTF8(b []byte) bool { return utf8.Valid(b) }
