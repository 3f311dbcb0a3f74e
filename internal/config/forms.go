package config

import (
	"gopkg.in/yaml.v3"

	"bohier/internal/study"
)

// decodeForm reads a type that has a form of its own; false: it has none.
func (r *decoder) decodeForm(target any, n *yaml.Node, k *key) bool {
	switch v := target.(type) {
	case *study.Kernel:
		*v = r.kernel(n, false)
	case *study.Density:
		*v = r.density(n)
	case *study.Noise:
		*v = r.noise(n, k)
	case *study.Policy:
		*v = r.policy(n)
	case *study.Replicates:
		*v = r.replicates(n, k)
	default:
		return false
	}
	return true
}

// printForm is a value of such a type as a node; nil where it is the default.
func printForm(value any) (n *yaml.Node, is bool) {
	switch v := value.(type) {
	case study.Kernel:
		return printKernel(v), true
	case study.Density:
		m := flowMap()
		m.add(v.Family, listOf(v.Args[:], numberNode))
		return m.node, true
	case study.Noise:
		return printNoise(v), true
	case study.Policy:
		return printPolicy(v), true
	case study.Replicates:
		return printReplicates(v), true
	}
	return nil, false
}
