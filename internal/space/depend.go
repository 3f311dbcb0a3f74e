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
	case Binary:
		walkSum(x.Left, ref)
		walkSum(x.Right, ref)
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

// References lists the parameters an expression mentions, ascending.
func (s *Space) References(e Expr) []int { return References(e) }

// Parents lists the parameters that the condition of parameter i mentions,
// ascending.
func (s *Space) Parents(i int) []int { return s.parents[i] }

// Ancestors lists the parents of parameter i, their parents and so on, each
// once, ascending.
func (s *Space) Ancestors(i int) []int { return s.ancestors[i] }

// sortTopologically fills order, parents and ancestors, or returns a cycle.
// Among parameters that could come next the earliest declared does.
func (s *Space) sortTopologically() error {
	n := len(s.params)
	s.parents = make([][]int, n)
	s.ancestors = make([][]int, n)
	for i := range s.params {
		s.parents[i] = References(s.params[i].Condition)
	}
	done := make([]bool, n)
	for len(s.order) < n {
		next := -1
		for i := 0; i < n && next < 0; i++ {
			if !done[i] && !slices.ContainsFunc(s.parents[i], func(p int) bool { return !done[p] }) {
				next = i
			}
		}
		if next < 0 {
			return s.cycle(done)
		}
		done[next] = true
		s.order = append(s.order, next)
		anc := slices.Clone(s.parents[next])
		for _, p := range s.parents[next] {
			anc = append(anc, s.ancestors[p]...)
		}
		slices.Sort(anc)
		s.ancestors[next] = slices.Compact(anc)
	}
	return nil
}

// cycle finds one among the parameters that are not done, each of which has a
// parent that is not done either.
func (s *Space) cycle(done []bool) error {
	at := slices.Index(done, false)
	seen := map[int]int{}
	var path []int
	for {
		if k, ok := seen[at]; ok {
			e := &CycleError{Params: path[k:]}
			for _, i := range e.Params {
				e.names = append(e.names, s.params[i].Name)
			}
			return e
		}
		seen[at] = len(path)
		path = append(path, at)
		k := slices.IndexFunc(s.parents[at], func(p int) bool { return !done[p] })
		at = s.parents[at][k]
	}
}
