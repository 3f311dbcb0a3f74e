package kernels

// linear is w·(ũ − ũ′)² with ũ = u where active and a fixed or learned stand-in
// elsewhere: the distances plain, const, flat, and imp (Zaefferer & Horn 2018, arXiv:1807.01011).
type linear struct {
	weight  weight
	standIn int     // hyperparameter; −1: the constant below
	fixed   float64 // stand-in
}

type boundLinear struct {
	*linear
	col     *boundAxis
	theta   []float64
	w, rest float64   // weight, stand-in
	f       []float64 // ũ of the reference points
	x       float64   // ũ of the loaded point
	at      int       // feature
	warped  int       // the first of two features: its derivatives by the exponents
}

func (l *linear) over(col *boundAxis) boundTerm {
	b := &boundLinear{linear: l, col: col, rest: l.fixed, f: col.u}
	if col.on != nil {
		b.f = make([]float64, len(col.u))
	}
	return b
}

func (b *boundLinear) set(theta []float64) {
	b.theta, b.w = theta, b.weight.value(theta)
	if b.standIn >= 0 {
		b.rest = theta[b.standIn]
	}
	for t, on := range b.col.on {
		if b.f[t] = b.col.u[t]; on == 0 {
			b.f[t] = b.rest
		}
	}
}

func (b *boundLinear) load(int) {
	b.x = b.col.x
	if b.col.xOn == 0 {
		b.x = b.rest
	}
}

func (b *boundLinear) squares(list []square) []square { return append(list, square{b.f, b.x, b.w}) }
func (b *boundLinear) add([]float64, int)             {}

func (b *boundLinear) pull(dtheta, g []float64, lo int) {
	squares, plain := sumSquares(g, b.f[lo:], b.x)
	b.weight.chain(dtheta, b.theta, squares)
	if b.standIn < 0 {
		return
	}
	// ∂ũ/∂ρ is 1 where inactive: Σ g·2wd·(off_x − off_t), and where both are, d is 0.
	switch {
	case b.col.xOn == 0:
		dtheta[b.standIn] += 2 * b.w * plain
	case b.col.on != nil:
		off, _ := sumChoices(g, b.col.on[lo:], 1, 0)
		dtheta[b.standIn] -= 2 * b.w * (b.x - b.rest) * off
	}
}

func (b *boundLinear) rise(g []float64, lo int) float64 {
	_, plain := sumSquares(g, b.f[lo:], b.x)
	return 2 * b.w * plain
}

func (b *boundLinear) features(x *pairSums) {
	b.at = x.add(b.f)
	if b.standIn >= 0 {
		x.activity(b.col)
	}
	if b.col.ua != nil {
		b.warped = x.add(b.col.ua)
		x.add(b.col.ub)
	}
}

func (b *boundLinear) pullPairSums(dtheta []float64, x *pairSums) {
	b.weight.chain(dtheta, b.theta, x.sum(b.at, b.at))
	if b.standIn >= 0 && b.col.on != nil {
		dtheta[b.standIn] -= 2 * b.w * x.sum(b.at, b.col.onAt)
	}
	if b.col.ua != nil {
		dtheta[b.col.axis.warpA] += 2 * b.w * x.sum(b.at, b.warped)
		dtheta[b.col.axis.warpB] += 2 * b.w * x.sum(b.at, b.warped+1)
	}
}
