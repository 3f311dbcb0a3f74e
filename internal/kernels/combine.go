package kernels

import (
	"gonum.org/v1/gonum/floats"

	"bohier/internal/points"
)

// product is Π_j k_j.
type product []part

type boundProduct struct {
	y     *points.Set
	parts []rows
	k     [][]float64 // rows of the factors
	left  []float64   // product of the factors before
	w     []float64
}

func (p product) bind(theta []float64, y *reference) rows {
	n := y.Len()
	b := &boundProduct{y: y.Set, left: make([]float64, n), w: make([]float64, n)}
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

func (b *boundProduct) pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	row := func(j int) []float64 { return b.k[j][:len(w)] }
	for j, q := range b.parts {
		q.row(row(j), x, i, lo)
	}
	b.weigh(w, row, func(j int, g []float64) { b.parts[j].pull(dtheta, dx, g, x, i, lo) })
}

// weigh gives use the weights of every factor: w times all others, those before in left, those
// after multiplied here. Dividing by the factor, which use may overwrite, would fail where it is 0.
func (b *boundProduct) weigh(w []float64, row func(j int) []float64, use func(j int, g []float64)) {
	left, g := b.left[:len(w)], b.w[:len(w)]
	copy(left, w)
	for j := range b.parts {
		copy(g, left)
		for k := j + 1; k < len(b.parts); k++ {
			times(g, row(k))
		}
		times(left, row(j))
		use(j, g)
	}
}

// gram leaves the factors on the tapes of the parts.
func (b *boundProduct) gram(dst []float64, stride int, tape *Tape) {
	n := b.y.Len()
	for j, q := range b.parts {
		k := tape.part(j).square(n)
		gramOf(q, k, n, b.y, tape.part(j))
		for i := range n {
			if row := dst[i*stride:][:i+1]; j == 0 {
				copy(row, k[i*n:])
			} else {
				times(row, k[i*n:][:i+1])
			}
		}
	}
}

func (b *boundProduct) pullGram(dtheta, w []float64, stride int, tape *Tape) {
	n := b.y.Len()
	for i := range n {
		row := func(j int) []float64 { return tape.part(j).whole[i*n:][:i+1] }
		b.weigh(w[i*stride:][:i+1], row, func(j int, g []float64) { copy(row(j), g) })
	}
	for j, q := range b.parts {
		pullGramOf(q, dtheta, tape.part(j).whole, n, b.y, tape.part(j))
	}
}

// weighted is Σ_j a_j·k_j; a weight index of −1 means 1.
type weighted struct {
	parts  []part
	weight []int
}

type boundWeighted struct {
	*weighted
	y     *points.Set
	theta []float64
	rows  []rows
	work  []float64
}

func (s *weighted) bind(theta []float64, y *reference) rows {
	b := &boundWeighted{weighted: s, y: y.Set, theta: theta, work: make([]float64, y.Len())}
	for _, q := range s.parts {
		b.rows = append(b.rows, q.bind(theta, y))
	}
	return b
}

func (b *boundWeighted) factor(j int) float64 {
	if b.weight[j] < 0 {
		return 1
	}
	return b.theta[b.weight[j]]
}

func (b *boundWeighted) row(dst []float64, x *points.Set, i, lo int) {
	b.rows[0].row(dst, x, i, lo)
	floats.Scale(b.factor(0), dst)
	for j, q := range b.rows[1:] {
		k := b.work[:len(dst)]
		q.row(k, x, i, lo)
		floats.AddScaled(dst, b.factor(j+1), k)
	}
}

func (b *boundWeighted) pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	g := b.work[:len(w)]
	for j, q := range b.rows {
		if h := b.weight[j]; h >= 0 && dtheta != nil {
			q.row(g, x, i, lo)
			sum := 0.0
			for t, v := range g {
				sum += w[t] * v
			}
			dtheta[h] += sum
		}
		a := b.factor(j)
		for t, v := range w {
			g[t] = a * v
		}
		q.pull(dtheta, dx, g, x, i, lo)
	}
}

// gram leaves the summands on the tapes of the parts.
func (b *boundWeighted) gram(dst []float64, stride int, tape *Tape) {
	n := b.y.Len()
	for j, q := range b.rows {
		k, a := tape.part(j).square(n), b.factor(j)
		gramOf(q, k, n, b.y, tape.part(j))
		for i := range n {
			row := dst[i*stride:][:i+1]
			if j == 0 {
				clear(row)
			}
			for t, v := range k[i*n:][:i+1] {
				row[t] += a * v
			}
		}
	}
}

func (b *boundWeighted) pullGram(dtheta, w []float64, stride int, tape *Tape) {
	n := b.y.Len()
	for j, q := range b.rows {
		k, a, sum := tape.part(j).square(n), b.factor(j), 0.0
		for i := range n {
			g := k[i*n:][:i+1]
			for t, v := range w[i*stride:][:i+1] {
				sum += v * g[t]
				g[t] = a * v
			}
		}
		if h := b.weight[j]; h >= 0 {
			dtheta[h] += sum
		}
		pullGramOf(q, dtheta, k, n, b.y, tape.part(j))
	}
}

func fill(dst []float64, v float64) {
	for t := range dst {
		dst[t] = v
	}
}
