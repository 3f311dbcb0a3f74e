package runner

import (
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// choices are values of choices, by coordinate and value index.
type choices map[int][]bool

// in tells whether a point has one of the values.
func (c choices) in(q *points.Set, i int) bool {
	for co, wanted := range c {
		if q.Active(co, i) && wanted[int(q.At(co, i))] {
			return true
		}
	}
	return false
}

// rareness is which values of choices were tried least.
type rareness struct {
	values choices
	tried  int  // trials with each of them
	beside bool // of those beside the best
}

// possible is the size of the sample that tells which values constraints allow.
const possible = 512

// rarest are, among the values of unordered choices in a sample, those with the
// fewest trials; nil where there is no such choice. Once the best is merely polished,
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
		if !isChoice(st, co) || best != nil && !best.Active(co, 0) {
			continue
		}
		levels := st.Space.Param(st.Space.Coordinates()[co]).Levels()
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

// isChoice tells whether a coordinate is that of an unordered choice.
func isChoice(st *study.Study, co int) bool {
	return st.Space.Param(st.Space.Coordinates()[co]).Kind == space.Categorical
}

// beside are the points that differ from the first of best in one unordered choice
// at most, of those that both make.
func beside(st *study.Study, q, best *points.Set) *points.Set {
	var near []int
	for i := range q.Len() {
		apart := 0
		for co := range q.Dim() {
			if isChoice(st, co) && q.Active(co, i) && best.Active(co, 0) && q.At(co, i) != best.At(co, 0) {
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
			n[int(q.At(co, i))]++
		}
	}
	return n
}
