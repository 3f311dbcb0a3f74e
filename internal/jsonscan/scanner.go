// Package jsonscan is the one strict reader of JSON: of lines of the journal, of configurations, and of the output of
// commands. A Scanner walks a text value by value, without copies and without reflection. It refuses texts that
// encoding/json accepts: a name that an object has twice, and nesting deeper than 64. Its first error has a column, and
// every call after it does nothing; so a caller asks for Err once, at the end. A Scanner is for one goroutine.
package jsonscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"sync"
)

// MaxDepth bounds the nesting of values.
const MaxDepth = 64

// A Scanner reads one JSON text.
type Scanner struct {
	B   []byte // the text
	At  int    // offset of the next byte
	Err error  // the first mistake
}

// Fail records a mistake at the present column, and ends the text.
func (s *Scanner) Fail(format string, args ...any) {
	if s.Err == nil {
		s.Err = fmt.Errorf("column %d: %w", s.At+1, fmt.Errorf(format, args...))
	}
	s.At = len(s.B)
}

// Space skips white space.
func (s *Scanner) Space() {
	for s.At < len(s.B) {
		switch s.B[s.At] {
		case ' ', '\t', '\n', '\r':
			s.At++
		default:
			return
		}
	}
}

// Peek is the first byte after blanks, 0 at the end.
func (s *Scanner) Peek() byte {
	s.Space()
	if s.At < len(s.B) {
		return s.B[s.At]
	}
	return 0
}

func (s *Scanner) expect(c byte) {
	if s.Peek() != c || s.At == len(s.B) {
		s.Fail("want %q", c)
		return
	}
	s.At++
}

// Object calls member for each name; member must consume the value.
func (s *Scanner) Object(member func(name []byte)) {
	s.list('{', '}', func() {
		s.Space()
		name := s.Text()
		if s.expect(':'); s.Err == nil {
			member(name)
		}
	})
}

// Array calls element for each element, which it must consume.
func (s *Scanner) Array(element func()) { s.list('[', ']', element) }

func (s *Scanner) list(begin, end byte, item func()) {
	s.expect(begin)
	if s.Peek() == end {
		s.At++
		return
	}
	for s.Err == nil {
		item()
		if s.Peek() != ',' {
			s.expect(end)
			return
		}
		s.At++
	}
}

// Text reads a string. The result aliases the input unless it had escapes.
func (s *Scanner) Text() []byte {
	if s.Peek() != '"' || s.At == len(s.B) {
		s.Fail("want a string")
		return nil
	}
	start, plain := s.At+1, true
	for j := start; j < len(s.B); j++ {
		switch c := s.B[j]; {
		case c == '\\':
			plain = false
			j++
		case c < 0x20:
			s.At = j
			s.Fail("control character in a string")
			return nil
		case c == '"':
			s.At = j + 1
			if plain {
				return s.B[start:j]
			}
			var out string
			if err := json.Unmarshal(s.B[start-1:j+1], &out); err != nil {
				s.Fail("malformed string")
				return nil
			}
			return []byte(out)
		}
	}
	s.Fail("unfinished string")
	return nil
}

// Boolean reads true or false.
func (s *Scanner) Boolean() bool {
	s.Space()
	yes := s.word("true")
	if !yes && !s.word("false") {
		s.Fail("want true or false")
	}
	return yes
}

// word skips a word, and reports whether it was there.
func (s *Scanner) word(text string) bool {
	if !bytes.HasPrefix(s.B[s.At:], []byte(text)) {
		return false
	}
	s.At += len(text)
	return true
}

// run skips digits, and reports whether there were any.
func (s *Scanner) run() bool {
	from := s.At
	for s.At < len(s.B) && s.B[s.At] >= '0' && s.B[s.At] <= '9' {
		s.At++
	}
	return s.At > from
}

// skip skips one of two characters, and reports whether it was there.
func (s *Scanner) skip(a, b byte) bool {
	if s.At < len(s.B) && (s.B[s.At] == a || s.B[s.At] == b) {
		s.At++
		return true
	}
	return false
}

// Number skips a number by the grammar of RFC 8259 and returns its text.
func (s *Scanner) Number() []byte {
	s.Space()
	start := s.At
	s.skip('-', '-')
	zero := s.At < len(s.B) && s.B[s.At] == '0'
	from := s.At
	ok := s.run() && !(zero && s.At > from+1)
	if ok && s.skip('.', '.') {
		ok = s.run()
	}
	if ok && s.skip('e', 'E') {
		s.skip('+', '-')
		ok = s.run()
	}
	if !ok {
		s.At = start
		s.Fail("want a number")
		return nil
	}
	return s.B[start:s.At]
}

// Float reads a finite number.
func (s *Scanner) Float() float64 {
	t := s.Number()
	if s.Err != nil {
		return 0
	}
	v, err := strconv.ParseFloat(string(t), 64)
	if err != nil {
		s.Fail("%s is not a finite number", t)
	}
	return v
}

// Count reads a whole number ≥ 0 that an int holds.
func (s *Scanner) Count() int {
	t := s.Number()
	if s.Err != nil {
		return 0
	}
	v, err := strconv.Atoi(string(t))
	if err != nil || v < 0 || v > 1<<40 {
		s.Fail("%s is not a count", t)
	}
	return v
}

// Value skips any value, checking it, and returns its text.
func (s *Scanner) Value(depth int) []byte {
	if depth > MaxDepth {
		s.Fail("nested deeper than %d", MaxDepth)
		return nil
	}
	c := s.Peek()
	start := s.At
	switch c {
	case '{':
		s.members(depth)
	case '[':
		s.Array(func() { s.Value(depth + 1) })
	case '"':
		s.Text()
	case 't', 'f':
		s.Boolean()
	case 'n':
		if !s.word("null") {
			s.Fail("want a value")
		}
	default:
		s.Number()
	}
	if s.Err != nil {
		return nil
	}
	return s.B[start:s.At]
}

// members skips an object, checking it.
func (s *Scanner) members(depth int) {
	var room [16][]byte
	names := room[:0]
	var many map[string]bool // instead, when a search would take long
	s.Object(func(name []byte) {
		if many[string(name)] || slices.ContainsFunc(names, func(n []byte) bool { return bytes.Equal(n, name) }) {
			s.Fail("duplicate name %q", name)
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
		s.Value(depth + 1)
	})
}

// End refuses text behind the value.
func (s *Scanner) End() {
	s.Space()
	if s.Err == nil && s.At < len(s.B) {
		s.Fail("something follows the value")
	}
}

var nonFinite = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b`)
})

// NonFinite puts the result of instead in place of NaN and ±Infinity outside of strings, which Python writes and JSON
// does not have.
func NonFinite(text []byte, instead func([]byte) []byte) []byte {
	if !bytes.Contains(text, []byte("NaN")) && !bytes.Contains(text, []byte("Infinity")) {
		return text
	}
	return nonFinite().ReplaceAllFunc(text, func(m []byte) []byte {
		if m[0] == '"' {
			return m
		}
		return instead(m)
	})
}
