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
	base, metric := s.Base, s.Name
	switch {
	case slices.Contains(Bases(), s.Name):
		base, metric = s.Name, "flat"
	case s.Name == "icocor":
		metric = "ico"
	}
	if base == "" {
		base = "matern52"
	}
	b.base = base
	same := s.AlwaysActive == "same" || s.Weights == "ancestors" || b.sharesFlat(metric)
	var spreads []axisTerms
	for c, co := range b.own() {
		own, ax := metric, nameAxis(c, co)
		if !co.Conditional && !same {
			own = "plain"
		}
		if co.Numeric() {
			ax = b.number(c)
		}
		spreads = append(spreads, axisTerms{ax, b.metric(own, c)})
	}
	return spreads
}

// sharesFlat reports whether one weight is to be shared by all coordinates of a
// flat distance, conditional or not: then they need one name for it.
func (b *builder) sharesFlat(metric string) bool {
	if b.spec.ARD || metric != "flat" && metric != "const" {
		return false
	}
	for _, c := range b.own() {
		if c.Conditional {
			return true
		}
	}
	return false
}
