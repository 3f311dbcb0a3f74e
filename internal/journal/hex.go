package journal

import (
	"errors"

	"bohier/internal/jsonscan"
)

// hexadecimal reads a text of eight digits.
func hexadecimal(s *jsonscan.Scanner) uint32 {
	t := s.Text()
	if s.Err != nil {
		return 0
	}
	v, err := parseHex(t)
	if err != nil {
		s.Fail("want eight hexadecimal digits")
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
