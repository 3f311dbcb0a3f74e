package kernels

// The fast path of 1/(δ + βλ + αs) on a complete graph: the factor is a ratio N/D of polynomials in z₀ = δ + αs, so
// that the product over choices takes one division per pair, and so does the gradient of each factor, through that of
// its logarithm. Written out, N has none of the cancellation of the eigen-sum.
//
//	N = A + z₀(B + C z₂)    D = z₀ z₂ z₁^E    z₁ = z₀ + b₁    z₂ = z₀ + b₂
//
// b₁ = β·mw₀ (+ βw if conditional) belongs to the differences between values, b₂ = β(m+1)w to ∅; w₀ is the weight of
// the graph. If there is no ∅, z₂ = 1 and A = b₁/m. With ∅: two values have A = b₁b₂/(m+1), B = ((m+1)b₁ −
// b₂)/(m(m+1)); anything with ∅ has A = b₂/(m+1). A unit diagonal multiplies N by a constant for each class.
type ratio struct {
	a, b, c, e float64 // A, B, C, E
	a1, b1     float64 // ∂A/∂b₁, ∂B/∂b₁
	a2, b2     float64 // ∂A/∂b₂, ∂B/∂b₂
}

// ratios lists N and D by class of pair.
func (b *boundFactor) ratios() [4]ratio {
	r := b.unscaled()
	if b.scale == nil {
		return r
	}
	value, none := b.scale[0], b.scale[b.spectrum.side-1]
	for class, f := range [4]float64{same: value * value, diff: value * value, mixed: value * none, off: none * none} {
		k := &r[class]
		k.a, k.b, k.c = f*k.a, f*k.b, f*k.c
		k.a1, k.b1, k.a2, k.b2 = f*k.a1, f*k.b1, f*k.a2, f*k.b2
	}
	return r
}

func (b *boundFactor) unscaled() (r [4]ratio) {
	m, b1 := float64(b.spectrum.m), b.b[1]
	if b.spectrum.side == b.spectrum.m {
		r[diff] = ratio{a: b1 / m, a1: 1 / m, e: 1}
		r[same] = r[diff]
		r[same].b = 1
		return r
	}
	b2 := b.b[2]
	r[diff] = ratio{
		a: b1 * b2 / (m + 1), a1: b2 / (m + 1), a2: b1 / (m + 1), e: 1,
		b: ((m+1)*b1 - b2) / (m * (m + 1)), b1: 1 / m, b2: -1 / (m * (m + 1)),
	}
	r[same] = r[diff]
	r[same].c = 1
	r[mixed] = ratio{a: b2 / (m + 1), a2: 1 / (m + 1)}
	r[off] = r[mixed]
	r[off].b = 1
	return r
}

// complete is the factor without ∅ between the loaded point and others.
func (b *boundFactor) complete() complete {
	s := b.table[same]
	return complete{v: float64(b.vertex), a: s.a, b: s.b, delta: b.delta, alpha: b.alpha, b1: b.b[1]}
}

// extended is the factor with ∅ between the loaded point and others.
func (b *boundFactor) extended() extended {
	k := extended{p: float64(b.vertex), q: float64(b.spectrum.m), delta: b.delta, alpha: b.alpha, b1: b.b[1], b2: b.b[2]}
	if b.vertex == b.spectrum.m {
		k.q = -1
		k.at = [3]ratio{b.table[off], b.table[mixed], b.table[mixed]}
	} else {
		k.at = [3]ratio{b.table[same], b.table[mixed], b.table[diff]}
	}
	return k
}

// multiply multiplies num and den by numerator and denominator of the factor.
func (b *boundFactor) multiply(num, den, s []float64, lo int) {
	if b.spectrum.side == b.spectrum.m {
		k := b.complete()
		k.multiply(num, den, s, b.names[lo:])
		return
	}
	k := b.extended()
	k.multiply(num, den, s, b.names[lo:])
}

// pullDivide adds the gradient of Σ g_t ln F_t without scaling to the sums, for all
// factors at once where g_t = w_t·Π_p F_p, and to ds.
func (b *boundFactor) pullDivide(ds, g, s []float64, lo int) {
	var dz, dalpha, d1, d2 float64
	if b.spectrum.side == b.spectrum.m {
		k := b.complete()
		var overN, over1 float64
		dz, dalpha, overN, over1 = k.pull(ds, g, s, b.names[lo:])
		d1 = overN*b.table[same].a1 - over1
	} else {
		k := b.extended()
		dz, dalpha, d1, d2 = k.pull(ds, g, s, b.names[lo:])
	}
	b.sum.alpha += dalpha
	b.sum.beta += d1 * b.lambda[1]
	b.sum.w += d1 * b.beta * b.spectrum.mult[1]
	if len(b.b) > 2 {
		b.sum.beta += d2 * b.lambda[2]
		b.sum.w += d2 * b.beta * b.spectrum.mult[2]
	}
	b.sum.delta += dz
}
