package config

import (
	"slices"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/space"
)

// points reads the configurations with which the study begins. They are checked against
// conditions and constraints where the space has no mistakes.
func (l *loader) points(initial *yaml.Node) []space.Assignment {
	list := l.object(initial, "initial").get("points")
	if list == nil {
		return nil
	}
	return lists.Some(list.Content, l.point)
}

// point reads one partial configuration.
func (l *loader) point(n *yaml.Node) (space.Assignment, bool) {
	before := len(l.errs)
	a := space.Assignment{}
	places := map[int]*yaml.Node{}
	for _, f := range pairs(n) {
		d := l.byName(f.key)
		if d == nil || d.broken {
			continue
		}
		if isNull(f.value) && (f.value.Value == "" || !d.param.Choice() || !d.has("null")) {
			l.errorf(f.key, "leave it out to have it drawn", "%s has no value", d.name)
			continue
		}
		if v, ok := l.rawValue(d, f.value, "the value"); ok && d.param.Kind != space.Constant {
			a[d.position] = v
			places[d.position] = f.key
		}
	}
	if len(l.errs) > before || l.space == nil {
		return a, len(l.errs) == before
	}
	c, settled := l.settle(a)
	for i, key := range places {
		if d := l.decls[i]; settled[i] && !c.Active[i] {
			l.errorf(key, "", "%s is inactive at this point: its condition (line %d) does not hold", d.name, d.condition.Line)
		}
	}
	if k, what := l.violated(c, settled); k != nil {
		l.errorf(n, "", "this point %s: %s (line %d)", what, k.Text, k.at.Line)
	}
	return a, len(l.errs) == before
}

// defaults checks that the defaults together violate nothing.
func (l *loader) defaults() {
	a := space.Assignment{}
	for i, d := range l.decls {
		if v := d.param.Default; v != nil {
			a[i] = *v
		}
	}
	if len(a) == 0 {
		return
	}
	c, settled := l.settle(a)
	if k, what := l.violated(c, settled); k != nil {
		given := lists.Some(space.References(k.Expr), func(i int) (*yaml.Node, bool) {
			return l.decls[i].dflt, l.decls[i].dflt != nil
		})
		if len(given) > 0 {
			last := slices.MaxFunc(given, func(a, b *yaml.Node) int { return a.Line - b.Line })
			l.errorf(last, "change one of the defaults", "the point of all defaults %s: %s (line %d)", what, k.Text, k.at.Line)
		}
	}
}

// settle decides the conditions that an assignment alone decides: a parameter is settled when it is surely inactive, or
// surely active with a value.
func (l *loader) settle(a space.Assignment) (c space.Configuration, settled []bool) {
	c = space.NewConfiguration(len(l.decls))
	settled = make([]bool, len(l.decls))
	for _, i := range l.space.Order() {
		p := &l.decls[i].param
		if slices.ContainsFunc(space.References(p.Condition), func(j int) bool { return !settled[j] }) {
			continue
		}
		c.Active[i] = p.Condition == nil || p.Condition.Eval(c) == space.True
		v, given := a[i]
		if c.Active[i] {
			c.Value[i] = v
		}
		settled[i] = !c.Active[i] || given || p.Kind == space.Constant
	}
	return c, settled
}

// violated finds a clause that the settled parameters violate.
func (l *loader) violated(c space.Configuration, settled []bool) (*clause, string) {
	decided := func(k *clause) bool {
		refs := space.References(k.Expr)
		return len(refs) > 0 && !slices.ContainsFunc(refs, func(i int) bool { return !settled[i] })
	}
	for n, k := range slices.Concat(l.forbidden, l.require) {
		switch truth := k.Expr.Eval(c); {
		case !decided(&k):
		case n < len(l.forbidden) && truth == space.True:
			return &k, "is forbidden"
		case n >= len(l.forbidden) && truth == space.False:
			return &k, "violates a requirement"
		}
	}
	return nil, ""
}
