package pareto

import "testing"

// A tree of vectors in order is no deeper than it must be, so that none of them is looked for along all others.
func TestBalanced(t *testing.T) {
	var nodes []*node
	for i := range 1000 {
		x := float64(i)
		nodes = append(nodes, &node{v: []float64{x, x * x, -x}})
	}
	for _, n := range append([]*node{balanced(nodes, nil, 0)}, nodes...) {
		depth := 0
		for at := n; at != nil; at = at.up {
			depth++
		}
		if depth > 10 {
			t.Fatalf("depth %d of 1,000 vectors", depth)
		}
	}
}
