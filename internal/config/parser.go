package config

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
)

// A term is a token, or a condition or arithmetic as it is written, before it is known which of the two.
type term struct {
	kind termKind
	text string // as written, without quotes
	at   *yaml.Node
	args []*term // of an operation or a function; of in, the left side and then the values
}

type termKind int

const (
	termEnd  termKind = iota
	termSign          // an operator, a bracket or a comma
	termNumber
	termWord   // a name or an unquoted value
	termString // quoted: a value, or a name with - or . in it
	termName   // surely a name: the key of a mapping
	termValue  // surely a value: a scalar of a mapping
	termOp     // text is the sign or word
	termCall   // text is the function
)

// computed reports whether the term is no name and no literal.
func (t *term) computed() bool { return t.kind == termOp || t.kind == termCall }

// functions of numbers. They are names of parameters, too, where no parenthesis follows.
var functions = []string{"min", "max", "abs", "sum"}

// How tightly operations bind. Operations of one level are taken from the left.
const (
	orLevel = 1 + iota
	andLevel
	notLevel
	relationLevel
	sumLevel
	productLevel
	signLevel
)

var levels = map[string]int{"or": orLevel, "and": andLevel,
	"==": relationLevel, "!=": relationLevel, "<": relationLevel, "<=": relationLevel, ">": relationLevel,
	">=": relationLevel, "in": relationLevel, "not": relationLevel, // not in
	"+": sumLevel, "-": sumLevel, "*": productLevel, "/": productLevel, "%": productLevel}

// The limits of one condition; they keep every input cheap.
const (
	maxSource = 4096
	maxNodes  = 1000
	maxNest   = 64
)

// expression reads a condition written as an expression; nil after a mistake.
//
//	term = operand {operator term}, by the levels above; one or two relations in a row
//	operand = ["-"] (number | name | string) | "not" term | "(" term ")" | "active" "(" name ")"
//	        | term ["not"] "in" "[" literal {"," literal} "]" | ("min"|"max"|"abs"|"sum") "(" term {"," term} ")"
func (s *scope) expression(n *yaml.Node) space.Expr {
	p := &parser{scope: s, tokens: s.lex(n)}
	if p.tokens == nil {
		return nil
	}
	t := p.term(orLevel)
	if p.peek().kind != termEnd {
		p.unexpected("and, or, or the end")
	}
	if p.failed {
		return nil
	}
	return s.bind(t)
}

// A parser climbs by precedence. The first error makes the end of every further token, so that
// the climb unwinds by itself; its result is invalid then.
type parser struct {
	*scope
	tokens       []term // that are left; the last one is the end
	nodes, depth int
	failed       bool
}

func (p *parser) peek() *term { return &p.tokens[0] }

// next takes the token that comes next; the end stays.
func (p *parser) next() *term {
	t := p.peek()
	if t.kind != termEnd {
		p.tokens = p.tokens[1:]
	}
	return t
}

func (p *parser) fail(t *term, hint, format string, args ...any) {
	if !p.failed {
		p.errorf(t.at, hint, format, args...)
	}
	p.failed = true
	p.tokens = p.tokens[len(p.tokens)-1:]
}

func (p *parser) unexpected(want string) {
	if t := p.peek(); t.kind == termEnd {
		p.fail(t, "", "the condition ends where %s is expected", want)
	} else {
		p.fail(t, "", "%q here, where %s is expected", t.text, want)
	}
}

// take reports whether the next token is this sign or word, and takes it then.
func (p *parser) take(text string) bool {
	t := p.peek()
	is := (t.kind == termSign || t.kind == termWord) && t.text == text
	if is {
		p.next()
	}
	return is
}

func (p *parser) want(text string) {
	if !p.take(text) {
		p.unexpected(fmt.Sprintf("%q", text))
	}
}

// operation is the one that a token is the sign of.
func operation(sign *term, args ...*term) *term {
	return &term{kind: termOp, text: sign.text, at: sign.at, args: args}
}

// term reads operations of a level and above.
func (p *parser) term(level int) *term {
	p.depth++
	defer func() { p.depth-- }()
	if p.nodes++; p.nodes > maxNodes {
		p.fail(p.peek(), "", "the condition has more than %d parts", maxNodes)
	}
	if p.depth > maxNest {
		p.fail(p.peek(), "", "the condition is nested deeper than %d levels", maxNest)
	}
	left := p.operand()
	for last, relations := left, 0; ; {
		t := p.peek()
		of := levels[t.text]
		if t.kind != termSign && t.kind != termWord || of == 0 || of < level {
			return left
		}
		p.next()
		switch {
		case t.text == "in" || t.text == "not":
			left = p.in(t, left)
		case of != relationLevel:
			left = operation(t, left, p.term(of+1))
		case relations == 2:
			p.fail(t, "join comparisons with and", "three comparisons in a row")
		default:
			right := p.term(of + 1)
			if relations++; relations == 1 {
				left = operation(t, left, right)
			} else { // a < b < c is a < b and b < c
				left = operation(&term{text: "and", at: t.at}, left, operation(t, last, right))
			}
			last = right
		}
	}
}

// in reads the rest of `term [not] in [literal, …]`.
func (p *parser) in(t, left *term) *term {
	not := t.text == "not"
	if not {
		p.want("in")
	}
	p.want("[")
	in := operation(&term{text: "in", at: t.at}, left)
	for more := true; more; more = p.take(",") {
		in.args = append(in.args, p.literal("a value"))
	}
	p.want("]")
	if not {
		return operation(t, in)
	}
	return in
}

// literal reads a number, word or string.
func (p *parser) literal(want string) *term {
	t := p.peek()
	if t.kind == termSign && t.text == "-" && p.tokens[1].kind == termNumber {
		p.next()
		return &term{kind: termNumber, text: "-" + p.next().text, at: t.at}
	}
	if t.kind < termNumber || t.kind > termString {
		p.unexpected(want)
		return &term{}
	}
	return p.next()
}

// operand reads an operand.
func (p *parser) operand() *term {
	t := p.peek()
	switch {
	case p.take("not"):
		return operation(t, p.term(notLevel))
	case p.take("("):
		x := p.term(orLevel)
		p.want(")")
		return x
	case t.kind == termSign && t.text == "-" && p.tokens[1].kind != termNumber:
		p.next()
		return operation(t, p.term(signLevel))
	case t.kind == termWord && slices.Contains([]string{"and", "or", "in", "any", "all"}, t.text):
		p.unexpected("a parameter or a value")
		return &term{}
	}
	x := p.literal("a parameter or a value")
	if x.kind == termWord && (p.peek().text == "(" && p.peek().kind == termSign || x.text == "active") {
		p.call(x)
	}
	return x
}

// call reads the arguments of a function.
func (p *parser) call(x *term) {
	x.kind = termCall
	if x.text != "active" && !slices.Contains(functions, x.text) {
		p.fail(x, "functions: "+space.Listed(functions), "%s is not a function", x.text)
	}
	p.want("(")
	if x.text == "active" {
		if t := p.peek(); t.kind != termWord && t.kind != termString {
			p.unexpected("the name of a parameter")
		}
		name := *p.next()
		name.kind, x.args = termName, []*term{&name}
	}
	for more := x.text != "active"; more; more = p.take(",") {
		x.args = append(x.args, p.term(sumLevel))
	}
	p.want(")")
	if x.text == "abs" && len(x.args) > 1 {
		p.fail(x, "", "abs takes one number, not %d", len(x.args))
	}
}
