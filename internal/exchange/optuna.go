package exchange

import (
	"bytes"
	"time"
)

// ours is what the names of attributes begin with that Export adds, so that the script
// finds what Optuna has no place for.
const ours = "bohier:"

// readOptuna reads what the script printed, the table of trials_dataframe, or a JSON object
// of distributions.
func readOptuna(in Input, o Options) (*Study, error) {
	text := bytes.TrimSpace(in.Data)
	first, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case IsLines(text):
		st, err := readLines(in, o, "optuna")
		if err == nil && st.Space != nil {
			err = st.inferConditions()
		}
		return st, err
	case bytes.HasPrefix(text, []byte("{")):
		return &Study{Form: "optuna", Space: in.Data}, nil
	case bytes.Contains(first, []byte("number")) && bytes.Contains(first, []byte("params_")):
		return readOptunaTable(in)
	}
	return nil, unreadable(in, "a storage's URL, a database, a journal file, the CSV of trials_dataframe, or a JSON "+
		"object of distributions",
		"this is no storage of Optuna")
}

var timeLayouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999"}

// elapsed is the time between two texts in seconds, nil if one is missing.
func elapsed(start, end string) *float64 {
	a, ok := moment(start)
	b, okEnd := moment(end)
	if !ok || !okEnd || b.Before(a) {
		return nil
	}
	seconds := b.Sub(a).Seconds()
	return &seconds
}

func moment(text string) (time.Time, bool) {
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
