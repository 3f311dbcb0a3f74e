package space

import (
	"fmt"
	"slices"
	"strings"

	"bohier/internal/lists"
)

// A CycleError reports parameters whose conditions depend on each other: each one on the next, the last on the first.
type CycleError struct {
	Params []int
	names  []string
}

func (e *CycleError) Error() string {
	return fmt.Sprintf("conditions form a cycle: %s → %s", strings.Join(e.names, " → "), e.names[0])
}

// atoms are the conditions without operands in a condition.
func atoms(e Expr) []Expr {
	var operands []Expr
	switch e := e.(type) {
	case nil:
	case And:
		operands = e
	case Or:
		operands = e
	case Not:
		operands = []Expr{e.X}
	default:
		return []Expr{e}
	}
	return slices.Concat(lists.Of(operands, atoms)...)
}

// mentions lists the parameters of a condition in the order in which it mentions them.
func mentions(e Expr) (out []int) {
	for _, x := range atoms(e) {
		switch x := x.(type) {
		case ActiveOf:
			out = append(out, x.Param)
		case In:
			out = append(out, x.Param)
		case Compare:
			out = append(append(out, operands(x.Left)...), operands(x.Right)...)
		}
	}
	return out
}

// operands lists the parameters of arithmetic in the order in which it mentions them.
func operands(x Sum) []int {
	switch x := x.(type) {
	case Ref:
		return []int{x.Param}
	case NumberOf:
		return []int{x.Param}
	case Binary:
		return append(operands(x.Left), operands(x.Right)...)
	case Apply:
		return slices.Concat(lists.Of(x.Args, operands)...)
	}
	return nil
}

// References lists the parameters an expression mentions, ascending.
func References(e Expr) []int {
	refs := mentions(e)
	slices.Sort(refs)
	return slices.Compact(refs)
}

// twins maps every parameter to the first one in the order with the same condition.
func (s *hierarchy) twins() []int {
	out := make([]int, len(s.params))
	first := map[string]int{}
	for _, i := range s.depend.Order {
		out[i] = i
		if e := s.params[i].Condition; e != nil {
			text := s.Format(e)
			if _, seen := first[text]; !seen {
				first[text] = i
			}
			out[i] = first[text]
		}
	}
	return out
}

// Parents lists the parameters that the condition of parameter i mentions, ascending.
func (s *hierarchy) Parents(i int) []int { return s.depend.Parents[i] }

// Mentioned reports of every parameter whether a condition mentions it.
func (s *hierarchy) Mentioned() []bool {
	out := make([]bool, len(s.params))
	for _, j := range slices.Concat(s.depend.Parents...) {
		out[j] = true
	}
	return out
}

// Ancestors lists the parents of parameter i, their parents and so on, each once, ascending.
func (s *hierarchy) Ancestors(i int) []int { return s.depend.Ancestors[i] }

// dependencies list the parameters that the conditions of others mention.
type dependencies struct {
	Order     []int   // parents before their children, else as declared
	Parents   [][]int // per parameter, those its condition mentions, ascending
	Ancestors [][]int // per parameter, its parents, theirs and so on, ascending
}

// dependenciesOf returns the dependencies of parameters by their conditions. Where conditions depend on each other it
// returns the parameters of one such cycle instead, each mentioning the next and the last the first.
func dependenciesOf(params []Parameter) (d dependencies, cycle []int) {
	n := len(params)
	d.Parents = lists.Of(params, func(p Parameter) []int { return References(p.Condition) })
	d.Ancestors = make([][]int, n)
	done := make([]bool, n)
	waits := func(p int) bool { return !done[p] }
	for len(d.Order) < n {
		next := 0
		for next < n && (done[next] || slices.ContainsFunc(d.Parents[next], waits)) {
			next++
		}
		if next == n {
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
