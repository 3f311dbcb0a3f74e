package space

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// Fill adds to a, parents first, the wished values that go with the rest: there is a
// configuration with all values of the result that satisfies the constraints.
func (s *Space) Fill(a, wished Assignment) Assignment {
	if all, ok := s.fill(a, wished, nil); ok {
		return all
	}
	out, _ := s.fill(a, wished, func(b Assignment) bool {
		_, err := s.Complete(b, rand.New(rand.NewPCG(0, 0)))
		return err == nil
	})
	return out
}

// fill asks which wished values go with the rest. Without fits it takes all of them, and
// is false where that leaves open what is active, leaves a value of a out, or violates a
// constraint.
func (s *Space) fill(a, wished Assignment, fits func(Assignment) bool) (out Assignment, ok bool) {
	c, out := NewConfiguration(len(s.params)), maps.Clone(a)
	open := make([]bool, len(s.params)) // of no value yet, or perhaps inactive
	isOpen := func(i int) bool { return open[i] }
	for _, i := range s.depend.Order {
		unsure := slices.ContainsFunc(s.depend.Parents[i], isOpen)
		v, given := a[i]
		if e := s.params[i].Condition; e != nil && !unsure && e.Eval(c) != True {
			if given && fits == nil {
				return nil, false
			}
			continue
		}
		if w, wants := wished[i]; wants && !given {
			out[i], v, given = w, w, true
			if fits != nil && (unsure || s.needed[i]) && !fits(out) {
				delete(out, i)
				given = false
			}
		}
		open[i] = !given && s.params[i].Kind != Constant
		c.Active[i], c.Value[i] = !open[i], v
		if open[i] && s.needed[i] && fits == nil {
			return nil, false
		}
	}
	_, bad := s.Violated(c)
	return out, !bad
}
