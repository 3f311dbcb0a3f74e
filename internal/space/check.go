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

	maxFloat = math.MaxFloat64
	tiny     = 1e-300 // the least range, step and low of a logarithm
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
		if err := p.Check(); err != nil {
			errs = append(errs, fmt.Errorf("parameter %s: %w", p.Name, err))
		}
		errs = append(errs, checkRefs("active_if of "+p.Name, p.Condition, len(params)))
	}
	for _, c := range slices.Concat(forbidden, require) {
		if c.Expr == nil {
			errs = append(errs, fmt.Errorf("clause %q is empty", c.Text))
		}
		errs = append(errs, checkRefs(c.Text, c.Expr, len(params)))
	}
	return errors.Join(errs...)
}

func checkRefs(what string, e Expr, n int) error {
	for _, i := range References(e) {
		if i < 0 || i >= n {
			return fmt.Errorf("%s: no parameter number %d", what, i)
		}
	}
	return nil
}

// Check returns the first thing wrong with the parameter alone: its name, bounds,
// grid, values and graph. Default and prior are checked by New.
func (p *Parameter) Check() error {
	if err := CheckName(p.Name); err != nil {
		return err
	}
	if slices.Contains(Reserved, p.Name) {
		return fmt.Errorf("the word is reserved")
	}
	switch p.Kind {
	case Float, Int:
		return p.checkNumber()
	case Ordinal, Categorical, Bool:
		return p.checkChoice()
	case Constant:
		if len(p.Values) != 1 {
			return fmt.Errorf("a constant has one value")
		}
		if p.Condition != nil {
			return fmt.Errorf("a constant has no active_if")
		}
		return nil
	}
	return fmt.Errorf("unknown kind %d", p.Kind)
}

func (p *Parameter) checkNumber() error {
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	switch {
	case !finite(p.Low) || !finite(p.High):
		return fmt.Errorf("bounds must be finite")
	case p.Low >= p.High:
		return fmt.Errorf("low %s is not below high %s", number(p.Low), number(p.High))
	case !finite(p.High - p.Low):
		return fmt.Errorf("high − low is too large")
	case p.High-p.Low < tiny:
		return fmt.Errorf("high − low is below %g", tiny)
	}
	if p.Kind == Int {
		for _, v := range []float64{p.Low, p.High, p.Step} {
			if v != math.Trunc(v) || math.Abs(v) > MaxInt {
				return fmt.Errorf("%s is not a whole number within ±2^53", number(v))
			}
		}
	}
	switch p.Scale {
	case Linear:
	case Log, ReverseLog:
		if p.Low <= 0 {
			return fmt.Errorf("a logarithmic scale needs low > 0")
		}
		if p.Low < tiny {
			return fmt.Errorf("a logarithmic scale needs low of at least %g", tiny)
		}
		if p.High/p.Low > MaxRatio {
			return fmt.Errorf("high/low is above %g", MaxRatio)
		}
	case Logit:
		if p.Low <= 0 || p.High >= 1 {
			return fmt.Errorf("the logit scale needs 0 < low and high < 1")
		}
	default:
		return fmt.Errorf("unknown scale %d", p.Scale)
	}
	return p.checkGrid()
}

func (p *Parameter) checkGrid() error {
	switch {
	case p.Step != 0 && p.Precision != 0:
		return fmt.Errorf("step and precision exclude each other")
	case !(p.Step >= 0) || math.IsInf(p.Step, 0) || p.Step > 0 && p.steps() < 1:
		return fmt.Errorf("step %v is not between 0 and high − low", p.Step)
	case p.Step > 0 && !p.fine():
		return fmt.Errorf("step %s is too small for the size of the bounds", number(p.Step))
	case p.Precision > 0 && p.High-p.Low < powerOfTen(-p.decimals()):
		return fmt.Errorf("low %s and high %s are too close for a precision", number(p.Low), number(p.High))
	case p.Precision < 0 || p.Precision > MaxPrecision:
		return fmt.Errorf("precision is a number of significant digits, 1 to %d", MaxPrecision)
	case p.Discrete && p.Kind != Int:
		return fmt.Errorf("only an int can be discrete")
	case p.Discrete && p.Precision > 0:
		return fmt.Errorf("a discrete int takes a step, not a precision")
	case p.Discrete && p.Levels() > MaxValues:
		return fmt.Errorf("a discrete int has at most %d values", MaxValues)
	}
	return nil
}

func (p *Parameter) checkChoice() error {
	switch {
	case len(p.Values) == 0:
		return fmt.Errorf("has no values")
	case len(p.Values) > MaxValues:
		return fmt.Errorf("has %d values; at most %d are allowed", len(p.Values), MaxValues)
	case p.Kind == Bool && !slices.Equal(p.Values, []string{"false", "true"}):
		return fmt.Errorf("the values of a bool are false and true")
	case p.Kind != Ordinal && p.Positions != nil:
		return fmt.Errorf("only an ordinal has positions")
	case p.Positions != nil && len(p.Positions) != len(p.Values):
		return fmt.Errorf("has %d positions for %d values", len(p.Positions), len(p.Values))
	case p.Literals != nil && len(p.Literals) != len(p.Values):
		return fmt.Errorf("has types for %d of %d values", len(p.Literals), len(p.Values))
	}
	seen := map[string]bool{}
	for _, v := range p.Values {
		if seen[v] {
			return fmt.Errorf("value %q is listed twice", v)
		}
		seen[v] = true
	}
	clear(seen)
	for k, v := range p.Values {
		switch j := CanonicalValue(v, p.Literal(k)); {
		case j == "":
			return fmt.Errorf("value %q is not JSON", v)
		case seen[j]:
			return fmt.Errorf("two values are %s in JSON", j)
		default:
			seen[j] = true
		}
	}
	for k, x := range p.Positions {
		if math.IsNaN(x) || math.IsInf(x, 0) || k > 0 && x <= p.Positions[k-1] {
			return fmt.Errorf("positions must be finite and ascending")
		}
	}
	return p.Graph.check(len(p.Values))
}

// checkBelief checks the default and the prior of parameter i.
func (s *Space) checkBelief(i int) error {
	p := &s.params[i]
	if p.Default != nil {
		if err := s.checkValue(i, *p.Default); err != nil {
			return fmt.Errorf("default of %w", err)
		}
	}
	if p.Prior != nil {
		if err := s.checkValue(i, p.Prior.Mode); err != nil {
			return fmt.Errorf("prior of %w", err)
		}
		if !slices.Contains([]string{"weak", "medium", "strong"}, p.Prior.Strength) {
			return fmt.Errorf("prior of %s: strength is weak, medium or strong", p.Name)
		}
	}
	return nil
}
