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
	m.add("kernel", printKernel(s.Kernel))
	m.add("hyperparameters", printHyper(s.Hyper))
	m.word("form", s.Form, "gp")
	m.number("nugget", s.Nugget, -1)
	m.flag("reinterpolate", s.Reinterpolate, false)
	m.word("mean", s.Mean, "auto")
	m.word("inference", s.Inference, "map")
	fit := flowMap()
	fit.word("optimizer", s.Optimizer, "lbfgs")
	fit.number("starts", float64(s.Starts), 0)
	fit.number("evaluations", float64(s.Evaluations), 0)
	m.add("fit", fit.orNil())
	m.word("warping", s.Warping, "auto")
	m.flag("separate", s.Separate, false)
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
	if k.Name == "sum" {
		m.add("sum", textsNode(k.Sum))
	} else {
		m.word("name", k.Name, "auto")
	}
	if k.Over != nil {
		m.add("over", textsNode(k.Over))
	}
	m.word("base", k.Base, "")
	m.word("combine", k.Combine, "joint")
	if len(k.Distance) > 0 {
		d := flowMap()
		for _, name := range slices.Sorted(maps.Keys(k.Distance)) {
			d.add(name, textNode(k.Distance[name]))
		}
		m.add("distance", d.node)
	}
	m.word("always_active", k.AlwaysActive, "plain")
	m.word("weights", k.Weights, "free")
	m.flag("nominal_rho", k.NominalRho, false)
	m.number("constant", k.Constant, -1)
	m.flag("ard", k.ARD, true)
	m.word("embedding", k.Embedding, "")
	if !slices.Equal(k.Terms, []study.Term{{Weight: 1, Power: 2, Order: 1}}) && len(k.Terms) > 0 {
		terms := listNode()
		for _, t := range k.Terms {
			q := flowMap()
			q.add("weight", numberNode(t.Weight))
			q.add("power", numberNode(t.Power))
			q.add("order", numberNode(float64(t.Order)))
			terms.Content = append(terms.Content, q.node)
		}
		m.add("terms", terms)
	}
	m.flag("normalize", k.Normalize, false)
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
	m.word("name", a.Name, "")
	m.number("kappa", a.Kappa, 2)
	m.word("pending", a.Pending, "fantasy")
	s := flowMap()
	s.word("optimizer", a.Optimizer, "hybrid")
	s.number("candidates", float64(a.Candidates), 0)
	s.number("starts", float64(a.Starts), 28)
	m.add("search", s.orNil())
	return m.orNil()
}
