package journal

import (
	"bytes"

	"bohier/internal/jsonscan"
)

// overlay is the object over with the members of under that it lacks; either
// may be empty. Both hold valid JSON objects.
func overlay(under, over []byte) []byte {
	if len(bytes.TrimSpace(under)) == 0 {
		return over
	}
	out := []byte{'{'}
	have := map[string]bool{}
	member := func(s *jsonscan.Scanner, name []byte) {
		v := s.Value(0)
		if have[string(name)] {
			return
		}
		have[string(name)] = true
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(appendString(out, string(name)), ':'), v...)
	}
	for _, b := range [][]byte{over, under} {
		s := jsonscan.Scanner{B: b}
		s.Object(func(name []byte) { member(&s, name) })
	}
	return append(out, '}')
}
