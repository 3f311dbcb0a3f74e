package space

// Complete joins every pair of m values.
func Complete(m int) Graph {
	var g Graph
	for i := range m {
		for j := i + 1; j < m; j++ {
			join(&g, i, j)
		}
	}
	return g
}

// Path joins neighbours in the order of m values.
func Path(m int) Graph {
	var g Graph
	for i := 1; i < m; i++ {
		join(&g, i-1, i)
	}
	return g
}

// Cycle is a path whose ends are joined.
func Cycle(m int) Graph {
	g := Path(m)
	if m > 2 {
		join(&g, 0, m-1)
	}
	return g
}

// Star joins the first of m values to all others.
func Star(m int) Graph {
	var g Graph
	for i := 1; i < m; i++ {
		join(&g, 0, i)
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
				join(&g, v, w)
			}
		}
		for _, other := range groups[k+1:] {
			if len(group) > 0 && len(other) > 0 {
				join(&g, group[0], other[0])
			}
		}
	}
	return g
}

// join joins i and j.
func join(g *Graph, i, j int) { g.Edges = append(g.Edges, Edge{From: i, To: j, Weight: 1}) }

func edge(i, j int, w float64) Edge { return Edge{From: i, To: j, Weight: w} }

func graphOf(edges ...Edge) Graph { return Graph{Edges: edges} }
