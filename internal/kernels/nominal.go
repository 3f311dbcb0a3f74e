package kernels

import "math"

// nominal is a squared distance between names, a multiple of a weight: 0 if equal, `diff` times if two
// values differ, `mixed` times between a value and inactivity, except that imp may name one
// value that inactivity equals.
type nominal struct {
	levels      int
	weight      weight
	diff, mixed float64
	equal       int // hyperparameter: the value inactivity equals, `levels` for none; −1: none
}

type boundNominal struct {
	*nominal
	col         *boundAxis
	theta       []float64
	diff, mixed float64 // times the weight
	same        int     // the value inactivity equals, −1: none
	two         bool    // values, so that codes differ by 1 or not at all
	at          int     // feature
}

func (n *nominal) over(col *boundAxis) boundTerm { return &boundNominal{nominal: n, col: col} }

func (b *boundNominal) set(theta []float64) {
	b.theta, b.same = theta, -1
	w := b.weight.value(theta)
	b.diff, b.mixed = w*b.nominal.diff, w*b.nominal.mixed
	if b.equal >= 0 {
		if r := int(math.Round(theta[b.equal])); r >= 0 && r < b.levels {
			b.same = r
		}
	}
	values := b.levels
	if b.col.axis.inactive {
		values++
	}
	b.two = b.nominal.diff == b.nominal.mixed && values == 2 && b.same < 0
}

func (b *boundNominal) load(int) {}

func (b *boundNominal) squares(list []square) []square {
	if b.two {
		list = append(list, square{b.col.names, float64(b.col.xCode), b.diff})
	}
	return list
}

func (b *boundNominal) add(dst []float64, lo int) {
	v, off, names := float64(b.col.xCode), float64(b.levels), b.col.names[lo:]
	switch {
	case v == off && b.col.few != nil && lo == 0:
		for _, t := range b.col.few {
			if t < len(dst) && int(names[t]) != b.same {
				dst[t] += b.mixed
			}
		}
	case v == off:
		addChoices(dst, names, off, float64(b.same), 0, b.mixed)
	case b.col.xCode == b.same:
		addChoices(dst, names, v, off, 0, b.diff)
	default:
		addChoices(dst, names, v, off, b.mixed, b.diff)
	}
}

func (b *boundNominal) pull(dtheta, g []float64, lo int) {
	diff, mixed := b.sums(g, lo)
	b.chain(dtheta, diff, mixed)
}

// chain adds the gradient of the sum of all distances to dtheta.
func (b *boundNominal) chain(dtheta []float64, diff, mixed float64) {
	b.weight.chain(dtheta, b.theta, diff*b.nominal.diff+mixed*b.nominal.mixed)
}

// sums are Σ g_t over the pairs whose distances are diff and mixed.
func (b *boundNominal) sums(g []float64, lo int) (ddiff, dmixed float64) {
	v, off, names := float64(b.col.xCode), float64(b.levels), b.col.names[lo:]
	switch {
	case v == off && b.col.few != nil && lo == 0:
		var sum lanes // as sumChoices sums
		for _, t := range b.col.few {
			if t < len(g) && int(names[t]) != b.same {
				sum[t&3] += g[t]
			}
		}
		dmixed = sum.total()
	case v == off:
		_, dmixed = sumChoices(g, names, off, float64(b.same))
	case b.col.xCode == b.same:
		_, ddiff = sumChoices(g, names, v, off)
	default:
		dmixed, ddiff = sumChoices(g, names, v, off)
	}
	return ddiff, dmixed
}

func (b *boundNominal) features(x *pairSums) {
	if b.two {
		b.at = x.add(b.col.names)
	}
}

func (b *boundNominal) pullPairSums(dtheta []float64, x *pairSums) {
	var ddiff, dmixed float64
	if b.two {
		ddiff = x.sum(b.at, b.at)
	} else {
		for i := range x.n {
			b.col.recall(i)
			diff, mixed := b.sums(x.g.row(i), 0)
			ddiff, dmixed = ddiff+diff, dmixed+mixed
		}
	}
	b.chain(dtheta, ddiff, dmixed)
}

func (b *boundNominal) rise([]float64, int) float64 { return 0 }

// names is the nominal distance w·diff between values and w to inactivity.
func names(levels int, w weight, diff float64, equal int) *nominal {
	return &nominal{levels: levels, weight: w, diff: diff, mixed: 1, equal: equal}
}
