package study

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Metrics are what a trial measured beside its outcomes, by name: numbers
// (float64, finite) and short texts (string). They are kept and shown, and play
// no part in what is suggested.
type Metrics = Named[any]

// Bounds on metrics, so that a journal stays small and its lines readable.
const (
	MaxMetrics    = 64  // of one observation
	MaxMetricName = 64  // bytes
	MaxMetricText = 256 // bytes
)

// ContextMetric is the metric that says under which context of the study a value was measured.
const ContextMetric = "bohier.context"

// CheckContext is the error of a context that no metric can keep.
func CheckContext(text string) error {
	if len(text) > MaxMetricText || strings.ContainsFunc(text, unicode.IsControl) || !utf8.ValidString(text) {
		return Errorf(Usage, "a name, a version or a checksum will do", "a context is one line of at most %d bytes",
			MaxMetricText)
	}
	return nil
}

// MaxNote bounds a note, in bytes.
const MaxNote = 64 << 10

// CutNote is a note of at most MaxNote bytes.
func CutNote(text string) string {
	if len(text) <= MaxNote {
		return text
	}
	const mark = "…"
	return strings.ToValidUTF8(text[:MaxNote-len(mark)], "") + mark
}

// CheckMetrics says which metric is beyond the bounds, in the order of the names; nil
// for none.
func CheckMetrics(m Metrics) error {
	for name, value := range m.All() {
		if err := checkMetric(name, value); err != nil {
			return Errorf(Usage, fmt.Sprintf("a metric is a number or a text of at most %d bytes; its name has at most %d",
				MaxMetricText, MaxMetricName), "%v", err)
		}
	}
	if len(m) > MaxMetrics {
		return Errorf(Usage, "keep longer records in a file of the experiment's own",
			"%d metrics in one observation, more than %d", len(m), MaxMetrics)
	}
	return nil
}

// TrimMetrics are the metrics within the bounds, the first by name where there are too
// many, and the names of the others.
func TrimMetrics(m Metrics) (kept Metrics, dropped []string) {
	for _, metric := range m {
		if len(kept) == MaxMetrics || checkMetric(metric.Name, metric.Value) != nil {
			dropped = append(dropped, metric.Name)
			continue
		}
		kept = append(kept, metric)
	}
	return kept, dropped
}

func checkMetric(name string, value any) error {
	short := []rune(name)
	short = short[:min(len(short), 20)]
	switch {
	case name == "" || strings.TrimSpace(name) != name || !utf8.ValidString(name) ||
		strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("%q cannot be the name of a metric", string(short))
	case len(name) > MaxMetricName:
		return fmt.Errorf("the metric %q… has a name of %d bytes, more than %d", string(short), len(name), MaxMetricName)
	}
	text, isText := value.(string)
	switch {
	case isText && len(text) > MaxMetricText:
		return fmt.Errorf("the metric %s is a text of %d bytes, more than %d", name, len(text), MaxMetricText)
	case isText && !utf8.ValidString(text):
		return fmt.Errorf("the metric %s is not UTF-8", name)
	}
	return nil
}
