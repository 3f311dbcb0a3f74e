package kernels

import (
	"math"
	"slices"

	"bohier/internal/points"
)

// boundResource is an atResource with its reference points. Values that depend on resources
// alone are tabled by distinct ones, which are few.
type boundResource struct {
	*atResource
	y        *points.Set
	inner    rows
	split    rows // k_f; nil: none
	pair     func(s, t float64) link
	distinct []float64
	at       []int     // of every reference point, its place among distinct
	trials   []float64 // of the reference points
	table    [][]link  // of pairs of distinct resources
	other    []link    // of a resource that is not among them
	k, g     []float64
	kf, gf   []float64
	sums     []weights
}

// weights are sums of weights of pairs with one resource: times k_x, of the same trial,
// and times k_f.
type weights struct{ k, same, fold float64 }

// place is the place of a resource among the distinct ones, where it is put.
func (b *boundResource) place(s float64) int {
	if i := slices.Index(b.distinct, s); i >= 0 {
		return i
	}
	b.distinct = append(b.distinct, s)
	return len(b.distinct) - 1
}

// against fills out with the links of s and every distinct resource.
func (b *boundResource) against(out []link, s float64) []link {
	for j, u := range b.distinct {
		out[j] = b.pair(s, u)
	}
	return out
}

// links is against for point i of x.
func (b *boundResource) links(x *points.Set, i int) []link {
	s := x.At(b.spec.Coord, i)
	if j := slices.Index(b.distinct, s); j >= 0 {
		return b.table[j]
	}
	if b.other == nil {
		b.other = make([]link, len(b.distinct))
	}
	return b.against(b.other, s)
}

// trial is the trial of point i of x; NaN, which equals nothing, for none.
func (b *boundResource) trial(x *points.Set, i int) float64 {
	if c := b.spec.Coord + 1; x.Active(c, i) {
		return x.At(c, i)
	}
	return math.NaN()
}

func (b *boundResource) row(dst []float64, x *points.Set, i, lo int) {
	b.inner.row(dst, x, i, lo)
	b.combine(dst, x, i, lo)
}

// combine turns a row of k_x into one of the kernel.
func (b *boundResource) combine(dst []float64, x *points.Set, i, lo int) {
	l, at, trial, trials := b.links(x, i), b.at[lo:], b.trial(x, i), b.trials[lo:]
	for t := range dst {
		p := &l[at[t]]
		dst[t] *= p.f
		if trials[t] == trial {
			dst[t] += p.g
		}
	}
	if b.split == nil {
		return
	}
	kf := b.kf[:len(dst)]
	b.split.row(kf, x, i, lo)
	for t, v := range kf {
		dst[t] += l[at[t]].q * v
	}
}

func (b *boundResource) pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	n := len(w)
	g := b.g[:n]
	if dtheta != nil {
		b.inner.row(b.k[:n], x, i, lo)
	}
	b.weigh(dtheta, dx, g, b.k[:n], w, x, i, lo)
	b.inner.pull(dtheta, dx, g, x, i, lo)
}

// weigh adds the gradient by the own hyperparameters and those of k_f to dtheta, unless
// that is nil, and sets g to the weights of k_x. g may be k.
func (b *boundResource) weigh(dtheta, dx, g, k, w []float64, x *points.Set, i, lo int) {
	l, at := b.links(x, i), b.at[lo:]
	if b.split != nil {
		b.weighSplit(dtheta, dx, w, l, x, i, lo)
	}
	if dtheta == nil {
		for t := range w {
			g[t] = w[t] * l[at[t]].f
		}
		return
	}
	if b.sums == nil {
		b.sums = make([]weights, len(b.distinct))
	}
	clear(b.sums)
	trial, trials := b.trial(x, i), b.trials[lo:]
	for t := range w {
		s := &b.sums[at[t]]
		s.k += w[t] * k[t]
		if trials[t] == trial {
			s.same += w[t]
		}
		g[t] = w[t] * l[at[t]].f
	}
	if b.split != nil {
		for t := range w {
			b.sums[at[t]].fold += w[t] * b.kf[t]
		}
	}
	for j, h := range b.own {
		if h < 0 {
			continue
		}
		for d := range b.sums {
			s, p := &b.sums[d], &l[d]
			dtheta[h] += s.k*p.df[j] + s.same*p.dg[j] + s.fold*p.dq[j]
		}
	}
}

// weighSplit adds the gradient by the hyperparameters of k_f, and leaves its row in kf.
func (b *boundResource) weighSplit(dtheta, dx, w []float64, l []link, x *points.Set, i, lo int) {
	n, at := len(w), b.at[lo:]
	gf := b.gf[:n]
	for t := range gf {
		gf[t] = w[t] * l[at[t]].q
	}
	var own []float64
	if dtheta != nil {
		own = dtheta[b.fold:]
		b.split.row(b.kf[:n], x, i, lo)
	}
	b.split.pull(own, dx, gf, x, i, lo)
}

// gram leaves the values of k_x on the tape.
func (b *boundResource) gram(dst []float64, stride int, tape *Tape) {
	n := b.y.Len()
	kx := tape.square(n)
	gramOf(b.inner, kx, n, b.y, tape)
	for i := range n {
		row := dst[i*stride:][:i+1]
		copy(row, kx[i*n:])
		b.combine(row, b.y, i, 0)
	}
}

func (b *boundResource) pullGram(dtheta, w []float64, stride int, tape *Tape) {
	n := b.y.Len()
	kx := tape.square(n)
	for i := range n {
		row := kx[i*n:][:i+1]
		b.weigh(dtheta, nil, row, row, w[i*stride:][:i+1], b.y, i, 0)
	}
	pullGramOf(b.inner, dtheta, kx, n, b.y, tape)
}
