package space

import "bohier/internal/lists"

// A tour goes through the combinations of sets of values of some parameters, parents first.
type tour struct {
	s     *Space
	order []int // the parameters
	sets  [][]valueSet
	fixed Assignment              // its parameters are active in every combination
	enter func(k int) bool        // called before parameter k of the order; false passes by the subtree; nil: true
	leaf  func(mass float64) bool // called with the product of the masses of the sets; false ends the tour

	c  Configuration // one value of each set
	at []uint16      // by parameter, the place of its set counted from 1; 0: it has none
}

// run is false where leaf ended the tour.
func (w *tour) run() bool {
	w.c, w.at = NewConfiguration(len(w.s.params)), make([]uint16, len(w.s.params))
	return w.visit(0, 1)
}

func (w *tour) visit(k int, mass float64) bool {
	if w.enter != nil && !w.enter(k) {
		return true
	}
	if k == len(w.order) {
		return w.leaf(mass)
	}
	i := w.order[k]
	w.c.Active[i] = w.s.holds(i, w.c)
	defer func() { w.c.Value[i], w.c.Active[i], w.at[i] = 0, false, 0 }()
	switch {
	case !w.c.Active[i] && w.fixed.has(i):
		return true
	case !w.c.Active[i] || len(w.sets[i]) == 0:
		return w.visit(k+1, mass)
	}
	for q := range w.sets[i] {
		set := &w.sets[i][q]
		w.c.Value[i], w.at[i] = set.representative(), uint16(q+1)
		if !w.visit(k+1, mass*set.mass) {
			return false
		}
	}
	return true
}

// How many combinations of values decide whether one condition can hold, and all of them.
const (
	mostCases = 20000
	mostTried = 500000
)

// Settled lists the parameters whose conditions never hold, and those whose conditions always do, whatever the
// constraints. It tries the combinations of the sets of values that conditions distinguish. A condition with too many
// of them, or of numbers that are compared with each other, is in neither list.
func (s *Space) Settled() (never, always []int) {
	sets, blurred := (&partition{s: s}).split()
	holds, fails := make([]bool, len(s.params)), make([]bool, len(s.params))
	tried := 0
	for _, i := range s.depend.Order {
		e := s.params[i].Condition
		if e == nil {
			continue
		}
		j := s.twin[i]
		if j == i {
			needed := make([]bool, len(s.params)) // its ancestors, and parameters with the same conditions
			w := &tour{s: s, sets: make([][]valueSet, len(s.params))}
			for _, a := range s.depend.Ancestors[i] {
				needed[a], needed[s.twin[a]], w.sets[a] = true, true, sets[a]
				holds[i] = holds[i] || blurred[a]
			}
			fails[i] = holds[i]
			w.order = lists.Only(s.depend.Order, func(a int) bool { return needed[a] })
			most := min(mostTried, tried+mostCases)
			w.leaf = func(float64) bool {
				on := e.Eval(w.c) == True
				holds[i], fails[i] = holds[i] || on, fails[i] || !on
				tried++
				return tried < most && !(holds[i] && fails[i])
			}
			if w.run(); tried >= most {
				holds[i], fails[i] = true, true
			}
		}
		switch {
		case !holds[j]:
			never = append(never, i)
		case !fails[j]:
			always = append(always, i)
		}
	}
	return never, always
}
