package kernels

import (
	"cmp"
	"slices"
)

// distanceKernel makes κ(√Σ_c d_c²), Π_c κ(d_c) or Σ_c w_c κ(d_c) of the
// distances the settings give to each coordinate.
func (b *builder) distanceKernel() part {
	spreads, alpha := b.spreads(), b.alpha(b.base)
	if b.spec.Combine != "product" && b.spec.Combine != "sum" {
		return &radial{b.base, alpha, &distance{spreads}}
	}
	var each []part
	var names []string
	for k, s := range spreads {
		each = append(each, &radial{b.base, alpha, &distance{spreads[k : k+1]}})
		names = append(names, "sum.weight["+b.coords[s.axis.c].Name+"]")
	}
	if b.spec.Combine == "product" {
		return product(each)
	}
	return b.sum(each, names...)
}

// spreads are the distances that the settings give to each coordinate. It sets the base function.
func (b *builder) spreads() []axisTerms {
	s := b.spec
	metric := s.Name
	b.base = cmp.Or(s.Base, "matern52")
	switch {
	case slices.Contains(Bases(), s.Name):
		b.base, metric = s.Name, "flat"
	case s.Name == "icocor":
		metric = "ico"
	}
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
	for _, c := range b.own() {
		if c.Conditional && !b.spec.ARD && (metric == "flat" || metric == "const") {
			return true
		}
	}
	return false
}
