package report

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"slices"
	"strings"

	"bohier/internal/study"
	"bohier/internal/text"
)

// JSON encodes v on one line, newline included, without escaping < > &. Characters that
// terminals act upon are escaped, as Visible does.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	err := WriteJSON(&b, slices.Values([]any{v}), false)
	return b.Bytes(), err
}

// pieceOfJSON is the size from which on elements are written.
const pieceOfJSON = 1 << 16

// WriteJSON writes elements as JSON does each, on lines of their own, or their list, an array; as they
// are made, some whole ones at a time.
func WriteJSON[T any](w io.Writer, list iter.Seq[T], array bool) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	next := "["
	for v := range list {
		if array {
			b.WriteString(next)
			next = ","
		}
		if err := e.Encode(v); err != nil {
			return err
		}
		if array {
			b.Truncate(b.Len() - 1) // its newline
		}
		if b.Len() >= pieceOfJSON {
			if _, err := w.Write(text.VisibleText(b.Bytes(), false)); err != nil {
				return err
			}
			b.Reset()
		}
	}
	if array {
		b.WriteString(strings.TrimPrefix(next, ",") + "]\n")
	}
	_, err := w.Write(text.VisibleText(b.Bytes(), false))
	return err
}

// TrialSchema names the contract form of a trial.
const TrialSchema = "bohier/trial/1"

// errorOf is the standard error of a measurement as JSON has it: nil, a number, or an
// object with one for each of several objectives.
func errorOf(o *study.Observation) any {
	switch {
	case len(o.Stderrs) > 0:
		return o.Stderrs
	case o.Stderr != nil:
		return *o.Stderr
	}
	return nil
}

// ErrorOf is the standard error of a trial's value of an objective; nil: not known.
func (t *Trial) ErrorOf(objective string) *float64 {
	switch by := t.Stderr.(type) {
	case float64:
		return &by
	case study.Values:
		if sd, ok := by.Get(objective); ok {
			return &sd
		}
	case map[string]any: // read from JSON
		if sd, ok := by[objective].(float64); ok {
			return &sd
		}
	}
	return nil
}

// Count fills the numbers of a status.
func (s *Status) Count(trials []study.Trial) {
	counts := map[study.State]*int{study.Complete: &s.Complete, study.Pending: &s.Pending, study.Failed: &s.Failed,
		study.Abandoned: &s.Abandoned, study.Paused: &s.Paused, study.Stopped: &s.Stopped}
	for i := range trials {
		if trials[i].Outside {
			s.Outside++
		}
		if trials[i].Waiting && trials[i].State == study.Pending {
			s.Waiting++
		}
		if trials[i].State == study.Reserved && !trials[i].Released {
			s.Reserved++
		}
		if n := counts[trials[i].State]; n != nil {
			*n++
		}
	}
}

// Counts is how many trials are in each state, in words.
func (s *Status) Counts() string { return strings.Join(sentences("counts", s), "") }

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
