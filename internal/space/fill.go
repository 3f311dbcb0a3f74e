package space

import (
	"maps"
	"math/rand/v2"
	"slices"

	"bohier/internal/lists"
)

// Fill adds to a, parents first, the wished values that go with the rest: there is a
// configuration with all values of the result that satisfies the constraints.
func (s *Space) Fill(a, wished Assignment) Assignment {
	if all, ok := s.fill(a, wished, nil); ok {
		return all
	}
	out, _ := s.fill(a, wished, func(b Assignment) bool {
		_, err := s.part(b, fewProbes)
		return err == nil
	})
	return out
}

// fill asks which wished values go with the rest. It takes all of them if fits is nil, and is false where the
// assignment leaves activity open, a value of a is inactive, or a constraint is violated.
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
	return out, s.Allows(c)
}

// by draws a uniform number for any parameter.
func by(r *rand.Rand) func(i int) float64 { return func(int) float64 { return r.Float64() } }

// fill draws values for the active parameters of a cell with a source of uniform numbers, of those alone that are in
// only unless that is nil, and reports whether the result has the cell's activity and satisfies the constraints.
func (p *partition) fill(c *Configuration, k *cell, only []bool, uniform func(i int) float64) bool {
	p.s.drawIn(c, k, only, uniform)
	return (p.simple || p.s.consistent(*c)) && p.s.Allows(*c)
}

// drawIn draws values for the active parameters of a cell.
func (s *hierarchy) drawIn(c *Configuration, k *cell, only []bool, uniform func(i int) float64) {
	for _, i := range s.depend.Order {
		c.Value[i] = 0
		if c.Active[i] = k.active[i]; c.Active[i] && k.at[i] > 0 && (only == nil || only[i]) {
			c.Value[i] = s.draw(i, k.set(i), uniform(i))
		}
	}
}

// consistent reports whether the activity of c follows from its values.
func (s *hierarchy) consistent(c Configuration) bool {
	return !lists.Any(len(s.params), func(i int) bool { return s.holds(i, c) != c.Active[i] })
}

// draw maps a uniform number to an emitted value in a set of values of parameter i.
func (s *parameters) draw(i int, q *valueSet, u float64) float64 {
	if q.choice != nil {
		return float64(q.choice[min(int(u*float64(len(q.choice))), len(q.choice)-1)])
	}
	return min(max(s.codecs[i].quantile(q.a+u*(q.b-q.a)), q.lo), q.hi)
}

// Middle is the configuration with the choices of c, and the numbers that conditions mention, whose other numbers are
// in their middle: of the range, or, where constraints mention them, the mean of all that the constraints allow. They
// are taken one by one as far as constraints allow. It is c where these allow none.
func (s *Space) Middle(c Configuration) Configuration {
	choices, wished := c.Assignment(), Assignment{}
	mentioned := s.Mentioned()
	for i := range s.params {
		if c.Active[i] && s.params[i].IsNumber() && !mentioned[i] {
			delete(choices, i)
			wished[i] = s.NumberAt(i, s.centre()[i])
		}
	}
	if m, err := s.Complete(s.Fill(choices, wished), rand.New(rand.NewPCG(0, 0))); err == nil {
		return m
	}
	return c
}

// centreDraws are the configurations whose mean is the centre: they miss it by a thirtieth of a range.
const centreDraws = 64

// newCentre is the middle of every number in unit coordinates.
func (s *Space) newCentre() []float64 {
	sum, seen := make([]float64, len(s.params)), make([]float64, len(s.params))
	var drawn []Configuration
	if len(s.constraints) > 0 {
		drawn, _ = s.Sample(rand.New(rand.NewPCG(0, 0)), centreDraws)
	}
	for _, c := range drawn {
		for i := range s.params {
			if s.params[i].IsNumber() && s.needed[i] && c.Active[i] {
				sum[i] += s.codecs[i].unit(c.Value[i])
				seen[i]++
			}
		}
	}
	centre := slices.Repeat([]float64{0.5}, len(s.params))
	for i, n := range seen {
		if n > 0 {
			centre[i] = sum[i] / n
		}
	}
	return centre
}
