package gp

import "sort"

// leaders is the number of best rows a subset is certain to hold.
const leaders = 5

// subset chooses m rows of d: the five best, and of the others a third that are
// nearest to those, a third spread evenly over the ranks of the values, and a
// third that are each the farthest from all chosen. Near and far are in the
// kernel's own distance k(a, a) + k(b, b) − 2k(a, b) at theta. Nearly all are
// chosen by where they are or without regard to their luck: rows chosen because
// their values are good would be those whose noise is good, and a surrogate that
// sees no others is wrong and sure of itself just there (docs/benchmarks.md).
// The cost is n·m kernel values. The rows come back in ascending order.
func (p *problem) subset(d *data, m int, theta []float64) []int {
	n := len(d.y)
	rank := make([]int, n)
	for i := range rank {
		rank[i] = i
	}
	sort.SliceStable(rank, func(a, b int) bool { return d.y[rank[a]] < d.y[rank[b]] })
	c := &chosen{gap: make([]float64, n), in: make([]bool, n)}
	cov := p.kernel.Bind(theta[:p.kernelParams], d.x)
	diag, row := make([]float64, n), make([]float64, n)
	for i := range n {
		cov.Row(diag[i:i+1], d.x, i, i)
	}
	add := func(i int) {
		cov.Row(row, d.x, i, 0)
		for j := range n {
			dist := max(diag[i]+diag[j]-2*row[j], 0)
			if c.count == 0 || dist < c.gap[j] {
				c.gap[j] = dist
			}
		}
		c.in[i] = true
		c.count++
	}
	for _, i := range rank[:min(leaders, m/3)] {
		add(i)
	}
	near := make([]int, n)
	copy(near, rank)
	gap := append([]float64(nil), c.gap...)
	sort.SliceStable(near, func(a, b int) bool { return gap[near[a]] < gap[near[b]] })
	for _, i := range near[:m/3] {
		if !c.in[i] {
			add(i)
		}
	}
	for k := range m / 3 {
		if i := rank[k*n/(m/3)]; !c.in[i] {
			add(i)
		}
	}
	for c.count < m {
		add(c.farthest())
	}
	return c.rows()
}

// chosen are the rows of a subset so far.
type chosen struct {
	in    []bool
	gap   []float64 // distance of every row to the nearest of them
	count int
}

// farthest is the row outside with the largest gap, the first among equals.
func (c *chosen) farthest() int {
	best := -1
	for i, in := range c.in {
		if !in && (best < 0 || c.gap[i] > c.gap[best]) {
			best = i
		}
	}
	return best
}

func (c *chosen) rows() []int {
	idx := make([]int, 0, c.count)
	for i, in := range c.in {
		if in {
			idx = append(idx, i)
		}
	}
	return idx
}
