package kernels

import "math"

// An image is a point that a map gives a value of a coordinate, with its derivatives by the coordinate
// and, up to a constant, by the map's hyperparameter: only differences of images count.
type image struct{ at, du, dp [mostSquares]float64 }

const mostSquares = 3

// mapped is Σ_k c_k·w·(f_k − f_k′)² with the images f of the two values.
type mapped struct {
	weight weight
	coef   []float64                         // c, one for each square
	param  hyper                             // hyperparameter of the map; −1: none
	of     func(p, u float64, on bool) image // nil: the image of a number is the number, of inactivity p
	fixed  float64                           // p, where it is no hyperparameter
}

// linear is w·(ũ − ũ′)² with ũ = u where active and a fixed or learned stand-in
// elsewhere: the distances plain, const, flat, and imp (Zaefferer & Horn 2018, arXiv:1807.01011).
func linear(w weight, standIn hyper, fixed float64) *mapped {
	return &mapped{w, []float64{1}, standIn, nil, fixed}
}

// arc is w·|e − e′|² with e = (sin πρu, cos πρu) where active and 0 elsewhere: w if one point is active, 4w sin²(πρ(u −
// u′)/2) if both are (Hutter & Osborne 2013, Eq. 6; Swersky et al. 2014, arXiv:1409.4011, §3). The difference of the
// embedded points loses no digits when they nearly coincide.
func arc(w weight, rho hyper) *mapped {
	return &mapped{w, []float64{1, 1}, rho, func(p, u float64, on bool) (e image) {
		if on {
			angle := math.Pi * p
			s, c := math.Sincos(angle * u)
			e.at, e.du, e.dp = [mostSquares]float64{s, c}, [mostSquares]float64{angle * c, -angle * s},
				[mostSquares]float64{math.Pi * u * c, -math.Pi * u * s}
		}
		return e
	}, 0}
}

// ico is w·(u − u′)² between active points and 0 elsewhere; the activity adds the rest
// (Zaefferer & Horn 2018, arXiv:1807.01011). The sum embeds in no Euclidean space: with squared deviations no finite
// ρ makes every kernel matrix positive semi-definite. With a the activity, 0 or 1, it is
// (au − a′u′)² − (au² − a′u′²)(a − a′), whose second part is a quarter of a difference of squares.
func ico(w weight) *mapped {
	return &mapped{w, []float64{1, -0.25, 0.25}, -1, func(_, u float64, on bool) (e image) {
		if on {
			e.at, e.du = [mostSquares]float64{u, u*u + 1, u*u - 1}, [mostSquares]float64{1, 2 * u, 2 * u}
		}
		return e
	}, 0}
}

type boundMapped struct {
	*mapped
	col        *boundAxis
	theta      []float64
	w, p       float64
	made       bool                   // the images are those of p
	at, du, dp [mostSquares][]float64 // of the reference points; du where the axis is warped
	x          image
	places     [4 * mostSquares]int // of at and of its slopes, for each square, among the features
}

func (m *mapped) over(col *boundAxis) boundTerm {
	b := &boundMapped{mapped: m, col: col, p: m.fixed}
	if b.at[0] = col.u; m.of == nil && col.on == nil {
		return b
	}
	for k := range m.coef {
		b.at[k] = make([]float64, len(col.u))
		if m.of != nil && m.param >= 0 {
			b.dp[k] = make([]float64, len(col.u))
		}
		if m.of != nil && col.ua != nil {
			b.du[k] = make([]float64, len(col.u))
		}
	}
	return b
}

func (b *boundMapped) set(theta []float64) {
	b.theta, b.w = theta, b.weight.value(theta)
	known := b.made && b.col.ua == nil
	if b.param >= 0 {
		known, b.p = known && b.p == theta[b.param], theta[b.param]
	}
	switch b.made = true; {
	case known:
	case b.of == nil:
		for t, on := range b.col.on {
			if b.at[0][t] = b.col.u[t]; on == 0 {
				b.at[0][t] = b.p
			}
		}
	default:
		for t, u := range b.col.u {
			e := b.of(b.p, u, b.col.on == nil || b.col.on[t] == 1)
			for k := range b.coef {
				b.at[k][t] = e.at[k]
				if b.dp[k] != nil {
					b.dp[k][t] = e.dp[k]
				}
				if b.du[k] != nil {
					b.du[k][t] = e.du[k]
				}
			}
		}
	}
}

func (b *boundMapped) load() {
	switch {
	case b.of != nil:
		b.x = b.of(b.p, b.col.x, b.col.xOn == 1)
	case b.col.xOn == 1:
		b.x.at[0], b.x.du[0] = b.col.x, 1
	default:
		b.x.at[0] = b.p
	}
}

func (b *boundMapped) squares(list []square) []square {
	for k, c := range b.coef {
		list = append(list, square{b.at[k], b.x.at[k], c * b.w})
	}
	return list
}

func (b *boundMapped) add([]float64, int) {}

func (b *boundMapped) rise(g []float64, lo int) (sum float64) {
	for k, c := range b.coef {
		sum += 2 * c * b.w * b.x.du[k] * sumDifferences(g, b.at[k][lo:], b.x.at[k])
	}
	return sum
}

// slopes calls use with every hyperparameter that moves the images of square k, and their derivatives by it, up to a
// constant: a sign times one vector or the product of two.
func (b *boundMapped) slopes(k int, use func(h hyper, sign float64, d, factors []float64)) {
	switch {
	case b.param < 0:
	case b.of != nil:
		use(b.param, 1, b.dp[k], nil)
	case b.col.on != nil:
		use(b.param, -1, b.col.on, nil)
	}
	if b.col.ua != nil {
		use(b.col.axis.warpA, 1, b.col.ua, b.du[k])
		use(b.col.axis.warpB, 1, b.col.ub, b.du[k])
	}
}

func (b *boundMapped) features(x *pairSums) {
	at := 0
	add := func(d, factors []float64) {
		b.places[at] = x.add(d, factors)
		at++
	}
	for k := range b.coef {
		add(b.at[k], nil)
		b.slopes(k, func(_ hyper, _ float64, d, factors []float64) { add(d, factors) })
	}
}

func (b *boundMapped) pull(dtheta []float64, x *pairSums) {
	at, size := 0, 0.0
	for k, c := range b.coef {
		f := b.places[at]
		size += c * x.sum(f, f)
		b.slopes(k, func(h hyper, sign float64, _, _ []float64) {
			at++
			dtheta[h] += sign * 2 * c * b.w * x.sum(f, b.places[at])
		})
		at++
	}
	b.weight.chain(dtheta, b.theta, size)
}
