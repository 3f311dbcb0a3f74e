package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	_ "bohier/internal/seeded"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain, ± ≤ 日本 👩\u200d🔬":             "plain, ± ≤ 日本 👩\u200d🔬",
		"\x1b]0;owned\x07\x1b[31m":           `\x1b]0;owned\x07\x1b[31m`,
		"a\nb\tc\rd":                         `a\nb\tc\rd`,
		"\u202egpj.exe\u2066":                `\u202egpj.exe\u2066`,
		"\u009b31m\x7f":                      `\u009b31m\u007f`,
		"\xff\xfe":                           `\xff\xfe`,
		"\u2028\ufeff\u00ad\U000e0041":       `\u2028\ufeff\u00ad\udb40\udc41`,
		string(utf8.RuneError) + " replaced": string(utf8.RuneError) + " replaced",
	} {
		if got := Visible(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := string(VisibleText([]byte("\x1b[1mHEAD\x1b[0m\n\x1b[31m\x1b[1"),
		true)); got != "\x1b[1mHEAD\x1b[0m\n\\x1b[31m\\x1b[1" {
		t.Errorf("with colour: %q", got)
	}
}

func TestNothingInvisibleIsLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		got := Visible(text)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, acted) {
			t.Fatalf("%q becomes %q", text, got)
		}
		if visible := Visible(got); visible != got {
			t.Fatalf("%q twice becomes %q", got, visible)
		}
	})
}
