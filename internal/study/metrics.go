package study

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Metrics are the values of a trial beside its outcomes, by name: numbers (float64, finite) and
// short texts (string). They are kept and shown, and play no part in suggestions.
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

// CheckMetrics names the metric that is beyond the bounds, in the order of the names; nil for none.
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
	text, isText := value.(string)
	switch {
	case name == "" || strings.TrimSpace(name) != name || !utf8.ValidString(name) ||
		strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("%q cannot be the name of a metric", string(short))
	case len(name) > MaxMetricName:
		return fmt.Errorf("the metric %q… has a name of %d bytes, more than %d", string(short), len(name), MaxMetricName)
	case isText && len(text) > MaxMetricText:
		return fmt.Errorf("the metric %s is a text of %d bytes, more than %d", name, len(text), MaxMetricText)
	case isText && !utf8.ValidString(text):
		return fmt.Errorf("the metric %s is not UTF-8", name)
	}
	return nil
}

// A Member is a value and its name.
type Member[V any] struct {
	Name  string
	Value V
}

// Named are values by name, ascending by name, each name once; nil: none. A long journal has hundreds of thousands, and
// they take a fifth of the room of a map. Copies share the members: Set, Delete and With make new ones.
type Named[V any] []Member[V]

// Values are numbers by name.
type Values = Named[float64]

// NamedOf are the members of a map; nil where there are none.
func NamedOf[V any](m map[string]V) (n Named[V]) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		n = append(n, Member[V]{name, m[name]})
	}
	return n
}

// Get is the value with a name; known is false where there is none.
func (n Named[V]) Get(name string) (v V, known bool) {
	for k := range n { // they are few
		if n[k].Name == name {
			return n[k].Value, true
		}
	}
	return v, false
}

// Of is the value with a name, zero where there is none.
func (n Named[V]) Of(name string) V {
	v, _ := n.Get(name)
	return v
}

// All are the names and values, ascending by name.
func (n Named[V]) All() iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for k := range n {
			if !yield(n[k].Name, n[k].Value) {
				return
			}
		}
	}
}

// Set gives n a value, in place of the one with its name.
func (n *Named[V]) Set(name string, v V) { *n = n.With(Named[V]{{name, v}}) }

// Delete takes the value with a name away.
func (n *Named[V]) Delete(name string) {
	*n = slices.DeleteFunc(slices.Clone(*n), func(m Member[V]) bool { return m.Name == name })
}

// With is n with the members of m over it; neither is changed.
func (n Named[V]) With(m Named[V]) Named[V] {
	switch {
	case len(m) == 0:
		return n
	case len(n) == 0:
		return m
	}
	out := slices.Concat(m, n)
	slices.SortStableFunc(out, func(a, b Member[V]) int { return cmp.Compare(a.Name, b.Name) })
	return slices.CompactFunc(out, func(a, b Member[V]) bool { return a.Name == b.Name })
}

// UnmarshalJSON reads an object, as of the baseline of a gate.
func (n *Named[V]) UnmarshalJSON(data []byte) error {
	var m map[string]V
	err := json.Unmarshal(data, &m)
	*n = NamedOf(m)
	return err
}

// MarshalJSON writes an object.
func (n Named[V]) MarshalJSON() ([]byte, error) {
	if n == nil {
		return []byte("null"), nil
	}
	b := bytes.NewBufferString("{")
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false) // the printer decides that
	for k, m := range n {
		if k > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(m.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(m.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
