package config

import (
	"slices"
	"strings"

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
	for _, key := range []string{"over", "edges", "weights"} {
		if v := o.get(key); list != nil && v != nil {
			l.errorf(v, "product: [a, b]", "a product has the edges of its own graphs: leave out %s", key)
			return nil
		}
	}
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
	states := func(n *yaml.Node) int { return l.jointState(params, n) }
	j.Edges = l.edgeList(o, "joint states", "edges: [[[a1, b1], [a2, b1]]]", "[[a1, b1], [a2, b1]]", states)
	l.joined(o.get("edges"), params, j.Edges)
	return j
}

// joined says which joint state the edges leave out.
func (l *loader) joined(n *yaml.Node, params []*space.Parameter, edges []space.Edge) {
	if n == nil || len(edges) < len(n.Content) {
		return // said already
	}
	states := 1
	for _, p := range params {
		if states *= len(p.Values); states > maxEdges {
			return // the kernel says that there are too many
		}
	}
	name := func(state int) string {
		values := make([]string, len(params))
		for k, p := range slices.Backward(params) {
			values[k], state = p.Values[state%len(p.Values)], state/len(p.Values)
		}
		return strings.Join(values, ", ")
	}
	if v := (space.Graph{Edges: edges}).Apart(states); v >= 0 {
		l.errorf(n, "", "the graph is not connected: no path joins [%s] to [%s]", name(0), name(v))
	}
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
