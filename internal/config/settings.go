package config

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/space"
	"bohier/internal/study"
)

// This file is the one decoder and the one printer of keys. A key fills the field of its section that has its name and
// a type that holds its shape: budget.fail_fast is FailFast of a study.Budget. A section without a field fills those of
// the section around it. A fixed word beside a number ("auto", "off") stands for 0, or for −1 where 0 is a value or has
// a meaning; an int is the place of one of the key's words. The types of decodeForm have forms of their own. Other
// keys are read and printed by the function of their section.

// fill reads the keys of a section into the fields of target, a pointer to a struct, except
// fields that the caller reads. A key that is absent sets its default.
func (o *object) fill(target any, except ...string) {
	for _, k := range o.section {
		switch f := setting(target, k); {
		case slices.Contains(except, k.name()):
		case f.IsValid():
			o.read(f, k)
		case k.value.form == sectionForm:
			o.object(o.get(k.name()), k.path).fill(target)
		}
	}
}

// value is that of a key, or its default where it is absent or wrong.
func value[T any](o *object, name string) (v T) {
	o.read(reflect.ValueOf(&v).Elem(), o.section.key(name))
	return v
}

// read sets f to the value of a key.
func (o *object) read(f reflect.Value, k *key) {
	n := o.get(k.name())
	switch f.SetZero(); {
	case f.Kind() == reflect.Pointer && n == nil:
		return
	case f.Kind() == reflect.Pointer:
		f.Set(reflect.New(f.Type().Elem()))
		f = f.Elem()
	case k.usual != "":
		f.Set(k.absent(f.Type()))
	}
	if n != nil || k.usual == "" && f.Kind() == reflect.Struct {
		o.decode(f, n, k, k.value, k.name())
	}
}

// absent is the value of a type that the absence of a key stands for.
func (k *key) absent(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	if k.usual != "" && t.Kind() != reflect.Pointer {
		new(decoder).decode(v, plainNode(k.usual), k, k.value, k.name())
	}
	return v
}

// decode sets f to the value of a node as a shape of key k; label names it in messages. After a mistake it is false,
// and f stays unchanged. A section may be absent.
func (r *decoder) decode(f reflect.Value, n *yaml.Node, k *key, s *shape, label string) (ok bool) {
	if f.Kind() == reflect.Struct {
		return r.decodeForm(f.Addr().Interface(), n, k) || r.decodeSection(f, n, k, s)
	}
	if s.form == eitherForm {
		for _, a := range s.of {
			if a.form == fixedForm && n.Kind == yaml.ScalarNode && n.Value == a.text {
				f.Set(s.standIn(f.Type()))
				return true
			}
		}
		several := s
		s = s.alternative(n.Kind == yaml.MappingNode)
		if number := s.form == numberForm || s.form == wholeForm; number && !decimal().MatchString(n.Value) {
			r.errorf(n, k.use(), "%s must be %s, not %s", label, several.noun(), shown(n))
			return false
		}
	}
	var v any
	switch s.form {
	case textForm:
		v, ok = r.text(n, label)
	case wordForm:
		v, ok = r.word(n, k)
	case boolForm:
		v, ok = r.boolean(n, label)
	case timeForm:
		v, ok = r.duration(n, label)
	case wholeForm, numberForm:
		v, ok = r.within(n, s, label)
	case listForm, pairForm:
		return r.decodeList(f, n, k, s, label)
	case mapForm:
		for _, m := range pairs(n) {
			if v := reflect.New(f.Type().Elem()).Elem(); r.decode(v, m.value, k, s.of[0], m.key.Value) {
				if f.IsNil() {
					f.Set(reflect.MakeMap(f.Type()))
				}
				f.SetMapIndex(reflect.ValueOf(m.key.Value), v)
			}
		}
		return true
	}
	switch {
	case ok && f.Kind() == reflect.Map: // one for all names
		f.Set(reflect.ValueOf(map[string]string{"": n.Value}))
	case ok && s.form == wordForm && f.Kind() == reflect.Int:
		f.SetInt(int64(slices.Index(k.words(r.opt), n.Value)))
	case ok:
		f.Set(reflect.ValueOf(v).Convert(f.Type()))
	}
	return ok
}

// decodeSection reads a mapping or, where the shape says so, its name alone.
func (r *decoder) decodeSection(f reflect.Value, n *yaml.Node, k *key, s *shape) bool {
	o := r.object
	if s.form == eitherForm {
		o = r.nameOrKeys
	}
	section := o(n, k.path)
	section.fill(f.Addr().Interface())
	return section.node != nil
}

func (r *decoder) decodeList(f reflect.Value, n *yaml.Node, k *key, s *shape, label string) bool {
	if f.Kind() == reflect.Slice {
		f.Set(reflect.MakeSlice(f.Type(), len(n.Content), len(n.Content)))
		label = "an entry of " + label
	}
	ok := true
	for i, c := range n.Content {
		ok = r.decode(f.Index(i), c, k, s.of[0], label) && ok
	}
	return ok
}

// word reads one of the key's words from a node.
func (r *decoder) word(n *yaml.Node, k *key) (string, bool) {
	valid := k.words(r.opt)
	s, ok := r.text(n, k.name())
	if n.Style == 0 && (s == "True" || s == "TRUE" || s == "False" || s == "FALSE") {
		s = strings.ToLower(s) // one value to YAML
	}
	if ok && valid != nil && !slices.Contains(valid, s) {
		hint, known := instead[k.path+" "+s]
		if !known {
			hint = space.Offered(s, "valid", valid)
		}
		r.errorf(n, hint, "%s cannot be %q", strings.TrimPrefix(k.path, "space.*."), s)
		return "", false
	}
	return s, ok
}

// blocks are the sections whose keys have a line each.
var blocks = []string{"", "initial", "surrogate", "surrogate.hyperparameters", "run"}

// printSection is the mapping of a section: keys in the order of the table, each the node in own,
// or the field of source that differs from the key's default; nil: there are none.
func printSection(path string, source any, own map[string]*yaml.Node) *yaml.Node {
	m := flowMap()
	if slices.Contains(blocks, path) {
		m = newMap(0)
	}
	for _, k := range sections[path] {
		n, is := own[k.name()]
		if f := setting(source, k); is {
		} else if f.IsValid() {
			n = k.printed(f)
		} else if k.value.form == sectionForm {
			n = printSection(k.path, source, nil)
		}
		if n != nil && k.value.form == listForm && len(n.Content) == 0 {
			continue // as good as none
		}
		addKey(m, k.name(), n)
	}
	return orNil(m)
}

// printed is a key's value as a node; nil where it is the default.
func (k *key) printed(f reflect.Value) *yaml.Node {
	text := f.Kind() == reflect.String || f.Kind() == reflect.Pointer
	required := k.must && k.unless == "" && k.once == ""
	usual := f.IsZero() && (k.usual == "" || text) ||
		k.usual != "" && reflect.DeepEqual(f.Interface(), k.absent(f.Type()).Interface())
	if usual && !required {
		return nil
	}
	return k.value.printed(k, reflect.Indirect(f))
}

// printed is a value as a node.
func (s *shape) printed(k *key, f reflect.Value) *yaml.Node {
	if f.Kind() == reflect.Struct {
		if n, is := printForm(f.Interface()); is {
			return n
		}
		return printSection(k.path, f.Interface(), nil)
	}
	if s.form == eitherForm {
		for _, a := range s.of {
			if a.form == fixedForm && f.Equal(s.standIn(f.Type())) {
				return textNode(a.text)
			}
		}
		s = s.alternative(f.Kind() == reflect.Map)
	}
	switch s.form {
	case wordForm:
		if f.Kind() == reflect.Int {
			return textNode(k.words(Options{})[f.Int()])
		}
	case boolForm:
		return boolNode(f.Bool())
	case timeForm:
		return textNode(duration(time.Duration(f.Int())))
	case wholeForm:
		return numberNode(float64(f.Int()))
	case numberForm:
		return numberNode(f.Float())
	case listForm, pairForm:
		return listOf(lists.Every(f.Len()), func(i int) *yaml.Node { return s.of[0].printed(k, f.Index(i)) })
	case mapForm:
		m, names := flowMap(), f.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, name := range names {
			addKey(m, name.String(), s.of[0].printed(k, f.MapIndex(name)))
		}
		return orNil(m)
	}
	return textNode(f.String())
}

// standIn is the value of the fixed word of a shape.
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
	f, ok := v.Type().FieldByName(k.field)
	if !ok {
		f, ok = v.Type().FieldByName(strings.ToUpper(k.field)) // an initialism
	}
	if !ok {
		return reflect.Value{}
	}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !k.value.fits(t) {
		return reflect.Value{}
	}
	return v.FieldByIndex(f.Index)
}

// goKinds are the kinds of types that hold the forms of values.
var goKinds = map[form]reflect.Kind{textForm: reflect.String, wordForm: reflect.String, numberForm: reflect.Float64,
	wholeForm: reflect.Int, boolForm: reflect.Bool, timeForm: reflect.Int64, listForm: reflect.Slice,
	pairForm: reflect.Array, mapForm: reflect.Map}

// fits reports whether a type holds a shape.
func (s *shape) fits(t reflect.Type) bool {
	switch {
	case t.Kind() == reflect.Struct:
		return s.form == sectionForm || s.form == eitherForm
	case s.form == wordForm && t.Kind() == reflect.Int:
		return true
	case s.form == eitherForm && t.Kind() == reflect.Map:
		return s.alternative(true).fits(t)
	case s.form == eitherForm:
		number := s.alternative(false)
		is := number.form == timeForm || number.form == wholeForm || number.form == numberForm
		return is && len(s.of) == 2 && s.of[0].form == fixedForm && number.fits(t)
	}
	kind, known := goKinds[s.form]
	return known && t.Kind() == kind && (len(s.of) == 0 || s.of[0].fits(t.Elem()))
}

// decodeForm reads a type that has a form of its own; false: it has none.
func (r *decoder) decodeForm(target any, n *yaml.Node, k *key) bool {
	switch v := target.(type) {
	case *study.Kernel:
		*v = r.kernel(n, false)
	case *study.Density:
		*v = r.density(n)
	case *study.Noise:
		*v = r.noise(n, k)
	case *study.Policy:
		*v = r.policy(n)
	case *study.Replicates:
		*v = r.replicates(n, k)
	default:
		return false
	}
	return true
}

// printForm is a value of such a type as a node; nil where it is the default.
func printForm(value any) (n *yaml.Node, is bool) {
	switch v := value.(type) {
	case study.Kernel:
		return printKernel(v), true
	case study.Density:
		m := flowMap()
		addKey(m, v.Family, listOf(v.Args[:], numberNode))
		return m, true
	case study.Noise:
		return printNoise(v), true
	case study.Policy:
		return printPolicy(v), true
	case study.Replicates:
		return printReplicates(v), true
	}
	return nil, false
}
