package config

import (
	"gopkg.in/yaml.v3"

	"bohier/internal/space"
	"bohier/internal/study"
)

// jointGraph reads {product: [a, b]} or {over: [a, b], edges: [[[x, 1], [y, 2]], …],
// weights: […]}: one graph on the joint states of choices.
func (l *loader) jointGraph(n *yaml.Node) *study.JointGraph {
	o := l.optional(n, "surrogate.kernel.graph")
	if n == nil {
		return nil
	}
	j := &study.JointGraph{}
	list := o.get("product")
	if list == nil {
		list = o.get("over")
	}
	if list == nil {
		return nil // said already
	}
	if list.Kind != yaml.SequenceNode || len(list.Content) < 2 {
		l.errorf(list, "product: [a, b]", "a joint graph is over a list of at least two parameters")
		return nil
	}
	var params []*space.Parameter
	for _, c := range list.Content {
		name, ok := l.text(deref(c), "a parameter")
		if !ok {
			return nil
		}
		i, known := l.index[name]
		if !known {
			if len(l.decls) > 0 {
				l.errorf(deref(c), suggest(name, "parameters", l.names(), 0), "%q is not a parameter", name)
			}
			return nil
		}
		j.Over, params = append(j.Over, name), append(params, &l.decls[i].param)
	}
	if o.get("product") != nil {
		return j
	}
	j.Edges = l.edgeList(o, "joint states", "edges: [[[a1, b1], [a2, b1]]]", "[[a1, b1], [a2, b1]]", func(n *yaml.Node) int { return l.jointState(params, n) })
	return j
}

// jointState is the number of a state given as a list of values; −1 where it is none,
// which is said.
func (l *loader) jointState(params []*space.Parameter, n *yaml.Node) int {
	n = deref(n)
	if n.Kind != yaml.SequenceNode || len(n.Content) != len(params) {
		l.errorf(n, "", "a joint state is a list of %d values", len(params))
		return -1
	}
	state := 0
	for k, p := range params {
		if len(p.Values) == 0 {
			l.errorf(n, "product", "%s has no list of values", p.Name)
			return -1
		}
		v := l.valueOf(p, n.Content[k])
		if v < 0 {
			l.notAValue(p, n.Content[k])
			return -1
		}
		state = state*len(p.Values) + v
	}
	return state
}
