package kernels

// The fast paths of 1/(δ + βλ + αs) on a complete graph. With z₀ = δ + αs,
// z₁ = z₀ + βλ₁ and, for a conditional choice, z₂ = z₀ + β(m+1)w, the factor is
// a ratio of polynomials, whose product over choices takes one division per
// pair; written without the cancellation of the eigen-sum.

// ratio multiplies num and den by numerator and denominator of the factor.
func (b *boundFactor) ratio(num, den, s []float64, v, lo int) {
	code := b.code[lo : lo+len(num)]
	m := float64(b.spectrum.m)
	if b.spectrum.side == b.spectrum.m { // (z₀ + b₁/m)/(z₀z₁), (b₁/m)/(z₀z₁)
		b1, a, d := b.b[1], b.alpha, b.delta
		other := b1 / m
		for t, w := range code {
			z := d + a*s[t]
			n := other
			if w == v {
				n += z
			}
			num[t] *= n
			den[t] *= z * (z + b1)
		}
		return
	}
	b1, b2 := b.b[1], b.b[2]
	// With b₂ = β(m+1)w: two values ((m+1)b₁ − b₂)/(m(m+1))·z₀ + b₁b₂/(m+1) over
	// z₀z₁z₂, to which one value adds z₀z₂; ∅ has (b₂/(m+1))/(z₀z₂), twice
	// (z₀ + b₂/(m+1))/(z₀z₂).
	slope, level, gap := ((m+1)*b1-b2)/(m*(m+1)), b1*b2/(m+1), b2/(m+1)
	for t, w := range code {
		z0 := b.delta + b.alpha*s[t]
		z1, z2 := z0+b1, z0+b2
		switch b.spectrum.classOf(v, w) {
		case same:
			num[t] *= slope*z0 + level + z0*z2
			den[t] *= z0 * z1 * z2
		case diff:
			num[t] *= slope*z0 + level
			den[t] *= z0 * z1 * z2
		case mixed:
			num[t] *= gap
			den[t] *= z0 * z2
		case off:
			num[t] *= z0 + gap
			den[t] *= z0 * z2
		}
	}
}

// pullSimple is gather over a row, one division per pair.
func (b *boundFactor) pullSimple(ds, h, s []float64, code []int, v int, own bool) {
	b1, b2 := b.b[1], 0.0
	if len(b.b) > 2 {
		b2 = b.b[2]
	}
	var alpha, low, first, second float64
	for t, w := range code {
		p := b.spectrum.class[b.spectrum.classOf(v, w)]
		z0 := b.delta + b.alpha*s[t]
		z1 := z0 + b1
		var f0, f1, f2 float64 // −P_g/z_g²
		if len(p) == 2 {
			r := 1 / (z0 * z1)
			r0, r1 := r*z1, r*z0
			f0, f1 = -p[0]*r0*r0, -p[1]*r1*r1
		} else {
			z2 := z0 + b2
			r := 1 / (z0 * z1 * z2)
			r0, r1, r2 := r*z1*z2, r*z0*z2, r*z0*z1
			f0, f1, f2 = -p[0]*r0*r0, -p[1]*r1*r1, -p[2]*r2*r2
		}
		f := h[t] * (f0 + f1 + f2)
		ds[t] += f * b.alpha
		alpha += f * s[t]
		low += f
		first += h[t] * f1
		second += h[t] * f2
	}
	if !own {
		return
	}
	b.sum.alpha += alpha
	b.sum.beta += first * b.lambda[1]
	b.sum.w += first * b.beta * b.spectrum.mult[1]
	if len(b.b) > 2 {
		b.sum.beta += second * b.lambda[2]
		b.sum.w += second * b.beta * b.spectrum.mult[2]
	}
	if len(b.shared) > 0 { // δ
		b.sum.shared[0] += low
	}
}
