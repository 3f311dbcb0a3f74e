package report_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"bohier/internal/report"
)

// The escapes of JSON mean what they replace.
func TestJSONIsExactAndVisible(t *testing.T) {
	hostile := "\x1b[2J \u202e \u0085 \x7f \u2066 \U000e0041 \n"
	line, err := report.JSON(map[string]string{hostile: hostile})
	must(t, err)
	if strings.ContainsFunc(strings.TrimSuffix(string(line), "\n"),
		func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) }) {
		t.Errorf("%q", line)
	}
	var back map[string]string
	if err := json.Unmarshal(line, &back); err != nil || back[hostile] != hostile {
		t.Errorf("%q reads back as %q, %v", line, back, err)
	}
}
