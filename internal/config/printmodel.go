package config

import (
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"bohier/internal/study"
)

func printSurrogate(st *study.Study) *yaml.Node {
	s := st.Surrogate
	m := newMap(0)
	fit := flowMap()
	fit.settings("surrogate.fit", s, nil)
	own := map[string]*yaml.Node{"kernel": printKernel(s.Kernel), "hyperparameters": printHyper(s.Hyper), "fit": fit.orNil()}
	if s.Nugget >= 0 {
		own["nugget"] = numberNode(s.Nugget)
	}
	m.settings("surrogate", s, own)
	return m.orNil()
}

func printKernel(k study.Kernel) *yaml.Node {
	m := flowMap()
	if len(k.Parts) > 0 {
		parts := listNode()
		for _, p := range k.Parts {
			parts.Content = append(parts.Content, printKernel(p))
		}
		m.add(k.Name, parts)
		return m.node
	}
	own := map[string]*yaml.Node{"distance": printNamed(k.Distance, textNode)}
	if k.Name == "sum" {
		own["name"], own["sum"] = nil, textsNode(k.Sum)
	}
	if k.Over != nil {
		own["over"] = textsNode(k.Over)
	}
	if !slices.Equal(k.Terms, []study.Term{{Weight: 1, Power: 2, Order: 1}}) && len(k.Terms) > 0 {
		terms := listNode()
		for _, t := range k.Terms {
			q := flowMap()
			q.add("weight", numberNode(t.Weight))
			q.add("power", numberNode(t.Power))
			q.add("order", numberNode(float64(t.Order)))
			terms.Content = append(terms.Content, q.node)
		}
		own["terms"] = terms
	}
	m.settings("surrogate.kernel", k, own)
	return m.orNil()
}

func printHyper(h study.Hyper) *yaml.Node {
	m := newMap(0)
	m.add("fixed", printNamed(h.Fixed, numberNode))
	m.add("initial", printNamed(h.Initial, numberNode))
	m.add("bounds", printNamed(h.Bounds, func(b [2]float64) *yaml.Node { return numbersNode(b[:]) }))
	m.add("prior", printNamed(h.Prior, func(d study.Density) *yaml.Node {
		q := flowMap()
		q.add(d.Family, numbersNode(d.Args))
		return q.node
	}))
	return m.orNil()
}

func printNamed[V any](m map[string]V, value func(V) *yaml.Node) *yaml.Node {
	out := flowMap()
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out.add(name, value(m[name]))
	}
	return out.orNil()
}

func printAcquisition(a study.Acquisition) *yaml.Node {
	m := newMap(yaml.FlowStyle)
	s, own := flowMap(), map[string]*yaml.Node{}
	if a.Candidates > 0 {
		own["candidates"] = numberNode(float64(a.Candidates))
	}
	s.settings("acquisition.search", a, own)
	m.settings("acquisition", a, map[string]*yaml.Node{"search": s.orNil()})
	return m.orNil()
}
