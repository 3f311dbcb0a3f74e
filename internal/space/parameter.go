package space

import (
	"math"

	"bohier/internal/points"
)

// Kind is the type of a parameter.
type Kind int

// The kinds. A Constant is always active, has one value and no coordinate.
const (
	Float Kind = iota
	Int
	Ordinal
	Categorical
	Bool
	Constant
)

// Scale maps a numeric parameter to the coordinate in which it is uniform.
type Scale int

// The scales: identity; ln v (low > 0); ln(v/(1−v)) (0 < low, high < 1);
// −ln(low + high − v) (the log scale mirrored, fine near high; low > 0).
const (
	Linear Scale = iota
	Log
	Logit
	ReverseLog
)

// A Parameter is one dimension of the space.
type Parameter struct {
	Name      string
	Kind      Kind
	Low, High float64 // Float, Int: real units, both ends included
	Scale     Scale
	Step      float64   // > 0: values are Low + k·Step
	Precision int       // > 0: values have that many significant digits
	Values    []string  // Ordinal, Categorical: source texts; Bool: "false", "true"; Constant: its text
	Positions []float64 // Ordinal: optional ascending numbers, one per value
	Discrete  bool      // Int: a path graph for kernels on graphs
	// Ordinal, Categorical: edges between values. A graph without edges is complete for Categorical and
	// Bool, a path for Ordinal.
	Graph     Graph
	Literals  []Literal // Ordinal, Categorical, Constant: how JSON writes each value; nil: as texts
	Default   *float64  // raw value, nil: none
	Condition Expr      // active_if; nil: always active
	Prior     *Prior    // the user's belief where good values lie; nil: none
}

// Literal is the JSON type of a value. Whatever it is, the value's text differs from the others.
type Literal int

// The JSON types of values. The text of a Structure, a list or mapping, is compact JSON; that of Null is "null".
const (
	Text Literal = iota
	Number
	Boolean
	Null
	Structure
)

// Literal is the JSON type of value k.
func (p *Parameter) Literal(k int) Literal {
	switch {
	case p.Kind == Bool:
		return Boolean
	case k < len(p.Literals):
		return p.Literals[k]
	}
	return Text
}

// Prior is the user's belief about the best value of a parameter.
type Prior struct {
	Mode     float64 // raw value
	Strength string  // weak, medium, strong
}

// Kernels see the same graphs.
type (
	Graph = points.Graph
	Edge  = points.Edge
)

// Choice reports whether values are indices into Values.
func (p *Parameter) Choice() bool {
	return p.Kind == Ordinal || p.Kind == Categorical || p.Kind == Bool
}

// IsNumber reports whether values are numbers, and no indices into Values.
func (p *Parameter) IsNumber() bool { return p.Kind == Float || p.Kind == Int }

// Decades is how many powers of ten the range of a linear number above 0 spans, from 1 on where an
// integer begins at 0; 0: fewer than three, so that its logarithm hardly matters, or no such range.
func (p *Parameter) Decades() float64 {
	low := p.Low
	if p.Kind == Int && low == 0 {
		low = 1
	}
	if d := math.Log10(p.High / low); p.IsNumber() && p.Scale == Linear && low > 0 && d >= 3 {
		return d
	}
	return 0
}

// Nominal reports whether values are indices into Values that have no order.
func (p *Parameter) Nominal() bool { return p.Kind == Categorical || p.Kind == Bool }

// Levels is the number of values of a choice or of a discrete Int, 0 for numbers and constants.
func (p *Parameter) Levels() int {
	switch {
	case p.Choice():
		return len(p.Values)
	case p.Kind == Int && p.Discrete:
		return int((p.High-p.Low)/max(p.Step, 1)) + 1
	}
	return 0
}
