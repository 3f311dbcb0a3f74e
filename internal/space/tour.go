package space

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
