package space

import (
	"errors"
	"slices"
	"sync"

	"bohier/internal/lists"
)

// A Space is an ordered list of parameters with conditions and constraints on
// inputs. It is immutable and safe for concurrent use.
type Space struct {
	hierarchy
	forbidden   []Clause
	require     []Clause
	constraints []constraint      // the forbidden ones first
	coords      []int             // coordinate → parameter
	coordOf     []int             // parameter → coordinate, −1 for constants
	needed      []bool            // mentioned in a condition or constraint
	watch       func() *watch     // of all constraints
	whole       func() *partition // all branches, made at first use
	size        func() sized
	centre      func() []float64 // parameter → the middle in unit coordinates
	systems     sync.Map         // activity pattern → *system
	tied        func() bool      // a constraint is linear in several numbers
}

// A hierarchy is parameters with the conditions that make them active.
type hierarchy struct {
	parameters
	depend dependencies
	twin   []int // parameter → the first in the order with the same condition
}

// Parameters are the parameters in declared order, each with its values as texts, numbers and coordinates.
type parameters struct {
	params []Parameter
	index  map[string]int
	codecs []codec    // per parameter; meaningful for numbers
	all    []valueSet // per parameter, all of its values
	json   []jsonText
}

// New checks a description and returns its space. The error joins one error per mistake; conditions that depend on each
// other are a *CycleError. Slices are kept: the caller no longer writes to them.
func New(params []Parameter, forbidden, require []Clause) (*Space, error) {
	if err := checkAll(params, forbidden, require); err != nil {
		return nil, err
	}
	s := &Space{forbidden: slices.Clone(forbidden), require: slices.Clone(require)}
	s.params, s.index = slices.Clone(params), make(map[string]int, len(params))
	var cycle []int
	if s.depend, cycle = dependenciesOf(params); cycle != nil {
		return nil, &CycleError{cycle, lists.Of(cycle, func(i int) string { return params[i].Name })}
	}
	s.codecs = make([]codec, len(params))
	s.coordOf = make([]int, len(params))
	for i := range s.params {
		p := &s.params[i]
		s.index[p.Name] = i
		s.coordOf[i] = -1
		if p.Kind != Constant {
			s.coordOf[i] = len(s.coords)
			s.coords = append(s.coords, i)
		}
		if p.IsNumber() {
			s.codecs[i] = newCodec(p)
		}
		s.all = append(s.all, s.allValues(i))
	}
	s.needed = s.Mentioned()
	for n, k := range slices.Concat(s.forbidden, s.require) {
		bad := False
		if n < len(s.forbidden) {
			bad = True
		}
		s.constraints = append(s.constraints, constraint{k, bad, References(k.Expr)})
		for _, j := range s.constraints[n].refs {
			s.needed[j] = true
		}
	}
	s.watch = sync.OnceValue(func() *watch { return s.newWatch(lists.Every(len(s.constraints))) })
	s.twin = s.twins()
	s.json = newJSONTexts(s.params)
	s.tied = sync.OnceValue(s.tiesNumbers)
	s.whole = sync.OnceValue(func() *partition {
		p, _ := newPartition(s, nil, probes)
		return p
	})
	s.size, s.centre = sync.OnceValue(s.measure), sync.OnceValue(s.newCentre)
	if err := errors.Join(lists.Of(lists.Every(len(s.params)), s.checkBelief)...); err != nil {
		return nil, err
	}
	return s, nil
}

// Params are the parameters in declared order; the caller must not write to them.
func (s *parameters) Params() []Parameter { return s.params }

// Param is parameter i; the caller must not write to it.
func (s *parameters) Param(i int) *Parameter { return &s.params[i] }

// Len is the number of parameters, constants included.
func (s *parameters) Len() int { return len(s.params) }

// Index finds a parameter by name, in whatever Unicode form it is written.
func (s *parameters) Index(name string) (int, bool) {
	i, ok := s.index[Name(name)]
	return i, ok
}

// Order lists the parameters so that each comes after those its condition mentions.
func (s *hierarchy) Order() []int { return s.depend.Order }

// Forbidden are the clauses that must not hold.
func (s *Space) Forbidden() []Clause { return s.forbidden }

// Require are the clauses that must hold.
func (s *Space) Require() []Clause { return s.require }

// Coupled reports whether constraints tie parameters together.
func (s *Space) Coupled() bool { return len(s.constraints) > 0 }

// Conditional reports whether parameter i may be inactive.
func (s *parameters) Conditional(i int) bool { return s.params[i].Condition != nil }

// HasPriors reports whether the user gave a prior of any parameter.
func (s *parameters) HasPriors() bool {
	return slices.ContainsFunc(s.params, func(p Parameter) bool { return p.Prior != nil })
}

// Coordinates maps a coordinate to its parameter; constants have none.
func (s *Space) Coordinates() []int { return s.coords }

// CoordOf is the coordinate of a parameter, −1 for a constant.
func (s *Space) CoordOf(param int) int { return s.coordOf[param] }
