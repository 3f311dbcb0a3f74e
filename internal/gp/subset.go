package gp

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// leaders is the number of best rows a subset is certain to hold.
const leaders = 5

// subset chooses m rows of the data: the five best, and of the others a third that are
// nearest to those, a third spread evenly over the ranks of the values, and a
// third that are each the farthest from all chosen. Near and far are in the
// kernel's own distance k(a, a) + k(b, b) − 2k(a, b) at theta. Nearly all are
// chosen by where they are or without regard to their luck: rows chosen because
// their values are good would be those whose noise is good, and a surrogate that
// sees no others is wrong and sure of itself just there (bench/notes).
// The cost is n·m kernel values. The rows stay in their order.
func (p *problem) subset(m int, theta []float64) *data {
	d, n := p.data, len(p.y)
	rank := make([]int, n)
	floats.ArgsortStable(slices.Clone(d.y), rank)
	gap, in, count := make([]float64, n), make([]bool, n), 0 // gap is the distance to the nearest chosen row
	cov := p.kernel.Bind(theta[:p.kernelParams], d.x)
	diag, row := make([]float64, n), make([]float64, n)
	for i := range n {
		cov.Row(diag[i:i+1], d.x, i, i)
	}
	add := func(i int) {
		if in[i] {
			return
		}
		cov.Row(row, d.x, i, 0)
		for j := range n {
			dist := max(diag[i]+diag[j]-2*row[j], 0)
			if count == 0 || dist < gap[j] {
				gap[j] = dist
			}
		}
		in[i] = true
		count++
	}
	for _, i := range rank[:min(leaders, m/3)] {
		add(i)
	}
	near := slices.Clone(rank)
	slices.SortStableFunc(near, func(a, b int) int { return cmp.Compare(gap[a], gap[b]) })
	for _, i := range near[:m/3] {
		add(i)
	}
	for k := range m / 3 {
		add(rank[k*n/(m/3)])
	}
	for count < m {
		add(farthest(in, gap))
	}
	var rows []int
	for i := range in {
		if in[i] {
			rows = append(rows, i)
		}
	}
	return d.pick(rows)
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
