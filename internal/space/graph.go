package space

import "fmt"

// Complete joins every pair of m values.
func Complete(m int) Graph {
	var g Graph
	for i := range m {
		for j := i + 1; j < m; j++ {
			g.add(i, j)
		}
	}
	return g
}

// Path joins neighbours in the order of m values.
func Path(m int) Graph {
	var g Graph
	for i := 1; i < m; i++ {
		g.add(i-1, i)
	}
	return g
}

// Cycle is a path whose ends are joined.
func Cycle(m int) Graph {
	g := Path(m)
	if m > 2 {
		g.add(0, m-1)
	}
	return g
}

// Star joins the first of m values to all others.
func Star(m int) Graph {
	var g Graph
	for i := 1; i < m; i++ {
		g.add(0, i)
	}
	return g
}

// Groups joins all values inside each group, and the first values of the groups
// with each other. Every index 0…m−1 belongs to one group.
func Groups(groups [][]int) Graph {
	var g Graph
	for k, group := range groups {
		for i, v := range group {
			for _, w := range group[i+1:] {
				g.add(v, w)
			}
		}
		for _, other := range groups[k+1:] {
			if len(group) > 0 && len(other) > 0 {
				g.add(group[0], other[0])
			}
		}
	}
	return g
}

func (g *Graph) add(i, j int) { g.Edges = append(g.Edges, Edge{From: i, To: j, Weight: 1}) }

// Connected tells whether the edges join m vertices into one piece.
func (g Graph) Connected(m int) bool {
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
	pieces := m
	for _, e := range g.Edges {
		if a, b := find(e.From), find(e.To); a != b {
			root[a] = b
			pieces--
		}
	}
	return pieces <= 1
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
	if !g.Connected(m) {
		return fmt.Errorf("graph is not connected")
	}
	return nil
}
