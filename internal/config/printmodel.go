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
	own := map[string]*yaml.Node{"kernel": printKernel(s.Kernel), "hyperparameters": printHyper(s.Hyper),
		"fit": fit.orNil()}
	m.settings("surrogate", s, own)
	return m.orNil()
}

func printKernel(k study.Kernel) *yaml.Node {
	m := flowMap()
	if len(k.Parts) > 0 {
		m.add(k.Name, listOf(k.Parts, printKernel))
		return m.node
	}
	m.settings("surrogate.kernel", k, nil)
	return m.orNil()
}

func printHyper(h study.Hyper) *yaml.Node {
	m := newMap(0)
	prior := flowMap()
	for _, name := range slices.Sorted(maps.Keys(h.Prior)) {
		q := flowMap()
		q.add(h.Prior[name].Family, listOf(h.Prior[name].Args, numberNode))
		prior.add(name, q.node)
	}
	m.settings("surrogate.hyperparameters", h, map[string]*yaml.Node{"prior": prior.orNil()})
	return m.orNil()
}

func printAcquisition(a study.Acquisition) *yaml.Node {
	m := newMap(yaml.FlowStyle)
	s := flowMap()
	s.settings("acquisition.search", a, nil)
	m.settings("acquisition", a, map[string]*yaml.Node{"search": s.orNil()})
	return m.orNil()
}
