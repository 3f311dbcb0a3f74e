package kernels

import "slices"

// distanceKernel makes κ(√Σ_c d_c²), Π_c κ(d_c) or Σ_c w_c κ(d_c) of the
// distances the settings give to each coordinate.
func (b *builder) distanceKernel() part {
	spreads, alpha := b.spreads(), b.alpha(b.base)
	if b.spec.Combine != "product" && b.spec.Combine != "sum" {
		return &radial{b.base, alpha, &distance{spreads}}
	}
	var each []part
	for k := range spreads {
		each = append(each, &radial{b.base, alpha, &distance{spreads[k : k+1]}})
	}
	if b.spec.Combine == "product" {
		return product(each)
	}
	return b.sum(each, func(k int) string { return "sum.weight[" + b.coords[spreads[k].axis.c].Name + "]" })
}

// spreads are the distances that the settings give to each coordinate. It sets the base
// function.
func (b *builder) spreads() []axisTerms {
	s := b.spec
	base, metrics := s.Base, []string{s.Name}
	switch {
	case slices.Contains(Bases(), s.Name):
		base, metrics = s.Name, []string{"flat"}
	case s.Name == "sum":
		metrics = s.Sum
	case s.Name == "icocor":
		metrics = []string{"ico"}
	}
	if base == "" {
		base = "matern52"
	}
	b.base = base
	same := s.AlwaysActive == "same" || s.Weights == "ancestors" || s.Weights == "descendants" || b.sharesFlat(metrics)
	var spreads []axisTerms
	for c, co := range b.own() {
		apply := metrics
		if d, ok := s.Distance[co.Name]; ok {
			apply = []string{d}
		} else if !co.Conditional && !same {
			apply = []string{"plain"}
		}
		sp := axisTerms{axis: nameAxis(c, co)}
		if co.Numeric() {
			sp.axis = b.number(c)
		}
		for _, name := range apply {
			sp.terms = append(sp.terms, b.metric(name, c)...)
		}
		spreads = append(spreads, sp)
	}
	return spreads
}

// sharesFlat reports whether one weight is to be shared by all coordinates of a
// flat distance, conditional or not: then they need one name for it.
func (b *builder) sharesFlat(metrics []string) bool {
	if b.spec.ARD || len(metrics) != 1 || metrics[0] != "flat" && metrics[0] != "const" {
		return false
	}
	for _, c := range b.own() {
		if c.Conditional {
			return true
		}
	}
	return false
}
