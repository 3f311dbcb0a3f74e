package points

import "slices"

// A Graph is an undirected weighted graph on the values of a choice.
type Graph struct {
	Edges []Edge
}

// An Edge joins two value indices with a positive weight.
type Edge struct {
	From, To int
	Weight   float64
}

// Apart is the first of m vertices that no path of edges joins to vertex 0; −1: none.
func (g Graph) Apart(m int) int {
	joined := make([]bool, m)
	joined[0] = true
	for more := true; more; {
		more = false
		for _, e := range g.Edges {
			if joined[e.From] != joined[e.To] {
				joined[e.From], joined[e.To], more = true, true, true
			}
		}
	}
	return slices.Index(joined, false)
}
