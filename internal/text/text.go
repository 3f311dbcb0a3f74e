// Package text makes texts safe and measures them: control characters become visible, and widths are columns of a
// terminal.
package text

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// The only markup of human output: VisibleText leaves it with colour.
const (
	Bold   = "\x1b[1m"
	Normal = "\x1b[0m"
)

// Visible shows control characters as escapes of Go strings: control characters (line breaks and tabs included),
// characters that turn the direction of writing or cannot be seen, and bytes that are no UTF-8. In JSON, where ASCII
// controls are escaped already, the escapes mean the same characters. The joiners that scripts and emoji need stay.
func Visible(text string) string {
	return string(visible([]byte(text), func(r rune) bool { return false }))
}

// VisibleText is Visible for text of several lines: line breaks and tabs stay, and with colour the bold of tables.
func VisibleText(text []byte, colour bool) []byte {
	lines := func(r rune) bool { return r == '\n' || r == '\t' }
	if !colour {
		return visible(text, lines)
	}
	var out []byte
	for len(text) > 0 {
		n := len(text)
		mark := ""
		for _, m := range []string{Bold, Normal} {
			if i := bytes.Index(text, []byte(m)); i >= 0 && i < n {
				n, mark = i, m
			}
		}
		out = append(append(out, visible(text[:n], lines)...), mark...)
		text = text[n+len(mark):]
	}
	return out
}

func visible(text []byte, keep func(rune) bool) []byte {
	plain := 0 // nearly all of most texts
	for plain < len(text) && (' ' <= text[plain] && text[plain] <= '~' || text[plain] == '\n' && keep('\n')) {
		plain++
	}
	if !bytes.ContainsFunc(text[plain:], func(r rune) bool { return acted(r) && !keep(r) || r == utf8.RuneError }) {
		return text
	}
	var out []byte
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n == 1:
			out = fmt.Appendf(out, `\x%02x`, text[0])
		case !acted(r) || keep(r):
			out = append(out, text[:n]...)
		default:
			out = append(out, escaped(r)...)
		}
		text = text[n:]
	}
	return out
}

// acted reports whether a terminal acts upon a character, or hides it.
func acted(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	if ' ' <= r && r <= '~' { // nearly all
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && r != nonJoiner && r != joiner
}

func escaped(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < ' ':
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	high, low := utf16.EncodeRune(r)
	return fmt.Sprintf(`\u%04x\u%04x`, high, low)
}

// terminal counts columns as terminals outside East Asia do, whatever the locale, so that equal texts give equal bytes.
var terminal = &runewidth.Condition{StrictEmojiNeutral: true}

// Columns is the number of columns that a text takes on a terminal.
func Columns(text string) int { return terminal.StringWidth(text) }

// Fit cuts a text to so many columns of a terminal.
func Fit(text string, width int) string { return terminal.Truncate(text, width, "") }

// Shorten is Fit with an ellipsis where something is cut off.
func Shorten(text string, width int) string {
	if width < 2 {
		return Fit(text, width)
	}
	return terminal.Truncate(text, width, "…")
}

// Middle cuts a text to so many columns in its middle, for names that differ at their ends.
func Middle(text string, width int) string {
	total := Columns(text)
	if total <= width || width < 5 {
		return Shorten(text, width)
	}
	head := width / 2
	tail := terminal.TruncateLeft(text, total-(width-1-head), "")
	return Fit(text, head) + "…" + strings.TrimLeft(tail, " ") // half of a wide character is a blank
}

// Wrap breaks a text at blanks into lines of so many columns.
func Wrap(text string, columns int) (lines []string) {
	now := ""
	for _, word := range strings.Fields(text) {
		switch {
		case now == "":
			now = word
		case Columns(now)+1+Columns(word) > columns:
			lines, now = append(lines, now), word
		default:
			now += " " + word
		}
	}
	return append(lines, now)
}
