package text

import "github.com/mattn/go-runewidth"

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
