package config

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
)

// A Source is a file of another tool while it is read. It notes which keys were asked for: the report lists the others.
type Source struct {
	l       *loader
	asked   map[*yaml.Node][]string
	order   []*yaml.Node // mappings, as they were first asked
	ignored map[string]bool
}

// Tree reads YAML or JSON. The root is absent after a mistake that leaves no tree.
func (s *Source) Tree(data []byte) Node { return Node{s, s.l.document(data)} }

// Enter turns to another file that belongs to the source: messages are about it from here on.
func (s *Source) Enter(name, text string) {
	s.tellRest()
	found, next := s.l.report(), TextSource(name, text).l
	next.errs, next.warns = found.Errors, found.Warnings
	s.l, s.order = next, nil
}

// TextSource is a source in a language of its own, which its reader takes apart, or one for Tree.
func TextSource(name, text string) *Source {
	l := newLoader(name, Options{})
	l.lenient, l.lines = true, strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	return &Source{l: l, asked: map[*yaml.Node][]string{}, ignored: map[string]bool{}}
}

// At is a place of the source for messages.
func (s *Source) At(line, column int) Node {
	return Node{s, place(line, column)}
}

// Warnf warns of the source as a whole.
func (s *Source) Warnf(format string, args ...any) {
	s.l.warnf(nil, "", format, args...)
}

// Errorf reports a mistake of the source as a whole.
func (s *Source) Errorf(hint, format string, args ...any) {
	s.l.errorf(nil, hint, format, args...)
}

// Failed reports whether there are mistakes.
func (s *Source) Failed() bool { return len(s.l.errs) > 0 }

// Ignore names keys, at any place, that say nothing about a study.
func (s *Source) Ignore(keys ...string) {
	for _, k := range keys {
		s.ignored[k] = true
	}
}

// tellRest warns of the keys that nobody asked for, once for each name.
func (s *Source) tellRest() {
	var names []string
	count, first := map[string]int{}, map[string]*yaml.Node{}
	for _, n := range s.order {
		for _, f := range pairs(n) {
			key, value := f.key, f.value
			says := value.Value != "" && value.Value != "false" && !isNull(value) || len(value.Content) > 0
			if !says || s.ignored[key.Value] || slices.Contains(s.asked[n], key.Value) {
				continue
			}
			if count[key.Value]++; count[key.Value] == 1 {
				names, first[key.Value] = append(names, key.Value), key
			}
		}
	}
	for _, name := range names {
		times := ""
		if count[name] > 1 {
			times = fmt.Sprintf(", here and at %d other places", count[name]-1)
		}
		s.l.warnf(first[name], "", "%s is left out%s", name, times)
	}
}

// A Node is a value of a source, perhaps one that is absent.
type Node struct {
	s *Source
	n *yaml.Node
}

// A Member is a key of a mapping with its value.
type Member struct {
	Name  string
	Key   Node
	Value Node
}

// Absent reports whether there is no value here, or null.
func (n Node) Absent() bool { return n.n == nil || isNull(n.n) }

// IsMap reports whether the node is a mapping.
func (n Node) IsMap() bool { return n.n != nil && n.n.Kind == yaml.MappingNode }

// IsList reports whether the node is a list.
func (n Node) IsList() bool { return n.n != nil && n.n.Kind == yaml.SequenceNode }

// Kind is the name of such a node in messages.
func (n Node) Kind() string { return kindName(n.n) }

// Has reports whether a mapping has a key, be its value null.
func (n Node) Has(key string) bool { return lookup(n.n, key) != nil }

// Get is the value of the first of the keys that a mapping has.
func (n Node) Get(keys ...string) Node {
	if !n.IsMap() {
		return Node{s: n.s}
	}
	n.ask(keys...)
	for _, key := range keys {
		if v := lookup(n.n, key); v != nil {
			return Node{n.s, v}
		}
	}
	return Node{s: n.s}
}

// ask notes that somebody takes care of these keys.
func (n Node) ask(keys ...string) {
	if _, known := n.s.asked[n.n]; !known {
		n.s.order = append(n.s.order, n.n)
	}
	n.s.asked[n.n] = append(n.s.asked[n.n], keys...)
}

// Members are the keys and values of a mapping, none for anything else.
func (n Node) Members() []Member {
	if !n.IsMap() {
		return nil
	}
	n.ask()
	var out []Member
	for _, f := range pairs(n.n) {
		n.ask(f.key.Value)
		out = append(out, Member{f.key.Value, Node{n.s, f.key}, Node{n.s, f.value}})
	}
	return out
}

// Items are the elements of a list, none for anything else.
func (n Node) Items() []Node {
	if !n.IsList() {
		return nil
	}
	return lists.Of(n.n.Content, func(c *yaml.Node) Node { return Node{n.s, c} })
}

// Text is a single value as it is written, "" for anything else.
func (n Node) Text() string {
	if n.Absent() || n.n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.n.Value
}

// IsWhole reports whether the node is a number written without a fraction.
func (n Node) IsWhole() bool {
	v, msg := parseNumber(n.Text())
	return msg == "" && v == math.Trunc(v) && !strings.ContainsAny(n.Text(), ".eE")
}

// Number reads a finite number; what is its name in messages.
func (n Node) Number(what string) (float64, bool) {
	if n.Absent() {
		return 0, false
	}
	return n.s.l.number(n.n, what)
}

var count = shapeOf("whole number from 1")

// Count reads a whole number of at least 1; 0 where there is none.
func (n Node) Count(what string) int {
	if n.Absent() {
		return 0
	}
	v, _ := n.s.l.within(n.n, count, what)
	return int(v)
}

// Value reads a value with its type; what is its name in messages.
func (n Node) Value(what string) (DraftValue, bool) {
	if n.n == nil {
		return DraftValue{}, false
	}
	text, kind, ok := n.s.l.typed(n.n, what)
	return DraftValue{text, kind}, ok
}

// Try is Value with the mistake as a text in place of one of the file.
func (n Node) Try() (v DraftValue, wrong string) {
	if n.n == nil {
		return v, "it has no value"
	}
	errs := len(n.s.l.errs)
	v, ok := n.Value("it")
	if !ok {
		wrong = n.s.l.errs[len(n.s.l.errs)-1].Message
		n.s.l.errs = n.s.l.errs[:errs]
	}
	return v, wrong
}

// Errorf reports a mistake here.
func (n Node) Errorf(hint, format string, args ...any) {
	n.s.l.errorf(n.n, hint, format, args...)
}

// Warnf warns of a difference to the source.
func (n Node) Warnf(hint, format string, args ...any) {
	n.s.l.warnf(n.n, hint, format, args...)
}
