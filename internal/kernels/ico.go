package kernels

// ico is θ(u − u′)² between active points and 0 elsewhere; an activityOffset ρ adds the rest
// (Zaefferer & Horn 2018, arXiv:1807.01011). The sum embeds in no Euclidean space: with squared deviations no finite
// ρ makes every kernel matrix positive semi-definite.
type ico struct{ theta int }

type boundIco struct {
	*ico
	col *boundAxis
	th  float64
}

func (o *ico) over(col *boundAxis) boundTerm { return &boundIco{ico: o, col: col} }

func (b *boundIco) set(theta []float64) { b.th = theta[b.theta] }

func (b *boundIco) load(int)                       {}
func (b *boundIco) squares(list []square) []square { return list }

// on is the activity of the reference point t as 0 or 1.
func (b *boundIco) on(t int) float64 {
	if b.col.on == nil {
		return 1
	}
	return b.col.on[t]
}

func (b *boundIco) add(dst []float64, lo int) {
	u, x, xOn := b.col.u[lo:][:len(dst)], b.col.x, b.col.xOn
	for t := range dst {
		if d := x - u[t]; b.on(lo+t) == xOn { // both off: d = 0
			dst[t] += b.th * d * d
		}
	}
}

func (b *boundIco) pull(dtheta, g []float64, lo int) {
	u, x, xOn, sum := b.col.u[lo:][:len(g)], b.col.x, b.col.xOn, 0.0
	for t := range g {
		if d := x - u[t]; b.on(lo+t) == xOn {
			sum += g[t] * d * d
		}
	}
	dtheta[b.theta] += sum
}

func (b *boundIco) rise(g []float64, lo int) float64 {
	u, sum := b.col.u[lo:][:len(g)], 0.0
	for t, v := range g {
		sum += v * b.on(lo+t) * (b.col.x - u[t])
	}
	return 2 * b.th * b.col.xOn * sum
}

// activityOffset is h·1[exactly one is active]: what box adds to imp, and ico needs. It works along
// numbers and names.
type activityOffset struct{ h int }

type boundActivityOffset struct {
	h    int
	v    float64
	col  *boundAxis
	away float64 // activity that the loaded point lacks
}

func (w *activityOffset) over(col *boundAxis) boundTerm {
	return &boundActivityOffset{h: w.h, col: col}
}

func (b *boundActivityOffset) set(theta []float64) { b.v = theta[b.h] }

func (b *boundActivityOffset) load(int) {
	active := b.col.xOn == 1
	if b.col.names != nil {
		active = b.col.xCode < b.col.axis.levels
	}
	b.away = 1
	if active {
		b.away = 0
	}
}

func (b *boundActivityOffset) squares(list []square) []square { return list }
func (b *boundActivityOffset) rise([]float64, int) float64    { return 0 }

func (b *boundActivityOffset) add(dst []float64, lo int) {
	switch {
	case b.away == 1 && b.col.few != nil && lo == 0:
		for _, t := range b.col.few {
			if t < len(dst) {
				dst[t] += b.v
			}
		}
	case b.col.on != nil:
		addChoices(dst, b.col.on[lo:], 1-b.away, b.away, b.v, 0)
	case b.away == 1:
		for t := range dst {
			dst[t] += b.v
		}
	}
}

func (b *boundActivityOffset) pull(dtheta, g []float64, lo int) {
	switch {
	case b.col.on != nil:
		mixed, _ := sumChoices(g, b.col.on[lo:], 1-b.away, b.away)
		dtheta[b.h] += mixed
	case b.away == 1:
		for _, v := range g {
			dtheta[b.h] += v
		}
	}
}

func (b *boundActivityOffset) features(x *pairSums) { x.activity(b.col) }

func (b *boundActivityOffset) pullPairSums(dtheta []float64, x *pairSums) {
	if b.col.on != nil {
		dtheta[b.h] += x.sum(b.col.onAt, b.col.onAt)
	}
}
