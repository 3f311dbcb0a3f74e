package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/space"
)

// A field is one key of a mapping with its value; keys are shown as written.
type field struct{ key, value *yaml.Node }

// An object is a mapping read key by key. One that is absent, or no mapping, which is reported,
// has no keys and no node: every getter returns its default.
type object struct {
	*decoder
	section section // the keys that it can have
	what    string  // its name in messages
	node    *yaml.Node
	fields  map[string]field
	seen    map[string]bool // keys written, also those refused or unknown
}

// pairs lists a mapping's fields in order; none of anything else.
func pairs(n *yaml.Node) (fields []field) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for pair := range slices.Chunk(n.Content, 2) {
		fields = append(fields, field{pair[0], pair[1]})
	}
	return fields
}

// lookup is the value of a key of a mapping, nil without.
func lookup(n *yaml.Node, key string) *yaml.Node {
	for _, f := range pairs(n) {
		if f.key.Value == key {
			return f.value
		}
	}
	return nil
}

// object reads a mapping with the keys of the section at path, "" for the file.
// Unknown keys, empty values and two spellings of one key are reported here.
func (r *decoder) object(n *yaml.Node, path string) *object {
	return r.objectOf(cmp.Or(path, "the file"), n, path)
}

// nameOrKeys is object for a section that may be written as its name alone.
func (r *decoder) nameOrKeys(n *yaml.Node, path string) *object {
	if n == nil || n.Kind != yaml.ScalarNode {
		return r.object(n, path)
	}
	return &object{decoder: r, section: sections[path], node: n, fields: map[string]field{"name": {n, n}}}
}

// objectOf is object with another name than the path for messages.
func (r *decoder) objectOf(what string, n *yaml.Node, path string) *object {
	o := r.fieldsOf(what, n, path)
	o.relations()
	return o
}

// elsewhere says which section has a key of a name: the first of the highest; "" for none that is named itself.
func elsewhere(name string) string {
	found := lists.Only(keys, func(k key) bool {
		return slices.Contains(k.spellings(), name) && !strings.Contains(k.path, "*")
	})
	if len(found) == 0 {
		return ""
	}
	k := slices.MinFunc(found, func(a, b key) int { return strings.Count(a.path, ".") - strings.Count(b.path, ".") })
	return name + " is a key of " + cmp.Or(k.above(), "the file") + "; "
}

// fieldsOf is objectOf before the keys are compared with each other.
func (r *decoder) fieldsOf(what string, n *yaml.Node, path string) *object {
	section := sections[path]
	o := &object{decoder: r, section: section, what: what, fields: map[string]field{}, seen: map[string]bool{}}
	if n == nil {
		return o
	}
	if n.Kind != yaml.MappingNode {
		r.errorf(n, "keys: "+space.Listed(section.names()), "%s must be a mapping, not a %s", what, kindName(n))
		return o
	}
	o.node = n
	for _, f := range pairs(n) {
		name := f.key.Value
		if strings.HasPrefix(name, "x-") {
			continue
		}
		k := section.key(name)
		if k == nil {
			o.seen[name] = true
			hint, known := instead[strings.TrimPrefix(path+"."+name, ".")]
			if _, err := strconv.ParseFloat(name, 64); err == nil {
				hint = "write a decimal point: a comma ends the value before it"
			} else if !known {
				hint = elsewhere(name) + space.Offered(name, "keys", section.names())
			}
			r.errorf(f.key, hint, "%s has no key %q", what, f.key.Value)
			continue
		}
		name = k.name()
		o.seen[name] = true
		if old, twice := o.fields[name]; twice {
			r.errorf(f.key, "keep one spelling", "%q and %q (line %d) mean the same", f.key.Value, old.key.Value, old.key.Line)
			continue
		}
		if isNull(f.value) && (f.value.Value == "" || k.value.form != valueForm) {
			r.errorf(f.key, "give it a value or remove the key", "%s has no value", f.key.Value)
			continue
		}
		if bad, want := k.value.misfit(f.value); bad != nil {
			r.misfit(k, f.value, bad, want)
			continue
		}
		o.fields[name] = f
	}
	return o
}

// misfit reports a node of another kind than its shape in the value of a key.
func (r *decoder) misfit(k *key, value, bad *yaml.Node, want *shape) {
	label, is := k.name(), "a "+kindName(bad)
	if bad != value {
		label = "an entry of " + label
	}
	if bad.Kind == yaml.SequenceNode && (want.form == listForm || want.form == pairForm) {
		is = fmt.Sprintf("a list of %d", len(bad.Content))
	}
	hint, known := instead[k.path+" "+kindName(value)]
	if !known {
		hint = k.use()
	}
	r.errorf(bad, hint, "%s must be %s, not %s", label, want.noun(), is)
}

// relations reports keys that exclude each other, keys without the one that they go with, and, in
// one mistake, all keys that are missing.
func (o *object) relations() {
	if o.node == nil {
		return
	}
	s := o.section
	var missing, hints []string
	for _, k := range s {
		f, has := o.fields[k.name()]
		if !has {
			if k.must && !o.seen[k.name()] && !o.seen[k.unless] && (k.once == "" || o.seen[k.once]) {
				name := strconv.Quote(k.name())
				hints = append(hints, k.use())
				if k.unless != "" {
					name += " or " + strconv.Quote(k.unless)
					hints = append(hints, s.key(k.unless).use())
				}
				missing = append(missing, name)
			}
			continue
		}
		for _, other := range s.excluded(k) {
			if g, both := o.fields[other]; both {
				first, second := f.key, g.key
				if second.Line < first.Line || second.Line == first.Line && second.Column < first.Column {
					first, second = second, first
				}
				o.errorf(second, "keep one of the two", "%q and %q (line %d) exclude each other", second.Value, first.Value,
					first.Line)
			}
		}
		if k.with != "" && !o.seen[k.with] {
			o.errorf(f.key, s.key(k.with).use(), "%q goes with %q", f.key.Value, k.with)
		}
	}
	if len(missing) > 0 {
		o.errorf(o.node, strings.Join(hints, "\n   "), "%s needs %s", o.what, strings.Join(missing, " and "))
	}
}

// get is a key's value, nil if absent.
func (o *object) get(key string) *yaml.Node { return o.fields[key].value }

// keyNode is where a key is written, or the mapping if it is absent.
func (o *object) keyNode(key string) *yaml.Node {
	if f, ok := o.fields[key]; ok {
		return f.key
	}
	return o.node
}
