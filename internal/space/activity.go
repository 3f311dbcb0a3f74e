package space

import (
	"errors"
	"fmt"
	"math"
)

// Activate decides from the values of c which parameters are active, parents
// first, and sets the values of the others to 0. It rounds nothing.
func (s *hierarchy) Activate(c *Configuration) {
	s.assign(c, func(i int) float64 { return c.Value[i] })
}

// assign decides which parameters of c are active, parents first, and gives those their values.
func (s *hierarchy) assign(c *Configuration, value func(i int) float64) {
	clear(c.Active)
	for _, i := range s.depend.Order {
		v := 0.0
		if c.Active[i] = s.holds(i, *c); c.Active[i] {
			v = value(i)
		}
		c.Value[i] = v
	}
}

// holds reports whether the values of c make parameter i active; the parameters before
// it in the order are active or not already.
func (s *hierarchy) holds(i int, c Configuration) bool {
	if j := s.twin[i]; j != i {
		return c.Active[j]
	}
	e := s.params[i].Condition
	return e == nil || e.Eval(c) == True
}

// A constraint is a clause that must hold, or must not.
type constraint struct {
	Clause
	bad  Truth // the truth by which it is violated
	refs []int // the parameters that it mentions, ascending
}

// violates reports whether c violates the constraint at a place.
func (s *Space) violates(c Configuration, n int) bool {
	k := &s.constraints[n]
	return k.Expr.Eval(c) == k.bad
}

// Allows reports whether c violates no constraint. A clause whose truth is unknown is not violated.
func (s *Space) Allows(c Configuration) bool {
	_, bad := s.first(s.watch(), c, math.MaxInt)
	return !bad
}

// violated is the first constraint that c violates, by its place.
func (s *Space) violated(c Configuration) (n int, bad bool) { return s.first(s.watch(), c, -1) }

// Validate returns nil if exactly the active parameters are active, each has a value that could be measured, and every
// constraint holds; otherwise it names the parameter and the rule.
func (s *Space) Validate(c Configuration) error {
	if len(c.Value) != len(s.params) || len(c.Active) != len(s.params) {
		return fmt.Errorf("configuration of %d values for %d parameters", len(c.Value), len(s.params))
	}
	for _, i := range s.depend.Order {
		p := &s.params[i]
		switch active := s.holds(i, c); {
		case active && !c.Active[i]:
			return fmt.Errorf("%s: active but not given", p.Name)
		case !active && c.Active[i]:
			return fmt.Errorf("%s: given but inactive (%s)", p.Name, s.why(i))
		case active:
			if err := s.checkValue(i, c.Value[i], false); err != nil {
				return err
			}
		}
	}
	if n, bad := s.violated(c); bad {
		if k := s.constraints[n]; k.bad == False {
			text := "the configuration violates require: " + k.Text
			if e, sum := k.Expr.(Compare); sum && !isLeaf(e.Left) {
				if left, _, known := e.Left.approx(c); known {
					text += fmt.Sprintf("; its left side is %.15g", left)
				}
			}
			return RuleError(text)
		}
		return RuleError("the configuration is forbidden: " + s.constraints[n].Text)
	}
	return nil
}

// A RuleError names the rule that a configuration breaks whose values, one by one, are in place.
type RuleError string

func (e RuleError) Error() string { return string(e) }

// Broken splits the error of a configuration that was run: the rule that it breaks, which does not keep the surrogate
// from learning, or another fault.
func Broken(err error) (rule, wrong error) {
	if rule, ok := errors.AsType[RuleError](err); ok {
		return rule, nil
	}
	return nil, err
}

// why says when parameter i is active.
func (s *hierarchy) why(i int) string {
	return "active if " + s.Format(s.params[i].Condition)
}

// checkValue returns nil if parameter i can have the raw value v: one on its grid where v is proposed, any between its
// bounds where v was measured. Ints are whole, and discrete ones have levels.
func (s *parameters) checkValue(i int, v float64, proposed bool) error {
	p, r, grid := &s.params[i], &s.codecs[i], "whole numbers"
	switch {
	case math.IsNaN(v):
		return fmt.Errorf("%s: not a number", p.Name)
	case p.Kind == Constant:
		return nil
	case !p.IsNumber() && (v != math.Trunc(v) || v < 0 || int(v) >= len(p.Values)):
		return fmt.Errorf("%s: no value number %v", p.Name, v)
	case !p.IsNumber():
		return nil
	case v < p.Low || v > p.High:
		return fmt.Errorf("%s: %s is outside [%s, %s]", p.Name, number(v), number(p.Low), number(p.High))
	case r.whole && v != math.Trunc(v):
	case r.step == 0 && r.digits == 0, !proposed && !p.Discrete, r.round(v) == v: // perhaps finer than emitted values
		return nil
	case p.Step > 0:
		grid = fmt.Sprintf("%s + k·%s", number(p.Low), number(p.Step))
	default:
		grid = fmt.Sprintf("%d significant digits", p.Precision)
	}
	return fmt.Errorf("%s: %s is off the grid (%s); the nearest value is %s", p.Name, number(v), grid,
		number(s.Round(i, v)))
}

// Proposable reports whether c, which may have been measured, may be proposed: its numbers are on their grids.
func (s *parameters) Proposable(c Configuration) error {
	for i, on := range c.Active {
		if on {
			if err := s.checkValue(i, c.Value[i], true); err != nil {
				return err
			}
		}
	}
	return nil
}

// Round is the emitted value of parameter i nearest to v, inside its bounds: whole for ints, on the step or precision
// where one is declared, else with as many digits as survive encoding. Choices round to an index; constants are 0.
func (s *parameters) Round(i int, v float64) float64 {
	if p := &s.params[i]; !p.IsNumber() {
		return roundIndex(v, len(p.Values))
	}
	return s.codecs[i].round(v)
}

func roundIndex(v float64, m int) float64 {
	v = math.Round(v)
	if !(v > 0) {
		return 0
	}
	return min(v, float64(m-1))
}
