package kernels

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// expression is the sum or the product of parts, each a kernel of its own with its own
// base function, options and hyperparameters, or again a sum or a product. The names of
// the hyperparameters of part k begin with "k.", k counted from 1.
func (b *builder) expression() part {
	var parts []part
	var names []string
	for k, s := range b.spec.Parts {
		in := *b
		in.spec, in.prefix, in.inner = s, b.prefix+strconv.Itoa(k+1)+".", true
		in.spec.Warp, in.spec.WarpDecades = b.spec.Warp, b.spec.WarpDecades
		in.spec.ActiveDim, in.spec.ActiveChoices = b.spec.ActiveDim, b.spec.ActiveChoices
		in.size(b.spec)
		parts, names = append(parts, in.build()), append(names, fmt.Sprintf("sum.weight[%d]", k+1))
	}
	if b.spec.Name == "multiply" {
		return product(parts)
	}
	return b.sum(parts, names...)
}

// checkExpression checks a sum or a product with its parts.
func (s Spec) checkExpression(coords []Coord) error {
	if len(s.Parts) < 2 {
		return fmt.Errorf("kernel %s: the kernels to %s go with the name %s, and are two or more", s.Name, s.Name, s.Name)
	}
	if s.Name != "add" && s.Name != "multiply" {
		return fmt.Errorf("kernel %s: it has no parts; add and multiply have", s.Name)
	}
	if s.Over != nil {
		return fmt.Errorf("kernel %s: option over belongs to its parts", s.Name)
	}
	for k, p := range s.Parts {
		for _, name := range p.Over {
			if !slices.ContainsFunc(coords, func(c Coord) bool { return c.Name == name }) {
				return fmt.Errorf("part %d of %s: option over: no parameter %q", k+1, s.Name, name)
			}
		}
		if err := p.check(coords); err != nil {
			return fmt.Errorf("part %d of %s: %w", k+1, s.Name, err)
		}
	}
	return nil
}

// sees reports whether a kernel depends on a coordinate.
func (s Spec) sees(name string) bool {
	if len(s.Parts) > 0 {
		return slices.ContainsFunc(s.Parts, func(p Spec) bool { return p.sees(name) })
	}
	return s.Over == nil || slices.Contains(s.Over, name)
}

// flips reports whether a kernel or a part of it asks for the spectrum flip.
func (s Spec) flips() bool { return s.Name == "icocor" || slices.ContainsFunc(s.Parts, Spec.flips) }

// String is the kernel as a formula, such as matern52(x, y) + se(x)·arc.
func (s Spec) String() string {
	if len(s.Parts) == 0 {
		name := s.Name
		if s.Base != "" {
			name = s.Base + "-" + name
		}
		if s.Over != nil {
			name += "(" + strings.Join(s.Over, ", ") + ")"
		}
		return name
	}
	list := make([]string, len(s.Parts))
	for k, p := range s.Parts {
		list[k] = p.String()
		if s.Name == "multiply" && p.Name == "add" {
			list[k] = "(" + list[k] + ")"
		}
	}
	if s.Name == "multiply" {
		return strings.Join(list, "·")
	}
	return strings.Join(list, " + ")
}
