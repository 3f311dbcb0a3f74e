package exchange

import (
	"strings"

	"bohier/internal/config"
	"bohier/internal/lists"
)

// configspace reads the JSON of ConfigSpace (format 0.4; versions before and after 1.0).
func (c *converter) configspace(root config.Node) {
	c.src.Ignore("python_module_version", "format_version", "json_format_version")
	if name := root.Get("name").Text(); name != "" {
		c.Name = name
	}
	if !c.each(root, root.Get("hyperparameters"), "hyperparameters", c.csParameter) {
		return
	}
	for _, n := range root.Get("conditions").Items() {
		p := c.csParent(n, "child")
		if when := c.csClause(n, csCondition); p != nil && when != "" {
			p.When = append(p.When, when)
		}
	}
	for _, n := range root.Get("forbiddens").Items() {
		if f := c.csClause(n, csForbidden); f != "" {
			c.Forbidden = append(c.Forbidden, f)
		}
	}
}

func (c *converter) csParameter(p *config.DraftParam, n config.Node) {
	c.parameter(p, n.Get("type").Text(), n, n)
	if v := n.Get("default_value", "default"); !v.Absent() && p.Type != "" {
		if v, ok := v.Value("the default of " + p.Name); ok {
			p.Default = &v
		}
	}
}

// csParent is the parameter a key names.
func (c *converter) csParent(n config.Node, key string) *config.DraftParam {
	v := n.Get(key)
	if v.Absent() {
		n.Errorf("", "this needs %q", key)
		return nil
	}
	p := c.index[v.Text()]
	if p == nil {
		v.Errorf("", "%q is not a hyperparameter", v.Text())
	}
	return p
}

var csRelations = map[string]string{"EQ": "==", "NEQ": "!=", "LT": "<", "GT": ">", "EQUALS": "==",
	"LESS": "<", "GREATER": ">", "RELATION_LT": "<", "RELATION_LE": "<=", "RELATION_EQ": "==", "RELATION_GT": ">",
	"RELATION_GE": ">=",
	"CLAUSE_LT":   "<", "CLAUSE_LE": "<=", "CLAUSE_GT": ">", "CLAUSE_GE": ">="}

// A csKind is the construct that clauses are part of: their name in messages, the key of the compared parameter, and
// the key of the parts of others.
type csKind struct{ what, parameter, parts string }

var (
	csCondition = csKind{"a condition", "parent", "conditions"}
	csForbidden = csKind{"a forbidden clause", "name", "clauses"}
)

// csClause is a clause in the language of conditions; empty after a mistake.
func (c *converter) csClause(n config.Node, of csKind) string {
	kind := n.Get("type").Text()
	sign, compares := csRelations[kind]
	n.Get("child", "name")
	switch {
	case kind == "AND" || kind == "OR":
		return c.csJoin(n, of, " "+strings.ToLower(kind)+" ")
	case strings.HasPrefix(kind, "RELATION"):
		if kind == "RELATION" {
			kind = n.Get("lambda").Text()
			sign, compares = csRelations[kind]
		}
		a, b := c.csParent(n, "left"), c.csParent(n, "right")
		if !compares {
			n.Errorf("", "the relation %q cannot be converted", kind)
		}
		if !compares || a == nil || b == nil {
			return ""
		}
		return word(a.Name) + " " + sign + " " + word(b.Name)
	case kind == "IN" || compares:
		return c.csCompare(c.csParent(n, of.parameter), sign, n)
	}
	n.Errorf("", "%q is not %s that can be converted", kind, of.what)
	return ""
}

// csCompare compares a parameter with a value or, without a sign, with each of several.
func (c *converter) csCompare(p *config.DraftParam, sign string, n config.Node) string {
	if p == nil {
		return ""
	}
	list := n.Get("values").Items()
	if sign != "" {
		list = lists.Only([]config.Node{n.Get("value")}, func(v config.Node) bool { return !v.Absent() })
	}
	switch values := lists.Of(list, func(v config.Node) string { return literalFor(p, v.Text()) }); {
	case len(values) == 0:
		n.Errorf("", `this needs a "value", or a list "values"`)
		return ""
	case sign != "":
		return word(p.Name) + " " + sign + " " + values[0]
	default:
		return word(p.Name) + " in [" + strings.Join(values, ", ") + "]"
	}
}

func (c *converter) csJoin(n config.Node, of csKind, with string) string {
	var parts []string
	for _, part := range n.Get(of.parts).Items() {
		s := c.csClause(part, of)
		if k := part.Get("type").Text(); k == "AND" || k == "OR" {
			s = "(" + s + ")"
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		n.Errorf("", "this needs a list %q", of.parts)
	}
	return strings.Join(parts, with)
}
