package kernels

import "bohier/internal/points"

// StarGraph joins every vertex to the first.
func StarGraph(m int) points.Graph {
	g := points.Graph{}
	for i := 1; i < m; i++ {
		g.Edges = append(g.Edges, points.Edge{From: 0, To: i, Weight: 1})
	}
	return g
}

// CycleGraph is the path closed to a ring; of fewer than three vertices it is the path.
func CycleGraph(m int) points.Graph {
	g := PathGraph(m)
	if m > 2 {
		g.Edges = append(g.Edges, points.Edge{From: m - 1, To: 0, Weight: 1})
	}
	return g
}

// CompleteGraph joins every two vertices.
func CompleteGraph(m int) points.Graph {
	g := points.Graph{}
	for i := range m {
		for j := i + 1; j < m; j++ {
			g.Edges = append(g.Edges, points.Edge{From: i, To: j, Weight: 1})
		}
	}
	return g
}

// GroupGraph joins the vertices of one group with weight 1 and those of
// different groups with the weight `across`; group[v] is the group of vertex v.
func GroupGraph(group []int, across float64) points.Graph {
	g := CompleteGraph(len(group))
	for k, e := range g.Edges {
		if group[e.From] != group[e.To] {
			g.Edges[k].Weight = across
		}
	}
	return g
}
