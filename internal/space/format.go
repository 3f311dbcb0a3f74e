package space

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"bohier/internal/lists"
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
func (s *parameters) Format(e Expr) string {
	if e == nil {
		return ""
	}
	return s.format(e, bindOr)
}

// Binding strengths of or, and, not and comparisons.
const (
	bindOr = iota
	bindAnd
	bindNot
)

func (s *parameters) format(e Expr, outer int) string {
	switch e := e.(type) {
	case And:
		return s.formatList(e, " and ", "true", bindAnd, outer)
	case Or:
		return s.formatList(e, " or ", "false", bindOr, outer)
	case Not:
		return "not " + s.format(e.X, bindNot+1)
	case ActiveOf:
		return "active(" + Quoted(s.params[e.Param].Name) + ")"
	case In:
		values := lists.Of(e.Values, func(v float64) string { return s.literal(e.Param, v) })
		return Quoted(s.params[e.Param].Name) + " in [" + strings.Join(values, ", ") + "]"
	}
	c := e.(Compare)
	return s.formatSide(c.Left, c.Right) + " " + opText[c.Op] + " " + s.formatSide(c.Right, c.Left)
}

func (s *parameters) formatList(xs []Expr, sep, empty string, bind, outer int) string {
	if len(xs) == 0 {
		return empty
	}
	texts := lists.Of(xs, func(x Expr) string { return s.format(x, bind+1) })
	text := strings.Join(texts, sep)
	if bind < outer || len(xs) == 1 {
		return "(" + text + ")"
	}
	return text
}

var opText = [...]string{Eq: "==", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">="}

// formatSide writes an operand; a number opposite a choice is one of its values.
func (s *parameters) formatSide(x, opposite Sum) string {
	if n, ok := x.(Const); ok {
		if r, ok := opposite.(Ref); ok {
			return s.literal(r.Param, float64(n))
		}
	}
	return s.formatSum(x)
}

func (s *parameters) formatSum(x Sum) string {
	switch x := x.(type) {
	case Const:
		return number(float64(x))
	case Ref:
		return Quoted(s.params[x.Param].Name)
	case NumberOf:
		return Quoted(s.params[x.Param].Name)
	case Apply:
		return string(x.Func) + "(" + strings.Join(lists.Of(x.Args, s.formatSum), ", ") + ")"
	}
	b := x.(Binary)
	return "(" + s.formatSum(b.Left) + " " + string(b.Op) + " " + s.formatSum(b.Right) + ")"
}

// literal is raw value v of parameter i as the language writes it.
func (s *parameters) literal(i int, v float64) string {
	p := &s.params[i]
	if p.Choice() && v == math.Trunc(v) && v >= 0 && int(v) < len(p.Values) {
		if p.Kind == Bool {
			return p.Values[int(v)]
		}
		return Quoted(p.Values[int(v)])
	}
	return number(v)
}

var (
	kindText = [...]string{Float: "float", Int: "int", Ordinal: "ordinal", Categorical: "categorical", Bool: "bool",
		Constant: "constant"}
	scaleText   = [...]string{Linear: "linear", Log: "log", Logit: "logit", ReverseLog: "reverse_log"}
	literalText = [...]string{Text: "text", Number: "number", Boolean: "boolean", Null: "null", Structure: "structure"}
)

// String is the word of study files.
func (k Kind) String() string { return kindText[k] }

// String is the word of study files.
func (s Scale) String() string { return scaleText[s] }

// String is text, number, boolean, null or structure.
func (l Literal) String() string { return literalText[l] }

// Fingerprint identifies the space: "sha256:" and the hash of Describe. It changes with whatever Describe writes.
func (s *Space) Fingerprint() string {
	h := sha256.Sum256([]byte(s.Describe()))
	return "sha256:" + hex.EncodeToString(h[:])
}

// recorded is the type of a constant as journals have known it from the start: True was a text.
func (p *Parameter) recorded() Literal {
	if l := p.Literal(0); l != Boolean || p.Values[0] == strings.ToLower(p.Values[0]) {
		return l
	}
	return Text
}

// Describe is a canonical text of the space, one parameter or clause a line. Defaults and priors
// are left out: they steer suggestions, and change no configuration. Neither does the JSON type of
// a choice's values, because their texts differ.
func (s *Space) Describe() string {
	var b strings.Builder
	for i := range s.params {
		p := &s.params[i]
		fmt.Fprintf(&b, "%s %s", p.Name, p.Kind)
		switch p.Kind {
		case Float, Int:
			fmt.Fprintf(&b, " [%s, %s] %s", number(p.Low), number(p.High), p.Scale)
		case Constant:
			fmt.Fprintf(&b, " %s %q", p.recorded(), p.Values)
		default:
			fmt.Fprintf(&b, " %q", p.Values)
		}
		if p.Step > 0 {
			fmt.Fprintf(&b, " step %s", number(p.Step))
		}
		if p.Precision > 0 {
			fmt.Fprintf(&b, " precision %d", p.Precision)
		}
		if p.Discrete {
			b.WriteString(" discrete")
		}
		if p.Positions != nil {
			fmt.Fprintf(&b, " positions %v", p.Positions)
		}
		if len(p.Graph.Edges) > 0 {
			fmt.Fprintf(&b, " graph %v", p.Graph.Edges)
		}
		if p.Condition != nil {
			fmt.Fprintf(&b, " active_if %s", s.Format(p.Condition))
		}
		b.WriteByte('\n')
	}
	for _, k := range s.forbidden {
		fmt.Fprintf(&b, "forbidden %s\n", s.Format(k.Expr))
	}
	for _, k := range s.require {
		fmt.Fprintf(&b, "require %s\n", s.Format(k.Expr))
	}
	return b.String()
}
