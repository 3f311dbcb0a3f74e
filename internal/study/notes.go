package study

import "strings"

// between stands between two notes on a trial.
const between = "; "

// Said is all that was noted on a trial.
func (t *Trial) Said() string { return Notes(t.Note, t.Remarks) }

// Notes are notes with more at their end, but for what they have already.
func Notes(notes, more string) string {
	for _, note := range strings.Split(more, between) {
		switch {
		case notes == "":
			notes = note
		case note != "" && !strings.Contains(between+notes+between, between+note+between):
			notes += between + note
		}
	}
	return notes
}
