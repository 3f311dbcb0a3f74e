package kernels

import (
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// A law is a covariance of resources alone or, between points of different trials, 0.
type law struct {
	spec FidelitySpec
	own  []hyper // its hyperparameters
	same bool    // 0 between trials
	// of makes, of the hyperparameters, the function that links two relative resources.
	of func(spec FidelitySpec, own []float64) func(s, t float64) link
}

// A link is the covariance of two resources with its derivatives by the hyperparameters of the law.
type link struct {
	v float64
	d [mostOwn]float64
}

const mostOwn = 3

// boundLaw tables the links of distinct resources, which are few.
type boundLaw struct {
	*law
	y        *points.Set
	pair     func(s, t float64) link
	distinct []float64
	at       []int     // of every reference point, its place among distinct
	trials   []float64 // of the reference points
	table    [][]link  // of pairs of distinct resources
	other    []link    // of a resource that is not among them
	sums     []float64 // weights of pairs, by the second resource
}

func (p *law) bind(theta []float64, y *reference) rows {
	b := &boundLaw{law: p, y: y.Set, at: make([]int, y.Len()), trials: make([]float64, y.Len())}
	b.pair = p.of(p.spec, lists.Of(p.own, func(h hyper) float64 { return theta[h] }))
	for t := range b.at {
		s := y.At(p.spec.Coord, t)
		if b.at[t] = slices.Index(b.distinct, s); b.at[t] < 0 {
			b.at[t], b.distinct = len(b.distinct), append(b.distinct, s)
		}
		b.trials[t] = b.trial(y.Set, t)
	}
	b.sums, b.other = make([]float64, len(b.distinct)), make([]link, len(b.distinct))
	for _, s := range b.distinct {
		b.table = append(b.table, b.against(make([]link, len(b.distinct)), s))
	}
	return b
}

// against fills out with the links of s and every distinct resource.
func (b *boundLaw) against(out []link, s float64) []link {
	for j, u := range b.distinct {
		out[j] = b.pair(s, u)
	}
	return out
}

// links is against for point i of x.
func (b *boundLaw) links(x *points.Set, i int) []link {
	s := x.At(b.spec.Coord, i)
	if j := slices.Index(b.distinct, s); j >= 0 {
		return b.table[j]
	}
	return b.against(b.other, s)
}

// trial is the trial of point i of x; NaN, which equals nothing, for none. It is 0 of all where trials do not count.
func (b *boundLaw) trial(x *points.Set, i int) float64 {
	switch c := b.spec.Coord + 1; {
	case !b.same:
		return 0
	case x.Active(c, i):
		return x.At(c, i)
	}
	return math.NaN()
}

func (b *boundLaw) row(dst []float64, x *points.Set, i, lo int) {
	l, at, trial, trials := b.links(x, i), b.at[lo:], b.trial(x, i), b.trials[lo:]
	for t := range dst {
		if dst[t] = 0; trials[t] == trial {
			dst[t] = l[at[t]].v
		}
	}
}

// pull does nothing: resources are no coordinates of a search.
func (b *boundLaw) pull(_, _ []float64, _ *points.Set, _, _ int) {}

func (b *boundLaw) gram(dst lower, _ *Tape) { rowByRow(b, dst, b.y) }

func (b *boundLaw) pullGram(dtheta []float64, w lower, _ *Tape) {
	for i := 0; b.own != nil && i < w.n; i++ {
		clear(b.sums)
		for t, v := range w.row(i)[:i+1] {
			if b.trials[t] == b.trials[i] {
				b.sums[b.at[t]] += v
			}
		}
		for d, l := range b.table[b.at[i]] {
			for j, h := range b.own {
				dtheta[h] += b.sums[d] * l.d[j]
			}
		}
	}
}
