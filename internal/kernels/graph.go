package kernels

import (
	"fmt"
	"math"
	"slices"
)

// PathGraph joins neighbours in the order of the vertices.
func PathGraph(m int) *Graph {
	g := &Graph{}
	for i := 1; i < m; i++ {
		g.Edges = append(g.Edges, Edge{i - 1, i, 1})
	}
	return g
}

// Validate tells what keeps g from being a connected graph on m vertices with
// positive weights. Edges given twice add up.
func (g *Graph) Validate(m int) error {
	for _, e := range g.Edges {
		switch {
		case e.From < 0 || e.From >= m || e.To < 0 || e.To >= m:
			return fmt.Errorf("edge %d–%d leaves the values 0…%d", e.From, e.To, m-1)
		case e.From == e.To:
			return fmt.Errorf("edge from value %d to itself", e.From)
		case !(e.Weight > 0) || math.IsInf(e.Weight, 1):
			return fmt.Errorf("edge %d–%d has weight %v; weights are positive and finite", e.From, e.To, e.Weight)
		}
	}
	joined := make([]bool, m) // to value 0
	joined[0] = true
	for changed := true; changed; {
		changed = false
		for _, e := range g.Edges {
			if joined[e.From] != joined[e.To] {
				joined[e.From], joined[e.To], changed = true, true, true
			}
		}
	}
	if v := slices.Index(joined, false); v >= 0 {
		return fmt.Errorf("graph is not connected: no path joins value 0 to value %d", v)
	}
	return nil
}

// adjacency is the m×m matrix of weights, row by row.
func (g *Graph) adjacency(m int) []float64 {
	a := make([]float64, m*m)
	for _, e := range g.Edges {
		a[e.From*m+e.To] += e.Weight
		a[e.To*m+e.From] += e.Weight
	}
	return a
}

// laplacian is D − A.
func (g *Graph) laplacian(m int) []float64 {
	lap := g.adjacency(m)
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
func (g *Graph) uniform(m int) (float64, bool) {
	if m < 2 {
		return 1, true
	}
	if len(g.Edges) < m*(m-1)/2 {
		return 0, false
	}
	a := g.adjacency(m)
	for i := range m {
		for j := range m {
			if i != j && a[i*m+j] != a[1] {
				return 0, false
			}
		}
	}
	return a[1], true
}
