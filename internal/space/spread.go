package space

import (
	"math"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// poolSize is the number of draws from a narrow cell from which a design is chosen.
const poolSize = 256

// spreadOf are the places of draws from a narrow cell in an order by which every prefix stands for all of
// them, made once for a seed: the next point is the one that lowers the energy distance between the prefix and
// the pool most (Mak & Joseph 2018, arXiv:1609.01811, Annals of Statistics 46, support points, found greedily).
func (p *partition) spreadOf(cell int, seed uint64) [][]int64 {
	key := [2]uint64{uint64(cell), seed}
	x, ok := p.spreads.Load(key)
	if !ok {
		x, _ = p.spreads.LoadOrStore(key, p.newSpread(cell, seed))
	}
	return x.([][]int64)
}

func (p *partition) newSpread(cell int, seed uint64) [][]int64 {
	s := p.s
	w := p.newWalker(&p.cells[cell])
	r := seeded(seed, uint64(cell), 8)
	c := NewConfiguration(len(s.params))
	q := points.New(poolSize, len(s.coords))
	pool := make([][]int64, poolSize)
	for k := range poolSize {
		w.next(&c, r)
		pool[k] = w.y.places(&c)
		bound := func(i int) bool { return c.Active[i] && w.y.at[i] >= 0 }
		s.Encode(q, k, Configuration{c.Value, lists.Make(len(s.params), bound)})
	}
	m := NewGower(s)
	apart := make([]float64, poolSize*poolSize)
	// mean distance from all; sum of those from the chosen
	far, near := make([]float64, poolSize), make([]float64, poolSize)
	for i := range poolSize {
		for j := range i {
			d := m.Distance(q, i, q, j)
			apart[i*poolSize+j], apart[j*poolSize+i] = d, d
			far[i] += d / poolSize
			far[j] += d / poolSize
		}
	}
	out := make([][]int64, poolSize)
	for n := range out {
		best, least := -1, math.Inf(1)
		for i := range pool {
			if e := far[i] - near[i]/float64(n+1); pool[i] != nil && e < least {
				best, least = i, e
			}
		}
		out[n], pool[best] = pool[best], nil
		for i := range near {
			near[i] += apart[i*poolSize+best]
		}
	}
	return out
}
