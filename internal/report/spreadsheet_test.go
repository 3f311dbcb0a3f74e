package report_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bohier/internal/report"
)

func TestSpreadsheet(t *testing.T) {
	for cell, want := range map[string]string{
		"=cmd|'/C calc'!A0": "'=cmd|'/C calc'!A0",
		"@SUM(1)":           "'@SUM(1)",
		"+1+1":              "'+1+1",
		"-1+1":              "'-1+1",
		"-0.5":              "-0.5",
		"+1e-7":             "+1e-7",
		"\t=1":              `'\t=1`,
		"  =1":              "'  =1",
		"a;=1":              "a;'=1",
		"a|@b":              "a|'@b",
		"＝1":                "'＝1",
		"a\n=1":             `a\n'=1`,
		"\x1b[31m":          `\x1b[31m`,
		"plain = text - 1":  "plain = text - 1",
		"'=1":               "'=1",
		"":                  "",
	} {
		if got := report.SafeCell(cell); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}

// No cell begins a formula, whatever was in it.
func TestNoCellIsAFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringOf(rapid.RuneFrom([]rune("=+-@\t\r\n ;|'a1\"＝\x1b"))).Draw(t, "cell")
		safe := report.SafeCell(cell)
		for _, part := range strings.FieldsFunc(safe, func(r rune) bool { return strings.ContainsRune(";|\t\n", r) }) {
			part = strings.TrimSpace(part)
			if part != "" && strings.ContainsAny(part[:1], "=+-@") && strings.Trim(part, "+-0123456789.") != "" {
				t.Fatalf("%q becomes %q", cell, safe)
			}
		}
	})
}
