package space

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

// add joins i and j.
func (g *Graph) add(i, j int) { g.Edges = append(g.Edges, Edge{From: i, To: j, Weight: 1}) }
