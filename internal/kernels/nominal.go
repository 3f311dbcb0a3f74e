package kernels

import "math"

// nominal is a squared distance between names: 0 if equal, `diff` if two values
// differ, `mixed` between a value and inactivity, except that imp may name one
// value that inactivity equals.
type nominal struct {
	levels int
	equal  int  // hyperparameter: the value inactivity equals, `levels` for none; −1: none
	alike  bool // mixed is diff: inactivity is one more value
	// values gives diff and mixed, chain their gradient.
	values func(theta []float64) (diff, mixed float64)
	chain  func(dtheta, theta []float64, ddiff, dmixed float64)
}

type boundNominal struct {
	*nominal
	col         *boundAxis
	theta       []float64
	diff, mixed float64
	same        int         // the value inactivity equals, −1: none
	f           [][]float64 // coordinates of two or three values at equal distances; nil: these are compared
	at          int         // feature
}

// corners are points at distances of 1 from each other: their coordinates one after the other.
var corners = [][]float64{{0, 1, 0.5}, {0, 0, math.Sqrt(0.75)}}

func (n *nominal) bind(theta []float64, col *boundAxis) boundTerm {
	b := &boundNominal{nominal: n, col: col, theta: theta, same: -1}
	b.diff, b.mixed = n.values(theta)
	if n.equal >= 0 {
		if r := int(math.Round(theta[n.equal])); r >= 0 && r < n.levels {
			b.same = r
		}
	}
	values := n.levels
	if col.axis.inactive && b.same < 0 {
		values++
	}
	switch {
	case n.alike && values == 2 && b.same < 0:
		b.f = [][]float64{col.names}
	case n.alike && (values == 2 || values == 3):
		b.f = make([][]float64, values-1)
		for k := range b.f {
			b.f[k] = make([]float64, len(col.names))
			for t, v := range col.names {
				b.f[k][t] = corners[k][b.value(int(v))]
			}
		}
	}
	return b
}

// value is a value's index, inactivity's being that of its equal or the last.
func (b *boundNominal) value(code int) int {
	if code == b.levels && b.same >= 0 {
		return b.same
	}
	return code
}

func (b *boundNominal) load(int) {}

func (b *boundNominal) squares(list []square) []square {
	for k, f := range b.f {
		list = append(list, square{f, corners[k][b.value(b.col.xCode)], b.diff})
	}
	return list
}

func (b *boundNominal) add(dst []float64, lo int) {
	v, off, names := float64(b.col.xCode), float64(b.levels), b.col.names[lo:]
	switch {
	case v == off:
		addChoices(dst, names, off, float64(b.same), 0, b.mixed)
	case b.col.xCode == b.same:
		addChoices(dst, names, v, off, 0, b.diff)
	default:
		addChoices(dst, names, v, off, b.mixed, b.diff)
	}
}

func (b *boundNominal) pull(dtheta, g []float64, lo int) {
	ddiff, dmixed := b.sums(g, lo)
	b.chain(dtheta, b.theta, ddiff, dmixed)
}

// sums are Σ g_t over the pairs whose distances are diff and mixed.
func (b *boundNominal) sums(g []float64, lo int) (ddiff, dmixed float64) {
	v, off, names := float64(b.col.xCode), float64(b.levels), b.col.names[lo:]
	switch {
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
	b.at = x.count
	for _, f := range b.f {
		x.add(f)
	}
}

func (b *boundNominal) pullPairSums(dtheta []float64, x *pairSums) {
	var ddiff, dmixed float64
	for k := range b.f {
		ddiff += x.sum(b.at+k, b.at+k)
	}
	if b.f == nil {
		for i := range x.n {
			b.col.recall(i)
			diff, mixed := b.sums(x.g.row(i), 0)
			ddiff, dmixed = ddiff+diff, dmixed+mixed
		}
	}
	b.chain(dtheta, b.theta, ddiff, dmixed)
}

func (b *boundNominal) rise([]float64, int) float64 { return 0 }

// names is the nominal distance w·diff between values and w to inactivity.
func names(levels int, w weight, diff float64, equal int) *nominal {
	return &nominal{
		levels: levels,
		equal:  equal,
		alike:  diff == 1,
		values: func(theta []float64) (float64, float64) {
			v := w.value(theta)
			return v * diff, v
		},
		chain: func(dtheta, theta []float64, ddiff, dmixed float64) {
			w.chain(dtheta, theta, ddiff*diff+dmixed)
		},
	}
}

// isolatedNames is ico between names: θ between values, ρ to inactivity.
func isolatedNames(levels, th, rho int) *nominal {
	return &nominal{
		levels: levels,
		equal:  -1,
		values: func(theta []float64) (float64, float64) {
			if rho < 0 {
				return theta[th], 0
			}
			return theta[th], theta[rho]
		},
		chain: func(dtheta, _ []float64, ddiff, dmixed float64) {
			dtheta[th] += ddiff
			if rho >= 0 {
				dtheta[rho] += dmixed
			}
		},
	}
}
