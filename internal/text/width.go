package text

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// terminal counts columns as terminals outside East Asia do, whatever the locale,
// so that equal texts give equal bytes.
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

// Middle cuts a text to so many columns in its middle, for names that differ at
// their ends.
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
