package config

import (
	"errors"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/lists"
	"bohier/internal/space"
)

// build makes the declared space and checks it as far as possible without running anything: cycles,
// parameters that are never active, conditions that always hold. It returns nil after a mistake.
func (l *loader) build(at *yaml.Node) *space.Space {
	bare := func(c clause) space.Clause { return c.Clause }
	s, err := space.New(lists.Of(l.decls, func(d *decl) space.Parameter { return d.param }), lists.Of(l.forbidden, bare),
		lists.Of(l.require, bare))
	if cycle := (*space.CycleError)(nil); errors.As(err, &cycle) {
		l.cycle(cycle.Params)
		return nil
	} else if err != nil {
		l.errorf(at, "", "%v", err)
		return nil
	}
	before := len(l.errs)
	if l.never, l.always = s.Settled(); l.draft {
		return s
	}
	for _, i := range l.never {
		l.errorf(l.decls[i].condition, "loosen the condition or remove the parameter", "%s can never be active",
			l.decls[i].name)
	}
	for _, i := range l.always {
		l.warnf(l.decls[i].condition, "remove active_if, or check the values", "this condition always holds")
	}
	if len(l.errs) > before {
		return nil
	}
	return s
}

// cycle reports conditions that depend on each other, with all their lines.
func (l *loader) cycle(params []int) {
	first := l.decls[params[0]]
	if len(params) == 1 {
		l.errorf(first.condition, "", "the condition of %s depends on %s itself", first.name, first.name)
		return
	}
	var b strings.Builder
	for _, i := range params {
		fmt.Fprintf(&b, "%s (line %d) → ", l.decls[i].name, l.decls[i].condition.Line)
	}
	l.errorf(first.condition, "one of these conditions must go", "conditions depend on each other: %s%s", b.String(),
		first.name)
}
