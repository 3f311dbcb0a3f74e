package config

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/lazy"
	"bohier/internal/lists"
	"bohier/internal/space"
)

var conditionOps = map[string]space.Op{"lt": space.Lt, "le": space.Le, "gt": space.Gt, "ge": space.Ge, "eq": space.Eq,
	"ne": space.Ne}

// conditionOpNames are the keys of a mapping of comparisons.
var conditionOpNames = sections["condition.*"].names()

// condition reads a condition in either spelling; nil after a mistake.
func (s *scope) condition(n *yaml.Node, depth int) space.Expr {
	switch {
	case depth > maxNest:
		s.errorf(n, "", "the condition is nested deeper than %d levels", maxNest)
		return nil
	case n.Kind == yaml.SequenceNode:
		return s.several(n, joined[space.And], depth)
	case n.Kind == yaml.ScalarNode && strings.TrimSpace(n.Value) == "", n.Kind != yaml.ScalarNode && len(n.Content) == 0:
		s.errorf(n, "", "the condition is empty")
		return nil
	case n.Kind == yaml.ScalarNode:
		before := len(s.errs)
		x := s.expression(n)
		s.hintQuotes(n.Value, before)
		return x
	}
	var xs []space.Expr
	for _, f := range pairs(n) {
		var x space.Expr
		switch f.key.Value {
		case "any":
			x = s.several(f.value, joined[space.Or], depth)
		case "all":
			x = s.several(f.value, joined[space.And], depth)
		case "not":
			x = negated(s.condition(f.value, depth+1))
		default:
			x = s.atom(f)
		}
		xs = append(xs, x)
	}
	return joined[space.And](xs...)
}

// several reads a list of conditions.
func (s *scope) several(n *yaml.Node, join func(...space.Expr) space.Expr, depth int) space.Expr {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		s.errorf(n, "[{kernel: poly}, {depth: {gt: 2}}]", "this must be a list of conditions")
		return nil
	}
	return join(lists.Of(n.Content, func(e *yaml.Node) space.Expr { return s.condition(e, depth+1) })...)
}

// atom reads one parameter of the mapping form: a value, a list of values or a mapping of comparisons.
func (s *scope) atom(f field) space.Expr {
	name := &term{kind: termName, text: f.key.Value, at: f.key}
	switch {
	case f.value.Kind == yaml.SequenceNode:
		return s.oneOf(name, f.value, f.key.Value)
	case f.value.Kind == yaml.ScalarNode:
		t := s.valueTerm(name, f.value)
		d := s.index[name.text]
		if d == nil {
			s.unknownName(name) // before the value, which may be an expression
			return nil
		}
		if t == nil {
			return nil
		}
		if strings.ContainsAny(t.text[:min(1, len(t.text))], "<>=") {
			if d.broken || !d.param.Choice() || !d.has(t.text) {
				s.errorf(t.at, "write {gt: 2}, or the whole condition as a text: \""+name.text+" "+t.text+"\"",
					"%q is not a value", t.text)
				return nil
			}
		}
		return s.compare(name, relation{space.Eq, t.at}, t)
	case len(f.value.Content) == 0:
		s.errorf(f.value, "comparisons: "+space.Listed(conditionOpNames), "%s has no comparison", name.text)
		return nil
	}
	var xs []space.Expr
	for _, g := range pairs(f.value) {
		key := g.key.Value
		op, known := conditionOps[key]
		var x space.Expr
		switch {
		case known:
			if t := s.valueTerm(name, g.value); t != nil {
				x = s.compare(name, relation{op, g.key}, t)
			}
		case key == "in":
			x = s.oneOf(name, g.value, key)
		case key == "not_in":
			x = negated(s.oneOf(name, g.value, key))
		default:
			s.errorf(g.key, space.Offered(key, "comparisons", conditionOpNames), "%q is not a comparison", key)
		}
		xs = append(xs, x)
	}
	return joined[space.And](xs...)
}

// valueTerm is a value that a parameter is compared with; nil after a mistake.
func (s *scope) valueTerm(name *term, n *yaml.Node) *term {
	if isNull(n) && n.Value == "" {
		s.errorf(n, "", "a value is expected here")
		return nil
	}
	text, _, ok := s.typed(n, "a value of "+name.text)
	if !ok {
		return nil
	}
	return &term{kind: termValue, text: text, at: n}
}

// oneOf reads the list of values of a key.
func (s *scope) oneOf(name *term, n *yaml.Node, key string) space.Expr {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		s.errorf(n, key+": [a, b]", "%s needs a list of values", key)
		return nil
	}
	var values []*term
	for _, e := range n.Content {
		t := s.valueTerm(name, e)
		if t == nil {
			return nil
		}
		values = append(values, t)
	}
	return s.member(name, values, name.at)
}

func (s *scope) unknownName(t *term) {
	if len(s.decls) > 0 { // else that is said
		s.errorf(t.at, space.Offered(t.text, "parameters", s.names()), "%q is not a parameter", t.text)
	}
}

// inQuotes is quoted text of an expression.
var inQuotes = lazy.Regexp(`"[^"]*"|'[^']*'`)

// hintQuotes makes it the hint of the errors after the first so many that an expression has a
// name or value without its quotes.
func (s *scope) hintQuotes(expression string, before int) {
	if before == len(s.errs) {
		return
	}
	source, found := inQuotes().ReplaceAllString(space.Name(expression), ""), ""
	for _, d := range s.decls {
		for _, text := range append([]string{d.name}, d.param.Values...) {
			if _, wrong := parseNumber(text); wrong != "" && !space.IsWord(text) && len(text) > len(found) &&
				strings.Contains(source, text) {
				found = text
			}
		}
	}
	for k := range s.errs[before:] {
		if found != "" {
			s.errs[before+k].Hint = fmt.Sprintf("quote a value that is not a word: %q", found)
		}
	}
}

// A clause is a constraint on inputs with its place.
type clause struct {
	space.Clause
	at *yaml.Node
}

// clauses reads `forbidden` or `require`.
func (s *scope) clauses(n *yaml.Node) []clause {
	if n == nil {
		return nil
	}
	return lists.Some(n.Content, func(e *yaml.Node) (clause, bool) {
		x := s.condition(e, 1)
		return clause{space.Clause{Expr: x, Text: s.sourceOf(e)}, e}, x != nil
	})
}

// sourceOf is a condition's text for messages: the expression, or the mapping as it stands on its line.
func (s *scope) sourceOf(n *yaml.Node) string {
	text := n.Value
	if n.Kind != yaml.ScalarNode {
		text = string(encode(flow(n)))
	}
	return strings.Join(strings.Fields(text), " ")
}

// flow is a copy of a tree in the one-line style, without anchors and comments.
func flow(n *yaml.Node) *yaml.Node {
	out := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style}
	if n.Kind != yaml.ScalarNode {
		out.Style = yaml.FlowStyle
	}
	out.Content = lists.Of(n.Content, flow)
	return out
}
