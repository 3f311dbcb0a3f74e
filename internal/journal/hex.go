package journal

import (
	"bytes"
	"errors"
	"strconv"

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
	v, err := strconv.ParseUint(string(t), 16, 32)
	if err != nil || len(t) != 8 || bytes.ContainsAny(t, "ABCDEF") {
		return 0, errHex
	}
	return uint32(v), nil
}
