package kernels

// StarGraph joins every vertex to the first.
func StarGraph(m int) *Graph {
	g := &Graph{}
	for i := 1; i < m; i++ {
		g.Edges = append(g.Edges, Edge{0, i, 1})
	}
	return g
}

// CycleGraph is the path closed to a ring; of fewer than three vertices it is
// the path.
func CycleGraph(m int) *Graph {
	g := PathGraph(m)
	if m > 2 {
		g.Edges = append(g.Edges, Edge{m - 1, 0, 1})
	}
	return g
}

// CompleteGraph joins every two vertices.
func CompleteGraph(m int) *Graph {
	g := &Graph{}
	for i := range m {
		for j := i + 1; j < m; j++ {
			g.Edges = append(g.Edges, Edge{i, j, 1})
		}
	}
	return g
}

// GroupGraph joins the vertices of one group with weight 1 and those of
// different groups with the weight `across`; group[v] is the group of vertex v.
func GroupGraph(group []int, across float64) *Graph {
	g := CompleteGraph(len(group))
	for k, e := range g.Edges {
		if group[e.From] != group[e.To] {
			g.Edges[k].Weight = across
		}
	}
	return g
}
