package kernels

import "bohier/internal/points"

// PathGraph joins neighbours in the order of the vertices.
func PathGraph(m int) (g points.Graph) {
	for i := 1; i < m; i++ {
		g.Edges = append(g.Edges, points.Edge{From: i - 1, To: i, Weight: 1})
	}
	return g
}

// adjacency is the m×m matrix of weights, row by row.
func adjacency(g points.Graph, m int) []float64 {
	a := make([]float64, m*m)
	for _, e := range g.Edges {
		a[e.From*m+e.To] += e.Weight
		a[e.To*m+e.From] += e.Weight
	}
	return a
}

// laplacian is D − A.
func laplacian(g points.Graph, m int) []float64 {
	lap := adjacency(g, m)
	for i := range m {
		row, degree := lap[i*m:(i+1)*m], 0.0
		for j, w := range row {
			degree += w
			row[j] = -w
		}
		row[i] = degree
	}
	return lap
}

// uniform returns the common weight if g joins every two vertices equally.
func uniform(g points.Graph, m int) (float64, bool) {
	if m < 2 {
		return 1, true
	}
	if len(g.Edges) < m*(m-1)/2 {
		return 0, false
	}
	a := adjacency(g, m)
	for i := range m {
		for j := range m {
			if i != j && a[i*m+j] != a[1] {
				return 0, false
			}
		}
	}
	return a[1], true
}
