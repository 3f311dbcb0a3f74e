package config

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// ax reads search_space and optimization_config of an experiment of Ax.
func (c *converter) ax(root *yaml.Node) {
	if config := c.child(root, "optimization_config"); config != nil {
		c.axOutcomes(config)
	}
	sp := c.child(root, "search_space")
	list := c.child(sp, "parameters")
	if list == nil || list.Kind != yaml.SequenceNode {
		c.errorf(root, "", "there are no parameters in the search space")
		return
	}
	for _, n := range list.Content {
		if n = deref(n); n.Kind != yaml.MappingNode || c.word(n, "name") == "" {
			c.errorf(n, "", "a parameter needs a name")
			continue
		}
		c.axParameter(n)
	}
	if len(c.errs) > 0 {
		return
	}
	for _, n := range list.Content {
		c.axDependents(deref(n))
	}
	if list := c.child(sp, "parameter_constraints"); list != nil {
		for _, n := range list.Content {
			c.axConstraint(deref(n))
		}
	}
}

func (c *converter) axParameter(n *yaml.Node) {
	p := c.param(n, c.word(n, "name"))
	kind := c.word(c.child(n, "parameter_type"), "name")
	switch what := c.word(n, "__type"); what {
	case "FixedParameter":
		v := c.child(n, "value")
		if v == nil || v.Kind != yaml.ScalarNode {
			c.errorf(n, "", "the constant %s has no value", p.name)
			return
		}
		p.constant(v)
	case "ChoiceParameter":
		ordered := "categorical"
		if c.word(n, "is_ordered") == "true" {
			ordered = "ordinal"
		}
		c.choices(p, ordered, c.child(n, "values"))
	case "RangeParameter":
		lo, hi, ok := c.bounds(n, "lower", "upper")
		if !ok {
			return
		}
		number := "float"
		if kind == "INT" {
			number = "int"
		}
		p.number(number, lo, hi, c.word(n, "log_scale") == "true")
		if c.word(n, "logit_scale") == "true" {
			content := p.keys.node.Content
			content[len(content)-1] = textNode("logit") // in place of linear
		}
		if d := c.child(n, "digits"); d != nil {
			c.warnf(d, "write step: or precision:", "%s is rounded to %s digits by Ax, which is left out", p.name, d.Value)
		}
		if c.word(n, "is_fidelity") == "true" {
			c.warnf(n, "", "%s is a fidelity in Ax and a parameter here", p.name)
		}
	default:
		c.errorf(n, "", "%q is not a parameter that can be converted", what)
	}
}

// axDependents reads which parameters there are for a value of a choice.
func (c *converter) axDependents(n *yaml.Node) {
	parent := c.index[c.word(n, "name")]
	for _, f := range c.pairs(c.child(n, "dependents")) {
		for _, name := range f.value.Content {
			if p := c.index[name.Value]; p == nil {
				c.errorf(name, "", "%q is not a parameter", name.Value)
			} else {
				p.when = append(p.when, quoteWord(parent.name)+" == "+literalFor(parent, f.key.Value))
			}
		}
	}
}

// axConstraint reads a linear constraint on inputs, one of order, or one of a sum.
func (c *converter) axConstraint(n *yaml.Node) {
	if low := c.word(n, "lower_name"); low != "" {
		a, b := c.index[low], c.index[c.word(n, "upper_name")]
		if a == nil || b == nil {
			c.errorf(n, "", "this names no parameters")
			return
		}
		c.require = append(c.require, quoteWord(a.name)+" <= "+quoteWord(b.name))
		return
	}
	var terms []string
	sign := "<="
	if list := c.child(n, "parameter_names"); list != nil { // a SumConstraint
		for _, v := range list.Content {
			if p := c.index[v.Value]; p != nil {
				terms = append(terms, quoteWord(p.name))
			}
		}
		if c.word(n, "is_upper_bound") == "false" {
			sign = ">="
		}
	}
	for _, f := range c.pairs(c.child(n, "constraint_dict")) {
		p := c.index[f.key.Value]
		w, ok := c.number(f.value, "a weight")
		if p == nil || !ok {
			c.errorf(f.key, "", "%q is not a parameter", f.key.Value)
			return
		}
		term := quoteWord(p.name)
		if w != 1 {
			term = num(w) + " * " + term
		}
		terms = append(terms, term)
	}
	bound := c.child(n, "bound")
	if bound == nil || len(terms) == 0 {
		c.errorf(n, "", "this constraint cannot be converted")
		return
	}
	if v, ok := c.number(bound, "bound"); ok {
		c.require = append(c.require, strings.Join(terms, " + ")+" "+sign+" "+num(v))
	}
}

// axOutcomes reads the objective and the constraints on other outcomes.
func (c *converter) axOutcomes(config *yaml.Node) {
	if o := c.child(config, "objective"); o != nil && c.child(o, "metric") != nil {
		c.objective = c.word(c.child(o, "metric"), "name")
		c.direction = "maximize"
		if c.word(o, "minimize") == "true" {
			c.direction = "minimize"
		}
	}
	list := c.child(config, "outcome_constraints")
	if list == nil {
		return
	}
	for _, n := range list.Content {
		n = deref(n)
		name, bound := c.word(c.child(n, "metric"), "name"), c.child(n, "bound")
		sign := map[string]string{"LEQ": "<=", "GEQ": ">="}[c.word(c.child(n, "op"), "name")]
		if name == "" || bound == nil || sign == "" {
			c.errorf(n, "", "this constraint on an outcome cannot be converted")
			continue
		}
		if c.word(n, "relative") == "true" {
			c.warnf(n, "write its bound as a number", "the constraint %s %s %s %% relative to the status quo is left out", name, sign, bound.Value)
			continue
		}
		if v, ok := c.number(bound, "bound"); ok {
			c.measured = append(c.measured, fmt.Sprintf("%s %s %s", quoteWord(name), sign, num(v)))
		}
	}
}
