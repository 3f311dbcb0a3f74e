package config

// A rel is a comparison sign and its place.
type rel struct {
	text string
	at   pos
}

// A term is one side of a comparison.
type term struct {
	kind termKind
	text string // as written, without quotes
	at   pos
	l, r *term   // arithmetic; a minus sign has only l
	args []*term // call
}

type termKind int

const (
	termNumber termKind = iota
	termWord            // a name or an unquoted value
	termString          // quoted: a value, or a name with - or . in it
	termName            // surely a name: the key of a mapping
	termValue           // surely a value: a scalar of a mapping
	termArith           // text is the sign
	termCall            // text is the function
)

// computed reports whether the term is no name and no literal.
func (t *term) computed() bool { return t.kind == termArith || t.kind == termCall }

// functions of numbers. They are names of parameters, too, where no parenthesis follows.
var functions = []string{"min", "max", "abs", "sum"}

// The limits of one condition; they keep every input cheap.
const (
	maxSource = 4096
	maxNodes  = 1000
	maxNest   = 64
)

// An exprError is a mistake at an offset (in characters) of an expression.
type exprError struct {
	offset    int
	msg, hint string
}
