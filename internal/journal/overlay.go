package journal

import "bytes"

// overlay is the object over with the members of under that it lacks; either
// may be empty. Both hold valid JSON objects.
func overlay(under, over []byte) []byte {
	if len(bytes.TrimSpace(under)) == 0 {
		return over
	}
	out := []byte{'{'}
	have := map[string]bool{}
	member := func(s *scanner, name []byte) {
		v := s.value(0)
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
		s := scanner{b: b}
		s.object(func(name []byte) { member(&s, name) })
	}
	return append(out, '}')
}
