package space

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
