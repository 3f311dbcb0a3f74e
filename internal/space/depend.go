package space

import (
	"fmt"
	"slices"
	"strings"
)

// A CycleError reports parameters whose conditions depend on each other: each
// one on the next, the last on the first.
type CycleError struct {
	Params []int
	names  []string
}

func (e *CycleError) Error() string {
	return fmt.Sprintf("conditions form a cycle: %s → %s", strings.Join(e.names, " → "), e.names[0])
}

// walk calls atom for every condition without operands and ref for every
// parameter it mentions.
func walk(e Expr, atom func(Expr), ref func(int)) {
	switch e := e.(type) {
	case And:
		for _, x := range e {
			walk(x, atom, ref)
		}
	case Or:
		for _, x := range e {
			walk(x, atom, ref)
		}
	case Not:
		walk(e.X, atom, ref)
	case ActiveOf:
		atom(e)
		ref(e.Param)
	case In:
		atom(e)
		ref(e.Param)
	case Compare:
		atom(e)
		walkSum(e.Left, ref)
		walkSum(e.Right, ref)
	case nil:
	default:
		panic(fmt.Sprintf("space: unknown condition %T", e))
	}
}

func walkSum(x Sum, ref func(int)) {
	switch x := x.(type) {
	case Ref:
		ref(x.Param)
	case NumberOf:
		ref(x.Param)
	case Binary:
		walkSum(x.Left, ref)
		walkSum(x.Right, ref)
	case Apply:
		for _, a := range x.Args {
			walkSum(a, ref)
		}
	case Const:
	default:
		panic(fmt.Sprintf("space: unknown arithmetic %T", x))
	}
}

// References lists the parameters an expression mentions, ascending.
func References(e Expr) []int {
	var refs []int
	walk(e, func(Expr) {}, func(i int) { refs = append(refs, i) })
	slices.Sort(refs)
	return slices.Compact(refs)
}

// references lists the parameters of every constraint, of the forbidden ones first.
func (s *Space) references() [][]int {
	var out [][]int
	for _, k := range slices.Concat(s.forbidden, s.require) {
		out = append(out, References(k.Expr))
	}
	return out
}

// twins maps every parameter to the first one in the order with the same condition.
func (s *Space) twins() []int {
	out := make([]int, len(s.params))
	first := map[string]int{}
	for _, i := range s.depend.Order {
		out[i] = i
		if e := s.params[i].Condition; e != nil {
			text := Format(e, s)
			if j, seen := first[text]; seen {
				out[i] = j
			} else {
				first[text] = i
			}
		}
	}
	return out
}

// Parents lists the parameters that the condition of parameter i mentions,
// ascending.
func (s *Space) Parents(i int) []int { return s.depend.Parents[i] }

// Ancestors lists the parents of parameter i, their parents and so on, each
// once, ascending.
func (s *Space) Ancestors(i int) []int { return s.depend.Ancestors[i] }

// dependencies say which parameters the conditions of others mention.
type dependencies struct {
	Order     []int   // parents before their children, else as declared
	Parents   [][]int // per parameter, those its condition mentions, ascending
	Ancestors [][]int // per parameter, its parents, theirs and so on, ascending
}

// dependenciesOf returns the dependencies of parameters by their conditions. Where conditions
// depend on each other it returns the parameters of one such cycle instead, each
// mentioning the next and the last the first.
func dependenciesOf(params []Parameter) (d dependencies, cycle []int) {
	n := len(params)
	d.Parents, d.Ancestors = make([][]int, n), make([][]int, n)
	for i := range params {
		d.Parents[i] = References(params[i].Condition)
	}
	done := make([]bool, n)
	waits := func(p int) bool { return !done[p] }
	for first := 0; len(d.Order) < n; {
		for done[first] {
			first++
		}
		next := -1
		for i := first; i < n && next < 0; i++ {
			if !done[i] && !slices.ContainsFunc(d.Parents[i], waits) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		done[next] = true
		d.Order = append(d.Order, next)
		above := slices.Clone(d.Parents[next])
		for _, p := range d.Parents[next] {
			above = append(above, d.Ancestors[p]...)
		}
		slices.Sort(above)
		d.Ancestors[next] = slices.Compact(above)
	}
	if len(d.Order) == n {
		return d, nil
	}
	// Each of those left has a parent among them.
	at := slices.Index(done, false)
	for {
		if k := slices.Index(cycle, at); k >= 0 {
			return d, cycle[k:]
		}
		cycle = append(cycle, at)
		at = d.Parents[at][slices.IndexFunc(d.Parents[at], waits)]
	}
}
