package space

import "slices"

// How many combinations of values decide whether one condition can hold, and all of them.
const (
	mostCases = 20000
	mostTried = 500000
)

// Outcomes lists the parameters whose conditions never hold, and those whose conditions always
// do, whatever the constraints. It tries the combinations of the sets of values that conditions
// tell apart. A condition with too many of them, or of numbers that are compared with each other,
// is in neither list.
func (s *Space) Outcomes() (never, always []int) {
	sets, blurred := (&partition{s: s}).split()
	holds, fails := make([]bool, len(s.params)), make([]bool, len(s.params))
	c := NewConfiguration(len(s.params))
	tried := 0
	for _, i := range s.depend.Order {
		e := s.params[i].Condition
		if e == nil {
			continue
		}
		j := s.twin[i]
		if j == i {
			above := slices.DeleteFunc(slices.Clone(s.depend.Order), func(a int) bool {
				return !slices.Contains(s.depend.Ancestors[i], a)
			})
			most := min(mostTried, tried+mostCases)
			var try func(k int)
			try = func(k int) {
				if k == len(above) {
					on := e.Eval(c) == True
					holds[i], fails[i] = holds[i] || on, fails[i] || !on
					tried++
					return
				}
				a := above[k]
				condition := s.params[a].Condition
				c.Value[a], c.Active[a] = 0, condition == nil || condition.Eval(c) == True
				if !c.Active[a] || len(sets[a]) == 0 { // it is a constant, or has no value
					try(k + 1)
					return
				}
				for q := range sets[a] {
					if holds[i] && fails[i] || tried >= most {
						return
					}
					c.Value[a] = sets[a][q].representative()
					try(k + 1)
				}
			}
			if try(0); tried >= most || slices.ContainsFunc(above, func(a int) bool { return blurred[a] }) {
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
