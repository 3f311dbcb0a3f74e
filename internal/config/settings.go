package config

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"gopkg.in/yaml.v3"
)

// This file is the one decoder and the one printer of keys. A key fills the field of its section
// that has its name and a type that holds its shape: budget.fail_fast is FailFast of a
// study.Budget. A fixed word beside a number ("auto", "off") stands for 0, or for −1 where 0 is
// a value or has a meaning. Other keys are read and printed by the function of their section.

// fill reads the keys of a section into the fields of target, a pointer to a struct, except
// fields that the caller reads. A key that is absent sets its default.
func (o *object) fill(target any, except ...string) {
	for _, k := range sections[o.path].keys {
		if f := setting(target, k); f.IsValid() && !slices.Contains(except, k.name()) {
			o.read(f, k)
		}
	}
}

// value is that of a key, or its default where it is absent or wrong.
func value[T any](o *object, name string) (v T) {
	o.read(reflect.ValueOf(&v).Elem(), sections[o.path].key(name))
	return v
}

// read sets f to the value of a key.
func (o *object) read(f reflect.Value, k *key) {
	n := o.get(k.name())
	if f.SetZero(); f.Kind() != reflect.Pointer {
		if k.usual != "" {
			f.Set(k.absent(f.Type()))
		}
	} else if n != nil {
		f.Set(reflect.New(f.Type().Elem()))
		f = f.Elem()
	}
	if n != nil {
		o.decode(f, n, k, k.value, k.name())
	}
}

// absent is the value of a type that the absence of a key stands for.
func (k *key) absent(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	if k.usual != "" && t.Kind() != reflect.Pointer {
		(&loader{}).decode(v, plainNode(k.usual), k, k.value, k.name())
	}
	return v
}

// decode sets f to what a node means as a shape of key k; label names it in messages. After a
// mistake it is false, and f stays what it was.
func (l *loader) decode(f reflect.Value, n *yaml.Node, k *key, s *shape, label string) (ok bool) {
	if s.form == eitherForm {
		for _, a := range s.of {
			if a.form == fixedForm && n.Kind == yaml.ScalarNode && n.Value == a.text {
				f.Set(s.standIn(f.Type()))
				return true
			}
		}
		s = s.alternative(n.Kind == yaml.MappingNode)
	}
	var v any
	switch s.form {
	case textForm:
		v, ok = l.text(n, label)
	case wordForm:
		v, ok = l.word(n, k)
	case boolForm:
		v, ok = l.boolean(n, label)
	case timeForm:
		v, ok = l.duration(n, label)
	case wholeForm:
		v, ok = l.integer(n, label, s.least, s.most)
	case numberForm:
		var x float64
		x, ok = l.number(n, label)
		if wrong := s.wrong(x); ok && wrong != "" {
			l.errorf(n, "", "%s must be %s, not %s", label, wrong, n.Value)
			ok = false
		}
		v = x
	case sectionForm:
		if o := l.object(n, k.path); o.node != nil {
			o.fill(f.Addr().Interface())
			ok = true
		}
		return ok
	case listForm, pairForm:
		return l.decodeList(f, n, k, s, label)
	case mapForm:
		if n.Kind != yaml.MappingNode {
			l.notOf(n, k, s, label)
			return false
		}
		for _, m := range l.pairs(n) {
			if v := reflect.New(f.Type().Elem()).Elem(); l.decode(v, m.value, k, s.of[0], m.key.Value) {
				if f.IsNil() {
					f.Set(reflect.MakeMap(f.Type()))
				}
				f.SetMapIndex(reflect.ValueOf(m.key.Value), v)
			}
		}
		return true
	}
	if ok {
		f.Set(reflect.ValueOf(v).Convert(f.Type()))
	}
	return ok
}

func (l *loader) decodeList(f reflect.Value, n *yaml.Node, k *key, s *shape, label string) bool {
	switch {
	case n.Kind == yaml.SequenceNode && len(n.Content) == 0 && s.elements == 1:
		l.errorf(n, "", "%s is empty", label)
		return false
	case n.Kind != yaml.SequenceNode, len(n.Content) < s.elements, s.form == pairForm && len(n.Content) > s.elements:
		l.notOf(n, k, s, label)
		return false
	case f.Kind() == reflect.Slice:
		f.Set(reflect.MakeSlice(f.Type(), len(n.Content), len(n.Content)))
		label = "an entry of " + label
	}
	ok := true
	for i, c := range n.Content {
		ok = l.decode(f.Index(i), c, k, s.of[0], label) && ok
	}
	return ok
}

// notOf reports a node of another kind than its shape, with the key's example as it should be.
func (l *loader) notOf(n *yaml.Node, k *key, s *shape, label string) {
	hint, kind := "", ""
	if label == k.name() {
		hint = k.use()
	}
	if n.Kind != yaml.SequenceNode {
		kind = ", not a " + kindName(n)
	}
	l.errorf(n, hint, "%s must be a %s%s", label, s.text, kind)
}

// word reads one of the key's words from a node.
func (l *loader) word(n *yaml.Node, k *key) (string, bool) {
	valid := k.words(l.opt)
	if n.Kind != yaml.ScalarNode {
		l.errorf(n, suggest("", "valid", valid, 0), "%s must be a text, not a %s", k.name(), kindName(n))
		return "", false
	}
	s, ok := l.text(n, k.name())
	if n.Style == 0 && (s == "True" || s == "TRUE" || s == "False" || s == "FALSE") {
		s = strings.ToLower(s) // one value to YAML
	}
	if ok && valid != nil && !slices.Contains(valid, s) {
		hint, gone := retired[k.path+" "+s]
		if !gone {
			hint = suggest(s, "valid", valid, 0)
		}
		l.errorf(n, hint, "%s cannot be %q", strings.TrimPrefix(k.path, "space.*."), s)
		return "", false
	}
	return s, ok
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
		if !f.IsValid() || f.IsZero() && (k.usual == "" || f.Kind() == reflect.String || f.Kind() == reflect.Pointer) ||
			k.usual != "" && reflect.DeepEqual(f.Interface(), k.absent(f.Type()).Interface()) {
			continue
		}
		m.add(k.name(), k.value.printed(reflect.Indirect(f)))
	}
}

// printed is a value as a node.
func (s *shape) printed(f reflect.Value) *yaml.Node {
	if s.form == eitherForm {
		for _, a := range s.of {
			if a.form == fixedForm && f.Equal(s.standIn(f.Type())) {
				return textNode(a.text)
			}
		}
		s = s.alternative(false)
	}
	switch s.form {
	case boolForm:
		return boolNode(f.Bool())
	case timeForm:
		return textNode(duration(time.Duration(f.Int())))
	case wholeForm:
		return numberNode(float64(f.Int()))
	case numberForm:
		return numberNode(f.Float())
	case listForm, pairForm:
		n := listNode()
		for i := range f.Len() {
			n.Content = append(n.Content, s.of[0].printed(f.Index(i)))
		}
		return n
	case mapForm:
		m, names := flowMap(), f.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, name := range names {
			m.add(name.String(), s.of[0].printed(f.MapIndex(name)))
		}
		return m.orNil()
	}
	return textNode(f.String())
}

// standIn is what the fixed word of a shape stands for.
func (s *shape) standIn(t reflect.Type) reflect.Value {
	v, number := 0, s.alternative(false)
	if number.form == timeForm || number.wrong(0) == "" {
		v = -1
	}
	return reflect.ValueOf(v).Convert(t)
}

// setting is the field that a key fills; not valid: there is none of its name and shape.
func setting(target any, k *key) reflect.Value {
	v := reflect.Indirect(reflect.ValueOf(target))
	at := placed{v.Type(), k}
	index, known := places.Load(at)
	if !known {
		index, _ = places.LoadOrStore(at, at.place())
	}
	if index := index.([]int); index != nil {
		return v.FieldByIndex(index)
	}
	return reflect.Value{}
}

// A placed is a key with the type of the struct that has its field.
type placed struct {
	section reflect.Type
	key     *key
}

// places has the field's index of what was placed before, nil without a field.
var places sync.Map

// place finds the field.
func (p placed) place() []int {
	name := strings.ReplaceAll(p.key.name(), "_", "")
	f, ok := p.section.FieldByNameFunc(func(s string) bool { return strings.EqualFold(s, name) })
	if !ok || p.key.value.form == sectionForm { // which is read where it is needed
		return nil
	}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !p.key.value.fits(t) {
		return nil
	}
	return f.Index
}

// goKinds are the kinds of types that hold the forms of values.
var goKinds = map[form]reflect.Kind{textForm: reflect.String, wordForm: reflect.String, numberForm: reflect.Float64,
	wholeForm: reflect.Int, boolForm: reflect.Bool, timeForm: reflect.Int64, listForm: reflect.Slice,
	pairForm: reflect.Array, mapForm: reflect.Map, sectionForm: reflect.Struct}

// fits reports whether a type holds a shape.
func (s *shape) fits(t reflect.Type) bool {
	if s.form == eitherForm {
		number := s.alternative(false)
		is := number.form == timeForm || number.form == wholeForm || number.form == numberForm
		return is && len(s.of) == 2 && s.of[0].form == fixedForm && number.fits(t)
	}
	kind, known := goKinds[s.form]
	return known && t.Kind() == kind && (len(s.of) == 0 || s.of[0].fits(t.Elem()))
}
