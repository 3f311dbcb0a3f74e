package policy

import (
	"math"

	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// choices are values of parameters without order, by coordinate and value index.
type choices map[int][]bool

// in tells whether a point has one of the values.
func (c choices) in(q *points.Set, i int) bool {
	for co, wanted := range c {
		if q.Active(co, i) && wanted[choice(q, co, i)] {
			return true
		}
	}
	return false
}

// unordered is the number of values of a coordinate that no order connects: those of
// a categorical parameter, and of any other with two of them; 0: it has an order.
func unordered(sp *space.Space, co int) int {
	p := sp.Param(sp.Coordinates()[co])
	switch n := p.Levels(); {
	case p.Kind == space.Categorical || n == 2:
		return n
	case p.Kind == space.Int && p.Precision == 0 && int((p.High-p.Low)/max(p.Step, 1)) == 1:
		return 2
	}
	return 0
}

// choice is the index of the value that point i has of such a coordinate. (Numbers
// lie in [0, 1], the two of an int on different sides of its middle.)
func choice(q *points.Set, co, i int) int { return int(math.Round(q.At(co, i))) }

// rareness is which values of choices were tried least.
type rareness struct {
	values choices
	tried  int  // trials with each of them
	beside bool // of those beside the best
}

// possible is the size of the sample that tells which values constraints allow.
const possible = 512

// rarest are, among the values without order in a sample, those with the fewest
// trials; nil where no parameter has such values. Once the best is merely polished,
// only the trials beside it count, and only the choices it makes: what was tried far
// from the best says little about a value there.
func rarest(st *study.Study, h *history, sample *points.Set) *rareness {
	tried := st.Space.EncodeAll(h.configurations())
	var best *points.Set
	if top := incumbents(st, h); stalled(st, h) && top.Len() > 0 {
		best, tried = top, beside(st, tried, top)
	}
	var rare *rareness
	for co := range sample.Dim() {
		levels := unordered(st.Space, co)
		if levels == 0 || best != nil && !best.Active(co, 0) {
			continue
		}
		counts := count(tried, co, levels)
		for v, n := range count(sample, co, levels) {
			switch {
			case n == 0 || rare != nil && counts[v] > rare.tried:
				continue
			case rare == nil || counts[v] < rare.tried:
				rare = &rareness{choices{}, counts[v], best != nil}
			}
			if rare.values[co] == nil {
				rare.values[co] = make([]bool, levels)
			}
			rare.values[co][v] = true
		}
	}
	return rare
}

// beside are the points that differ from the first of best in one of the values
// without order at most, of those that both have.
func beside(st *study.Study, q, best *points.Set) *points.Set {
	var near []int
	for i := range q.Len() {
		apart := 0
		for co := range q.Dim() {
			both := unordered(st.Space, co) > 0 && q.Active(co, i) && best.Active(co, 0)
			if both && choice(q, co, i) != choice(best, co, 0) {
				apart++
			}
		}
		if apart <= 1 {
			near = append(near, i)
		}
	}
	return q.Select(near)
}

// count is how many points have each value of choice co.
func count(q *points.Set, co, levels int) []int {
	n := make([]int, levels)
	for i := range q.Len() {
		if q.Active(co, i) {
			n[choice(q, co, i)]++
		}
	}
	return n
}
