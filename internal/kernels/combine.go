package kernels

import (
	"gonum.org/v1/gonum/floats"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// product is Π_j k_j.
type product []part

type boundProduct struct {
	parts []rows
	k     [][]float64 // rows of the factors
	left  []float64   // product of the factors before
	w     []float64
}

func (p product) bind(theta []float64, y *reference) rows {
	n := y.Len()
	b := &boundProduct{left: make([]float64, n), w: make([]float64, n)}
	for _, q := range p {
		b.parts = append(b.parts, q.bind(theta, y))
		b.k = append(b.k, make([]float64, n))
	}
	return b
}

func (b *boundProduct) row(dst []float64, x *points.Set, i, lo int) {
	b.parts[0].row(dst, x, i, lo)
	for _, q := range b.parts[1:] {
		k := b.w[:len(dst)]
		q.row(k, x, i, lo)
		times(dst, k)
	}
}

func (b *boundProduct) pull(dx, w []float64, x *points.Set, i, lo int) {
	row := func(j int) []float64 { return b.k[j][:len(w)] }
	for j, q := range b.parts {
		q.row(row(j), x, i, lo)
	}
	b.weigh(w, row, func(j int, g []float64) { b.parts[j].pull(dx, g, x, i, lo) })
}

func (b *boundProduct) weigh(w []float64, row func(j int) []float64, use func(j int, g []float64)) {
	left := b.left[:len(w)]
	copy(left, w)
	weigh(len(b.parts), left, b.w[:len(w)], row, use)
}

// weigh gives use the weights of each of n factors: left, which begins with the weights of the product, times all
// others. It multiplies left by the factors before, and g by those after too. Dividing by the factor, whose row use may
// overwrite, would fail where it is 0.
func weigh(n int, left, g []float64, row func(j int) []float64, use func(j int, g []float64)) {
	for j := range n {
		copy(g, left)
		for k := j + 1; k < n; k++ {
			times(g, row(k))
		}
		times(left, row(j))
		use(j, g)
	}
}

// gram leaves the factors on the tapes of the parts.
func (b *boundProduct) gram(dst lower, tape *Tape) {
	for j, q := range b.parts {
		k := tape.part(j).plane(values, dst.n)
		q.gram(k, tape.part(j))
		for i := range dst.n {
			if row := dst.row(i); j == 0 {
				copy(row, k.row(i))
			} else {
				times(row, k.row(i)[:len(row)])
			}
		}
	}
}

func (b *boundProduct) pullGram(dtheta []float64, w lower, tape *Tape) {
	plane := func(j int) lower { return tape.part(j).plane(values, w.n) }
	for i := range w.n {
		row := func(j int) []float64 { return plane(j).row(i)[:i+1] }
		b.weigh(w.row(i)[:i+1], row, func(j int, g []float64) { copy(row(j), g) })
	}
	for j, q := range b.parts {
		q.pullGram(dtheta, plane(j).cut(), tape.part(j))
	}
}

// weighted is Σ_j a_j·k_j, with weights of 1 where there are no others.
type weighted struct {
	parts  []part
	weight []hyper
}

// A hyper is the place of a hyperparameter; −1: there is none.
type hyper int

// of is the hyperparameter's value, or another one where there is none.
func (h hyper) of(theta []float64, other float64) float64 {
	if h < 0 {
		return other
	}
	return theta[h]
}

// add adds v to the hyperparameter's derivative.
func (h hyper) add(dtheta []float64, v float64) {
	if h >= 0 {
		dtheta[h] += v
	}
}

type boundWeighted struct {
	*weighted
	theta []float64
	rows  []rows
	work  []float64
}

func (s *weighted) bind(theta []float64, y *reference) rows {
	b := &boundWeighted{weighted: s, theta: theta, work: make([]float64, y.Len())}
	b.rows = lists.Of(s.parts, func(q part) rows { return q.bind(theta, y) })
	return b
}

func (b *boundWeighted) row(dst []float64, x *points.Set, i, lo int) {
	b.rows[0].row(dst, x, i, lo)
	floats.Scale(b.weight[0].of(b.theta, 1), dst)
	for j, q := range b.rows[1:] {
		k := b.work[:len(dst)]
		q.row(k, x, i, lo)
		floats.AddScaled(dst, b.weight[j+1].of(b.theta, 1), k)
	}
}

func (b *boundWeighted) pull(dx, w []float64, x *points.Set, i, lo int) {
	g := b.work[:len(w)]
	for j, q := range b.rows {
		a := b.weight[j].of(b.theta, 1)
		for t, v := range w {
			g[t] = a * v
		}
		q.pull(dx, g, x, i, lo)
	}
}

// gram leaves the summands on the tapes of the parts.
func (b *boundWeighted) gram(dst lower, tape *Tape) {
	for j, q := range b.rows {
		k, a := tape.part(j).plane(values, dst.n), b.weight[j].of(b.theta, 1)
		q.gram(k, tape.part(j))
		for i := range dst.n {
			row := dst.row(i)
			if j == 0 {
				clear(row)
			}
			for t, v := range k.row(i)[:len(row)] {
				row[t] += a * v
			}
		}
	}
}

func (b *boundWeighted) pullGram(dtheta []float64, w lower, tape *Tape) {
	for j, q := range b.rows {
		k, a, sum := tape.part(j).plane(values, w.n), b.weight[j].of(b.theta, 1), 0.0
		for i := range w.n {
			g := k.row(i)
			for t, v := range w.row(i)[:i+1] {
				sum += v * g[t]
				g[t] = a * v
			}
		}
		b.weight[j].add(dtheta, sum)
		q.pullGram(dtheta, k.cut(), tape.part(j))
	}
}

func fill(dst []float64, v float64) {
	for t := range dst {
		dst[t] = v
	}
}
