package config

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
)

var conditionOps = map[string]string{"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}

// conditionOpNames are the keys of a mapping of comparisons.
var conditionOpNames = sections["condition.*"].names

// condition reads a condition in either spelling; nil after a mistake.
func (l *loader) condition(n *yaml.Node, depth int) *cond {
	n = deref(n)
	at := pos{n.Line, n.Column}
	if depth > maxNest {
		l.errorf(n, "", "the condition is nested deeper than %d levels", maxNest)
		return nil
	}
	switch n.Kind {
	case yaml.ScalarNode:
		if strings.TrimSpace(n.Value) == "" {
			l.errorf(n, "", "the condition is empty")
			return nil
		}
		c, err := parseExpr(n.Value, func(offset int) pos { return l.inScalar(n, offset) })
		if err != nil {
			l.errorAt(l.inScalar(n, err.offset), err.hint, "%s", err.msg)
			return nil
		}
		return c
	case yaml.SequenceNode:
		return l.several(n, opAnd, depth)
	}
	if len(n.Content) == 0 {
		l.errorf(n, "", "the condition is empty")
		return nil
	}
	c := &cond{op: opAnd, at: at}
	ok := true
	for _, f := range l.pairs(n) {
		var arg *cond
		switch f.key.Value {
		case "any":
			arg = l.several(f.value, opOr, depth)
		case "all":
			arg = l.several(f.value, opAnd, depth)
		case "not":
			if x := l.condition(f.value, depth+1); x != nil {
				arg = &cond{op: opNot, at: pos{f.key.Line, f.key.Column}, args: []*cond{x}}
			}
		default:
			arg = l.atom(f)
		}
		ok = ok && arg != nil
		c.args = append(c.args, arg)
	}
	switch {
	case !ok:
		return nil
	case len(c.args) == 1:
		return c.args[0]
	}
	return c
}

// several reads a list of conditions joined by and / or.
func (l *loader) several(n *yaml.Node, op condOp, depth int) *cond {
	n = deref(n)
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		l.errorf(n, "[{kernel: poly}, {depth: {gt: 2}}]", "this must be a list of conditions")
		return nil
	}
	c := &cond{op: op, at: pos{n.Line, n.Column}}
	ok := true
	for _, e := range n.Content {
		arg := l.condition(e, depth+1)
		ok = ok && arg != nil
		c.args = append(c.args, arg)
	}
	switch {
	case !ok:
		return nil
	case len(c.args) == 1:
		return c.args[0]
	}
	return c
}

// atom reads one parameter of the mapping form: a value, a list of values or a
// mapping of comparisons.
func (l *loader) atom(f field) *cond {
	at := pos{f.key.Line, f.key.Column}
	name := &term{kind: termName, text: f.key.Value, at: at}
	value := func(n *yaml.Node) *term {
		n = deref(n)
		if isNull(n) && n.Value == "" {
			l.errorf(n, "", "a value is expected here")
			return nil
		}
		text, _, ok := l.typed(n, "a value of "+f.key.Value)
		if !ok {
			return nil
		}
		return &term{kind: termValue, text: text, at: pos{n.Line, n.Column}}
	}
	member := func(n *yaml.Node, key string) *cond {
		n = deref(n)
		if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
			l.errorf(n, key+": [a, b]", "%s needs a list of values", key)
			return nil
		}
		c := &cond{op: opIn, at: at, terms: []*term{name}}
		for _, e := range n.Content {
			t := value(e)
			if t == nil {
				return nil
			}
			c.terms = append(c.terms, t)
		}
		return c
	}
	switch {
	case isNull(f.value) && f.value.Value == "":
		l.errorf(f.key, "", "%s has no value", f.key.Value)
		return nil
	case f.value.Kind == yaml.SequenceNode:
		return member(f.value, f.key.Value)
	case f.value.Kind == yaml.ScalarNode:
		t := value(f.value)
		if _, known := l.index[f.key.Value]; !known {
			l.unknownName(name) // before the value, which may be an expression
			return nil
		}
		if strings.ContainsAny(t.text[:min(1, len(t.text))], "<>=") {
			if d := &l.decls[l.index[f.key.Value]]; d.broken || !d.param.Choice() || valueIndex(&d.param, t.text) < 0 {
				l.errorAt(t.at, "write {gt: 2}, or the whole condition as a text: \""+f.key.Value+" "+t.text+"\"", "%q is not a value", t.text)
				return nil
			}
		}
		return &cond{op: opCompare, at: at, terms: []*term{name, t}, rels: []rel{{"==", t.at}}}
	}
	c := &cond{op: opAnd, at: at}
	if len(f.value.Content) == 0 {
		l.errorf(f.value, "comparisons: "+list(conditionOpNames), "%s has no comparison", f.key.Value)
		return nil
	}
	for _, g := range l.pairs(f.value) {
		key := g.key.Value
		sign, known := conditionOps[key]
		switch {
		case known:
			t := value(g.value)
			if t == nil {
				return nil
			}
			c.args = append(c.args, &cond{op: opCompare, at: at, terms: []*term{name, t}, rels: []rel{{sign, pos{g.key.Line, g.key.Column}}}})
		case key == "in" || key == "not_in":
			m := member(g.value, key)
			if m == nil {
				return nil
			}
			if key == "not_in" {
				m = &cond{op: opNot, at: at, args: []*cond{m}}
			}
			c.args = append(c.args, m)
		default:
			l.errorf(g.key, suggest(key, "comparisons", conditionOpNames, 0), "%q is not a comparison", key)
			return nil
		}
	}
	if len(c.args) == 1 {
		return c.args[0]
	}
	return c
}

func (l *loader) unknownName(t *term) {
	if len(l.decls) > 0 { // else that is said
		l.errorAt(t.at, suggest(t.text, "parameters", l.names(), 0), "%q is not a parameter", t.text)
	}
}

// inQuotes is quoted text of an expression.
var inQuotes = lazily(`"[^"]*"|'[^']*'`)

// hintQuotes makes it the hint of the errors after the first so many that an expression has a
// name or value without its quotes.
func (l *loader) hintQuotes(n *yaml.Node, before int) {
	n = deref(n)
	if n.Kind == yaml.SequenceNode {
		for _, c := range n.Content {
			l.hintQuotes(c, before)
		}
	}
	if n.Kind != yaml.ScalarNode || before == len(l.errs) {
		return
	}
	source, found := inQuotes().ReplaceAllString(space.Name(n.Value), ""), ""
	for i := range l.decls {
		for _, text := range append([]string{l.decls[i].name}, l.decls[i].param.Values...) {
			if _, wrong := parseNumber(text); wrong != "" && !space.IsWord(text) && len(text) > len(found) && strings.Contains(source, text) {
				found = text
			}
		}
	}
	for k := range l.errs[before:] {
		if found != "" {
			l.errs[before+k].Hint = fmt.Sprintf("quote what is not a word: %q", found)
		}
	}
}

// A clause is a constraint on inputs with its place.
type clause struct {
	space.Clause
	at pos
}

func clausesOf(cs []clause) []space.Clause {
	out := make([]space.Clause, len(cs))
	for i := range cs {
		out[i] = cs[i].Clause
	}
	return out
}

// clauses reads `forbidden` or `require`.
func (l *loader) clauses(n *yaml.Node, key string) []clause {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		l.errorf(n, "start each entry with a dash", "%s must be a list of conditions, not a %s", key, kindName(n))
		return nil
	}
	var out []clause
	for _, e := range n.Content {
		e = deref(e)
		before := len(l.errs)
		if c := l.condition(e, 1); c != nil {
			if x := l.bind(c); x != nil {
				out = append(out, clause{space.Clause{Expr: x, Text: l.sourceOf(e)}, pos{e.Line, e.Column}})
			}
		}
		l.hintQuotes(e, before)
	}
	return out
}

// sourceOf is a condition's text for messages: the expression, or the mapping as
// it stands on its line.
func (l *loader) sourceOf(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return strings.Join(strings.Fields(n.Value), " ")
	}
	out, err := yaml.Marshal(flow(n))
	if err != nil {
		return "line " + num(float64(n.Line))
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// flow is a copy of a tree in the one-line style, without anchors and comments.
func flow(n *yaml.Node) *yaml.Node {
	n = deref(n)
	out := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style}
	if n.Kind != yaml.ScalarNode {
		out.Style = yaml.FlowStyle
	}
	for _, c := range n.Content {
		out.Content = append(out.Content, flow(c))
	}
	return out
}
