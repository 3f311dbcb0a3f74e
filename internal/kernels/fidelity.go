package kernels

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"bohier/internal/points"
)

// fidelityOwn begin the names of the hyperparameters that each model alone has.
var fidelityOwn = map[string][]string{
	"curve":    {"fidelity.alpha", "fidelity.rate", "fidelity.drift", "fidelity.own"},
	"crossval": {"fold.", "fidelity.split"},
	"product":  {"fidelity.lengthscale"},
}

// FidelityModels lists the models Fidelity knows.
func FidelityModels() []string { return slices.Sorted(maps.Keys(fidelityOwn)) }

// FidelityWith is the model that alone has a hyperparameter with a setting: set reports whether there is a setting
// whose name begins so; "": no model is.
func FidelityWith(set func(prefix string) bool) string {
	models := FidelityModels()
	if k := slices.IndexFunc(models, func(m string) bool { return slices.ContainsFunc(fidelityOwn[m], set) }); k >= 0 {
		return models[k]
	}
	return ""
}

// A FidelitySpec describes how values of one configuration at several resources hang together.
type FidelitySpec struct {
	Model string // one of FidelityModels
	Coord int    // coordinate of the relative resource s = r/high; the next is the trial
	Low   float64
	High  float64
}

// Fidelity extends a kernel made by New to points that have two coordinates more: the relative resource s in (0, 1],
// and the index of the trial, inactive for points that belong to none; none is never equal to none. With κ, π and z of
// mixture, ψ = π(s, s′)/π(s₀, s₀) and s₀ = low/high:
//
//   - curve: k_x·(1 + w ψ) + v [i = i′] ψ, mean a·z(s): the value at full resource is
//     that of k_x alone; the rest at s is a part that similar configurations
//     share (fidelity.drift w) and one of the trial's own (fidelity.own v);
//   - crossval: σ² k_x + τ k_f/max(r, r′), k_f the same kernel with hyperparameters of
//     its own, prefixed "fold.": the mean over the first r folds;
//   - product: k_x·Matérn-5/2(|t − t′|/ℓ), t = ln(r/low)/ln(high/low), mean a·(1 − t).
//
// The mean's hyperparameter fidelity.start (a) is in units of the values; the model subtracts that mean (Kernel.Trend).
// Where τ stands beside σ², σ² is the kernel's own hyperparameter "signal"; a k_x with component weights has them in
// its place, and those of k_f take the place of τ.
func Fidelity(k Kernel, spec FidelitySpec) Kernel {
	f := k.(*composed)
	b := &builder{declared: &declared{slices.Clone(f.params), map[string]hyper{}}}
	over := func(same bool, of func(FidelitySpec, []float64) func(s, t float64) link, own ...hyper) part {
		return &law{spec, own, same, of}
	}
	starting := func(own ...hyper) *Trend {
		start := b.param(Param{Name: "fidelity.start", Init: 0.5, Lo: -10, Hi: 10, Prior: Normal{Mean: 0.5, Sigma: 1},
			Deviation: true})
		return &Trend{spec, spec.Low / spec.High, start, own}
	}
	out := &composed{dim: max(f.dim, spec.Coord+2), flip: f.flip, mean: f.mean}
	switch own := fidelityOwn[spec.Model]; spec.Model {
	case "curve":
		alpha := b.divisor(own[0], 0.2, 20, LogNormal{0, 0.7})
		rate := b.divisor(own[1], 0.3, 300, LogNormal{math.Log(10), 1})
		drift := b.positive(own[2], 1e-4, 100, LogNormal{math.Log(0.3), 1.5})
		trial := b.positive(own[3], 1e-4, 100, LogNormal{math.Log(0.1), 1.5})
		out.root = &weighted{[]part{product{f.root, over(false, driftLaw, alpha, rate, drift)},
			over(true, ownLaw, alpha, rate, trial)}, []hyper{-1, -1}}
		out.trend = starting(alpha, rate)
	case "crossval":
		signal, split := hyper(-1), hyper(-1)
		if !slices.ContainsFunc(f.params, func(q Param) bool { return q.Variance }) {
			signal = b.param(Param{Name: "signal", Init: 1, Lo: 1e-3, Hi: 1e4, Scale: Log, Prior: LogNormal{0, 2},
				Variance: true, Of: f.mean})
			split = b.param(Param{Name: own[1], Init: 0.3, Lo: 1e-6, Hi: 10, Scale: Log,
				Prior: LogNormal{math.Log(0.3), 1}, Variance: true})
		}
		fold := f.again(own[0], b.declared)
		if split >= 0 {
			b.params[split].Of = varianceOf(fold)
		}
		out.root = &weighted{[]part{f.root, product{fold, over(false, splitLaw)}}, []hyper{signal, split}}
	case "product":
		l := b.divisor(own[0], 0.05, 20, LogNormal{0, 0.7})
		out.root, out.trend = product{f.root, over(false, productLaw, l)}, starting()
	default:
		panic(fmt.Sprintf("kernels: no fidelity model %q; valid: %v", spec.Model, FidelityModels()))
	}
	out.params = b.params
	return out
}

// A Trend is the mean function a·z(s), with hyperparameters of its kernel: 1 at the lowest level for a of 1 and 0 at
// full resource.
type Trend struct {
	spec  FidelitySpec
	s0    float64
	start hyper   // a
	own   []hyper // α and λ̄ of curves; nil: of product
}

// At is the mean at point i of x.
func (p *Trend) At(theta []float64, x *points.Set, i int) float64 {
	return theta[p.start] * p.progress(theta, x.At(p.spec.Coord, i)).v
}

// Pull adds the gradient of w·At with respect to the hyperparameters to dtheta.
func (p *Trend) Pull(dtheta []float64, w float64, theta []float64, x *points.Set, i int) {
	z := p.progress(theta, x.At(p.spec.Coord, i))
	dtheta[p.start] += w * z.v
	if p.own != nil {
		dtheta[p.own[0]] += w * theta[p.start] * z.alpha
		dtheta[p.own[1]] += w * theta[p.start] * z.rate
	}
}

func (p *Trend) progress(theta []float64, s float64) jet {
	if p.own == nil {
		return jet{v: 1 - position(s, p.s0)}
	}
	return newMixture(theta[p.own[0]], theta[p.own[1]], p.s0).progress(s)
}
