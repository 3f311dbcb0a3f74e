package study

import (
	"slices"
	"strings"
)

// A Remark is a note on a trial beside the one of its outcome.
type Remark struct {
	At   string `json:"at"` // RFC 3339 time
	Text string `json:"text"`
}

// between stands between two notes on a trial.
const between = "; "

// Said is all that was noted on a trial.
func (t *Trial) Said() string {
	var all []string
	for _, r := range append([]Remark{{Text: t.Note}}, t.Remarks...) {
		if r.Text != "" && !slices.Contains(all, r.Text) {
			all = append(all, r.Text)
		}
	}
	return strings.Join(all, between)
}

// Says reports whether a note on the trial is there already, by itself or among others.
func (t *Trial) Says(text string) bool {
	return strings.Contains(between+t.Said()+between, between+text+between)
}

// Remark adds a note to those of the trial, unless it is there or empty.
func (t *Trial) Remark(at, text string) {
	if text != "" && !t.Says(text) {
		t.Remarks = append(slices.Clip(t.Remarks), Remark{at, text})
	}
}
