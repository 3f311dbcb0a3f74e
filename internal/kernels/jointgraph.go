package kernels

import (
	"fmt"
	"slices"
)

// vertices is the graph of a choice with, where it is conditional, one more vertex for
// inactive, joined to every value by the mean weight of the others' edges.
func vertices(co Coord) (*Graph, int) {
	g, m := co.Graph, co.Levels
	if g == nil || len(g.Edges) == 0 {
		g = CompleteGraph(m)
		if co.Positions != nil {
			g = PathGraph(m)
		}
	}
	if !co.Conditional {
		return g, m
	}
	mean := 0.0
	for _, e := range g.Edges {
		mean += e.Weight / float64(len(g.Edges))
	}
	if len(g.Edges) == 0 {
		mean = 1
	}
	out := &Graph{Edges: slices.Clone(g.Edges)}
	for v := range m {
		out.Edges = append(out.Edges, Edge{v, m, mean})
	}
	return out, m + 1
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

// normalizedSpectrum is that of I − D^−½AD^−½ of a graph on n vertices, of which the
// first m are values.
func normalizedSpectrum(g *Graph, n, m int) (*spectrum, error) {
	if n > maxVertices {
		return nil, fmt.Errorf("normalized Laplacians of more than %d values are not available yet", maxVertices)
	}
	if err := g.Validate(n); err != nil {
		return nil, err
	}
	values, vectors, err := eigen(laplacianOf(g.adjacency(n), n, true), n)
	if err != nil {
		return nil, err
	}
	s := gathered(values, vectors)
	s.m = m
	s.tabulate()
	return s, nil
}

// shared are the coordinates of the choices that share one graph, in the order that
// Joint gives.
func (b *builder) shared() []int {
	if b.spec.Joint == nil {
		return nil
	}
	var out []int
	for _, name := range b.spec.Joint.Over {
		out = append(out, slices.IndexFunc(b.coords, func(c Coord) bool { return c.Name == name }))
	}
	return out
}

// checkJoint tells what is wrong with the names of the choices that share a graph.
func (b *builder) checkJoint() error {
	j := b.spec.Joint
	if j == nil {
		return nil
	}
	if len(j.Over) < 2 {
		return fmt.Errorf("option graph: one graph is shared by two choices or more")
	}
	states := 1
	for k, name := range j.Over {
		c := slices.IndexFunc(b.coords, func(c Coord) bool { return c.Name == name })
		switch {
		case slices.Contains(j.Over[:k], name):
			return fmt.Errorf("option graph: %s is there twice", name)
		case c < 0:
			return fmt.Errorf("option graph: no parameter %q", name)
		case b.coords[c].Levels == 0:
			return fmt.Errorf("option graph: parameter %s is numeric; graphs are for choices", name)
		case j.Edges != nil && b.coords[c].Conditional:
			return fmt.Errorf("option graph: parameter %s is conditional; edges of joint states are for parameters that are always active (product takes both)", name)
		}
		_, n := vertices(b.coords[c])
		if states *= n; states > maxVertices {
			return fmt.Errorf("option graph: joint graphs of more than %d states are not available yet", maxVertices)
		}
	}
	return nil
}

// jointSpectrum is that of the graph on the joint states of some choices, inactive being
// a further value of a conditional one. The state's index counts the last choice fastest.
func (b *builder) jointSpectrum(coords []int) ([]*axis, *spectrum, error) {
	axes, total := make([]*axis, len(coords)), 1
	values, vectors := []float64{0}, []float64{1}
	joint := &Graph{Edges: b.spec.Joint.Edges}
	for k, c := range coords {
		co := b.coords[c]
		ax := nameAxis(c, co)
		axes[k] = &ax
		g, n := vertices(co)
		if joint.Edges == nil && !b.normalized() {
			// Of a Cartesian product: eigenvalues add up, eigenvectors multiply.
			v, u, err := eigen(laplacianOf(g.adjacency(n), n, false), n)
			if err != nil {
				return nil, nil, err
			}
			v[0] = 0
			values, vectors = kronecker(values, vectors, v, u)
		}
		total *= n
	}
	if joint.Edges == nil && !b.normalized() {
		s := gathered(values, vectors)
		s.tabulate()
		return axes, s, nil
	}
	if joint.Edges == nil {
		joint = b.cartesian(coords)
	}
	if b.normalized() {
		s, err := normalizedSpectrum(joint, total, total)
		return axes, s, err
	}
	s, err := newSpectrum(total, joint, false, false)
	return axes, s, err
}

// kronecker is the eigenvalues a_i + b_j and the products of the eigenvectors.
func kronecker(a, u, b, v []float64) (values, vectors []float64) {
	n, m := len(a), len(b)
	for _, x := range a {
		for _, y := range b {
			values = append(values, x+y)
		}
	}
	vectors = make([]float64, n*n*m*m)
	for r := range n {
		for s := range m {
			for i := range n {
				for j := range m {
					vectors[(r*m+s)*n*m+i*m+j] = u[r*n+i] * v[s*m+j]
				}
			}
		}
	}
	return values, vectors
}

// cartesian is the product of the graphs of choices.
func (b *builder) cartesian(coords []int) *Graph {
	out, total := &Graph{}, 1
	for _, c := range coords {
		g, n := vertices(b.coords[c])
		next := &Graph{}
		for _, e := range out.Edges { // every value of the new one
			for v := range n {
				next.Edges = append(next.Edges, Edge{e.From*n + v, e.To*n + v, e.Weight})
			}
		}
		for _, e := range g.Edges { // every state of the old ones
			for s := range total {
				next.Edges = append(next.Edges, Edge{s*n + e.From, s*n + e.To, e.Weight})
			}
		}
		out, total = next, total*n
	}
	return out
}

// stride is the number of values of an axis with, for a conditional one, inactive.
func (a *axis) stride() int {
	if a.conditional {
		return a.levels + 1
	}
	return a.levels
}
