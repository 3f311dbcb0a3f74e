package space

import (
	"math/big"
	"reflect"
	"strconv"
)

// bindingConstraints lists the constraints by their places, ascending, except constraints that
// others imply: repeated ones, and bounds of a linear form that has a closer one.
func (s *Space) bindingConstraints() (places []int) {
	type written struct {
		bad  Truth
		text string
	}
	seen := map[written]int{}
	closest := map[string]bound{} // form → its bound
	implied := make([]bool, len(s.forbidden)+len(s.require))
	for n := range implied {
		k, bad := s.constraint(n)
		as := written{bad, k.Text}
		if first, twice := seen[as]; twice {
			if other, _ := s.constraint(first); reflect.DeepEqual(other.Expr, k.Expr) {
				implied[n] = true
				continue
			}
		}
		seen[as] = n
		form, b, ok := s.bounded(k.Expr, bad)
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

// A bound of a linear form: form + offset ≤ 0, or < 0.
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

// bounded is the linear form that a constraint bounds, scaled so that its first coefficient is 1 or −1;
// ok is false where it does something else.
func (s *Space) bounded(e Expr, bad Truth) (form string, b bound, ok bool) {
	c, ok := e.(Compare)
	if !ok {
		return "", b, false
	}
	l, ok := s.linear(c)
	if !ok || len(l.Terms) == 0 || len(l.Terms) < len(References(e)) {
		return "", b, false
	}
	if bad == True {
		l.Op = l.Op.not()
	}
	scale := new(big.Rat).Inv(l.Terms[0].Coef)
	scale.Abs(scale)
	switch l.Op {
	case Ge, Gt:
		scale.Neg(scale)
		l.Op = l.Op.flipped()
	case Eq, Ne:
		return "", b, false
	}
	text := []byte{}
	for _, t := range l.Terms {
		if t.Numbers != nil {
			return "", b, false
		}
		text = strconv.AppendInt(text, int64(t.Param), 10)
		text = append(append(append(text, ' '), new(big.Rat).Mul(t.Coef, scale).RatString()...), ' ')
	}
	return string(text), bound{offset: scale.Mul(scale, l.Constant), strict: l.Op == Lt}, true
}
