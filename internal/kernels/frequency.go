package kernels

import (
	"cmp"
	"math"
	"strings"
)

// graphKernel makes the kernels that see choices as vertices of graphs and numbers through one distance.
func (b *builder) graphKernel() part {
	b.base = "se"
	var f modulation = reciprocal{}
	if strings.HasSuffix(b.spec.Name, "dif") {
		f = diffusion{}
	}
	switch b.spec.Name {
	case "lap", "dif":
		return &modulated{factors: b.factors(f, false)}
	case "prodlap", "proddif", "addlap", "adddif":
		return b.composed(f)
	case "mix":
		return b.mix()
	}
	return b.frequency(f)
}

// frequency makes modlap and the kernels like it.
func (b *builder) frequency(f modulation) part {
	k := &modulated{}
	strength, delta := false, hyper(-1)
	switch b.spec.Name {
	case "modnn":
		if nn := b.neural(); nn != nil {
			k.s = &radial{base: complement, part: nn}
		}
	case "modkernel":
		delta = b.divisor("fm.delta", 1e-6, 1e6, unitPrior)
		b.base = cmp.Or(b.spec.Base, "matern52")
		if d := b.distances(); d != nil {
			k.s = &radial{base: complement, part: &radial{b.base, b.alpha(b.base), d}}
		}
	default:
		strength, k.s = true, b.distances()
	}
	if k.factors = b.factors(f, strength); len(k.factors) == 0 {
		k.factors = []factor{{
			spectrum: completeSpectrum(1, 1, false), alpha: -1, beta: -1, inactive: -1, f: f,
		}}
	}
	for i := range k.factors {
		k.factors[i].delta = delta
	}
	return k
}

// distances is s = Σ_d (Δ_d/ℓ_d)² over always active numbers, with the embedding
// of the settings for conditional ones; nil without numbers.
func (b *builder) distances() part {
	usual := "flat"
	if b.spec.Name == "hmodlap" {
		usual = "box"
	}
	embedding := cmp.Or(b.spec.Embedding, usual)
	var out []axisTerms
	for c, co := range b.own() {
		if co.Levels > 0 {
			continue
		}
		sp := axisTerms{axis: b.number(c)}
		if co.Conditional && embedding != "flat" {
			sp.terms = b.metric(embedding, c)
		} else {
			l := b.divisor(b.name("fm.lengthscale", c), 1e-3, 1e3, lengthscalePrior(b.dim))
			sp.terms = []term{linear(weight{[]hyper{l}, -2}, -1, 0.5)}
		}
		out = append(out, sp)
	}
	if out == nil {
		return nil
	}
	return &distance{out}
}

// factors makes one factor per choice; strength gives each an α.
func (b *builder) factors(f modulation, strength bool) (out []factor) {
	for c, co := range b.own() {
		if co.Levels == 0 {
			continue
		}
		name, ax := co.Name, nameAxis(c, co)
		own := newSpectrum(co.Levels, co.Graph, co.Positions != nil, co.Conditional)
		p := factor{axis: &ax, spectrum: own, delta: -1, alpha: -1, inactive: -1, f: f, unit: b.spec.Normalize}
		if strength {
			p.alpha = b.strength(name, len(out) == 0 || b.dim == 0)
		}
		p.beta = b.frequencyScale(name, f, own)
		if own.extended() {
			p.inactive = b.positive("fm.inactive["+name+"]", 1e-4, 1e4, unitPrior)
		}
		out = append(out, p)
	}
	return out
}

// frequencyScale declares β. That of exp(−βλ), flat from βλ = 10 on, is where the eigenvalues
// put it that 1/(1 + βλ) takes from the same prior and range: on complete graphs, where the
// two are one family, both then begin and end at the same kernels.
func (b *builder) frequencyScale(name string, f modulation, s *spectrum) hyper {
	name = "fm.beta[" + name + "]"
	if _, ok := f.(diffusion); ok {
		least, most := s.ends()
		same := func(beta, lambda float64) float64 { return math.Log1p(beta*lambda) / lambda }
		prior := LogNormal{math.Log(same(1, most)), wideUnit.Sigma * most / (1 + most) / math.Log1p(most)}
		return b.positive(name, same(lowBeta, most), same(highBeta, least), prior)
	}
	return b.positive(name, lowBeta, highBeta, wideUnit)
}

// The range of β in 1/(1 + βλ).
const lowBeta, highBeta = 1e-4, 1e4

// strength declares α, held at 1 by default where the data cannot determine it: scaling all α and
// all ℓ² alike changes nothing, so one of them; without numbers, s is 0 and no α matters.
func (b *builder) strength(name string, held bool) hyper {
	j := b.positive("fm.alpha["+name+"]", 1e-4, 1e4, unitPrior)
	if held {
		b.params[j].Init, b.params[j].Lo, b.params[j].Hi = 1, 1, 1
	}
	return j
}

func (b *builder) neural() part {
	k := &neural{}
	for c, co := range b.own() {
		if co.Levels > 0 {
			continue
		}
		k.axes = append(k.axes, b.number(c))
		k.sigma = append(k.sigma, b.positive(b.name("fm.sigma", c), 1e-6, 1e6, unitPrior))
	}
	if k.axes == nil {
		return nil
	}
	k.bias = b.positive("fm.bias", 1e-6, 1e6, unitPrior)
	return k
}

// halves are the continuous part κ(√s) and the discrete part Π_p k_p of the kernels that keep them apart.
func (b *builder) halves(base string, f modulation) (continuous, discrete part) {
	d := b.distances()
	if d == nil {
		d = &distance{}
	}
	continuous = &radial{base, b.alpha(base), d}
	return continuous, &modulated{factors: b.factors(f, false)}
}

// composed is exp(−s)·Π_p k_p or a·exp(−s) + b·Π_p k_p.
func (b *builder) composed(f modulation) part {
	continuous, discrete := b.halves("exp", f)
	if strings.HasPrefix(b.spec.Name, "prod") {
		return product{continuous, discrete}
	}
	return b.sum([]part{continuous, discrete}, "add.continuous", "add.discrete")
}

// mix is w_c·k_c + w_d·k_d + w·k_c′·k_d′ with hyperparameters of their own, named apart by
// "sum." and "product.". (With w_c = w_d and unit diagonals: Ru et al. 2020, arXiv:1906.08878.)
func (b *builder) mix() part {
	b.base = cmp.Or(b.spec.Base, "matern52")
	outer := b.prefix
	b.prefix = outer + "sum."
	c1, d1 := b.halves(b.base, reciprocal{})
	b.prefix = outer + "product."
	c2, d2 := b.halves(b.base, reciprocal{})
	b.prefix = outer
	return b.sum([]part{c1, d1, product{c2, d2}}, "mix.sum[continuous]", "mix.sum[discrete]", "mix.product")
}
