package config

import (
	"fmt"

	"bohier/internal/space"
)

var relOps = map[string]space.Op{"==": space.Eq, "!=": space.Ne, "<": space.Lt, "<=": space.Le, ">": space.Gt, ">=": space.Ge}

// mirrored is the comparison with its sides swapped.
var mirrored = map[string]string{"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

// bindCompare binds one comparison. Where one side is a choice the other is one
// of its values; else both are numbers.
func (l *loader) bindCompare(left *term, r rel, right *term) space.Expr {
	a, b := l.parameterOf(left), l.parameterOf(right)
	if a != nil && b != nil { // a word that is a value of the other side is that value
		if l.alsoValue(a, right) {
			b = nil
		} else if l.alsoValue(b, left) {
			a = nil
		}
	}
	if a != nil && a.broken || b != nil && b.broken {
		return nil
	}
	ca := a != nil && (a.param.Choice() || a.param.Kind == space.Constant)
	cb := b != nil && (b.param.Choice() || b.param.Kind == space.Constant)
	switch {
	case ca && a.param.Kind == space.Constant && (b == nil || b.param.Kind == space.Constant) && right.kind != termArith:
		text := right.text
		if b != nil {
			text = b.param.Values[0]
		}
		return l.compareTexts(a, r, text)
	case cb && b.param.Kind == space.Constant && a == nil && left.kind != termArith:
		return l.compareTexts(b, rel{mirrored[r.text], r.at}, left.text)
	case ca && cb && a.param.Choice() && b.param.Choice():
		return l.compareChoices(a, r, b)
	case ca && a.param.Choice():
		return l.compareChoice(a, r, right, b)
	case cb && b.param.Choice():
		return l.compareChoice(b, rel{mirrored[r.text], r.at}, left, a)
	}
	if a != nil && b == nil && (r.text == "==" || r.text == "!=") && isLiteral(right) && a.param.Kind != space.Constant {
		return l.equals(a, r, right)
	}
	if b != nil && a == nil && (r.text == "==" || r.text == "!=") && isLiteral(left) && b.param.Kind != space.Constant {
		return l.equals(b, r, left)
	}
	if isLiteral(left) && isLiteral(right) && a == nil && b == nil && left.kind != termWord && right.kind != termWord {
		l.errorAt(left.at, "", "this compares two constants")
		return nil
	}
	x := l.sum(left, a)
	if x == nil {
		return nil
	}
	y := l.sum(right, b)
	if y == nil {
		return nil
	}
	if _, constant := x.(space.Const); constant { // 1 < n is n > 1, so that both spellings give one tree
		x, y, r.text = y, x, mirrored[r.text]
	}
	return space.Compare{Op: relOps[r.text], Left: x, Right: y}
}

func isLiteral(t *term) bool { return t.kind != termArith && t.kind != termName }

// parameterOf is the parameter a term names, nil if it names none.
func (l *loader) parameterOf(t *term) *decl {
	if t.kind != termWord && t.kind != termString && t.kind != termName {
		return nil
	}
	if i, ok := l.index[t.text]; ok {
		return &l.decls[i]
	}
	return nil
}

// alsoValue reports whether a term that names a parameter is also a value of the
// choice d. Without quotes that is worth a word.
func (l *loader) alsoValue(d *decl, t *term) bool {
	if t.kind == termName || d.broken || !d.param.Choice() || valueIndex(&d.param, t.text) < 0 {
		return false
	}
	if t.kind == termWord {
		l.warnAt(t.at, fmt.Sprintf("quote it to say so: %q", t.text), "%s is read as a value of %s; it is a parameter too", t.text, d.name)
	}
	return true
}

// equals binds a number parameter that equals a literal.
func (l *loader) equals(d *decl, r rel, t *term) space.Expr {
	if t.kind == termWord {
		l.unknownName(t)
		return nil
	}
	v, ok := l.literal(d, t)
	if !ok {
		return nil
	}
	if d.param.Kind == space.Float {
		l.equalityLint(d, r.at)
	}
	return space.Compare{Op: relOps[r.text], Left: space.Ref{Param: l.index[d.name]}, Right: space.Const(v)}
}

// compareChoice binds a choice with one of its values. other is the parameter
// the term also names, if it does.
func (l *loader) compareChoice(d *decl, r rel, t *term, other *decl) space.Expr {
	if !l.ordered(d, r) {
		return nil
	}
	if t.kind == termArith {
		l.errorAt(t.at, "", "%s is %s and compares with its values only", d.name, kindNames[d.param.Kind])
		return nil
	}
	if other != nil {
		l.errorAt(t.at, "", "%s is %s and %s is %s: they cannot be compared", d.name, kindNames[d.param.Kind], other.name, kindNames[other.param.Kind])
		return nil
	}
	v, ok := l.literal(d, t)
	if !ok {
		return nil
	}
	return space.Compare{Op: relOps[r.text], Left: space.Ref{Param: l.index[d.name]}, Right: space.Const(v)}
}

// ordered reports < and the like on values without an order.
func (l *loader) ordered(d *decl, r rel) bool {
	if r.text == "==" || r.text == "!=" || d.param.Kind == space.Ordinal {
		return true
	}
	hint := "use ==, != or in"
	if d.param.Kind == space.Categorical {
		hint += ", or declare it type: ordinal"
	}
	l.errorAt(r.at, hint, "%s is %s: its values have no order", d.name, kindNames[d.param.Kind])
	return false
}

// compareChoices binds two choices with the same values.
func (l *loader) compareChoices(a *decl, r rel, b *decl) space.Expr {
	if !l.ordered(a, r) || !l.ordered(b, r) {
		return nil
	}
	same := len(a.param.Values) == len(b.param.Values)
	for i := 0; same && i < len(a.param.Values); i++ {
		same = a.param.Values[i] == b.param.Values[i]
	}
	if !same {
		l.errorAt(r.at, "", "%s and %s have different values and cannot be compared", a.name, b.name)
		return nil
	}
	return space.Compare{Op: relOps[r.text], Left: space.Ref{Param: l.index[a.name]}, Right: space.Ref{Param: l.index[b.name]}}
}

// compareTexts decides a comparison with a constant now.
func (l *loader) compareTexts(d *decl, r rel, text string) space.Expr {
	value := d.param.Values[0]
	var holds bool
	switch r.text {
	case "==":
		holds = sameText(value, text)
	case "!=":
		holds = !sameText(value, text)
	default:
		x, m1 := parseNumber(value)
		y, m2 := parseNumber(text)
		if m1 != "" || m2 != "" {
			l.errorAt(r.at, "use == or !=", "the constant %s (%s) and %q have no order", d.name, value, text)
			return nil
		}
		holds = map[string]bool{"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[r.text]
	}
	if holds {
		return space.And{}
	}
	return space.Or{}
}

// sameText compares texts, or the numbers they write.
func sameText(a, b string) bool {
	if a == b {
		return true
	}
	x, m1 := parseNumber(a)
	y, m2 := parseNumber(b)
	return m1 == "" && m2 == "" && x == y
}
