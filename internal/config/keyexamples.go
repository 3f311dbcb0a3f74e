package config

import "strings"

// example is a key's example as lines of a study file, and the same with the value that
// is refused; § ends a line.
func (k *key) example() (shown, wrong string) {
	before, value, after := k.parts()
	right, refused, _ := strings.Cut(value, "|")
	return before + right + after, before + refused + after
}

// refused is that value.
func (k *key) refused() string {
	_, value, _ := k.parts()
	_, refused, _ := strings.Cut(value, "|")
	return refused
}

func (k *key) parts() (before, value, after string) {
	before, rest, _ := strings.Cut(strings.ReplaceAll(k.sample, "§", "\n"), "«")
	value, after, _ = strings.Cut(rest, "»")
	return before, value, after
}

// around is a study that an example is a part of.
func around(part string) string {
	whole := part + "\n"
	if !strings.HasPrefix(part, "objective") {
		whole += "objective: {name: loss, direction: minimize}\n"
	}
	if !strings.HasPrefix(part, "space") {
		whole += "space: {x: {type: float, low: 0, high: 1}}\n"
	}
	return whole
}
