package space

// Truth is a value of Kleene's strong three-valued logic.
type Truth int8

// The truth values, ordered so that and is min and or is max.
const (
	False   Truth = -1
	Unknown Truth = 0
	True    Truth = 1
)

// An Expr is a condition over a configuration. The tree is immutable and refers
// to parameters by index.
type Expr interface {
	// Eval decides the condition. An atom on an inactive parameter, or one
	// whose arithmetic gives no number, is Unknown.
	Eval(c Configuration) Truth
}

// A Sum is an arithmetic expression over a configuration.
type Sum interface {
	// Number is the value; ok is false when a parameter in it is inactive or
	// the result is not a number.
	Number(c Configuration) (v float64, ok bool)
}

// The conditions. And and Or hold for no operands as True and False. ActiveOf is
// always known. In compares raw values, so choices compare by index.
type (
	And      []Expr
	Or       []Expr
	Not      struct{ X Expr }
	ActiveOf struct{ Param int }
	In       struct {
		Param  int
		Values []float64
	}
	Compare struct {
		Op          Op
		Left, Right Sum
	}
)

// The arithmetic: a number (also the index of a choice's value), a parameter's
// raw value, and the four operations.
type (
	Const  float64
	Ref    struct{ Param int }
	Binary struct {
		Op          byte // + - * /
		Left, Right Sum
	}
)

// Op is a comparison.
type Op int

// The comparisons.
const (
	Eq Op = iota
	Ne
	Lt
	Le
	Gt
	Ge
)

// A Clause is a constraint on inputs with its source text, for messages.
type Clause struct {
	Expr Expr
	Text string
}
