package config

import (
	"cmp"
	"fmt"
	"slices"

	"bohier/internal/space"
)

var relations = map[string]space.Op{"==": space.Eq, "!=": space.Ne, "<": space.Lt, "<=": space.Le, ">": space.Gt,
	">=": space.Ge}

// A relation is a comparison sign and its place.
type relation struct {
	space.Op
	at pos
}

// equality reports whether the relation is equal or not.
func (r relation) equality() bool { return r.Op == space.Eq || r.Op == space.Ne }

// back is the relation with its sides swapped.
func (r relation) back() relation { return relation{r.Flipped(), r.at} }

// compare reads one comparison. Where one side is a choice and the other one of its values, or a choice with the same
// values, they compare as values; else both sides are numbers.
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
	if isChoice(a) && isChoice(b) {
		if !asNumbers(a, r, right, b) || !asNumbers(b, r.back(), left, a) {
			return s.compareChoices(a, r, b)
		}
	} else if x, done := s.compareValue(a, r, right, b); done {
		return x
	} else if x, done := s.compareValue(b, r.back(), left, a); done {
		return x
	}
	if isLiteral(left) && isLiteral(right) && a == nil && b == nil && left.kind != termWord && right.kind != termWord {
		s.errorAt(left.at, "", "this compares two constants")
		return nil
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

// compareValue compares a parameter, perhaps none, with a term that names other, perhaps none, where the
// term stands for a value of the parameter.
func (s *scope) compareValue(d *decl, r relation, t *term, other *decl) (x space.Expr, done bool) {
	switch {
	case d == nil:
	case isConstant(d):
		if !t.computed() && (other == nil || isConstant(other)) {
			return s.compareTexts(d, r, valueOfTerm(t, other)), true
		}
	case d.param.Choice():
		if !asNumbers(d, r, t, other) {
			return s.compareChoice(d, r, t, other), true
		}
	case other == nil && r.equality() && isLiteral(t):
		return s.equals(d, r, t), true
	}
	return nil, false
}

func isLiteral(t *term) bool { return !t.computed() && t.kind != termName }

func isChoice(d *decl) bool { return d != nil && d.param.Choice() }

func isConstant(d *decl) bool { return d != nil && d.param.Kind == space.Constant }

// valueOfTerm is the text of a term, or of the constant that it names.
func valueOfTerm(t *term, d *decl) string {
	if isConstant(d) {
		return d.param.Values[0]
	}
	return t.text
}

// asNumbers reports whether choice d compares with t, which may name a parameter, by the
// numbers that its values are. Tests of equality, values of an ordinal and bools compare as values.
func asNumbers(d *decl, r relation, t *term, other *decl) bool {
	equality, ordinal := r.equality(), d.param.Kind == space.Ordinal
	if equality && !t.computed() && (other == nil || isConstant(other)) {
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
	case other != nil && !isConstant(other):
		return true
	}
	text := valueOfTerm(t, other)
	if _, msg := parseNumber(text); msg != "" || t.kind == termString {
		return false
	}
	return !ordinal || slices.IsSorted(numbers) && !d.has(text)
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
		s.warnAt(t.at, fmt.Sprintf("quote it to say so: %q", t.text), "%s is read as a value of %s; it is a parameter too",
			t.text, d.name)
	}
	return true
}

// equals reads a number parameter that equals a literal.
func (s *scope) equals(d *decl, r relation, t *term) space.Expr {
	if t.kind == termWord {
		s.unknownName(t)
		return nil
	}
	x := s.withLiteral(d, r, t)
	if x != nil && d.param.Kind == space.Float {
		s.equalityLint(d, r.at)
	}
	return x
}

// withLiteral compares a parameter with a value that it can have.
func (s *scope) withLiteral(d *decl, r relation, t *term) space.Expr {
	v, ok := s.literal(d, t)
	if !ok {
		return nil
	}
	return space.Compare{Op: r.Op, Left: space.Ref{Param: d.position}, Right: space.Const(v)}
}

// compareChoice binds a choice with one of its values. other is the parameter the term also names, if it does.
func (s *scope) compareChoice(d *decl, r relation, t *term, other *decl) space.Expr {
	if !s.ordered(d, r) {
		return nil
	}
	if t.computed() {
		_, hint := numbersOf(&d.param)
		s.errorAt(t.at, hint+"; quote a value that holds a sign", "%s is %s and compares with its values only",
			d.name, d.param.Kind)
		return nil
	}
	if isConstant(other) {
		t = &term{kind: termValue, text: valueOfTerm(t, other), at: t.at}
	} else if other != nil {
		s.errorAt(t.at, "", "%s is %s and %s is %s: they cannot be compared", d.name, d.param.Kind, other.name,
			other.param.Kind)
		return nil
	}
	return s.withLiteral(d, r, t)
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
	s.errorAt(r.at, hint, "%s is %s: its values have no order", d.name, d.param.Kind)
	return false
}

// compareChoices binds two choices with the same values.
func (s *scope) compareChoices(a *decl, r relation, b *decl) space.Expr {
	if !s.ordered(a, r) || !s.ordered(b, r) {
		return nil
	}
	if !slices.Equal(a.param.Values, b.param.Values) {
		s.errorAt(r.at, "", "%s and %s have different values and cannot be compared", a.name, b.name)
		return nil
	}
	return space.Compare{Op: r.Op, Left: space.Ref{Param: a.position},
		Right: space.Ref{Param: b.position}}
}

// compareTexts decides a comparison with a constant now.
func (s *scope) compareTexts(d *decl, r relation, text string) space.Expr {
	value := d.param.Values[0]
	x, m1 := parseNumber(value)
	y, m2 := parseNumber(text)
	holds := d.has(text) == (r.Op == space.Eq)
	switch {
	case r.equality():
	case m1 != "" || m2 != "":
		s.errorAt(r.at, "use == or !=", "the constant %s (%s) and %q have no order", d.name, value, text)
		return nil
	default:
		holds = r.Holds(cmp.Compare(x, y))
	}
	return certain(holds)
}
