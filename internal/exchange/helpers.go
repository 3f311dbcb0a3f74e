package exchange

import (
	"maps"
	"math"
	"slices"
)

func merge(into, from map[string]any) {
	for k, v := range from {
		into[k] = v
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// text, integer and float are a database's value in that type, else its zero.
func text(v any) string {
	s, _ := v.(string)
	return s
}

func integer(v any) int64 {
	n, _ := v.(int64)
	return n
}

func float(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	}
	return 0, false
}

// jsonValue decodes a text of JSON; nil if it is none.
func jsonValue(v any) any {
	var out any
	if decode([]byte(text(v)), &out) != nil {
		return nil
	}
	return out
}
