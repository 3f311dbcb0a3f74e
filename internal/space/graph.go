package space

import "fmt"

// Apart is the first of m vertices that no path of edges joins to vertex 0; −1: none.
func (g Graph) Apart(m int) int {
	root := make([]int, m)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, e := range g.Edges {
		root[find(e.From)] = find(e.To)
	}
	for v := range root {
		if find(v) != find(0) {
			return v
		}
	}
	return -1
}

// check returns what is wrong with the edges of a graph of m values.
func (g Graph) check(m int) error {
	if len(g.Edges) == 0 {
		return nil
	}
	seen := map[[2]int]bool{}
	for _, e := range g.Edges {
		switch {
		case e.From < 0 || e.From >= m || e.To < 0 || e.To >= m:
			return fmt.Errorf("graph has an edge to a value that does not exist")
		case e.From == e.To:
			return fmt.Errorf("graph joins a value to itself")
		case !(e.Weight > 0) || e.Weight > maxFloat:
			return fmt.Errorf("graph has an edge of weight %v; weights are positive and finite", e.Weight)
		}
		k := [2]int{min(e.From, e.To), max(e.From, e.To)}
		if seen[k] {
			return fmt.Errorf("graph has the same edge twice")
		}
		seen[k] = true
	}
	if g.Apart(m) >= 0 {
		return fmt.Errorf("graph is not connected")
	}
	return nil
}
