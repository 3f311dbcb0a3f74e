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
	// Involved are clauses. Every witness, a draw, violates one of them. If any were left out,
	// some witness would violate none.
	Involved []Involved
	Tried    int     // configurations drawn
	Feasible float64 // measured share of them that satisfied every constraint
	Proven   bool    // every combination was tried: there is no such configuration
	Fixed    string  // "a=1, b=2": what was held fixed; may be empty
	Curved   bool    // an equality that is not linear is in the way: draws meet it by chance
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
		return fmt.Sprintf("too few configurations%s satisfy the constraints to find one by chance: a share of %.2g", given,
			e.Feasible)
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
	return fmt.Sprintf("no configuration%s that satisfies the constraints was found in %d draws; %s%s", given, e.Tried,
		which, list)
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
		shown := p.exact && len(p.cells) == 0 && !p.unproven && len(p.some) > 0
		e.Proven = len(p.fixed) == 0 && (shown || s.size().none)
		if shown {
			e.Involved = s.conflict(e.Involved, p.fixed, draws)
		}
		e.Curved = !e.Proven && slices.ContainsFunc(e.Involved, s.curved)
	}
	return e
}

// The constraints and cells of a space whose conflict is sought one by one.
const (
	mostInConflict = 48
	mostConflicted = 64
)

// conflict is a minimal set of clauses without a configuration that satisfies all of them, made
// by leaving others out: first the clauses that the fewest draws violate. Where there are too
// many to try, it is the clauses given.
func (s *Space) conflict(given []Involved, fixed Assignment, draws []Configuration) []Involved {
	all := s.clauses()
	if len(all) > mostInConflict {
		return given
	}
	order := slices.Clone(all)
	violated := map[Involved]int{}
	for _, k := range all {
		for _, c := range draws {
			if s.violates(c, s.place(k)) {
				violated[k]++
			}
		}
	}
	slices.SortStableFunc(order, func(a, b Involved) int { return violated[a] - violated[b] })
	for _, k := range order {
		rest := slices.DeleteFunc(slices.Clone(all), func(o Involved) bool { return o == k })
		var forbidden, require []Clause
		for _, o := range rest {
			if o.Forbidden {
				forbidden = append(forbidden, s.forbidden[o.Index])
			} else {
				require = append(require, s.require[o.Index])
			}
		}
		t, err := New(s.params, forbidden, require)
		if err != nil {
			return given
		}
		p, err := newPartition(t, fixed)
		if len(p.cells) > mostConflicted {
			return given
		}
		if err != nil && !p.unproven {
			all = rest
		}
	}
	return all
}

// clauses are all constraints.
func (s *Space) clauses() (all []Involved) {
	for i, k := range s.forbidden {
		all = append(all, Involved{true, i, k.Text})
	}
	for i, k := range s.require {
		all = append(all, Involved{false, i, k.Text})
	}
	return all
}

// curved reports whether a clause has an equality that is not linear.
func (s *Space) curved(k Involved) (is bool) {
	list := s.require
	if k.Forbidden {
		list = s.forbidden
	}
	walk(list[k.Index].Expr, func(e Expr) {
		if c, ok := e.(Compare); ok && (c.Op == Eq || c.Op == Ne) {
			_, linear := s.linear(c)
			is = is || !linear
		}
	}, func(int) {})
	return is
}

// place is that of a clause among all constraints.
func (s *Space) place(k Involved) int {
	if k.Forbidden {
		return k.Index
	}
	return len(s.forbidden) + k.Index
}

// maxWitnesses is how many draws decide which constraints are named.
const maxWitnesses = 2000

// involved names clauses so that every draw violates one of them. It leaves out clauses that
// are not needed for that, the rarely violated first.
func (s *Space) involved(draws []Configuration) []Involved {
	all := s.clauses()
	by := make([][]int, len(all)) // clause → draws that violate it
	left := make([]int, len(draws))
	for d, c := range draws {
		for list := range s.watch().lists(c) {
			for _, k := range list {
				if k.may(c) && s.violates(c, k.n) {
					by[k.n] = append(by[k.n], d)
					left[d]++
				}
			}
		}
	}
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
