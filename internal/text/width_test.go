package text_test

import (
	"testing"

	"bohier/internal/text"
)

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text   string
		width  int
		cut    string
		middle string
	}{
		{"short", 5, "short", "short"}, {"parameter_12", 8, "paramet…", "para…_12"}, {"parameter", 1, "p", "p"},
		{"日本語の名前", 7, "日本語…", "日…前"}, {"", 0, "", ""},
	} {
		if got := text.Shorten(c.text, c.width); got != c.cut {
			t.Errorf("%q to %d columns: %q, want %q", c.text, c.width, got, c.cut)
		}
		got := text.Middle(c.text, c.width)
		if got != c.middle || text.Columns(got) > c.width {
			t.Errorf("%q to %d columns in its middle: %q, want %q", c.text, c.width, got, c.middle)
		}
	}
}
