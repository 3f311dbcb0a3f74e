package study

import (
	"bytes"
	"cmp"
	"encoding/json"
	"iter"
	"maps"
	"slices"
)

// A Member is a value and its name.
type Member[V any] struct {
	Name  string
	Value V
}

// Named are values by name, ascending by name, each name once; nil: none. A long journal has
// hundreds of thousands, and they take a fifth of the room of a map. Copies share the members:
// Set, Delete and With make new ones.
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

func (n Named[V]) search(name string) (int, bool) {
	return slices.BinarySearchFunc(n, name, func(m Member[V], name string) int { return cmp.Compare(m.Name, name) })
}

// Get is the value with a name; known is false where there is none.
func (n Named[V]) Get(name string) (v V, known bool) {
	if k, known := n.search(name); known {
		return n[k].Value, true
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
	out := make(Named[V], 0, len(n)+len(m))
	for len(n) > 0 && len(m) > 0 {
		c := cmp.Compare(n[0].Name, m[0].Name)
		if c < 0 {
			out, n = append(out, n[0]), n[1:]
			continue
		}
		out, m = append(out, m[0]), m[1:]
		if c == 0 {
			n = n[1:]
		}
	}
	return append(append(out, n...), m...)
}

// UnmarshalJSON reads an object.
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
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the printer decides that
	between := byte('{')
	for k := range n {
		b.WriteByte(between)
		between = ','
		if err := e.Encode(n[k].Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := e.Encode(n[k].Value); err != nil {
			return nil, err
		}
	}
	if len(n) == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
