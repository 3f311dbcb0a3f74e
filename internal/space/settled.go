package space

import "bohier/internal/lists"

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
