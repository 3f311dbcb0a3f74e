package kernels

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/points"
)

// FidelityModels lists the models Fidelity knows.
func FidelityModels() []string { return []string{"curve", "product"} }

// A FidelitySpec says how values of one configuration at several resources hang
// together.
type FidelitySpec struct {
	Model string // curve product
	Coord int    // coordinate of the relative resource s = r/high; the next is the trial
	Low   float64
	High  float64
}

// Fidelity extends a kernel made by New to points that have two coordinates more: the
// relative resource s in (0, 1], and the index of the trial, inactive for points that
// belong to none; none is never equal to none. With κ the mixture of decays, π and z
// as there, ψ = π(s, s′)/π(s₀, s₀) and s₀ = low/high:
//
//   - curve: k_x·(1 + w ψ) + v [i = i′] ψ, mean a·z(s): the value at full resource is
//     that of k_x alone; what is missing at s is a part that similar configurations
//     share (fidelity.drift w) and one of the trial's own (fidelity.own v);
//   - product: k_x·Matérn-5/2(|t − t′|/ℓ), t = ln(r/low)/ln(high/low), mean a·(1 − t).
//
// The mean's hyperparameter fidelity.start (a) is in units of the values; the model
// subtracts that mean (TrendOf).
func Fidelity(k Kernel, spec FidelitySpec) Kernel {
	f, ok := k.(*composed)
	if !ok {
		panic("kernels: Fidelity needs a kernel made by New")
	}
	b := &builder{declared: &declared{append([]Param(nil), f.params...), map[string]int{}}}
	p := &atResource{inner: f.root, spec: spec, s0: spec.Low / spec.High, alpha: -1, rate: -1, drift: -1, own: -1, length: -1}
	switch spec.Model {
	case "curve":
		p.alpha = b.positive("fidelity.alpha", 0.2, 20, LogNormal{0, 0.7})
		p.rate = b.positive("fidelity.rate", 0.3, 300, LogNormal{math.Log(10), 1})
		p.drift = b.positive("fidelity.drift", 1e-4, 100, LogNormal{math.Log(0.3), 1.5})
		p.own = b.positive("fidelity.own", 1e-4, 100, LogNormal{math.Log(0.1), 1.5})
	case "product":
		p.length = b.positive("fidelity.lengthscale", 0.05, 20, LogNormal{0, 0.7})
	default:
		panic(fmt.Sprintf("kernels: no fidelity model %q; valid: %v", spec.Model, FidelityModels()))
	}
	p.start = b.param(Param{Name: "fidelity.start", Init: 0.5, Lo: -10, Hi: 10, Prior: Normal{Mean: 0.5, Sigma: 1}, Deviation: true})
	return &composed{params: b.params, root: p, dim: max(f.dim, spec.Coord+2), flip: f.flip, trend: p}
}

// A Trend is a mean function with hyperparameters of its own, those of its kernel.
type Trend interface {
	// At is the mean at point i of x.
	At(theta []float64, x *points.Set, i int) float64
	// Pull adds the gradient of w·At with respect to the hyperparameters to dtheta.
	Pull(dtheta []float64, w float64, theta []float64, x *points.Set, i int)
}

// TrendOf is the trend that goes with a kernel; nil: none does.
func TrendOf(k Kernel) Trend {
	if f, ok := k.(*composed); ok {
		return f.trend
	}
	return nil
}

// atResource is a kernel at resources, as the part of a composed kernel.
type atResource struct {
	inner                                  part
	spec                                   FidelitySpec
	s0                                     float64
	alpha, rate, drift, own, length, start int // hyperparameters; −1: not of this model
}

// At implements Trend.
func (p *atResource) At(theta []float64, x *points.Set, i int) float64 {
	s := x.At(p.spec.Coord, i)
	if s >= 1 {
		return 0
	}
	return theta[p.start] * p.progress(theta, s).v
}

// Pull implements Trend.
func (p *atResource) Pull(dtheta []float64, w float64, theta []float64, x *points.Set, i int) {
	s := x.At(p.spec.Coord, i)
	if s >= 1 {
		return
	}
	z := p.progress(theta, s)
	dtheta[p.start] += w * z.v
	if p.alpha >= 0 {
		dtheta[p.alpha] += w * theta[p.start] * z.alpha
		dtheta[p.rate] += w * theta[p.start] * z.rate
	}
}

// progress is 1 at the lowest level and 0 at full resource.
func (p *atResource) progress(theta []float64, s float64) jet {
	if p.length >= 0 {
		return jet{v: 1 - p.position(s)}
	}
	return newMixture(theta[p.alpha], theta[p.rate], p.s0).progress(s)
}

// position is t = ln(r/low)/ln(high/low).
func (p *atResource) position(s float64) float64 { return 1 - math.Log(s)/math.Log(p.s0) }

func (p *atResource) bind(theta []float64, y *points.Set) rows {
	n := y.Len()
	b := &boundResource{atResource: p, theta: theta, y: y, inner: p.inner.bind(theta, y),
		at: make([]int, n), k: make([]float64, n), g: make([]float64, n)}
	for t := range n {
		b.at[t] = b.place(y.At(p.spec.Coord, t))
	}
	if p.length < 0 {
		b.mix = newMixture(theta[p.alpha], theta[p.rate], p.s0)
	}
	b.table = make([][]jet, len(b.distinct))
	for i, s := range b.distinct {
		b.table[i] = b.against(make([]jet, len(b.distinct)), s)
	}
	return b
}

// boundResource is an atResource with its reference points. What depends on resources
// alone is tabled by distinct ones, of which there are few.
type boundResource struct {
	*atResource
	theta    []float64
	y        *points.Set
	inner    rows
	mix      mixture
	distinct []float64
	at       []int   // of every reference point, its place among distinct
	table    [][]jet // of pairs of distinct resources
	other    []jet   // of a resource that is not among them
	k, g     []float64
}

// place is the place of a resource among the distinct ones, where it is put.
func (b *boundResource) place(s float64) int {
	if i := slices.Index(b.distinct, s); i >= 0 {
		return i
	}
	b.distinct = append(b.distinct, s)
	return len(b.distinct) - 1
}

// against fills out with the factor between s and every distinct resource: ψ, or the
// Matérn correlation with its derivative by ℓ as the first.
func (b *boundResource) against(out []jet, s float64) []jet {
	for j, u := range b.distinct {
		if b.length < 0 {
			out[j] = b.mix.psi(s, u)
			continue
		}
		l := b.theta[b.length]
		r := math.Sqrt(5) * math.Abs(b.position(s)-b.position(u)) / l
		e := math.Exp(-r)
		out[j] = jet{v: (1 + r + r*r/3) * e, alpha: r * r * (1 + r) / 3 * e / l}
	}
	return out
}

// factors is against for point i of x.
func (b *boundResource) factors(x *points.Set, i int) []jet {
	s := x.At(b.spec.Coord, i)
	if j := slices.Index(b.distinct, s); j >= 0 {
		return b.table[j]
	}
	if b.other == nil {
		b.other = make([]jet, len(b.distinct))
	}
	return b.against(b.other, s)
}

// trial is the trial of point i of x; NaN, which equals nothing, for none.
func (b *boundResource) trial(x *points.Set, i int) float64 {
	if c := b.spec.Coord + 1; x.Active(c, i) {
		return x.At(c, i)
	}
	return math.NaN()
}

func (b *boundResource) row(dst []float64, x *points.Set, i, lo int) {
	b.inner.row(dst, x, i, lo)
	b.combine(dst, x, i, lo)
}

// combine turns a row of k_x into one of the kernel.
func (b *boundResource) combine(dst []float64, x *points.Set, i, lo int) {
	f, at := b.factors(x, i), b.at[lo:]
	if b.length >= 0 {
		for t := range dst {
			dst[t] *= f[at[t]].v
		}
		return
	}
	w, v, trial := b.theta[b.drift], b.theta[b.own], b.trial(x, i)
	trials := b.y.Col(b.spec.Coord + 1)[lo:]
	active := b.y.Activity(b.spec.Coord + 1)
	for t := range dst {
		psi := f[at[t]].v
		dst[t] *= 1 + w*psi
		if trials[t] == trial && (active == nil || active[lo+t]) {
			dst[t] += v * psi
		}
	}
}

func (b *boundResource) pull(dtheta, dx, w []float64, x *points.Set, i, lo int) {
	n := len(w)
	g := b.g[:n]
	if dtheta != nil {
		b.inner.row(b.k[:n], x, i, lo)
	}
	b.weigh(dtheta, g, b.k[:n], w, x, i, lo)
	b.inner.pull(dtheta, dx, g, x, i, lo)
}

// weigh adds the gradient by the own hyperparameters to dtheta, unless that is nil,
// and sets g to the weights of k_x. g may be k.
func (b *boundResource) weigh(dtheta, g, k, w []float64, x *points.Set, i, lo int) {
	f, at := b.factors(x, i), b.at[lo:]
	if b.length >= 0 {
		sum := 0.0
		for t := range w {
			j := f[at[t]]
			if dtheta != nil {
				sum += w[t] * k[t] * j.alpha
			}
			g[t] = w[t] * j.v
		}
		if dtheta != nil {
			dtheta[b.length] += sum
		}
		return
	}
	drift, own, trial := b.theta[b.drift], b.theta[b.own], b.trial(x, i)
	trials := b.y.Col(b.spec.Coord + 1)[lo:]
	active := b.y.Activity(b.spec.Coord + 1)
	var ddrift, down, dalpha, drate float64
	for t := range w {
		j := f[at[t]]
		if dtheta != nil {
			wk := w[t] * k[t]
			ddrift += wk * j.v
			by := drift * wk
			if trials[t] == trial && (active == nil || active[lo+t]) {
				down += w[t] * j.v
				by += own * w[t]
			}
			dalpha += by * j.alpha
			drate += by * j.rate
		}
		g[t] = w[t] * (1 + drift*j.v)
	}
	if dtheta != nil {
		dtheta[b.drift] += ddrift
		dtheta[b.own] += down
		dtheta[b.alpha] += dalpha
		dtheta[b.rate] += drate
	}
}

// gram leaves the values of k_x on the tape.
func (b *boundResource) gram(dst []float64, stride int, tape *Tape) {
	n := b.y.Len()
	kx := tape.square(n)
	if r, ok := b.inner.(triangle); ok {
		r.gram(kx, n, tape)
	} else {
		for i := range n {
			b.inner.row(kx[i*n:][:i+1], b.y, i, 0)
		}
	}
	for i := range n {
		row := dst[i*stride:][:i+1]
		copy(row, kx[i*n:])
		b.combine(row, b.y, i, 0)
	}
}

func (b *boundResource) pullGram(dtheta, w []float64, stride int, tape *Tape) {
	n := b.y.Len()
	kx := tape.square(n)
	for i := range n {
		row := kx[i*n:][:i+1]
		b.weigh(dtheta, row, row, w[i*stride:][:i+1], b.y, i, 0)
	}
	if r, ok := b.inner.(triangle); ok {
		r.pullGram(dtheta, kx, n, tape)
		return
	}
	for i := range n {
		b.inner.pull(dtheta, nil, kx[i*n:][:i+1], b.y, i, 0)
	}
}
