package space

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

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
