package config

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
)

// values reads the values of a categorical or ordinal parameter, each as its text and type. bare
// means that they are all there is of the declaration, conditional that it has a condition.
func (l *loader) values(p *space.Parameter, n *yaml.Node, bare, conditional bool) {
	numbers, sorted, last := true, true, math.Inf(-1)
	for _, c := range n.Content {
		text, kind, ok := l.typed(c, "a value of "+p.Name)
		if !ok {
			continue
		}
		l.portable(c)
		v, _ := parseNumber(text)
		numbers, sorted = numbers && kind == space.Number, sorted && v > last
		last = v
		p.Values, p.Literals = append(p.Values, text), append(p.Literals, kind)
	}
	switch {
	case len(p.Values) < len(n.Content), len(p.Values) == 0:
	case len(p.Values) == 1 && conditional: // which a constant cannot be
	case len(p.Values) == 1:
		l.warnf(n, "", "%s has one value: write {value: %s}", p.Name, p.Values[0])
	case !numbers || !sorted || p.Kind != space.Categorical:
	case len(p.Values) > 2:
		l.warnf(n, "write {type: ordinal, values: [...]} if the order means something",
			"the values of %s are numbers in order, treated as unordered", p.Name)
	case bare:
		kind := "int"
		if strings.ContainsAny(p.Values[0]+p.Values[1], ".eE") {
			kind = "float"
		}
		l.warnf(n, fmt.Sprintf("write {type: %s, low: %s, high: %s} for a range, {type: categorical, values: [%[2]s, "+
			"%[3]s]} for the two",
			kind, p.Values[0], p.Values[1]), "%s is %s or %s, and nothing in between", p.Name, p.Values[0], p.Values[1])
	}
}

// graph reads how the values of a choice are joined. The default of the type
// stays without edges: complete for categorical, path for ordinal.
func (l *loader) graph(d *decl, n *yaml.Node) {
	p := &d.param
	if n.Kind == yaml.MappingNode {
		if o := l.objectOf("the graph of "+p.Name, n, "space.*.graph"); o.get("groups") != nil {
			l.groups(d, o.get("groups"))
		} else {
			l.edges(d, o)
		}
		return
	}
	usual := map[space.Kind]string{space.Categorical: "complete", space.Ordinal: "path"}[p.Kind]
	m := len(p.Values)
	join := func(i, j int) { p.Graph.Edges = append(p.Graph.Edges, space.Edge{From: i, To: j, Weight: 1}) }
	switch s, ok := l.word(n, sections["space.*"].key("graph")); {
	case !ok || s == usual:
	case s == "complete":
		l.joinAll(p, n, func(i, j int) float64 { return 1 })
	default:
		for i := 1; i < m; i++ {
			if s == "star" { // around the first value
				join(0, i)
			} else {
				join(i-1, i)
			}
		}
		if s == "cycle" && m > 2 {
			join(m-1, 0)
		}
	}
}

// edges reads {edges: [[a, b], …], weights: […]}.
func (l *loader) edges(d *decl, o *object) {
	p := &d.param
	end := func(n *yaml.Node) int {
		v, _ := l.rawValue(d, n, "an edge")
		return int(v)
	}
	n, w := o.get("edges"), value[[]float64](o, "weights")
	switch {
	case n == nil:
		return
	case o.get("weights") != nil && len(w) != len(n.Content):
		l.errorf(o.get("weights"), "", "weights must be a list of %d numbers, one an edge", len(n.Content))
		return
	}
	for i, c := range n.Content {
		e := space.Edge{From: end(c.Content[0]), To: end(c.Content[1]), Weight: 1}
		if w != nil {
			e.Weight = w[i]
		}
		p.Graph.Edges = append(p.Graph.Edges, e)
	}
}

// acrossGroups is the weight of an edge between values of different groups; within a group it is 1.
const acrossGroups = 0.1

// groups reads {cnn: [resnet, vgg], vit: […]}: a complete graph whose edges are
// strong within a group and weak across. Every value is in one group.
func (l *loader) groups(d *decl, n *yaml.Node) {
	p := &d.param
	group := make([]int, len(p.Values))
	before := len(l.errs)
	for g, f := range pairs(n) {
		for _, c := range f.value.Content {
			v, ok := l.rawValue(d, c, "a group")
			if i := int(v); ok && group[i] > 0 {
				l.errorf(c, "", "%q is in two groups", p.Values[i])
			} else if ok {
				group[i] = g + 1
			}
		}
	}
	if i := slices.Index(group, 0); i >= 0 && len(l.errs) == before {
		l.errorf(n, "", "%q is in no group", p.Values[i])
	}
	l.joinAll(p, n, func(i, j int) float64 {
		if group[i] != group[j] {
			return acrossGroups
		}
		return 1
	})
}

// joinAll puts edges between all values.
func (l *loader) joinAll(p *space.Parameter, n *yaml.Node, weight func(i, j int) float64) {
	m := len(p.Values)
	if m*(m-1)/2 > maxEdges {
		l.errorf(n, "", "a graph that joins all of %d values has more than %d edges", m, maxEdges)
		return
	}
	for i := range m {
		for j := i + 1; j < m; j++ {
			p.Graph.Edges = append(p.Graph.Edges, space.Edge{From: i, To: j, Weight: weight(i, j)})
		}
	}
}
