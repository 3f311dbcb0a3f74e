package space

import (
	"math"
	"strconv"
	"strings"
)

// number is the shortest text that reads back as v.
func number(v float64) string { return string(appendNumber(nil, v)) }

// appendNumber writes the shortest JSON number that reads back as v.
func appendNumber(dst []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendInt(dst, int64(v), 10)
	}
	form := byte('f')
	if a := math.Abs(v); a < 1e-6 || a >= 1e21 {
		form = 'e'
	}
	dst = strconv.AppendFloat(dst, v, form, -1, 64)
	if form == 'e' { // e-09 → e-9
		if k := len(dst); dst[k-4] == 'e' && dst[k-2] == '0' {
			dst[k-2] = dst[k-1]
			dst = dst[:k-1]
		}
	}
	return dst
}

// Format writes a condition in the language of study files, canonically: equal trees give equal
// text. It is empty for no condition.
func Format(e Expr, s *Space) string {
	if e == nil {
		return ""
	}
	var b strings.Builder
	formatExpr(&b, e, s, 0)
	return b.String()
}

// Binding strengths of or, and, not and comparisons.
const (
	bindOr = iota
	bindAnd
	bindNot
)

func formatExpr(b *strings.Builder, e Expr, s *Space, outer int) {
	switch e := e.(type) {
	case And:
		formatList(b, e, s, " and ", "true", bindAnd, outer)
	case Or:
		formatList(b, e, s, " or ", "false", bindOr, outer)
	case Not:
		b.WriteString("not ")
		formatExpr(b, e.X, s, bindNot+1)
	case ActiveOf:
		b.WriteString("active(" + Quoted(s.params[e.Param].Name) + ")")
	case In:
		b.WriteString(Quoted(s.params[e.Param].Name) + " in [")
		for k, v := range e.Values {
			if k > 0 {
				b.WriteString(", ")
			}
			b.WriteString(s.literal(e.Param, v))
		}
		b.WriteString("]")
	case Compare:
		formatSide(b, e.Left, e.Right, s)
		b.WriteString(" " + opText[e.Op] + " ")
		formatSide(b, e.Right, e.Left, s)
	}
}

func formatList(b *strings.Builder, xs []Expr, s *Space, sep, empty string, bind, outer int) {
	if len(xs) == 0 {
		b.WriteString(empty)
		return
	}
	open := bind < outer || len(xs) == 1
	if open {
		b.WriteString("(")
	}
	for k, x := range xs {
		if k > 0 {
			b.WriteString(sep)
		}
		formatExpr(b, x, s, bind+1)
	}
	if open {
		b.WriteString(")")
	}
}

var opText = [...]string{Eq: "==", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">="}

// formatSide writes an operand; a number opposite a choice is one of its values.
func formatSide(b *strings.Builder, x, opposite Sum, s *Space) {
	if n, ok := x.(Const); ok {
		if r, ok := opposite.(Ref); ok {
			b.WriteString(s.literal(r.Param, float64(n)))
			return
		}
	}
	formatSum(b, x, s)
}

func formatSum(b *strings.Builder, x Sum, s *Space) {
	switch x := x.(type) {
	case Const:
		b.WriteString(number(float64(x)))
	case Ref:
		b.WriteString(Quoted(s.params[x.Param].Name))
	case NumberOf:
		b.WriteString(Quoted(s.params[x.Param].Name))
	case Apply:
		b.WriteString(string(x.Func) + "(")
		for k, a := range x.Args {
			if k > 0 {
				b.WriteString(", ")
			}
			formatSum(b, a, s)
		}
		b.WriteString(")")
	case Binary:
		b.WriteString("(")
		formatSum(b, x.Left, s)
		b.WriteString(" " + string(x.Op) + " ")
		formatSum(b, x.Right, s)
		b.WriteString(")")
	}
}

// literal is raw value v of parameter i as the language writes it.
func (s *Space) literal(i int, v float64) string {
	p := &s.params[i]
	if p.Choice() && v == math.Trunc(v) && v >= 0 && int(v) < len(p.Values) {
		if p.Kind == Bool {
			return p.Values[int(v)]
		}
		return Quoted(p.Values[int(v)])
	}
	return number(v)
}
