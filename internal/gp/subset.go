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

// subset chooses m rows of the data: the five best, and among the others a third that are nearest to the best, a third
// spread evenly over the ranks of the values, and a third that are each the farthest from all chosen. Near and far are
// in the kernel's own distance k(a, a) + k(b, b) − 2k(a, b) at theta. Nearly all are chosen by where they are or
// without regard to their luck: rows chosen because their values are good would be those whose noise is good, and a
// surrogate that sees no others is wrong and sure of itself just there (bench/notes). With more than pooled rows, the
// farthest are looked for among the chosen and others taken evenly. The rows stay in their order. The cost is min(n,
// pooled)·m kernel values at most.
func (p *problem) subset(m int, theta []float64) *data {
	d, n := p.data, len(p.y)
	rank := make([]int, n)
	floats.ArgsortStable(slices.Clone(d.y), rank)
	all := newCover(p.kernel.Bind(theta[:p.kernelParams], d.x), d.x)
	for _, i := range rank[:min(leaders, m/3)] {
		all.add(i)
	}
	near, in := slices.Clone(rank), make([]bool, n)
	slices.SortStableFunc(near, func(a, b int) int { return cmp.Compare(all.gap[a], all.gap[b]) })
	for _, i := range near[:m/3] {
		in[i] = true
	}
	for k := range m / 3 {
		in[rank[k*n/(m/3)]] = true
	}
	var chosen, open []int
	for i := range n {
		switch {
		case in[i]:
			chosen = append(chosen, i)
		case n <= pooled || i*pooled/n != (i+1)*pooled/n:
			open = append(open, i)
		}
	}
	rest := all.among(open)
	for _, i := range chosen {
		rest.add(i)
	}
	for len(chosen) < m {
		k := floats.MaxIdx(rest.gap)
		rest.gap[k] = -1
		rest.add(open[k])
		chosen = append(chosen, open[k])
	}
	slices.Sort(chosen)
	return d.pick(chosen)
}

// A cover is rows of data, and how far some of them are from the nearest row that was added.
type cover struct {
	cov  kernels.Cov // bound to those
	own  []float64   // the variance of each of those
	gap  []float64
	row  []float64 // scratch
	x    *points.Set
	diag []float64 // the variance of each row of x
}

// newCover is of all rows, with a covariance function bound to them.
func newCover(cov kernels.Cov, x *points.Set) *cover {
	c := &cover{cov: cov, x: x, diag: make([]float64, x.Len())}
	for i := range c.diag {
		cov.Row(c.diag[i:i+1], x, i, i)
	}
	c.measure(c.diag)
	return c
}

// among is a cover of the given rows that nothing was added to.
func (c *cover) among(rows []int) *cover {
	out := &cover{cov: c.cov.With(c.x.Select(rows)), x: c.x, diag: c.diag}
	out.measure(choose(c.diag, rows))
	return out
}

func (c *cover) measure(own []float64) {
	c.own, c.row, c.gap = own, make([]float64, len(own)), slices.Repeat([]float64{math.Inf(1)}, len(own))
}

// add adds row i of all.
func (c *cover) add(i int) {
	c.cov.Row(c.row, c.x, i, 0)
	for j, k := range c.row {
		if dist := max(c.diag[i]+c.own[j]-2*k, 0); dist < c.gap[j] {
			c.gap[j] = dist
		}
	}
}
