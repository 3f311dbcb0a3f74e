package kernels

// line is w·(ũ − ũ′)² with ũ = u where active and a fixed or learned stand-in
// elsewhere: the distances plain, const, flat, and imp (Zaefferer & Horn 2018).
type line struct {
	weight  monomial
	standIn int     // hyperparameter; −1: the constant below
	fixed   float64 // stand-in
}

type boundLine struct {
	*line
	col     *column
	theta   []float64
	w, rest float64   // weight, stand-in
	f       []float64 // ũ of the reference points
	x       float64   // ũ of the loaded point
	at      int       // feature
}

func (l *line) bind(theta []float64, col *column) boundTerm {
	b := &boundLine{line: l, col: col, theta: theta, w: l.weight.value(theta), rest: l.fixed, f: col.u}
	if l.standIn >= 0 {
		b.rest = theta[l.standIn]
	}
	if col.on != nil {
		b.f = append([]float64(nil), col.u...)
		for t, on := range col.on {
			if on == 0 {
				b.f[t] = b.rest
			}
		}
	}
	return b
}

func (b *boundLine) load(int) {
	b.x = b.col.x
	if b.col.xOn == 0 {
		b.x = b.rest
	}
}

func (b *boundLine) squares(list []square) []square { return append(list, square{b.f, b.x, b.w}) }
func (b *boundLine) add([]float64, int)             {}

func (b *boundLine) pull(dtheta, g []float64, lo int) {
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

func (b *boundLine) slope(dst []float64, lo int) {
	f, x, w := b.f[lo:][:len(dst)], b.x, 2*b.w
	for t := range dst {
		dst[t] += w * (x - f[t])
	}
}

func (b *boundLine) features(x *crosses) {
	b.at = x.add(b.f)
	if b.standIn >= 0 && b.col.on != nil {
		x.add(b.col.on)
	}
}

func (b *boundLine) pullCrosses(dtheta []float64, x *crosses) {
	b.weight.chain(dtheta, b.theta, x.cross(b.at, b.at))
	if b.standIn >= 0 && b.col.on != nil {
		dtheta[b.standIn] -= 2 * b.w * x.cross(b.at, b.at+1)
	}
}
