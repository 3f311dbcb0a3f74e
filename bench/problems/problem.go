package problems

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Kind is the type of a parameter.
type Kind string

// The kinds, spelled as in the JSON specification of the problems.
const (
	Float       Kind = "float"
	Int         Kind = "int"
	Categorical Kind = "cat"
	Ordinal     Kind = "ord"
	Bool        Kind = "bool" // of the choices false and true
)

// A Param is one dimension of a problem. It is active when every condition in When holds and every parameter named
// there is itself active; parents stand before their children.
type Param struct {
	Name      string
	Kind      Kind
	Low, High float64  // Float, Int: both ends included
	Log       bool     // uniform in the logarithm
	Choices   []string // Categorical, Ordinal, Bool
	When      []Cond
}

// A Cond compares a parent: Op is "in" (with Values), "gt" or "ge" (with Bound).
type Cond struct {
	Name   string
	Op     string
	Values []string
	Bound  float64
}

// An Optimum is the least value of a problem. At is empty where no configuration is on record.
type Optimum struct {
	Value float64
	Kind  string // exact, verified, best-known
	At    map[string]any
}

// A Problem is a function to be minimized over a space.
type Problem struct {
	Name    string
	Params  []Param
	Optimum Optimum
	Budget  int // evaluations customary in comparisons
	Tags    []string
	Note    string  // source and peculiarities
	Noise   float64 // standard deviation of normal noise on the values that a study is told
	Front   *Front  // nil: one objective

	f      func(Point) (float64, error)
	leaves []map[string]any // of a random tree: the optimum of each branch
}

// A Point holds a number for each active parameter: the value of a Float, an Int
// or an Ordinal with numeric choices, the index of a Categorical's choice.
type Point map[string]float64

// Has reports whether a parameter is active.
func (x Point) Has(name string) bool {
	_, ok := x[name]
	return ok
}

var registry = map[string]*Problem{}

// register adds a problem.
func register(p Problem, f func(Point) float64) {
	if _, twice := registry[p.Name]; twice {
		panic("problems: " + p.Name + " registered twice")
	}
	if p.Optimum.Kind == "" {
		p.Optimum.Kind = "exact"
	}
	p.f = func(x Point) (float64, error) { return f(x), nil }
	registry[p.Name] = &p
}

// Least is the least value of the problem called name, infinite where it is not known.
func Least(name string) float64 {
	if p, err := Get(name); err == nil && p.Optimum.Kind != "unknown" {
		return p.Optimum.Value
	}
	return math.Inf(1)
}

// Add makes a problem known under its name, which must be new.
func Add(p *Problem) error {
	if _, twice := registry[p.Name]; twice {
		return fmt.Errorf("there is a problem called %q already", p.Name)
	}
	registry[p.Name] = p
	return nil
}

// Names lists the problems, by name.
func Names() []string {
	return slices.Sorted(maps.Keys(registry))
}

// Get finds a problem by name; tree_N and neartie_N, which Names does not list, are the
// random trees of seed N, and KIND_N is the problem of seed N of a Family.
func Get(name string) (*Problem, error) {
	if p, ok := registry[name]; ok {
		return p, nil
	}
	if p := randomTree(name); p != nil {
		return p, nil
	}
	if f, seed, ok := FamilyOf(name); ok {
		return f.Problem(seed), nil
	}
	var near []string
	for _, n := range Names() {
		if len(name) >= 3 && (strings.HasPrefix(n, name[:3]) || strings.Contains(n, name)) {
			near = append(near, n)
		}
	}
	if near == nil {
		near = Names()
	}
	return nil, fmt.Errorf("no problem is called %q; there are %s", name, strings.Join(near, ", "))
}

// Conditional reports whether any parameter can be inactive.
func (p *Problem) Conditional() bool {
	return slices.ContainsFunc(p.Params, func(q Param) bool { return len(q.When) > 0 })
}

// Tagged reports whether the problem carries a tag.
func (p *Problem) Tagged(tag string) bool { return slices.Contains(p.Tags, tag) }

// Eval is the function's value at a configuration: numbers for Float and Int (an Int may come as 3 or 3.0), text for
// Categorical and Ordinal (a numeric choice also as a number). Values of inactive parameters are ignored, so a
// flattened space serves too. A missing, unknown, mistyped or out-of-range value is an error that names the parameter.
func (p *Problem) Eval(x map[string]any) (float64, error) {
	point, err := p.Point(x)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", p.Name, err)
	}
	v, err := p.f(point)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", p.Name, err)
	}
	return v, nil
}

// Flat is the problem as a program without conditions sees it: every parameter always has a value, and those of
// parameters that are inactive by p's conditions do not change the function's.
func (p *Problem) Flat() *Problem {
	q := *p
	q.Params = slices.Clone(p.Params)
	known := map[string]*Param{}
	for i := range q.Params {
		q.Params[i].When = nil
		known[p.Params[i].Name] = &p.Params[i]
	}
	q.f = func(x Point) (float64, error) {
		kept := Point{}
		for i := range p.Params {
			if n := p.Params[i].Name; active(&p.Params[i], known, kept) {
				kept[n] = x[n]
			}
		}
		return p.f(kept)
	}
	return &q
}

// With is the problem with another function.
func (p *Problem) With(f func(Point) (float64, error)) *Problem {
	q := *p
	q.f = f
	return &q
}

// Value is the function's value at a point.
func (p *Problem) Value(x Point) (float64, error) { return p.f(x) }

// From is the value of a Float at a unit coordinate 0 … 1, To the coordinate of a value.
func (q *Param) From(u float64) float64 {
	if q.Log {
		return math.Min(q.High, math.Max(q.Low, q.Low*math.Pow(q.High/q.Low, u)))
	}
	return q.Low + u*(q.High-q.Low)
}

// To is the unit coordinate of a Float's value.
func (q *Param) To(v float64) float64 {
	if q.Log {
		return math.Log(v/q.Low) / math.Log(q.High/q.Low)
	}
	return (v - q.Low) / (q.High - q.Low)
}
