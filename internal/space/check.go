package space

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Limits of a space.
const (
	MaxParams    = 1000    // parameters
	MaxName      = 256     // bytes of a name
	MaxValues    = 10000   // values of a choice or of a discrete int
	MaxInt       = 1 << 53 // magnitude of an int
	MaxRatio     = 1e300   // high/low on a log scale
	MaxPrecision = 12      // significant digits

	tiny = 1e-300 // the least range, step and low of a logarithm
)

func checkAll(params []Parameter, forbidden, require []Clause) error {
	var errs []error
	if len(params) == 0 {
		errs = append(errs, errors.New("the space has no parameters"))
	}
	if len(params) > MaxParams {
		errs = append(errs, fmt.Errorf("the space has %d parameters; at most %d are allowed", len(params), MaxParams))
	}
	seen := map[string]bool{}
	for i := range params {
		p := &params[i]
		if seen[p.Name] {
			errs = append(errs, fmt.Errorf("parameter %s is declared twice", p.Name))
		}
		seen[p.Name] = true
		for _, err := range p.Check() {
			errs = append(errs, fmt.Errorf("parameter %s: %w", p.Name, err))
		}
	}
	for _, c := range slices.Concat(forbidden, require) {
		if c.Expr == nil {
			errs = append(errs, fmt.Errorf("clause %q is empty", c.Text))
		}
	}
	return errors.Join(errs...)
}

// A FieldError is something that is wrong with a parameter.
type FieldError struct {
	Key   string // of a study file, whose value is wrong; empty: the parameter as a whole
	Entry int    // of a list, from 0; −1: the whole value
	Msg   string
	Hint  string // a hint; may be empty
}

func (e FieldError) Error() string { return e.Msg }

func wrong(key, hint, format string, args ...any) []FieldError {
	return []FieldError{{key, -1, fmt.Sprintf(format, args...), hint}}
}

// Check returns the faults of the parameter alone: its name, bounds, grid, values and graph. Default and prior are
// checked by New.
func (p *Parameter) Check() []FieldError {
	if err := CheckName(p.Name); err != nil {
		return wrong("", "", "%v", err)
	}
	if slices.Contains(Reserved, p.Name) {
		return wrong("", "", "the word is reserved")
	}
	switch p.Kind {
	case Float, Int:
		return p.checkNumber()
	case Ordinal, Categorical, Bool:
		return p.checkChoice()
	case Constant:
		if len(p.Values) != 1 {
			return wrong("value", "", "a constant has one value")
		}
		if p.Condition != nil {
			return wrong("active_if", "", "a constant has no active_if")
		}
		return nil
	}
	return wrong("type", "", "unknown kind %d", p.Kind)
}

func (p *Parameter) checkNumber() (all []FieldError) {
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	for _, b := range []struct {
		key, hint string
		v         float64
	}{{"low", "write type: float for numbers in between", p.Low}, {"high", "write type: float for numbers in between",
		p.High}, {"step", "", p.Step}} {
		switch {
		case !finite(b.v):
			all = append(all, wrong(b.key, "", "%s must be finite", b.key)...)
		case p.Kind != Int:
		case b.v != math.Trunc(b.v):
			all = append(all, wrong(b.key, b.hint, "%s of an int must be a whole number, not %s", b.key, number(b.v))...)
		case math.Abs(b.v) > MaxInt:
			all = append(all, wrong(b.key, "", "%s of an int must be within ±2^53", b.key)...)
		}
	}
	if len(all) > 0 {
		return all
	}
	switch low, high := number(p.Low), number(p.High); {
	case p.Low == p.High:
		return wrong("high", "write {value: "+low+"} for a constant", "low and high are both %s", low)
	case p.Low > p.High:
		return wrong("high", "swap the two", "low %s is above high %s", low, high)
	case !finite(p.High - p.Low), p.Low > 0 && p.High/p.Low > MaxRatio:
		return wrong("high", "narrow the range",
			"low %s and high %s are too far apart (a factor of at most 1e300, a difference of at most 1.8e308)", low, high)
	case p.High-p.Low < tiny:
		return wrong("high", "widen the range", "low %s and high %s are too close: high − low is below %g", low, high, tiny)
	}
	switch p.Scale {
	case Linear:
	case Log, ReverseLog:
		if p.Low <= 0 {
			hint := "write low: 1, or scale: linear"
			switch {
			case p.High <= 0:
				hint = "write scale: linear"
			case p.Kind == Float:
				hint = "write a small low, such as " + number(powerOfTen(decade(p.High)-5)) + ", or scale: linear"
			}
			return wrong("low", hint, "scale %s needs low above 0, not %s", p.Scale, number(p.Low))
		}
		if p.Low < tiny {
			return wrong("low", "", "scale %s needs low of at least %g", p.Scale, tiny)
		}
	case Logit:
		if p.Low <= 0 || p.High >= 1 {
			return wrong("low", "write bounds such as 0.001 and 0.999, or scale: linear",
				"scale logit needs 0 < low and high < 1")
		}
	default:
		return wrong("scale", "", "unknown scale %d", p.Scale)
	}
	return p.checkGrid()
}

func (p *Parameter) checkGrid() []FieldError {
	switch {
	case p.Step != 0 && p.Precision != 0:
		return wrong("precision", "keep one of the two", "step and precision exclude each other")
	case p.Step < 0:
		return wrong("step", "", "step must be above 0, not %s", number(p.Step))
	case p.Step > 0 && p.steps() < 1:
		return wrong("step", "write a smaller step", "step %s is larger than the range from %s to %s", number(p.Step),
			number(p.Low), number(p.High))
	case p.Step > 0 && !p.fine():
		return wrong("step", "", "step %s is too small for the size of the bounds", number(p.Step))
	case p.Precision > 0 && p.High-p.Low < powerOfTen(-p.decimals()):
		return wrong("precision", "", "low %s and high %s are too close for a precision", number(p.Low), number(p.High))
	case p.Precision < 0 || p.Precision > MaxPrecision:
		return wrong("precision", "", "precision is a number of significant digits, 1 to %d", MaxPrecision)
	case p.Discrete && p.Kind != Int:
		return wrong("discrete", "", "only an int can be discrete")
	case p.Discrete && p.Precision > 0:
		return wrong("discrete", "give it a step", "a discrete int takes a step, not a precision")
	case p.Discrete && p.Levels() > MaxValues:
		return wrong("discrete", "", "discrete: true allows at most %d values, and there are %d", MaxValues, p.Levels())
	}
	return nil
}

func (p *Parameter) checkChoice() (all []FieldError) {
	switch {
	case len(p.Values) == 0:
		return wrong("values", "", "%s has no values", p.Name)
	case len(p.Values) > MaxValues:
		return wrong("values", "", "%s has %d values; at most %d", p.Name, len(p.Values), MaxValues)
	case p.Kind == Bool && !slices.Equal(p.Values, []string{"false", "true"}):
		return wrong("values", "", "the values of a bool are false and true")
	case p.Kind != Ordinal && p.Positions != nil:
		return wrong("positions", "", "only an ordinal has positions")
	case p.Positions != nil && len(p.Positions) != len(p.Values):
		return wrong("positions", "", "positions must be a list of %d numbers, one a value", len(p.Values))
	case p.Literals != nil && len(p.Literals) != len(p.Values):
		return wrong("values", "", "%s has types for %d of %d values", p.Name, len(p.Literals), len(p.Values))
	}
	seen := map[string]bool{}
	entry := func(key string, k int, hint, format string, args ...any) {
		all = append(all, FieldError{key, k, fmt.Sprintf(format, args...), hint})
	}
	for k, v := range p.Values {
		j := CanonicalValue(v, p.Literal(k))
		switch {
		case seen["text "+v]:
			entry("values", k, "", "%q is already a value of %s", v, p.Name)
		case j == "":
			entry("values", k, "", "value %q is not JSON", v)
		case seen["json "+j]:
			hint := "keep one of the two"
			if p.Literal(k) == Number {
				hint += ", or quote both to mean the texts"
			}
			entry("values", k, hint, "another value of %s is %s in JSON too", p.Name, j)
		}
		seen["text "+v], seen["json "+j] = true, true
	}
	for k, x := range p.Positions {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			entry("positions", k, "", "positions must be finite")
		} else if k > 0 && x <= p.Positions[k-1] {
			entry("positions", k, "", "positions must increase, and %s follows %s", number(x), number(p.Positions[k-1]))
		}
	}
	joined := map[[2]int]bool{}
	for k, e := range p.Graph.Edges {
		pair := [2]int{min(e.From, e.To), max(e.From, e.To)}
		switch {
		case pair[0] < 0 || pair[1] >= len(p.Values):
			return wrong("graph", "", "graph has an edge to a value that does not exist")
		case e.From == e.To:
			entry("graph", k, "", "an edge joins two different values")
		case joined[pair]:
			entry("graph", k, "", "this edge appears twice")
		case !(e.Weight > 0) || e.Weight > 1e300: // sums of more are no numbers
			entry("graph", k, "divide all weights by one number", "a weight must be above 0 and at most 1e300")
		}
		joined[pair] = true
	}
	if len(p.Graph.Edges) > 0 && len(all) == 0 && p.Graph.Apart(len(p.Values)) >= 0 {
		return wrong("", "", "%s: graph is not connected", p.Name)
	}
	return all
}

// checkBelief checks the default and the prior of parameter i.
func (s *parameters) checkBelief(i int) error {
	p := &s.params[i]
	if p.Default != nil {
		if err := s.checkValue(i, *p.Default, true); err != nil {
			return fmt.Errorf("default of %w", err)
		}
	}
	if p.Prior != nil {
		if err := s.checkValue(i, p.Prior.Mode, true); err != nil {
			return fmt.Errorf("prior of %w", err)
		}
		if !slices.Contains([]string{"weak", "medium", "strong"}, p.Prior.Strength) {
			return fmt.Errorf("prior of %s: strength is weak, medium or strong", p.Name)
		}
	}
	return nil
}
