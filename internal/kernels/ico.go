package kernels

// ico is θ(u − u′)² between active points and ρ if one is inactive (Zaefferer &
// Horn 2018). It embeds in no Euclidean space: with squared deviations no finite
// ρ makes every kernel matrix positive semi-definite.
type ico struct{ theta, rho int }

type boundIco struct {
	*ico
	col       *boundAxis
	th, apart float64
}

func (o *ico) bind(theta []float64, col *boundAxis) boundTerm {
	b := &boundIco{ico: o, col: col, th: theta[o.theta]}
	if o.rho >= 0 {
		b.apart = theta[o.rho]
	}
	return b
}

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
		d, on := x-u[t], b.on(lo+t)
		if on != xOn {
			dst[t] += b.apart
		} else {
			dst[t] += b.th * d * d // both off: d = 0
		}
	}
}

func (b *boundIco) pull(dtheta, g []float64, lo int) {
	u, x, xOn := b.col.u[lo:][:len(g)], b.col.x, b.col.xOn
	dth, dapart := 0.0, 0.0
	for t := range g {
		d, on := x-u[t], b.on(lo+t)
		if on != xOn {
			dapart += g[t]
		} else {
			dth += g[t] * d * d
		}
	}
	dtheta[b.theta] += dth
	if b.rho >= 0 {
		dtheta[b.rho] += dapart
	}
}

func (b *boundIco) slope(dst []float64, lo int) {
	u, x := b.col.u[lo:][:len(dst)], b.col.x
	for t := range dst {
		dst[t] += 2 * b.th * b.col.xOn * b.on(lo+t) * (x - u[t])
	}
}
