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
	same        int  // the value inactivity equals, −1: none
	two         bool // values, so that codes differ by 1 or not at all
	at          int  // feature
}

func (n *nominal) over(col *boundAxis) boundTerm { return &boundNominal{nominal: n, col: col} }

func (b *boundNominal) set(theta []float64) {
	b.theta, b.same = theta, -1
	b.diff, b.mixed = b.values(theta)
	if b.equal >= 0 {
		if r := int(math.Round(theta[b.equal])); r >= 0 && r < b.levels {
			b.same = r
		}
	}
	values := b.levels
	if b.col.axis.inactive {
		values++
	}
	b.two = b.alike && values == 2 && b.same < 0
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
	ddiff, dmixed := b.sums(g, lo)
	b.chain(dtheta, b.theta, ddiff, dmixed)
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
