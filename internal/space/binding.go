package space

import (
	"math/big"
	"reflect"
	"strconv"
)

// bindingConstraints lists the constraints by their places, ascending, except constraints that
// others imply: repeated ones, and bounds of a form that has a closer one.
func (s *Space) bindingConstraints() (places []int) {
	type written struct {
		bad  Truth
		text string
	}
	seen := map[written]int{}
	closest := map[string]bound{} // form → its bound
	implied := make([]bool, len(s.constraints))
	for n, k := range s.constraints {
		as := written{k.bad, k.Text}
		if first, twice := seen[as]; twice && reflect.DeepEqual(s.constraints[first].Expr, k.Expr) {
			implied[n] = true
			continue
		}
		seen[as] = n
		form, b, ok := s.bounded(k)
		if !ok {
			continue
		}
		b.constraint = n
		if other, has := closest[form]; has {
			if !b.closer(other) {
				implied[n] = true
				continue
			}
			implied[other.constraint] = true
		}
		closest[form] = b
	}
	for n, is := range implied {
		if !is {
			places = append(places, n)
		}
	}
	return places
}

// A bound of a form: form + offset ≤ 0, or < 0.
type bound struct {
	constraint int
	offset     *big.Rat
	strict     bool
}

// closer reports whether every value within b is within c and not the other way round.
func (b bound) closer(c bound) bool {
	d := b.offset.Cmp(c.offset)
	return d > 0 || d == 0 && b.strict && !c.strict
}

// bounded is the form that a constraint bounds: a linear one scaled so that its first coefficient is 1 or −1,
// or whatever is compared with a number; ok is false where the constraint does something else.
func (s *Space) bounded(k constraint) (form string, b bound, ok bool) {
	c, ok := k.Expr.(Compare)
	if !ok {
		return "", b, false
	}
	if k.bad == True {
		c.Op = c.Op.not()
	}
	if c.Op == Eq || c.Op == Ne {
		return "", b, false
	}
	l, linear := s.linear(c)
	if !linear {
		right, ok := c.Right.(Const)
		l = LinearRelation{Constant: decimal(-float64(right)), Op: c.Op}
		if form = s.formatSum(c.Left); !ok {
			return "", b, false
		}
	} else if len(l.Terms) == 0 || len(l.Terms) < len(k.refs) {
		return "", b, false
	}
	scale := big.NewRat(1, 1)
	if linear {
		scale.Inv(l.Terms[0].Coef)
		scale.Abs(scale)
	}
	if l.Op == Ge || l.Op == Gt {
		scale.Neg(scale)
		l.Op = l.Op.Flipped()
		if !linear {
			form = "-" + form
		}
	}
	for _, t := range l.Terms {
		if t.Numbers != nil {
			return "", b, false
		}
		form += strconv.Itoa(t.Param) + " " + new(big.Rat).Mul(t.Coef, scale).RatString() + " "
	}
	return form, bound{offset: scale.Mul(scale, l.Constant), strict: l.Op == Lt}, true
}
