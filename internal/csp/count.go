package csp

import "slices"

// Count is the number of solutions; exact is false where more than nodes places would
// have to be tried, fewer with very many constraints, or a variable has too many to try.
func (s *State) Count(nodes int) (n float64, exact bool) {
	if s.dead {
		return 0, true
	}
	mark := len(s.trail)
	defer func() { s.back(mark) }()
	if n = s.count(&nodes, s.p.Clauses); nodes < 0 {
		return 0, false
	}
	return n, true
}

func (s *State) count(nodes *int, clauses []Formula) (n float64) {
	v, rest, left := s.split(clauses)
	if v < 0 {
		return rest
	}
	if s.p.Vars[v].Hi-s.p.Vars[v].Lo >= mostListed {
		*nodes = -1
		return 0
	}
	for _, place := range slices.Collect(s.each(v)) { // which may change meanwhile
		if *nodes--; *nodes < 0 {
			return 0
		}
		mark, asked := len(s.trail), s.asked-len(left)
		narrowed := s.bound(v, place, place) && s.propagate()
		if *nodes -= (s.asked - asked) / clausesANode; narrowed {
			n += s.count(nodes, left)
		}
		s.back(mark)
	}
	return n
}

// clausesANode is how many clauses cost as much as the trial of a place.
const clausesANode = 128

// split is the variable to branch on, or −1 with the number of solutions that the
// domains hold, all of them or none; and those of the clauses that are not settled.
func (s *State) split(clauses []Formula) (v int, solutions float64, left []Formula) {
	for _, x := range clauses {
		switch s.status(x) {
		case no:
			return -1, 0, nil
		case open:
			left = append(left, x)
		}
	}
	if len(left) == 0 {
		return -1, s.room(), nil
	}
	if v = s.smallest(); v < 0 { // a test that propagation cannot narrow
		if s.p.Holds(s.places()) {
			return -1, 1, nil
		}
		return -1, 0, nil
	}
	return v, 0, left
}

// smallest is the variable with the fewest places, but several; −1 if there is none.
func (s *State) smallest() int {
	v := -1
	for w := range s.dom {
		if s.dom[w].n > 1 && (v < 0 || s.dom[w].n < s.dom[v].n) {
			v = w
		}
	}
	return v
}

// room is the number of combinations of the places left.
func (s *State) room() float64 {
	n := 1.0
	for v := range s.dom {
		n *= float64(s.dom[v].n)
	}
	return n
}
