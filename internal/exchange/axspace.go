package exchange

import (
	"fmt"
	"strings"

	"bohier/internal/config"
)

// ax reads an object with search_space and optimization_config of an experiment of Ax.
func (c *converter) ax(root config.Node) {
	c.src.Ignore("__type", "is_ordered", "sort_values", "backfill_value", "bypass_cardinality_check")
	c.axOutcomes(root.Get("optimization_config"))
	sp := root.Get("search_space")
	list := sp.Get("parameters")
	if !c.each(root, list, "search_space.parameters", c.axParameter) {
		return
	}
	for _, n := range list.Items() {
		c.axDependents(n)
	}
	for _, n := range sp.Get("parameter_constraints").Items() {
		c.axConstraint(n)
	}
}

func (c *converter) axParameter(p *config.DraftParam, name string, n config.Node) {
	kind := n.Get("parameter_type").Get("name").Text()
	switch what := n.Get("__type").Text(); what {
	case "FixedParameter":
		c.constant(name, n, n.Get("value"))
	case "ChoiceParameter":
		c.choices(p, n.Get("is_ordered").Text() == "true", n, n.Get("values"))
	case "RangeParameter":
		if !ranged(p, n, map[bool]string{true: "int", false: "float"}[kind == "INT"], "") {
			return
		}
		if d := n.Get("digits"); !d.Absent() {
			d.Warnf("write step: or precision:", "%s is rounded to %s digits by Ax, which is left out", p.Name, d.Text())
		}
		if n.Get("is_fidelity").Text() == "true" {
			n.Warnf("", "%s is a fidelity in Ax and a parameter here", p.Name)
		}
	default:
		n.Errorf("", "%q is not a parameter that can be converted", what)
	}
}

// axDependents reads which parameters there are for a value of a choice.
func (c *converter) axDependents(n config.Node) {
	parent := c.index[n.Get("name").Text()]
	for _, m := range n.Get("dependents").Members() {
		for _, name := range m.Value.Items() {
			if p := c.index[name.Text()]; p == nil {
				name.Errorf("", "%q is not a parameter", name.Text())
			} else {
				p.When = append(p.When, word(parent.Name)+" == "+literalFor(parent, m.Name))
			}
		}
	}
}

// axConstraint reads a linear constraint on inputs, one of order, or one of a sum.
func (c *converter) axConstraint(n config.Node) {
	if low := n.Get("lower_name").Text(); low != "" {
		a, b := c.index[low], c.index[n.Get("upper_name").Text()]
		if a == nil || b == nil {
			n.Errorf("", "this names no parameters")
			return
		}
		n.Get("constraint_dict", "bound")
		n.Get("bound")
		c.Require = append(c.Require, word(a.Name)+" <= "+word(b.Name))
		return
	}
	var terms []string
	sign := "<="
	names := n.Get("parameter_names") // of a SumConstraint
	for _, v := range names.Items() {
		if p := c.index[v.Text()]; p != nil {
			terms = append(terms, word(p.Name))
		}
	}
	if names.IsList() && n.Get("is_upper_bound").Text() == "false" {
		sign = ">="
	}
	for _, m := range n.Get("constraint_dict").Members() {
		p := c.index[m.Name]
		w, ok := m.Value.Number("a weight")
		if p == nil || !ok {
			m.Key.Errorf("", "%q is not a parameter", m.Name)
			return
		}
		term := word(p.Name)
		if w != 1 {
			term = number(w) + " * " + term
		}
		terms = append(terms, term)
	}
	bound, ok := n.Get("bound").Number("bound")
	if !ok || len(terms) == 0 {
		n.Errorf("", "this constraint cannot be converted")
		return
	}
	c.Require = append(c.Require, strings.Join(terms, " + ")+" "+sign+" "+number(bound))
}

// axOutcomes reads the constraints on outcomes, and the thresholds of objectives. The
// objectives themselves are the study's.
func (c *converter) axOutcomes(optimization config.Node) {
	optimization.Get("objective")
	for _, n := range optimization.Get("outcome_constraints").Items() {
		if name, sign, bound, ok := axBound(n); ok {
			c.Constraints = append(c.Constraints, fmt.Sprintf("%s %s %s", word(name), sign, number(bound)))
		}
	}
	for _, n := range optimization.Get("objective_thresholds").Items() {
		name, _, bound, ok := axBound(n)
		for k := range c.Objectives {
			if o := &c.Objectives[k]; ok && o.Name == name {
				o.Reference = &bound
				ok = false
			}
		}
		if ok {
			n.Warnf("", "the threshold of %s is left out: it is no objective", name)
		}
	}
}

// axBound reads a bound on an outcome.
func axBound(n config.Node) (name, sign string, bound float64, ok bool) {
	name = n.Get("metric").Get("name").Text()
	sign = map[string]string{"LEQ": "<=", "GEQ": ">="}[n.Get("op").Get("name").Text()]
	bound, ok = n.Get("bound").Number("bound")
	switch {
	case name == "" || sign == "" || !ok:
		n.Errorf("", "this constraint on an outcome cannot be converted")
		return "", "", 0, false
	case n.Get("relative").Text() == "true":
		n.Warnf("write its bound as a number", "the constraint %s %s %s %% relative to the status quo is left out", name,
			sign, number(bound))
		return "", "", 0, false
	}
	return name, sign, bound, true
}
