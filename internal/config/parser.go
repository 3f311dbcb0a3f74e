package config

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"bohier/internal/space"
)

// expression reads a condition written as an expression; nil after a mistake.
//
//	expr = or ;  or = and {"or" and} ;  and = not {"and" not} ;  not = "not" not | "(" expr ")" | cmp
//	cmp  = sum [relop sum [relop sum]]  |  sum ["not"] "in" "[" literal {"," literal} "]"  |  "active" "(" name ")"
//	sum  = prod {("+"|"-") prod} ;  prod = unary {("*"|"/"|"%") unary}
//	unary = ["-"] (number | name | string | "(" sum ")" | ("min"|"max"|"abs"|"sum") "(" sum {"," sum} ")")
func (l *loader) expression(n *yaml.Node) space.Expr {
	errs, warns := len(l.errs), len(l.warns)
	tokens, err := lex(n.Value)
	var x space.Expr
	if err == nil {
		p := &parser{l: l, tokens: tokens, place: func(offset int) pos { return l.inScalar(n, offset) }}
		if x = p.or(); p.err == nil && p.peek().kind != tokEnd {
			p.unexpected("and, or, or the end")
		}
		err = p.err
	}
	if err != nil { // beside which all else is a guess
		l.errs, l.warns = l.errs[:errs], l.warns[:warns]
		l.errorAt(l.inScalar(n, err.offset), err.hint, "%s", err.msg)
		return nil
	}
	return x
}

// A parser descends recursively. The first error sticks and makes every further
// token the end, so the descent unwinds by itself; terms may then be nil.
type parser struct {
	l      *loader
	tokens []token
	at     int
	place  func(int) pos
	nodes  int
	depth  int
	err    *exprError
}

func (p *parser) peek() token {
	if p.err != nil {
		return p.tokens[len(p.tokens)-1]
	}
	return p.tokens[p.at]
}

func (p *parser) next() token {
	t := p.peek()
	if t.kind != tokEnd {
		p.at++
	}
	return t
}

func (p *parser) fail(t token, hint, format string, args ...any) {
	if p.err == nil {
		p.err = &exprError{t.offset, fmt.Sprintf(format, args...), hint}
	}
}

func (p *parser) unexpected(want string) {
	t := p.peek()
	if t.kind == tokEnd {
		p.fail(t, "", "the condition ends where %s is expected", want)
		return
	}
	p.fail(t, "", "%q here, where %s is expected", t.text, want)
}

// is reports whether the next token is this sign or word.
func (p *parser) is(text string) bool {
	t := p.peek()
	return (t.kind == tokSign || t.kind == tokWord) && t.text == text
}

func (p *parser) take(text string) bool {
	if p.is(text) {
		p.next()
		return true
	}
	return false
}

func (p *parser) want(text string) {
	if !p.take(text) {
		p.unexpected(fmt.Sprintf("%q", text))
	}
}

// enter counts a node and a level; leave ends the level.
func (p *parser) enter() {
	p.depth++
	if p.nodes++; p.nodes > maxNodes {
		p.fail(p.peek(), "", "the condition has more than %d parts", maxNodes)
	}
	if p.depth > maxNest {
		p.fail(p.peek(), "", "the condition is nested deeper than %d levels", maxNest)
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) or() space.Expr  { return p.chain("or", anyOfThem, p.and) }
func (p *parser) and() space.Expr { return p.chain("and", allOfThem, p.not) }

func (p *parser) chain(word string, join func([]space.Expr) space.Expr, operand func() space.Expr) space.Expr {
	p.enter()
	defer p.leave()
	xs := []space.Expr{operand()}
	for p.take(word) {
		xs = append(xs, operand())
	}
	return join(xs)
}

func (p *parser) not() space.Expr {
	p.enter()
	defer p.leave()
	if p.take("not") {
		return negated(p.not())
	}
	if p.is("(") && p.condition() {
		p.next()
		x := p.or()
		p.want(")")
		return x
	}
	return p.compare()
}

// condition reports whether the parenthesis here holds a condition and not
// arithmetic: what follows its end is no sign of a comparison or sum.
func (p *parser) condition() bool {
	level := 0
	for i := p.at; i < len(p.tokens); i++ {
		t := p.tokens[i]
		switch {
		case t.kind == tokSign && t.text == "(":
			level++
		case t.kind == tokSign && t.text == ")":
			if level--; level == 0 {
				next := p.tokens[i+1]
				follows := next.kind == tokSign && next.text != ")" ||
					next.kind == tokWord && (next.text == "in" || next.text == "not")
				return !follows
			}
		}
	}
	return true // never closed; reported where it should be
}

var relations = []string{"==", "!=", "<", "<=", ">", ">="}

func (p *parser) compare() space.Expr {
	p.enter()
	defer p.leave()
	start := p.peek()
	if start.kind == tokWord && start.text == "active" {
		p.next()
		p.want("(")
		n := p.next()
		if n.kind != tokWord && n.kind != tokString {
			p.at--
			p.unexpected("the name of a parameter")
		}
		if p.want(")"); p.err == nil {
			if d := p.l.lookup(&term{kind: termName, text: n.text, at: p.place(n.offset)}); d != nil {
				return space.ActiveOf{Param: p.l.index[d.name]}
			}
		}
		return nil
	}
	terms := []*term{p.sum()}
	if p.is("in") || p.is("not") {
		return p.in(terms[0], start)
	}
	var rels []rel
	for {
		t := p.peek()
		if t.kind != tokSign || !slices.Contains(relations, t.text) {
			break
		}
		if len(rels) == 2 {
			p.fail(t, "join comparisons with and", "three comparisons in a row")
			break
		}
		p.next()
		rels = append(rels, rel{t.text, p.place(t.offset)})
		terms = append(terms, p.sum())
	}
	switch {
	case p.err != nil:
		return nil
	case len(rels) == 0:
		return p.l.bare(terms[0])
	}
	var xs space.And
	for i, r := range rels {
		x := p.l.compare(terms[i], r, terms[i+1])
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

// in reads the rest of `sum [not] in [literal, …]`.
func (p *parser) in(left *term, start token) space.Expr {
	not := p.take("not")
	p.want("in")
	p.want("[")
	var values []*term
	for p.err == nil {
		values = append(values, p.literal())
		if !p.take(",") {
			break
		}
	}
	if p.want("]"); p.err != nil {
		return nil
	}
	x := p.l.member(left, values, p.place(start.offset))
	if not {
		return negated(x)
	}
	return x
}

func (p *parser) literal() *term {
	p.enter()
	defer p.leave()
	t := p.next()
	if t.kind == tokSign && t.text == "-" && p.peek().kind == tokNumber {
		return &term{kind: termNumber, text: "-" + p.next().text, at: p.place(t.offset)}
	}
	switch t.kind {
	case tokNumber:
		return &term{kind: termNumber, text: t.text, at: p.place(t.offset)}
	case tokWord:
		return &term{kind: termWord, text: t.text, at: p.place(t.offset)}
	case tokString:
		return &term{kind: termString, text: t.text, at: p.place(t.offset)}
	}
	if t.kind != tokEnd {
		p.at--
	}
	p.unexpected("a value")
	return &term{}
}

func (p *parser) sum() *term  { return p.arith([]string{"+", "-"}, p.prod) }
func (p *parser) prod() *term { return p.arith([]string{"*", "/", "%"}, p.unary) }

func (p *parser) arith(signs []string, operand func() *term) *term {
	p.enter()
	defer p.leave()
	left := operand()
	for {
		t := p.peek()
		if t.kind != tokSign || !slices.Contains(signs, t.text) {
			return left
		}
		p.next()
		p.nodes++
		left = &term{kind: termArith, text: t.text, at: p.place(t.offset), l: left, r: operand()}
	}
}

func (p *parser) unary() *term {
	p.enter()
	defer p.leave()
	t := p.next()
	switch {
	case t.kind == tokSign && t.text == "-":
		if n := p.peek(); n.kind == tokNumber {
			p.next()
			return &term{kind: termNumber, text: "-" + n.text, at: p.place(t.offset)}
		}
		return &term{kind: termArith, text: "-", at: p.place(t.offset), l: p.unary()}
	case t.kind == tokSign && t.text == "(":
		s := p.sum()
		p.want(")")
		return s
	case t.kind == tokNumber:
		return &term{kind: termNumber, text: t.text, at: p.place(t.offset)}
	case t.kind == tokString:
		return &term{kind: termString, text: t.text, at: p.place(t.offset)}
	case t.kind == tokWord && !slices.Contains([]string{"and", "or", "not", "in", "any", "all", "active"}, t.text):
		if p.is("(") {
			return p.call(t)
		}
		return &term{kind: termWord, text: t.text, at: p.place(t.offset)}
	}
	if t.kind != tokEnd {
		p.at--
	}
	p.unexpected("a parameter or a value")
	return &term{}
}

// call reads the arguments of a function.
func (p *parser) call(name token) *term {
	if !slices.Contains(functions, name.text) {
		p.fail(name, "functions: "+list(functions), "%s is not a function", name.text)
	}
	p.want("(")
	c := &term{kind: termCall, text: name.text, at: p.place(name.offset)}
	for p.err == nil {
		c.args = append(c.args, p.sum())
		if !p.take(",") {
			break
		}
	}
	p.want(")")
	if name.text == "abs" && len(c.args) > 1 {
		p.fail(name, "", "abs takes one number, not %d", len(c.args))
	}
	return c
}
