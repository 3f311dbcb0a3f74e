package kernels

// addFraction adds p[at_t]/(base + alpha·s_t) to dst[t].
func addFraction(dst, s []float64, at []int, p []float64, base, alpha float64) {
	n := len(dst)
	s, at = s[:n], at[:n]
	for t := addFractionAVX2(dst, s, at, p, base, alpha); t < n; t++ {
		dst[t] += p[at[t]] / (base + alpha*s[t])
	}
}

// pullFraction adds to ds[t] the slope of h_t·p[at_t]/(base + alpha·s_t) by s_t and
// returns minus the sums of the derivatives by base and by alpha.
func pullFraction(ds, h, s []float64, at []int, p []float64, base, alpha float64) (plain, far float64) {
	n := len(h)
	ds, s, at = ds[:n], s[:n], at[:n]
	var sum [2]lanes
	for t := pullFractionAVX2(ds, h, s, at, p, base, alpha, &sum); t < n; t++ {
		z := base + alpha*s[t]
		q := h[t] * p[at[t]] / (z * z)
		ds[t] -= alpha * q
		sum[0][t&3] += q
		sum[1][t&3] += q * s[t]
	}
	return sum[0].total(), sum[1].total()
}

// A complete is one factor 1/(δ + βλ + αs) on a complete graph, N/D with N = a + b·z·1[equal] and D = z(z + b1), z =
// delta + alpha·s; see ratio. The loops are as those of simd.go.
type complete struct{ v, a, b, delta, alpha, b1 float64 }

// multiply multiplies num and den by N and D.
func (k *complete) multiply(num, den, s, code []float64) {
	n := len(num)
	den, s, code = den[:n], s[:n], code[:n]
	for t := completeAVX2(num, den, s, code, k); t < n; t++ {
		z := k.delta + k.alpha*s[t]
		above := k.a
		if code[t] == k.v {
			above = k.a + z*k.b
		}
		num[t] *= above
		den[t] *= z * (z + k.b1)
	}
}

// pull adds alpha·f_t to ds[t], f = g·∂ln(N/D)/∂z, and returns Σ f, Σ f·s, Σ g/N and Σ g/(z + b1).
func (k *complete) pull(ds, g, s, code []float64) (dz, dalpha, overN, over1 float64) {
	n := len(g)
	ds, s, code = ds[:n], s[:n], code[:n]
	var sum [4]lanes
	for t := pullCompleteAVX2(ds, g, s, code, k, &sum); t < n; t++ {
		z := k.delta + k.alpha*s[t]
		z1 := z + k.b1
		above, b := k.a, 0.0
		if code[t] == k.v {
			above, b = k.a+z*k.b, k.b
		}
		below := z * z1
		q := g[t] / (above * below)
		qa := q * above
		in, one := q*below, qa*z
		f := in*b - qa*z1 - one
		ds[t] += k.alpha * f
		sum[0][t&3] += f
		sum[1][t&3] += f * s[t]
		sum[2][t&3] += in
		sum[3][t&3] += one
	}
	return sum[0].total(), sum[1].total(), sum[2].total(), sum[3].total()
}

// An extended is the same on a complete graph with ∅: the coefficients of N and D
// are at[0] where the vertex is p, at[1] where it is q, at[2] elsewhere; p ≠ q.
type extended struct {
	p, q, delta, alpha, b1, b2 float64
	at                         [3]ratio
}

func (k *extended) ratio(code float64) *ratio {
	switch code {
	case k.p:
		return &k.at[0]
	case k.q:
		return &k.at[1]
	}
	return &k.at[2]
}

// multiply multiplies num and den by N and D.
func (k *extended) multiply(num, den, s, code []float64) {
	n := len(num)
	den, s, code = den[:n], s[:n], code[:n]
	for t := extendedAVX2(num, den, s, code, k); t < n; t++ {
		c := k.ratio(code[t])
		z := k.delta + k.alpha*s[t]
		z1, z2 := 1-c.e+c.e*(z+k.b1), z+k.b2
		num[t] *= c.a + z*(c.b+c.c*z2)
		den[t] *= z * z1 * z2
	}
}

// pull adds alpha·f_t to ds[t], f = g·∂ln(N/D)/∂z, and returns Σ f, Σ f·s and the gradient of Σ g ln(N/D) by b1 and b2.
func (k *extended) pull(ds, g, s, code []float64) (dz, dalpha, d1, d2 float64) {
	n := len(g)
	ds, s, code = ds[:n], s[:n], code[:n]
	var sum [4]lanes
	for t := pullExtendedAVX2(ds, g, s, code, k, &sum); t < n; t++ {
		c := k.ratio(code[t])
		z := k.delta + k.alpha*s[t]
		z1, z2 := 1-c.e+c.e*(z+k.b1), z+k.b2
		above, below := c.a+z*(c.b+c.c*z2), z*z1*z2
		q := g[t] / (above * below)
		qa := q * above
		in, two, one := q*below, qa*(z*z1), qa*(z*z2)*c.e
		f := in*(c.b+c.c*(z2+z)) - qa*(z1*z2) - two - one
		ds[t] += k.alpha * f
		sum[0][t&3] += f
		sum[1][t&3] += f * s[t]
		sum[2][t&3] += in*(c.a1+z*c.b1) - one
		sum[3][t&3] += in*(c.a2+z*(c.b2+c.c)) - two
	}
	return sum[0].total(), sum[1].total(), sum[2].total(), sum[3].total()
}
