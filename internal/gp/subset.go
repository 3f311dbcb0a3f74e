package gp

import "sort"

// subset chooses m rows of d: the best third by value, the rest spread out, each
// the farthest from those chosen in the kernel's own distance
// k(a, a) + k(b, b) − 2k(a, b) at the declared hyperparameters. The cost is n·m
// kernel values. The rows come back in ascending order.
func (p *problem) subset(d *data, m int) []int {
	n := len(d.y)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return d.y[order[a]] < d.y[order[b]] })
	cov := p.kernel.Bind(p.initial()[:p.own], d.x)
	diag, far, row := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		cov.Row(diag[i:i+1], d.x, i, i)
		far[i] = -1
	}
	chosen := make([]bool, n)
	add := func(i int) {
		chosen[i] = true
		cov.Row(row, d.x, i, 0)
		for j := range n {
			dist := max(diag[i]+diag[j]-2*row[j], 0)
			if far[j] < 0 || dist < far[j] {
				far[j] = dist
			}
		}
	}
	for _, i := range order[:m/3] {
		add(i)
	}
	for k := m / 3; k < m; k++ {
		best := -1
		for i := range n {
			if !chosen[i] && (best < 0 || far[i] > far[best]) {
				best = i
			}
		}
		add(best)
	}
	idx := make([]int, 0, m)
	for i, c := range chosen {
		if c {
			idx = append(idx, i)
		}
	}
	return idx
}
