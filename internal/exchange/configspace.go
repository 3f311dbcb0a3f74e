package exchange

import (
	"strings"

	"bohier/internal/config"
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
		if when := c.csCondition(n); p != nil && when != "" {
			p.When = append(p.When, when)
		}
	}
	for _, n := range root.Get("forbiddens").Items() {
		if f := c.csForbidden(n); f != "" {
			c.Forbidden = append(c.Forbidden, f)
		}
	}
}

func (c *converter) csParameter(p *config.DraftParam, name string, n config.Node) {
	kind := n.Get("type").Text()
	family, number, _ := strings.Cut(kind, "_")
	switch {
	case kind == "constant" || kind == "unparametrized":
		c.constant(name, n, n.Get("value"))
		return
	case kind == "categorical":
		c.choices(p, false, n, n.Get("choices"))
	case kind == "ordinal":
		c.choices(p, true, n, n.Get("sequence"))
	case (number == "float" || number == "int") && (family == "uniform" || family == "normal" || family == "beta"):
		c.csNumber(p, n, family, number)
	default:
		n.Errorf("", "%q is not a type that can be converted", kind)
		return
	}
	if d := n.Get("default_value", "default"); !d.Absent() && p.Type != "" {
		if v, ok := d.Value("the default of " + p.Name); ok {
			p.Default = &v
		}
	}
}

func (c *converter) csNumber(p *config.DraftParam, n config.Node, family, kind string) {
	mean, isMean := n.Get("mu").Number("mu")
	deviation, _ := n.Get("sigma").Number("sigma")
	if family == "normal" && n.Get("lower").Absent() {
		if !isMean || n.Get("log").Text() == "true" {
			n.Errorf("give it lower and upper", "%s has a normal distribution without bounds", p.Name)
			return
		}
		declare(p, n, config.Distribution{Kind: kind, Step: kind == "int", Normal: true}, mean, deviation, 1)
		return
	}
	if !ranged(p, n, kind, "") {
		return
	}
	plain := kind == "float" && p.Scale == "" && p.Step == 0
	switch {
	case family == "normal" && plain && isMean && mean >= p.Low && mean <= p.High:
		p.Prior = &mean
		n.Warnf("", "the normal distribution of %s becomes its bounds, with the mean as prior", p.Name)
	case family != "uniform":
		n.Get("alpha", "beta")
		n.Warnf("", "the %s distribution of %s becomes its bounds", family, p.Name)
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

func (c *converter) csCondition(n config.Node) string {
	switch kind := n.Get("type").Text(); kind {
	case "AND", "OR":
		n.Get("child")
		return c.csJoin(n, "conditions", " "+strings.ToLower(kind)+" ", c.csCondition)
	case "IN", "EQ", "NEQ", "LT", "GT":
		n.Get("child")
		return c.csCompare(c.csParent(n, "parent"), kind, n)
	default:
		n.Errorf("", "%q is not a condition that can be converted", kind)
		return ""
	}
}

func (c *converter) csForbidden(n config.Node) string {
	switch kind := n.Get("type").Text(); kind {
	case "AND", "OR":
		n.Get("name")
		return c.csJoin(n, "clauses", " "+strings.ToLower(kind)+" ", c.csForbidden)
	case "EQUALS", "IN", "CLAUSE_LT", "CLAUSE_LE", "CLAUSE_GT", "CLAUSE_GE":
		return c.csCompare(c.csParent(n, "name"), kind, n)
	case "RELATION", "RELATION_LT", "RELATION_LE", "RELATION_EQ", "RELATION_GT", "RELATION_GE":
		if kind == "RELATION" {
			kind = n.Get("lambda").Text()
		}
		sign, ok := csRelations[kind]
		a, b := c.csParent(n, "left"), c.csParent(n, "right")
		if !ok {
			n.Errorf("", "the relation %q cannot be converted", kind)
		}
		if !ok || a == nil || b == nil {
			return ""
		}
		return word(a.Name) + " " + sign + " " + word(b.Name)
	default:
		n.Errorf("", "%q is not a forbidden clause that can be converted", kind)
		return ""
	}
}

// csCompare compares a parameter with a value, or with each of several.
func (c *converter) csCompare(p *config.DraftParam, kind string, n config.Node) string {
	if p == nil {
		return ""
	}
	if kind != "IN" {
		v := n.Get("value")
		if v.Absent() {
			n.Errorf("", `this needs "value"`)
			return ""
		}
		return word(p.Name) + " " + csRelations[kind] + " " + literalFor(p, v.Text())
	}
	list := n.Get("values")
	if !list.IsList() || len(list.Items()) == 0 {
		n.Errorf("", `this needs a list "values"`)
		return ""
	}
	var values []string
	for _, v := range list.Items() {
		values = append(values, literalFor(p, v.Text()))
	}
	return word(p.Name) + " in [" + strings.Join(values, ", ") + "]"
}

func (c *converter) csJoin(n config.Node, key, with string, read func(config.Node) string) string {
	var parts []string
	for _, part := range n.Get(key).Items() {
		s := read(part)
		if k := part.Get("type").Text(); k == "AND" || k == "OR" {
			s = "(" + s + ")"
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		n.Errorf("", "this needs a list %q", key)
	}
	return strings.Join(parts, with)
}
