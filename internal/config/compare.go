package config

import (
	"cmp"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
)

var relations = map[string]space.Op{"==": space.Eq, "!=": space.Ne, "<": space.Lt, "<=": space.Le, ">": space.Gt,
	">=": space.Ge}

// A relation is a comparison sign and its place.
type relation struct {
	space.Op
	at *yaml.Node
}

// equality reports whether the relation is equal or not.
func (r relation) equality() bool { return r.Op == space.Eq || r.Op == space.Ne }

// back is the relation with its sides swapped.
func (r relation) back() relation { return relation{r.Flipped(), r.at} }

// compare reads one comparison. A constant stands for its value. Where one side is a choice and the other one of its
// values, or a choice with the same values, they compare as values; else both sides are numbers.
func (s *scope) compare(left *term, r relation, right *term) space.Expr {
	a, b := s.parameterOf(left), s.parameterOf(right)
	if a != nil && b != nil { // a word that is a value of the other side is that value
		if s.alsoValue(a, right) {
			b = nil
		} else if s.alsoValue(b, left) {
			a = nil
		}
	}
	if a != nil && a.broken || b != nil && b.broken {
		return nil
	}
	left, a, constant := valueOfConstant(left, a)
	right, b, other := valueOfConstant(right, b)
	switch literals := a == nil && b == nil && isLiteral(left) && isLiteral(right); {
	case literals && constant != nil:
		return s.decide(constant, r, right.text)
	case literals && other != nil:
		return s.decide(other, r.back(), left.text)
	case literals && left.kind != termWord && right.kind != termWord:
		s.errorf(left.at, "", "this compares two constants")
		return nil
	case isChoice(a) && isChoice(b):
		if !asNumbers(a, r, right, b) || !asNumbers(b, r.back(), left, a) {
			return s.compareChoices(a, r, b)
		}
	case isChoice(a) && !asNumbers(a, r, right, b):
		return s.compareChoice(a, r, right)
	case isChoice(b) && !asNumbers(b, r.back(), left, a):
		return s.compareChoice(b, r.back(), left)
	case a != nil && !isChoice(a) && isLiteral(right) && b == nil && r.equality():
		return s.compareLiteral(a, r, right)
	case b != nil && !isChoice(b) && isLiteral(left) && a == nil && r.equality():
		return s.compareLiteral(b, r.back(), left)
	}
	x := s.sum(left)
	if x == nil {
		return nil
	}
	y := s.sum(right)
	if y == nil {
		return nil
	}
	if _, constant := x.(space.Const); constant { // 1 < n is n > 1, so that both spellings give one tree
		x, y, r = y, x, r.back()
	}
	return space.Compare{Op: r.Op, Left: x, Right: y}
}

func isLiteral(t *term) bool { return !t.computed() && t.kind != termName }

func isChoice(d *decl) bool { return d != nil && d.param.Choice() }

// valueOfConstant puts the value of a constant that a term names in its place; other terms and parameters stay.
func valueOfConstant(t *term, d *decl) (_ *term, other, constant *decl) {
	if d == nil || d.param.Kind != space.Constant {
		return t, d, nil
	}
	return &term{kind: termValue, text: d.param.Values[0], at: t.at}, nil, d
}

// asNumbers reports whether choice d compares with t, which may name a parameter, by the
// numbers that its values are. Tests of equality, values of an ordinal and bools compare as values.
func asNumbers(d *decl, r relation, t *term, other *decl) bool {
	equality, ordinal := r.equality(), d.param.Kind == space.Ordinal
	if equality && !t.computed() && other == nil {
		return false
	}
	numbers, _ := numbersOf(&d.param)
	switch {
	case numbers == nil:
		return false
	case t.computed():
		return true
	case d.param.Kind == space.Bool:
		return false
	case isChoice(other):
		return !slices.Equal(d.param.Values, other.param.Values) ||
			!equality && !(ordinal && other.param.Kind == space.Ordinal)
	case other != nil:
		return true
	}
	if _, msg := parseNumber(t.text); msg != "" || t.kind == termString {
		return false
	}
	return !ordinal || slices.IsSorted(numbers) && !d.has(t.text)
}

// parameterOf is the parameter a term names, nil if it names none.
func (s *scope) parameterOf(t *term) *decl {
	if t.kind != termWord && t.kind != termString && t.kind != termName {
		return nil
	}
	return s.index[space.Name(t.text)]
}

// alsoValue reports whether a term that names a parameter is also a value of the choice d. A
// warning is given if it has no quotes.
func (s *scope) alsoValue(d *decl, t *term) bool {
	if t.kind == termName || d.broken || !d.param.Choice() || !d.has(t.text) {
		return false
	}
	if t.kind == termWord {
		s.warnf(t.at, fmt.Sprintf("quote it to say so: %q", t.text), "%s is read as a value of %s; it is a parameter too",
			t.text, d.name)
	}
	return true
}

// compareLiteral compares a parameter with a value that it can have.
func (s *scope) compareLiteral(d *decl, r relation, t *term) space.Expr {
	if t.kind == termWord && !d.param.Choice() {
		s.unknownName(t)
		return nil
	}
	v, ok := s.literal(d, t)
	if !ok {
		return nil
	}
	if d.param.Kind == space.Float {
		s.equalityLint(d, r.at)
	}
	return space.Compare{Op: r.Op, Left: space.Ref{Param: d.position}, Right: space.Const(v)}
}

// compareChoice binds a choice with one of its values.
func (s *scope) compareChoice(d *decl, r relation, t *term) space.Expr {
	if !s.ordered(d, r) {
		return nil
	}
	if t.computed() {
		_, hint := numbersOf(&d.param)
		s.errorf(t.at, hint+"; quote a value that holds a sign", "%s is %s and compares with its values only",
			d.name, d.param.Kind)
		return nil
	}
	return s.compareLiteral(d, r, t)
}

// ordered reports < and the like on values without an order.
func (s *scope) ordered(d *decl, r relation) bool {
	if r.equality() || d.param.Kind == space.Ordinal {
		return true
	}
	hint := "use ==, != or in"
	if d.param.Kind == space.Categorical {
		hint += ", or declare it type: ordinal"
	}
	s.errorf(r.at, hint, "%s is %s: its values have no order", d.name, d.param.Kind)
	return false
}

// compareChoices binds two choices with the same values.
func (s *scope) compareChoices(a *decl, r relation, b *decl) space.Expr {
	if !s.ordered(a, r) || !s.ordered(b, r) {
		return nil
	}
	if !slices.Equal(a.param.Values, b.param.Values) {
		s.errorf(r.at, "", "%s and %s have different values and cannot be compared", a.name, b.name)
		return nil
	}
	return space.Compare{Op: r.Op, Left: space.Ref{Param: a.position},
		Right: space.Ref{Param: b.position}}
}

// decide compares a constant with a text now.
func (s *scope) decide(d *decl, r relation, text string) space.Expr {
	value := d.param.Values[0]
	x, m1 := parseNumber(value)
	y, m2 := parseNumber(text)
	holds := d.has(text) == (r.Op == space.Eq)
	switch {
	case r.equality():
	case m1 != "" || m2 != "":
		s.errorf(r.at, "use == or !=", "the constant %s (%s) and %q have no order", d.name, value, text)
		return nil
	default:
		holds = r.Holds(cmp.Compare(x, y))
	}
	return certain(holds)
}
