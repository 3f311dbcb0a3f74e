package config

import (
	"fmt"
	"math"
	"strconv"

	"bohier/internal/space"
)

// conditions parses and binds every active_if.
func (l *loader) conditions() {
	for i := range l.decls {
		d := &l.decls[i]
		if d.condition == nil {
			continue
		}
		if d.tree = l.condition(d.condition, false, 1); d.tree != nil {
			d.param.Condition = l.bind(d.tree)
		}
	}
}

// bind turns a condition as written into one over parameter indices. It returns
// nil after a mistake, or where a parameter that did not load is mentioned.
func (l *loader) bind(c *cond) space.Expr {
	switch c.op {
	case opAnd, opOr:
		var xs []space.Expr
		for _, a := range c.args {
			if x := l.bind(a); x != nil {
				xs = append(xs, x)
			}
		}
		switch {
		case len(xs) < len(c.args):
			return nil
		case c.op == opOr:
			return space.Or(flatten[space.Or](xs))
		}
		return space.And(flatten[space.And](xs))
	case opNot:
		if x := l.bind(c.args[0]); x != nil {
			return space.Not{X: x}
		}
		return nil
	case opActive:
		if d := l.lookup(c.terms[0]); d != nil {
			return space.ActiveOf{Param: l.index[d.name]}
		}
		return nil
	case opIn:
		return l.bindIn(c)
	case opBare:
		return l.bindBare(c.terms[0])
	}
	var xs space.And
	for i, r := range c.rels {
		x := l.bindCompare(c.terms[i], r, c.terms[i+1])
		if x == nil {
			return nil
		}
		xs = append(xs, x)
	}
	if len(xs) == 1 {
		return xs[0]
	}
	return xs
}

// lookup is the parameter a name means; unknown names are reported.
func (l *loader) lookup(t *term) *decl {
	i, ok := l.index[t.text]
	if !ok {
		l.unknownName(t)
		return nil
	}
	return &l.decls[i]
}

// bindBare reads a term alone: a bool parameter, true or false.
func (l *loader) bindBare(t *term) space.Expr {
	if t.kind == termWord {
		switch t.text {
		case "true":
			return space.And{}
		case "false":
			return space.Or{}
		}
	}
	if t.kind == termNumber || t.kind == termArith {
		l.errorAt(t.at, "", "this is a number, not a condition")
		return nil
	}
	d := l.lookup(t)
	if d == nil || d.broken {
		return nil
	}
	if d.param.Kind != space.Bool {
		l.errorAt(t.at, "compare it: "+d.name+" == …", "%s is not a bool", d.name)
		return nil
	}
	return space.Compare{Op: space.Eq, Left: space.Ref{Param: l.index[d.name]}, Right: space.Const(1)}
}

// bindIn binds `parameter in [literals]`.
func (l *loader) bindIn(c *cond) space.Expr {
	t := c.terms[0]
	if t.kind == termNumber || t.kind == termArith {
		l.errorAt(t.at, "", "in needs a parameter before it")
		return nil
	}
	d := l.lookup(t)
	if d == nil || d.broken {
		return nil
	}
	if d.param.Kind == space.Constant {
		for _, v := range c.terms[1:] {
			if sameText(v.text, d.param.Values[0]) {
				return space.And{}
			}
		}
		return space.Or{}
	}
	x := space.In{Param: l.index[d.name]}
	for _, v := range c.terms[1:] {
		raw, ok := l.literal(d, v)
		if !ok {
			return nil
		}
		x.Values = append(x.Values, raw)
	}
	if d.param.Kind == space.Float {
		l.equalityLint(d, c.at)
	}
	return x
}

func (l *loader) equalityLint(d *decl, at pos) {
	if d.param.Step == 0 && d.param.Precision == 0 {
		l.warnAt(at, "compare with < or >", "%s is a float: equality almost never holds", d.name)
	}
}

// literal is the raw value of a parameter that a literal means.
func (l *loader) literal(d *decl, t *term) (float64, bool) {
	p := &d.param
	if p.Choice() {
		if i := valueIndex(p, t.text); i >= 0 {
			return float64(i), true
		}
		l.errorAt(t.at, suggest(t.text, "values", p.Values, d.line()), "%q is not a value of %s", t.text, d.name)
		return 0, false
	}
	v, msg := parseNumber(t.text)
	if msg != "" || t.kind == termString {
		l.errorAt(t.at, "", "%s is a number, and %q is not", d.name, t.text)
		return 0, false
	}
	v, msg = onGrid(p, v)
	if msg != "" {
		l.errorAt(t.at, "", "%s is never %s: %s (line %d)", d.name, t.text, msg, d.line())
		return 0, false
	}
	return v, true
}

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

// flatten replaces operands of the same kind by their own operands. Empty ones,
// which are true and false, stay.
func flatten[T ~[]space.Expr](xs []space.Expr) []space.Expr {
	var out []space.Expr
	for _, x := range xs {
		if inner, ok := any(x).(T); ok && len(inner) > 0 {
			out = append(out, inner...)
		} else {
			out = append(out, x)
		}
	}
	return out
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

// sum binds arithmetic. d is the parameter the term names, if any.
func (l *loader) sum(t *term, d *decl) space.Sum {
	switch {
	case t.kind == termArith && t.r == nil:
		if x := l.sum(t.l, l.parameterOf(t.l)); x != nil {
			return space.Binary{Op: '-', Left: space.Const(0), Right: x}
		}
		return nil
	case t.kind == termArith:
		x := l.sum(t.l, l.parameterOf(t.l))
		if x == nil {
			return nil
		}
		y := l.sum(t.r, l.parameterOf(t.r))
		if y == nil {
			return nil
		}
		return space.Binary{Op: t.text[0], Left: x, Right: y}
	case d != nil && d.broken:
		return nil
	case d != nil && d.param.Kind == space.Constant:
		v, msg := parseNumber(d.param.Values[0])
		if msg != "" {
			l.errorAt(t.at, "", "the constant %s is not a number", d.name)
			return nil
		}
		return space.Const(v)
	case d != nil && d.param.Choice():
		l.errorAt(t.at, "", "%s is %s: it has no arithmetic", d.name, kindNames[d.param.Kind])
		return nil
	case d != nil:
		return space.Ref{Param: l.index[d.name]}
	case t.kind == termNumber || t.kind == termValue:
		v, msg := parseNumber(t.text)
		if msg != "" {
			l.errorAt(t.at, "", "a number is expected here, not %s", strconv.Quote(t.text))
			return nil
		}
		if math.Abs(v) > math.MaxFloat64 {
			return nil
		}
		return space.Const(v)
	}
	l.unknownName(t)
	return nil
}
