package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// This file is the one decoder and the one printer of plain keys. A key whose shape holds one
// value fills the field of its section that has its name: budget.fail_fast is FailFast of a
// study.Budget. A key in several forms is read and printed by the function of its section.

// fill reads the keys of a section into the fields of target, a pointer to a struct, except
// those that the caller reads. A key that is absent sets its default.
func (o *object) fill(target any, except ...string) {
	for _, k := range sections[o.path].keys {
		f := setting(target, k)
		if !f.IsValid() || slices.Contains(except, k.name()) {
			continue
		}
		pointer := f.Kind() == reflect.Pointer
		if pointer && o.get(k.name()) == nil {
			continue
		}
		v := reflect.ValueOf(k.read(o))
		if pointer {
			f.Set(reflect.New(v.Type()))
			f = f.Elem()
		}
		f.Set(v.Convert(f.Type()))
	}
}

// settings adds the keys of a section in the order of the table: the node in own, or the field
// of source that differs from the key's default.
func (m mapBuilder) settings(path string, source any, own map[string]*yaml.Node) {
	for _, k := range sections[path].keys {
		if n, is := own[k.name()]; is {
			m.add(k.name(), n)
			continue
		}
		f := setting(source, k)
		if !f.IsValid() || f.IsZero() && f.Kind() == reflect.String {
			continue
		}
		if f.Kind() == reflect.Pointer {
			if f.IsNil() {
				continue
			}
			f = f.Elem()
		} else if f.Equal(reflect.ValueOf(k.absent()).Convert(f.Type())) {
			continue
		}
		m.add(k.name(), printed(f.Convert(reflect.TypeOf(k.value.zero)).Interface()))
	}
}

// setting is the field that a key fills; not valid: the key has a function of its own.
func setting(target any, k *key) reflect.Value {
	if k.value.zero == nil {
		return reflect.Value{}
	}
	name := strings.ReplaceAll(k.name(), "_", "")
	f := reflect.Indirect(reflect.ValueOf(target)).FieldByNameFunc(func(s string) bool { return strings.EqualFold(s, name) })
	t := reflect.TypeOf(k.value.zero)
	if !f.IsValid() || f.Kind() != t.Kind() && f.Type() != reflect.PointerTo(t) {
		return reflect.Value{}
	}
	return f
}

// absent is the value that the absence of a plain key stands for.
func (k *key) absent() any {
	switch k.value.zero.(type) {
	case string:
		return k.usual
	case bool:
		return k.usual == "true"
	case int:
		v, _ := strconv.Atoi(k.usual)
		return v
	case time.Duration:
		v, _ := time.ParseDuration(k.usual)
		return v
	}
	v, _ := strconv.ParseFloat(k.usual, 64)
	return v
}

// read is the value of a plain key in a section.
func (k *key) read(o *object) any {
	name, def := k.name(), k.absent()
	switch def := def.(type) {
	case string:
		if k.words != nil {
			return o.choice(name)
		}
		return o.text(name, def)
	case bool:
		return o.boolean(name, def)
	case int:
		return o.integer(name, def, float64(k.value.least), float64(k.value.most))
	case time.Duration:
		if o.get(name) != nil {
			return o.duration(name)
		}
	case float64:
		v := o.number(name, def)
		if n := o.get(name); n != nil && k.value.ok != nil && !k.value.ok(v) {
			o.errorf(n, "", "%s must %s", name, k.value.wrong)
		}
		return v
	}
	return def
}

// printed is the value of a plain key as a node.
func printed(v any) *yaml.Node {
	switch v := v.(type) {
	case bool:
		return boolNode(v)
	case int:
		return numberNode(float64(v))
	case time.Duration:
		return textNode(duration(v))
	case float64:
		return numberNode(v)
	}
	return textNode(v.(string))
}

// holding is a shape of one value of the type of zero.
func (s shape) holding(zero any) shape {
	s.zero = zero
	return s
}
