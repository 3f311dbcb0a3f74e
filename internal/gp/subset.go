package gp

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/kernels"
	"bohier/internal/points"
)

// leaders is the number of best rows a subset is certain to hold.
const leaders = 5

// pooled is the number of rows among which the farthest are looked for.
const pooled = 10000

// subset chooses m rows of the data: the five best, and among the others a third that are
// nearest to the best, a third spread evenly over the ranks of the values, and a third that are
// each the farthest from all chosen. Near and far are in the kernel's own distance k(a, a) +
// k(b, b) − 2k(a, b) at theta. Nearly all are chosen by where they are or without regard to
// their luck: rows chosen because their values are good would be those whose noise is good, and
// a surrogate that sees no others is wrong and sure of itself just there (bench/notes). With
// more than pooled rows, the farthest are looked for among the chosen and others taken evenly.
// The rows stay in their order. The cost is min(n, pooled)·m kernel values.
func (p *problem) subset(m int, theta []float64) *data {
	d, n := p.data, len(p.y)
	rank := make([]int, n)
	floats.ArgsortStable(slices.Clone(d.y), rank)
	best := newCover(p, d, theta)
	for _, i := range rank[:min(leaders, m/3)] {
		best.add(i)
	}
	near := slices.Clone(rank)
	slices.SortStableFunc(near, func(a, b int) int { return cmp.Compare(best.gap[a], best.gap[b]) })
	in := best.in
	for _, i := range near[:m/3] {
		in[i] = true
	}
	for k := range m / 3 {
		in[rank[k*n/(m/3)]] = true
	}
	rows := make([]int, 0, min(n, pooled+m))
	for i := range n {
		if in[i] || n <= pooled || i*pooled/n != (i+1)*pooled/n {
			rows = append(rows, i)
		}
	}
	d = d.pick(rows)
	all := newCover(p, d, theta)
	for k, i := range rows {
		if in[i] {
			all.add(k)
		}
	}
	for all.count < m {
		all.add(farthest(all.in, all.gap))
	}
	var kept []int
	for k := range all.in {
		if all.in[k] {
			kept = append(kept, k)
		}
	}
	return d.pick(kept)
}

// A cover is chosen rows, and how far each row is from the nearest of them.
type cover struct {
	cov       kernels.Cov
	x         *points.Set
	diag, row []float64
	gap       []float64
	in        []bool
	count     int
}

func newCover(p *problem, d *data, theta []float64) *cover {
	n := len(d.y)
	c := &cover{cov: p.kernel.Bind(theta[:p.kernelParams], d.x), x: d.x, diag: make([]float64, n),
		row: make([]float64, n), gap: make([]float64, n), in: make([]bool, n)}
	for i := range n {
		c.cov.Row(c.diag[i:i+1], d.x, i, i)
		c.gap[i] = math.Inf(1)
	}
	return c
}

// add chooses row i.
func (c *cover) add(i int) {
	if c.in[i] {
		return
	}
	c.cov.Row(c.row, c.x, i, 0)
	for j := range c.row {
		if dist := max(c.diag[i]+c.diag[j]-2*c.row[j], 0); dist < c.gap[j] {
			c.gap[j] = dist
		}
	}
	c.in[i] = true
	c.count++
}

// farthest is the row outside with the largest gap, the first among equals.
func farthest(in []bool, gap []float64) int {
	best := -1
	for i := range in {
		if !in[i] && (best < 0 || gap[i] > gap[best]) {
			best = i
		}
	}
	return best
}
