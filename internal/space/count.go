// Configurations are counted cell by cell, as the solutions of the constraints among integers times the values of
// the parameters that no constraint mentions. A search with propagation counts the solutions exactly (Birnbaum &
// Lozinskii 1999, doi:10.1613/jair.601).

package space

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/csp"
)

// countNodes is how many places a count of the configurations of all cells tries at most.
const countNodes = 1 << 14

// count is the number of configurations of a finite partition that was enumerated; exact
// is false where it is too large to be counted.
func (p *partition) count() (n float64, exact bool) {
	for k := range p.cells {
		w := p.newWalker(&p.cells[k])
		m, counted := w.state.Count(max(countNodes/len(p.cells), 64))
		if !counted {
			return 0, false
		}
		m = max(m, 1)
		for i := range p.s.params { // the parameters that no constraint mentions
			if q := p.cells[k].set(i); q != nil && w.y.at[i] < 0 {
				m *= p.s.countIn(i, q)
			}
		}
		n += m
	}
	return math.Round(n), true
}

// countIn is the number of values of parameter i in a set.
func (s *parameters) countIn(i int, q *valueSet) float64 {
	if q.choice != nil {
		return float64(len(q.choice))
	}
	return s.codecs[i].count(q.lo, q.hi)
}

// Methods describe how configurations that satisfy the constraints are found; none without constraints.
func (s *Space) Methods() (list []string) {
	if !s.Coupled() {
		return nil
	}
	drawn, searched := false, false
	equalities, inequalities := 0, 0
	for k := range s.whole().cells {
		c := &s.whole().cells[k]
		if !c.narrow() {
			drawn = true
			continue
		}
		y := s.system(c.active)
		rows := y.p.InForce(c.witness, false)
		equal := len(slices.DeleteFunc(slices.Clone(rows), func(x *csp.Linear) bool { return x.Op != csp.Eq }))
		equalities, inequalities = max(equalities, equal), max(inequalities, len(rows)-equal)
		searched = searched || len(rows) < len(y.p.Clauses)
	}
	if drawn {
		list = append(list, "random draws")
	}
	if equalities+inequalities > 0 {
		list = append(list, fmt.Sprintf("a walk in a polytope (%s, %s)", counted(equalities, "equality", "equalities"),
			counted(inequalities, "inequality", "inequalities")))
	}
	if searched {
		list = append(list, "propagation and backtracking")
	}
	return list
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
