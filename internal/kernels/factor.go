package kernels

import (
	"math"

	"bohier/internal/points"
)

// A factor is Σ_i U_vi U_v′i f(λ_i, s) for one choice p.
type factor struct {
	axis     *axis // of the choice; nil: one virtual vertex
	spectrum *spectrum
	delta    hyper // none: δ = 1, α = 1, β = 0, no ∅
	alpha    hyper
	beta     hyper
	inactive hyper
	f        modulation
	unit     bool // divide by √(F(v,v,0)·F(v′,v′,0))
}

type boundFactor struct {
	*factor
	col         *boundAxis // nil: virtual
	alpha, beta float64
	lambda, b   []float64 // λ_g with ∅, β·λ_g
	plain       bool      // f is 1/(δ + b + αs)
	simple      bool      // and the spectrum closed: see ratio
	delta       float64
	table       [4]ratio
	scale       []float64 // 1/√F(v,v,0), nil unless unit
	entry       []int     // where the reference points are in a row of the spectrum; nil unless plain
	work        []float64
	vertex      int       // of the loaded point
	code        []int     // vertices of the reference points; virtual: all 0
	names       []float64 // the same as numbers
	lut, bucket []float64 // per vertex, for s ≡ 0
	sum         sums
}

// sums collects a gradient by the factor's own hyperparameters.
type sums struct {
	delta, alpha, beta, w float64
}

// open is the factor with its hyperparameters, without reference points.
func (p *factor) open(theta []float64) *boundFactor {
	sp := p.spectrum
	n := len(sp.lambda)
	b := &boundFactor{
		factor: p, delta: p.delta.of(theta, 1), alpha: p.alpha.of(theta, 1), beta: p.beta.of(theta, 0),
		lambda: make([]float64, n), b: make([]float64, n),
	}
	for g, l := range sp.lambda {
		l += p.inactive.of(theta, 0) * sp.mult[g]
		b.lambda[g], b.b[g] = l, b.beta*l
	}
	return b
}

func (p *factor) bind(theta []float64, y *reference) *boundFactor {
	sp, b := p.spectrum, p.open(theta)
	n := len(sp.lambda)
	b.work, b.lut, b.bucket = make([]float64, n), make([]float64, sp.side), make([]float64, sp.side)
	b.code, b.names = make([]int, y.Len()), make([]float64, y.Len())
	if p.axis != nil {
		b.col = p.axis.bind(theta, y)
		b.names = b.col.u
		for t, v := range b.names {
			b.code[t] = int(v)
		}
	}
	_, b.plain = p.f.(reciprocal)
	if p.unit {
		b.scale = make([]float64, sp.side)
		for v := range b.scale {
			b.scale[v] = 1 / math.Sqrt(b.at(v, v, 0))
		}
	}
	if b.plain && sp.table != nil {
		b.entry = make([]int, y.Len())
		for t, w := range b.code {
			b.entry[t] = w * n
		}
	}
	if b.plain && sp.closed {
		b.simple = true
		b.table = b.ratios()
	}
	return b
}

// load makes point i of x the current one.
func (b *boundFactor) load(x *points.Set, i int) {
	if b.col != nil {
		b.col.load(x, i)
		b.vertex = int(b.col.x)
	}
}

// at is the factor between two vertices, without scaling.
func (b *boundFactor) at(v, w int, s float64) float64 {
	sum := 0.0
	for g, p := range b.spectrum.pair(b.work, v, w) {
		if p != 0 {
			f, _, _, _ := b.f.slopes(b.delta, b.b[g], s, b.alpha)
			sum += p * f
		}
	}
	return sum
}

// row sets dst to the factor between the loaded point and reference points lo, lo+1, …; s nil means 0 everywhere.
func (b *boundFactor) row(dst, s []float64, lo int) {
	v, code := b.vertex, b.code[lo:lo+len(dst)]
	switch {
	case s == nil && len(b.lut) <= len(dst):
		for w := range b.lut {
			b.lut[w] = b.at(v, w, 0)
		}
		for t, w := range code {
			dst[t] = b.lut[w]
		}
	case s == nil:
		for t, w := range code {
			dst[t] = b.at(v, w, 0)
		}
	case b.entry != nil:
		clear(dst)
		for g, beta := range b.b {
			addFraction(dst, s, b.entry[lo:], b.spectrum.row(v, g), b.delta+beta, b.alpha)
		}
	default:
		for t, w := range code {
			dst[t] = b.at(v, w, s[t])
		}
	}
	if b.scale != nil {
		for t, w := range code {
			dst[t] *= b.scale[v] * b.scale[w]
		}
	}
}

// pull adds the gradient of Σ_t h[t]·F_t, but for that of scaling, to the sums and ds[t]; h is overwritten.
func (b *boundFactor) pull(ds, h, s []float64, lo int) {
	v, code := b.vertex, b.code[lo:lo+len(h)]
	if b.scale != nil {
		for t, w := range code {
			h[t] *= b.scale[v] * b.scale[w]
		}
	}
	switch {
	case s == nil:
		clear(b.bucket)
		for t, w := range code {
			b.bucket[w] += h[t]
		}
		for w, c := range b.bucket {
			if c != 0 {
				b.gather(v, w, 0, c)
			}
		}
	case b.entry != nil:
		b.pullFractions(ds, h, s, lo)
	default:
		for t, w := range code {
			ds[t] += b.gather(v, w, s[t], h[t])
		}
	}
}

// gather adds c times the gradient of the factor at one pair to the sums, and returns c·∂F/∂s.
func (b *boundFactor) gather(v, w int, s, c float64) float64 {
	slope := 0.0
	for g, p := range b.spectrum.pair(b.work, v, w) {
		if p != 0 {
			slope += b.gatherAt(g, s, c*p)
		}
	}
	return slope
}

// gatherAt is gather for f at eigenvalue g.
func (b *boundFactor) gatherAt(g int, s, c float64) float64 {
	f, db, ds, da := b.f.slopes(b.delta, b.b[g], s, b.alpha)
	b.sum.alpha += c * da
	b.sum.beta += c * db * b.lambda[g]
	b.sum.w += c * db * b.beta * b.spectrum.mult[g]
	b.sum.delta -= c * f * f
	return c * ds
}

// pullFractions is gather along a row for 1/(δ + βλ + αs).
func (b *boundFactor) pullFractions(ds, h, s []float64, lo int) {
	for g, beta := range b.b {
		plain, far := pullFraction(ds, h, s, b.entry[lo:], b.spectrum.row(b.vertex, g), b.delta+beta, b.alpha)
		b.sum.alpha -= far
		b.sum.beta -= plain * b.lambda[g]
		b.sum.w -= plain * b.beta * b.spectrum.mult[g]
		b.sum.delta -= plain
	}
}

// pullScales adds the gradient of Σ ln(scale_v·scale_w) over all pairs of reference points to the sums, v and w the
// vertices of a pair; g_t is the sum of weights over the pairs of t.
func (b *boundFactor) pullScales(g []float64) {
	if b.scale == nil {
		return
	}
	clear(b.bucket)
	for t, v := range b.code {
		b.bucket[v] += g[t]
	}
	for v, sum := range b.bucket { // ln(scale_v) = −½ ln F(v, v, 0)
		b.gather(v, v, 0, -0.5*sum*b.scale[v]*b.scale[v])
	}
}

// flush adds the sums to dtheta.
func (b *boundFactor) flush(dtheta []float64) {
	b.factor.alpha.add(dtheta, b.sum.alpha)
	b.factor.beta.add(dtheta, b.sum.beta)
	b.inactive.add(dtheta, b.sum.w)
	b.factor.delta.add(dtheta, b.sum.delta)
}
