package space

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// An InfeasibleError reports that no configuration satisfying the constraints
// was found.
type InfeasibleError struct {
	Involved []Involved // clauses of which every witness, a draw, violates one; without any of them some violates none
	Tried    int        // configurations drawn
	Feasible float64    // measured share of them that satisfied every constraint
	Proven   bool       // every combination was tried: there is no such configuration
	Fixed    string     // "a=1, b=2": what was held fixed; may be empty
}

// Involved is a clause by its place in Forbidden or Require.
type Involved struct {
	Forbidden bool
	Index     int
	Text      string
}

func (i Involved) String() string {
	if i.Forbidden {
		return "forbidden: " + i.Text
	}
	return "require: " + i.Text
}

// mostNamed is how many clauses a message lists.
const mostNamed = 5

func (e *InfeasibleError) Error() string {
	given := ""
	if e.Fixed != "" {
		given = " with " + e.Fixed
	}
	switch {
	case e.Feasible > 0:
		return fmt.Sprintf("too few configurations%s satisfy the constraints to find one by chance: a share of %.2g", given, e.Feasible)
	case len(e.Involved) == 0:
		return fmt.Sprintf("no configuration%s exists: the conditions never make these parameters active together", given)
	}
	var texts []string
	for _, i := range e.Involved[:min(len(e.Involved), mostNamed)] {
		texts = append(texts, i.String())
	}
	list := strings.Join(texts, "; ")
	if n := len(e.Involved); n > mostNamed {
		list += fmt.Sprintf("; … (%d in all)", n)
	}
	which := "in the way: "
	if len(e.Involved) > 1 {
		which = "in the way together: "
	}
	if e.Proven {
		return fmt.Sprintf("no configuration%s satisfies the constraints; %s%s", given, which, list)
	}
	return fmt.Sprintf("no configuration%s that satisfies the constraints was found in %d draws; %s%s", given, e.Tried, which, list)
}

// impossible measures why no configuration was found.
func (p *partition) impossible(r *rand.Rand) error {
	s := p.s
	e := &InfeasibleError{Fixed: s.describeFixed(p.fixed)}
	c := NewConfiguration(len(s.params))
	feasible := 0
	var draws []Configuration
	for range maxTries {
		s.prior(&c, r)
		for i, v := range p.fixed {
			c.Value[i] = v
		}
		s.Activate(&c)
		if p.missesFixed(c) {
			continue
		}
		if e.Tried++; len(draws) < maxWitnesses {
			draws = append(draws, c.Clone())
		}
		if _, bad := s.Violated(c); !bad {
			feasible++
		}
	}
	if e.Tried > 0 {
		e.Feasible = float64(feasible) / float64(e.Tried)
	}
	if feasible == 0 {
		e.Involved = s.involved(draws)
		e.Proven = len(p.fixed) == 0 && s.size().none
	}
	return e
}

// maxWitnesses is how many draws decide which constraints are named.
const maxWitnesses = 2000

// involved names clauses so that every draw violates one of them, leaving out
// those that are not needed for that, the rarely violated first.
func (s *Space) involved(draws []Configuration) []Involved {
	var all []Involved
	var by [][]int // clause → draws that violate it
	left := make([]int, len(draws))
	note := func(forbidden bool, list []Clause, bad Truth) {
		for i, k := range list {
			var at []int
			for d, c := range draws {
				if k.Expr.Eval(c) == bad {
					at = append(at, d)
					left[d]++
				}
			}
			all, by = append(all, Involved{forbidden, i, k.Text}), append(by, at)
		}
	}
	note(true, s.forbidden, True)
	note(false, s.require, False)
	order := make([]int, len(all))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(by[a]) - len(by[b]) })
	drop := make([]bool, len(all))
	for _, k := range order {
		needed := false
		for _, d := range by[k] {
			needed = needed || left[d] == 1
		}
		if drop[k] = !needed; !needed {
			for _, d := range by[k] {
				left[d]--
			}
		}
	}
	var out []Involved
	for k := range all {
		if !drop[k] {
			out = append(out, all[k])
		}
	}
	return out
}
