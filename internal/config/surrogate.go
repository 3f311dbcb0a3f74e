package config

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
	"bohier/internal/study"
)

// surrogate reads the model's settings.
func (l *loader) surrogate(n *yaml.Node) study.Surrogate {
	o := l.optional(n, "surrogate")
	s := study.Surrogate{Nugget: -1}
	o.fill(&s)
	l.optional(o.get("fit"), "surrogate.fit").fill(&s)
	if v := o.get("nugget"); v != nil && (v.Kind != yaml.ScalarNode || v.Value != "estimate") {
		if s.Nugget = o.number("nugget", 0); s.Nugget < 0 {
			l.errorf(v, "", "nugget must be estimate or a number that is not negative")
		}
	}
	if v := o.get("nugget"); v != nil && s.Form != "kriging" {
		l.errorf(o.keyNode("nugget"), "set form: kriging, or give hyperparameters.fixed a noise", "nugget belongs to form: kriging")
	}
	s.Kernel = l.kernel(o.get("kernel"), false)
	s.Hyper = l.hyper(o.get("hyperparameters"))
	if v, ok := s.Hyper.Fixed["nugget"]; ok && s.Form == "kriging" && v >= 0 { // its name in `bohier model`
		s.Nugget = v
		delete(s.Hyper.Fixed, "nugget")
	}
	l.mean(o, s)
	return s
}

// mean refuses what contradicts the mean of the surrogate.
func (l *loader) mean(o *object, s study.Surrogate) {
	n := o.get("mean")
	if n == nil {
		return
	}
	number := func(d decl) bool { return d.param.Kind == space.Float || d.param.Kind == space.Int }
	if s.Mean == "linear" && len(l.decls) > 0 && !slices.ContainsFunc(l.decls, number) {
		l.errorf(n, "mean: constant", "a linear mean needs a parameter that is a number, and the space has none")
	}
	_, bounds := s.Hyper.Bounds["mean"]
	_, fixed := s.Hyper.Fixed["mean"]
	_, initial := s.Hyper.Initial["mean"]
	_, prior := s.Hyper.Prior["mean"]
	switch {
	case s.Mean == "zero" && (bounds || fixed || initial || prior):
		l.errorf(n, "mean: constant", "mean: zero leaves no mean for hyperparameters to set")
	case s.Mean == "linear" && bounds:
		l.errorf(n, "give hyperparameters.prior a mean instead", "the level of a linear mean has no bounds")
	}
}

// kernel reads a name or a mapping; part tells a kernel that another one has in add or
// multiply.
func (l *loader) kernel(n *yaml.Node, part bool) study.Kernel {
	o := l.nameOrKeys(n, "surrogate.kernel")
	for _, name := range []string{"add", "multiply"} {
		if list := o.get(name); list != nil {
			return l.expression(o, name, list)
		}
	}
	var k study.Kernel
	o.fill(&k)
	if s := o.get("sum"); s != nil {
		if o.get("name") != nil {
			l.errorf(o.keyNode("sum"), "keep one of the two", "the kernel has both a name and a sum")
		}
		k.Name = "sum"
		if s.Kind != yaml.SequenceNode || len(s.Content) < 2 {
			l.errorf(s, "sum: [arc, imp]", "sum must be a list of at least two kernels")
		} else {
			for _, c := range s.Content {
				k.Sum = append(k.Sum, o.word(deref(c), "sum", ""))
			}
		}
	}
	if d := o.get("distance"); d != nil {
		if d.Kind != yaml.MappingNode {
			l.errorf(d, "distance: {momentum: imp}", "distance must be a mapping, not a %s", kindName(d))
		} else {
			for _, f := range l.pairs(d) {
				l.byName(f.key)
				k.Distance = put(k.Distance, f.key.Value, o.word(f.value, "distance", ""))
			}
		}
	}
	k.Terms = l.terms(o)
	if k.Over = l.over(o, part); part && k.Name == "auto" {
		l.errorf(o.node, "name: matern52", "a part needs the name of its kernel")
	}
	if key := o.keyNode("normalize"); o.get("normalize") != nil && k.Name == "auto" {
		l.errorf(key, "name a kernel, or leave normalize out", "kernel auto sets normalize itself")
	}
	return k
}

// expression reads the parts of add or multiply, beside which there are no other keys.
func (l *loader) expression(o *object, name string, list *yaml.Node) study.Kernel {
	k := study.Kernel{Name: name, ARD: true, Constant: -1}
	for other, f := range o.fields {
		if other != name {
			l.errorf(f.key, "write it in the parts", "%s stands alone: the kernel has %s too", name, other)
		}
	}
	if list.Kind != yaml.SequenceNode || len(list.Content) < 2 {
		l.errorf(list, name+": [matern52, linear]", "%s must be a list of at least two kernels", name)
		return k
	}
	for _, n := range list.Content {
		k.Parts = append(k.Parts, l.kernel(deref(n), true))
	}
	return k
}

// over reads the parameters that a part sees.
func (l *loader) over(o *object, part bool) (out []string) {
	n := o.get("over")
	switch {
	case n == nil:
		return nil
	case !part:
		l.errorf(o.keyNode("over"), "leave over out", "over is for the parts of add and multiply; a kernel sees every parameter")
		return nil
	case n.Kind != yaml.SequenceNode || len(n.Content) == 0:
		l.errorf(n, "over: [x, y]", "over must be a list of parameters")
		return nil
	}
	for _, c := range n.Content {
		l.byName(deref(c))
		out = append(out, space.Name(deref(c).Value))
	}
	return out
}

// terms reads the terms of a frequency modulated kernel: a list, or one of the
// shorthands order: N (powers 2, orders 1…N) and power: τ (one term).
func (l *loader) terms(o *object) []study.Term {
	list, order, power := o.get("terms"), o.get("order"), o.get("power")
	given := 0
	for _, n := range []*yaml.Node{list, order, power} {
		if n != nil {
			if given++; given > 1 {
				l.errorf(n, "keep one of terms, order and power", "the kernel's terms are given twice")
			}
		}
	}
	switch {
	case list != nil:
		if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
			l.errorf(list, "terms: [{weight: 1, power: 2, order: 1}]", "terms must be a list of mappings")
			return nil
		}
		var out []study.Term
		for _, c := range list.Content {
			var t study.Term
			l.optional(c, "surrogate.kernel.terms").fill(&t)
			out = append(out, t)
		}
		return out
	case order != nil:
		var out []study.Term
		for r := 1; r <= o.integer("order", 1, 1, 100); r++ {
			out = append(out, study.Term{Weight: 1, Power: 2, Order: r})
		}
		return out
	}
	t := study.Term{Weight: 1, Power: 2, Order: 1}
	if power != nil {
		t.Power = sections[o.path].key("power").read(o).(float64)
	}
	return []study.Term{t}
}

// hyper reads the overrides of hyperparameters. The names belong to the kernel,
// which is not known here, so only the shapes are checked.
func (l *loader) hyper(n *yaml.Node) study.Hyper {
	o := l.object(n, "surrogate.hyperparameters")
	var h study.Hyper
	if o == nil {
		return h
	}
	l.named(o.get("fixed"), "fixed", func(f field) {
		if v, ok := l.number(f.value, f.key.Value); ok {
			h.Fixed = put(h.Fixed, f.key.Value, v)
		}
	})
	l.named(o.get("initial"), "initial", func(f field) {
		if v, ok := l.number(f.value, f.key.Value); ok {
			h.Initial = put(h.Initial, f.key.Value, v)
		}
	})
	l.named(o.get("bounds"), "bounds", func(f field) {
		v, ok := l.numbers(f.value, f.key.Value, 2)
		if ok && !(v[0] < v[1]) {
			l.errorf(f.value, "", "the lower bound must be below the upper bound")
		} else if ok {
			h.Bounds = put(h.Bounds, f.key.Value, [2]float64{v[0], v[1]})
		}
	})
	l.named(o.get("prior"), "prior", func(f field) {
		d := l.objectOf("the prior of "+f.key.Value, f.value, "surrogate.hyperparameters.prior.*")
		if d == nil {
			return
		}
		if len(d.fields) != 1 {
			if len(d.fields) > 0 || len(d.seen) == 0 {
				l.errorf(f.value, "", "a prior is one of %s", strings.Join(sections["surrogate.hyperparameters.prior.*"].names, ", "))
			}
			return
		}
		for name, p := range d.fields {
			v, ok := l.numbers(p.value, name, 2)
			switch {
			case !ok:
			case name == "uniform" && !(v[0] < v[1]):
				l.errorf(p.value, "", "the lower bound must be below the upper bound")
			case name != "uniform" && !(v[1] > 0):
				l.errorf(p.value, name+": [mean, standard deviation]", "the standard deviation must be above 0")
			default:
				h.Prior = put(h.Prior, f.key.Value, study.Density{Family: name, Args: v})
			}
		}
	})
	return h
}

// named calls read for every entry of a mapping from hyperparameter names.
func (l *loader) named(n *yaml.Node, key string, read func(field)) {
	if n == nil {
		return
	}
	if n.Kind != yaml.MappingNode {
		l.errorf(n, key+`: {"arc.rho[*]": …}`, "%s must be a mapping from names of hyperparameters", key)
		return
	}
	for _, f := range l.pairs(n) {
		read(f)
	}
}

// numbers reads a list of exactly n numbers.
func (l *loader) numbers(node *yaml.Node, key string, n int) ([]float64, bool) {
	if node.Kind != yaml.SequenceNode || len(node.Content) != n {
		l.errorf(node, "", "%s must be a list of %d numbers", key, n)
		return nil, false
	}
	out := make([]float64, 0, n)
	for _, c := range node.Content {
		v, ok := l.number(c, key)
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
	return out, true
}

func put[V any](m map[string]V, k string, v V) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	m[k] = v
	return m
}

// acquisition reads the acquisition function and its search.
func (l *loader) acquisition(n *yaml.Node) study.Acquisition {
	wrong := len(l.errs)
	o := l.nameOrKeys(n, "acquisition")
	s := l.optional(o.get("search"), "acquisition.search")
	var a study.Acquisition
	o.fill(&a)
	s.fill(&a)
	if k := o.get("kappa"); k != nil && a.Name != "lcb" && len(l.errs) == wrong {
		l.warnf(k, "name: lcb", "kappa is for lcb alone, and does nothing here")
	}
	if c := s.get("candidates"); c != nil && !(c.Kind == yaml.ScalarNode && c.Value == "auto") {
		a.Candidates = s.integer("candidates", 0, 1, 10_000_000)
	}
	return a
}

// policy reads which rules act.
func (l *loader) policy(n *yaml.Node) study.Policy {
	o := l.nameOrKeys(n, "policy")
	p := study.Policy{Plain: o.choice("name") == "plain"}
	without := o.get("without")
	switch {
	case without == nil:
	case p.Plain:
		l.errorf(o.keyNode("without"), "keep one of the two", "policy plain has no rules to leave out")
	case without.Kind != yaml.SequenceNode:
		l.errorf(without, "without: [region.branch]", "without must be a list of rules")
	default:
		for _, c := range without.Content {
			if c = deref(c); slices.Contains(l.opt.PastRules, c.Value) {
				l.warnf(c, "take it from the list", "the rule %s is gone: to leave it out does nothing", c.Value)
			} else {
				p.Without = append(p.Without, o.word(c, "without", ""))
			}
		}
	}
	return p
}
