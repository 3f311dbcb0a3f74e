package config

import (
	"errors"

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
	if cycle, ok := errors.AsType[*space.CycleError](err); ok {
		l.errorf(l.decls[cycle.Params[0]].condition, "change or remove one of these conditions", "%v", err)
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
