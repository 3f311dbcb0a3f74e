package config

import (
	"fmt"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
)

// A scope has the parameters by name, for the conditions that mention them.
type scope struct {
	diagnostics
	decls []*decl
	index map[string]*decl // by name
}

// conditions reads every active_if.
func (s *scope) conditions() {
	for _, d := range s.decls {
		if d.condition != nil {
			d.param.Condition = s.condition(d.condition, 1)
		}
	}
}

// joined are conditions joined by and or or, those of the same kind among them as their own
// operands, but for empty ones, which are true and false. It is nil, as negated is, where one of
// the conditions is: after a mistake, or of a parameter that did not load.
func joined[T interface {
	~[]space.Expr
	space.Expr
}](xs ...space.Expr) space.Expr {
	switch {
	case slices.Contains(xs, nil):
		return nil
	case len(xs) == 1:
		return xs[0]
	}
	var out T
	for _, x := range xs {
		if inner, ok := x.(T); ok && len(inner) > 0 {
			out = append(out, inner...)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// certain is a condition that always holds, or never.
func certain(holds bool) space.Expr {
	if holds {
		return space.And{}
	}
	return space.Or{}
}

func negated(x space.Expr) space.Expr {
	if x == nil {
		return nil
	}
	return space.Not{X: x}
}

// lookup is the parameter a name means; unknown names are reported.
func (s *scope) lookup(t *term) *decl {
	d := s.index[space.Name(t.text)]
	if d == nil {
		s.unknownName(t)
	}
	return d
}

// byName is the parameter whose name a node is.
func (s *scope) byName(n *yaml.Node) *decl {
	return s.lookup(&term{kind: termName, text: n.Value, at: n})
}

// bind is the condition that a term means; nil after a mistake.
func (s *scope) bind(t *term) space.Expr {
	switch {
	case t.kind == termCall && t.text == "active":
		if d := s.lookup(t.args[0]); d != nil {
			return space.ActiveOf{Param: d.position}
		}
		return nil
	case t.kind != termOp || levels[t.text] > relationLevel:
		return s.bare(t)
	}
	switch t.text {
	case "in":
		return s.member(t.args[0], t.args[1:], t.args[0].at)
	case "not":
		return negated(s.bind(t.args[0]))
	case "and":
		return joined[space.And](s.bind(t.args[0]), s.bind(t.args[1]))
	case "or":
		return joined[space.Or](s.bind(t.args[0]), s.bind(t.args[1]))
	}
	return s.compare(t.args[0], relation{relations[t.text], t.at}, t.args[1])
}

// bare reads a term alone: a bool parameter, true or false.
func (s *scope) bare(t *term) space.Expr {
	if t.kind == termWord && (t.text == "true" || t.text == "false") {
		return certain(t.text == "true")
	}
	if t.kind == termNumber || t.computed() {
		s.errorf(t.at, "", "this is a number, not a condition")
		return nil
	}
	d := s.lookup(t)
	if d == nil || d.broken {
		return nil
	}
	if d.param.Kind != space.Bool {
		s.errorf(t.at, "compare it: "+d.name+" == …", "%s is not a bool", d.name)
		return nil
	}
	return space.Compare{Op: space.Eq, Left: space.Ref{Param: d.position}, Right: space.Const(1)}
}

// member reads `parameter in [literals]`. With arithmetic it is the comparisons with each.
func (s *scope) member(t *term, values []*term, at *yaml.Node) space.Expr {
	if t.kind == termNumber {
		s.errorf(t.at, "", "in needs a parameter before it")
		return nil
	}
	if t.computed() {
		var any space.Or
		for _, v := range values {
			x := s.compare(t, relation{space.Eq, v.at}, v)
			if x == nil {
				return nil
			}
			any = append(any, x)
		}
		return any
	}
	d := s.lookup(t)
	if d == nil || d.broken {
		return nil
	}
	if d.param.Kind == space.Constant {
		return certain(slices.ContainsFunc(values, func(v *term) bool { return d.has(v.text) }))
	}
	x := space.In{Param: d.position}
	for _, v := range values {
		raw, ok := s.literal(d, v)
		if !ok {
			return nil
		}
		x.Values = append(x.Values, raw)
	}
	if d.param.Kind == space.Float {
		s.equalityLint(d, at)
	}
	return x
}

func (s *scope) equalityLint(d *decl, at *yaml.Node) {
	if d.param.Step == 0 && d.param.Precision == 0 {
		s.warnf(at, "compare with < or >", "%s is a float: equality almost never holds", d.name)
	}
}

// literal is the raw value of a parameter that a literal means.
func (s *scope) literal(d *decl, t *term) (float64, bool) {
	v, err := d.value(t.text)
	switch _, wrong := parseNumber(t.text); {
	case d.param.Choice() && err != nil:
		s.errorf(t.at, d.offered(t.text), "%q is not a value of %s", t.text, d.name)
		return 0, false
	case d.param.Choice():
	case wrong != "" || t.kind == termString:
		s.errorf(t.at, "", "%s is a number, and %q is not", d.name, t.text)
		return 0, false
	case err != nil:
		s.errorf(t.at, "", "%s is never %s: %v (line %d)", d.name, t.text, err, d.key.Line)
		return 0, false
	}
	return v, true
}

// sum binds arithmetic.
func (s *scope) sum(t *term) space.Sum {
	switch {
	case t.kind == termOp && levels[t.text] <= relationLevel, t.kind == termCall && t.text == "active":
		s.errorf(t.at, "", "a number is expected here, not a condition")
		return nil
	case t.computed():
		return s.computation(t)
	case t.kind == termNumber || t.kind == termValue:
		v, msg := parseNumber(t.text)
		if msg != "" {
			s.errorf(t.at, "", "a number is expected here, not %s", strconv.Quote(t.text))
			return nil
		}
		if msg = space.Misread(t.text, v); msg != "" {
			s.errorf(t.at, "", "%s", msg)
		}
		return space.Const(v)
	}
	d := s.lookup(t)
	switch {
	case d == nil || d.broken:
		return nil
	case d.param.Kind == space.Constant:
		value, _, _ := valueOfConstant(t, d)
		return s.sum(value)
	case d.param.Choice():
		numbers, hint := numbersOf(&d.param)
		if numbers == nil {
			s.errorf(t.at, hint, "%s is %s: it has no arithmetic", d.name, d.param.Kind)
			return nil
		}
		return space.NumberOf{Param: d.position, Numbers: numbers}
	}
	return space.Ref{Param: d.position}
}

// computation binds an operation or a function. sum is written out, and so is a minus sign.
func (s *scope) computation(t *term) space.Sum {
	var args []space.Sum
	for _, a := range t.args {
		x := s.sum(a)
		if x == nil {
			return nil
		}
		args = append(args, x)
	}
	sign := t.text
	switch {
	case t.kind == termOp && len(args) == 1:
		args = []space.Sum{space.Const(0), args[0]}
	case sign == "sum":
		sign = "+"
	case t.kind == termCall:
		return space.Apply{Func: space.Func(t.text), Args: args}
	}
	total := args[0]
	for _, x := range args[1:] {
		total = space.Binary{Op: sign[0], Left: total, Right: x}
	}
	return total
}

// numbersOf are the numbers that the values of a choice are, 0 and 1 for a bool; nil where one is
// not a number, with a hint.
func numbersOf(p *space.Parameter) (numbers []float64, hint string) {
	if p.Kind == space.Bool {
		return []float64{0, 1}, ""
	}
	for k, text := range p.Values {
		v, msg := parseNumber(text)
		switch {
		case msg != "":
			return nil, fmt.Sprintf("arithmetic needs values that are numbers, and %q is none", text)
		case p.Literal(k) != space.Number:
			return nil, fmt.Sprintf("remove the quotes of its values, such as %q, if they are numbers", text)
		case space.Misread(text, v) != "":
			return nil, space.Misread(text, v)
		}
		numbers = append(numbers, v)
	}
	return numbers, ""
}
