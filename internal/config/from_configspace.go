package config

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// configspace reads the JSON of ConfigSpace.
func (c *converter) configspace(root *yaml.Node) {
	c.title = c.word(root, "name")
	list := c.child(root, "hyperparameters")
	if list == nil || list.Kind != yaml.SequenceNode {
		c.errorf(root, "", `there is no list "hyperparameters"`)
		return
	}
	for _, n := range list.Content {
		if n = deref(n); n.Kind != yaml.MappingNode || c.word(n, "name") == "" {
			c.errorf(n, "", "a hyperparameter needs a name")
			continue
		}
		c.csParameter(n)
	}
	if len(c.errs) > 0 {
		return
	}
	if list := c.child(root, "conditions"); list != nil {
		for _, n := range list.Content {
			p := c.csParent(n, "child")
			if when := c.csCondition(n); p != nil && when != "" {
				p.when = append(p.when, when)
			}
		}
	}
	if list := c.child(root, "forbiddens"); list != nil {
		for _, n := range list.Content {
			if f := c.csForbidden(n); f != "" {
				c.forbidden = append(c.forbidden, f)
			}
		}
	}
}

func (c *converter) csParameter(n *yaml.Node) {
	p := c.param(n, c.word(n, "name"))
	kind := c.word(n, "type")
	number := map[string]string{"float": "float", "int": "int"}
	family, what, _ := strings.Cut(kind, "_")
	switch {
	case kind == "constant" || kind == "unparametrized":
		if v := c.child(n, "value"); v == nil || v.Kind != yaml.ScalarNode {
			c.errorf(n, "", "the constant %s has no value", p.name)
		} else {
			p.constant(v)
		}
		return
	case kind == "categorical":
		c.choices(p, kind, c.child(n, "choices"))
		if w := c.child(n, "weights"); w != nil {
			c.warnf(w, "", "the weights of %s are left out", p.name)
		}
	case kind == "ordinal":
		c.choices(p, kind, c.child(n, "sequence"))
	case number[what] != "" && (family == "uniform" || family == "normal" || family == "beta"):
		if family != "uniform" && c.child(n, "lower") == nil {
			c.errorf(n, "give it lower and upper", "%s has a %s distribution without bounds", p.name, family)
			return
		}
		lo, hi, ok := c.bounds(n, "lower", "upper")
		if !ok {
			return
		}
		if family != "uniform" {
			c.warnf(n, "", "the %s distribution of %s becomes its bounds", family, p.name)
		}
		p.number(what, lo, hi, c.word(n, "log") == "true")
		if q := c.child(n, "q"); q != nil {
			if v, ok := c.number(q, "q"); ok {
				p.keys.add("step", numberNode(v))
			}
		}
	default:
		c.errorf(n, "", "%q is not a type that can be converted", kind)
		return
	}
	d := c.child(n, "default_value")
	if d == nil {
		d = c.child(n, "default")
	}
	if d != nil && d.Kind == yaml.ScalarNode && p.keys.node.Content[0].Value == "type" {
		p.keys.add("default", typedNode(d.Value, scalarType(d)))
	}
}

// csParent is the parameter a key names.
func (c *converter) csParent(n *yaml.Node, key string) *converted {
	v := c.child(deref(n), key)
	if v == nil {
		c.errorf(deref(n), "", "this needs %q", key)
		return nil
	}
	p := c.index[v.Value]
	if p == nil {
		c.errorf(v, "", "%q is not a hyperparameter", v.Value)
	}
	return p
}

var csRelations = map[string]string{"EQ": "==", "NEQ": "!=", "LT": "<", "GT": ">", "EQUALS": "==",
	"LESS": "<", "GREATER": ">", "RELATION_LT": "<", "RELATION_LE": "<=", "RELATION_EQ": "==", "RELATION_GT": ">", "RELATION_GE": ">=",
	"CLAUSE_LT": "<", "CLAUSE_LE": "<=", "CLAUSE_GT": ">", "CLAUSE_GE": ">="}

func (c *converter) csCondition(n *yaml.Node) string {
	n = deref(n)
	switch kind := c.word(n, "type"); kind {
	case "AND", "OR":
		return c.csJoin(n, "conditions", " "+strings.ToLower(kind)+" ", c.csCondition)
	case "IN":
		if p := c.csParent(n, "parent"); p != nil {
			return c.csIn(p, n)
		}
		return ""
	case "EQ", "NEQ", "LT", "GT":
		p, v := c.csParent(n, "parent"), c.child(n, "value")
		if p == nil || v == nil {
			return ""
		}
		return quoteWord(p.name) + " " + csRelations[kind] + " " + literalFor(p, v.Value)
	default:
		c.errorf(n, "", "%q is not a condition that can be converted", kind)
		return ""
	}
}

func (c *converter) csForbidden(n *yaml.Node) string {
	n = deref(n)
	switch kind := c.word(n, "type"); kind {
	case "AND":
		return c.csJoin(n, "clauses", " and ", c.csForbidden)
	case "OR":
		return c.csJoin(n, "clauses", " or ", c.csForbidden)
	case "EQUALS", "IN", "CLAUSE_LT", "CLAUSE_LE", "CLAUSE_GT", "CLAUSE_GE":
		p := c.csParent(n, "name")
		if p == nil {
			return ""
		}
		if kind == "IN" {
			return c.csIn(p, n)
		}
		if v := c.child(n, "value"); v != nil {
			return quoteWord(p.name) + " " + csRelations[kind] + " " + literalFor(p, v.Value)
		}
		return ""
	case "RELATION", "RELATION_LT", "RELATION_LE", "RELATION_EQ", "RELATION_GT", "RELATION_GE":
		if kind == "RELATION" {
			kind = c.word(n, "lambda")
		}
		sign, ok := csRelations[kind]
		a, b := c.csParent(n, "left"), c.csParent(n, "right")
		if !ok {
			c.errorf(n, "", "the relation %q cannot be converted", kind)
		}
		if !ok || a == nil || b == nil {
			return ""
		}
		return quoteWord(a.name) + " " + sign + " " + quoteWord(b.name)
	default:
		c.errorf(n, "", "%q is not a forbidden clause that can be converted", kind)
		return ""
	}
}

func (c *converter) csIn(p *converted, n *yaml.Node) string {
	list := c.child(n, "values")
	if list == nil || list.Kind != yaml.SequenceNode {
		c.errorf(n, "", `this needs a list "values"`)
		return ""
	}
	var values []string
	for _, v := range list.Content {
		values = append(values, literalFor(p, deref(v).Value))
	}
	return quoteWord(p.name) + " in [" + strings.Join(values, ", ") + "]"
}

func (c *converter) csJoin(n *yaml.Node, key, word string, read func(*yaml.Node) string) string {
	list := c.child(n, key)
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		c.errorf(n, "", "this needs a list %q", key)
		return ""
	}
	var parts []string
	for _, part := range list.Content {
		s := read(part)
		if k := c.word(deref(part), "type"); k == "AND" || k == "OR" {
			s = "(" + s + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, word)
}
