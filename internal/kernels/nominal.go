package kernels

import (
	"math"
	"slices"
)

// nominal is a squared distance between names, a multiple of a weight: 0 if equal, `diff` times if two values differ,
// `mixed` times between a value and inactivity, except that imp may name one value that inactivity equals.
type nominal struct {
	levels      int
	weight      weight
	diff, mixed float64
	equal       hyper // hyperparameter: the value inactivity equals, `levels` for none; −1: none
	activity    bool  // the names are active and not, whatever the axis has
}

// names is the nominal distance w·diff between values and w to inactivity.
func names(levels int, w weight, diff float64, equal hyper) *nominal {
	return &nominal{levels: levels, weight: w, diff: diff, mixed: 1, equal: equal}
}

type boundNominal struct {
	*nominal
	col         *boundAxis
	theta       []float64
	codes       []float64 // of the reference points
	off         float64   // the code of inactivity
	diff, mixed float64   // times the weight
	same        int       // the value inactivity equals, −1: none
	two         bool      // codes differ by 1 or not at all
	at          int       // feature
}

func (n *nominal) over(col *boundAxis) boundTerm {
	b := &boundNominal{nominal: n, col: col, codes: col.u, off: float64(n.levels)}
	if n.activity {
		if b.codes, b.off = col.on, 0; b.codes == nil {
			b.codes = slices.Repeat([]float64{1}, len(col.u))
		}
	}
	return b
}

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
	b.two = b.activity || b.nominal.diff == b.nominal.mixed && values == 2 && b.same < 0
}

func (b *boundNominal) load() {}

// code is that of the loaded point.
func (b *boundNominal) code() float64 {
	if b.activity {
		return b.col.xOn
	}
	return b.col.x
}

func (b *boundNominal) squares(list []square) []square {
	if b.two && !b.activity {
		list = append(list, square{b.codes, b.col.x, b.diff})
	}
	return list
}

func (b *boundNominal) add(dst []float64, lo int) {
	v, codes := b.code(), b.codes[lo:]
	switch {
	case v == b.off && b.col.few != nil && lo == 0:
		for _, t := range b.col.few {
			if t < len(dst) && int(codes[t]) != b.same {
				dst[t] += b.mixed
			}
		}
	case v == b.off:
		addChoices(dst, codes, v, float64(b.same), 0, b.mixed)
	case int(v) == b.same:
		addChoices(dst, codes, v, b.off, 0, b.diff)
	default:
		addChoices(dst, codes, v, b.off, b.mixed, b.diff)
	}
}

// sums are Σ g_t over the pairs whose distances are diff and mixed.
func (b *boundNominal) sums(g []float64) (ddiff, dmixed float64) {
	v := b.code()
	switch {
	case v == b.off && b.col.few != nil:
		var sum lanes // as sumChoices sums
		for _, t := range b.col.few {
			if t < len(g) && int(b.codes[t]) != b.same {
				sum[t&3] += g[t]
			}
		}
		dmixed = sum.total()
	case v == b.off:
		_, dmixed = sumChoices(g, b.codes, v, float64(b.same))
	case int(v) == b.same:
		_, ddiff = sumChoices(g, b.codes, v, b.off)
	default:
		dmixed, ddiff = sumChoices(g, b.codes, v, b.off)
	}
	return ddiff, dmixed
}

func (b *boundNominal) features(x *pairSums) {
	if b.two {
		b.at = x.add(b.codes, nil)
	}
}

func (b *boundNominal) pull(dtheta []float64, x *pairSums) {
	var ddiff, dmixed float64
	switch {
	case b.activity:
		dmixed = x.sum(b.at, b.at)
	case b.two:
		ddiff = x.sum(b.at, b.at)
	default:
		for i := range x.n {
			b.col.recall(i)
			diff, mixed := b.sums(x.g.row(i))
			ddiff, dmixed = ddiff+diff, dmixed+mixed
		}
	}
	b.weight.chain(dtheta, b.theta, ddiff*b.nominal.diff+dmixed*b.nominal.mixed)
}

func (b *boundNominal) rise([]float64, int) float64 { return 0 }
