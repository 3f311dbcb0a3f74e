package space

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"bohier/internal/lists"
)

// An InfeasibleError reports that no configuration satisfying the constraints was found.
type InfeasibleError struct {
	// Involved are constraints by their places: those of Forbidden, then those of Require. Every
	// witness, a draw, violates one of them. If any were left out, some witness would violate none.
	Involved []int
	Tried    int     // configurations drawn
	Feasible float64 // measured share of them that satisfied every constraint
	Proven   bool    // every combination was tried: there is no such configuration
	Fixed    string  // "a=1, b=2": what was held fixed; may be empty
	Curved   bool    // an equality that is not linear is in the way: draws meet it by chance
	s        *Space
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
	for _, n := range e.Involved[:min(len(e.Involved), mostNamed)] {
		k := e.s.constraints[n]
		texts = append(texts, map[Truth]string{True: "forbidden: ", False: "require: "}[k.bad]+k.Text)
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
	e := &InfeasibleError{Fixed: s.describeFixed(p.fixed), s: s}
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
		if s.Allows(c) {
			feasible++
		}
	}
	if e.Tried > 0 {
		e.Feasible = float64(feasible) / float64(e.Tried)
	}
	if feasible == 0 {
		var order []int
		e.Involved, order = s.involved(draws)
		shown := p.exact && len(p.cells) == 0 && !p.unproven
		e.Proven = len(p.fixed) == 0 && (shown || s.size().none)
		if shown {
			e.Involved = s.conflict(e.Involved, order, p.fixed)
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
// by leaving others out in an order. Where there are too many to try, it is the clauses given.
func (s *Space) conflict(given, order []int, fixed Assignment) []int {
	if len(order) > mostInConflict {
		return given
	}
	all := slices.Sorted(slices.Values(order))
	for _, n := range order {
		rest := slices.DeleteFunc(slices.Clone(all), func(o int) bool { return o == n })
		var forbidden, require []Clause
		for _, o := range rest {
			if k := s.constraints[o]; k.bad == True {
				forbidden = append(forbidden, k.Clause)
			} else {
				require = append(require, k.Clause)
			}
		}
		t, err := New(s.params, forbidden, require)
		if err != nil {
			return given
		}
		p, err := newPartition(t, fixed, probes)
		if len(p.cells) > mostConflicted {
			return given
		}
		if err != nil && !p.unproven {
			all = rest
		}
	}
	return all
}

// curved reports whether the constraint at a place has an equality that is not linear.
func (s *Space) curved(n int) bool {
	return slices.ContainsFunc(atoms(s.constraints[n].Expr), func(e Expr) bool {
		c, ok := e.(Compare)
		if !ok || c.Op != Eq && c.Op != Ne {
			return false
		}
		_, linear := s.linear(c)
		return !linear
	})
}

// maxWitnesses is how many draws decide which constraints are named.
const maxWitnesses = 2000

// involved names clauses so that every draw violates one of them. It leaves out clauses that
// are not needed for that, the rarely violated first; order has all clauses so.
func (s *Space) involved(draws []Configuration) (named, order []int) {
	by := make([][]int, len(s.constraints)) // clause → draws that violate it
	left := make([]int, len(draws))
	for d, c := range draws {
		for n := range s.watch().suspects(c) {
			if s.violates(c, n) {
				by[n] = append(by[n], d)
				left[d]++
			}
		}
	}
	order = lists.Every(len(by))
	slices.SortStableFunc(order, func(a, b int) int { return len(by[a]) - len(by[b]) })
	for _, k := range order {
		if slices.ContainsFunc(by[k], func(d int) bool { return left[d] == 1 }) {
			named = append(named, k)
			continue
		}
		for _, d := range by[k] {
			left[d]--
		}
	}
	slices.Sort(named)
	return named, order
}
