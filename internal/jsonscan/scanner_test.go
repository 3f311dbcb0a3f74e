package jsonscan

import (
	"strings"
	"testing"
)

// What encoding/json lets pass is refused, with its column.
func TestStrict(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":{"c":[1,2.5e-3,null,true,"\u00e9"]}} `: "",
		`{"a":1,"a":2}`:                 `duplicate name "a"`,
		`{"b":[{"a":1,"\u0061":2}]}`:    `duplicate name "a"`,
		`{"a":01}`:                      "column 6: want a number",
		`{"a":nan}`:                     "column 6: want a value",
		"{\"a\":\"\t\"}":                "column 7: control character in a string",
		`{"a":1} {`:                     "column 9: something follows the value",
		`{"a":1`:                        `column 7: want '}'`,
		strings.Repeat("[", MaxDepth+2): "nested deeper than 64",
	} {
		s := Scanner{B: []byte(text)}
		s.Value(0)
		if s.End(); want == "" && s.Err != nil || want != "" && (s.Err == nil || !strings.Contains(s.Err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, s.Err, want)
		}
	}
}
