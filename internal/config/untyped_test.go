package config

import (
	"testing"

	"bohier/internal/space"
)

// A text without a type is a number where a study file would read it as one.
func TestUntyped(t *testing.T) {
	for text, want := range map[string]space.Literal{"1.5": space.Number, "-.5e3": space.Number, "0": space.Number,
		"01.5": space.Text, "007": space.Text, "1e999": space.Text, "true": space.Text, "": space.Text} {
		if got := Untyped(text); got.Text != text || got.Kind != want {
			t.Errorf("%q: %v %v, want %v", text, got.Text, got.Kind, want)
		}
	}
}
