package csp

import (
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/polytope"
)

// mostTangents is how often curves are replaced with tangents, each time at the last point;
// inside is how many lengths within a curve a point should be, for the tolerance of polytope.
const (
	mostTangents = 20
	inside       = 1e-9
)

// relax moves the targets of the open numbers to the nearest point at which the linear rows hold that have to, real
// numbers taken for whole ones, and the tangents of curves (sequential linear constraints: Nocedal & Wright 2006,
// Numerical Optimization, §18.1). It is false where that shows that there is no solution.
func (t *seeker) relax() bool {
	rows, curves, sure := t.forced()
	open, index := t.coordinates(rows, curves)
	if len(open) == 0 {
		return true
	}
	set := polytope.Set{Lo: make([]float64, len(open)), Hi: make([]float64, len(open))}
	point := make([]float64, len(open))
	for i, v := range open { // a coordinate is the way from the target, in lengths
		d, w := &t.dom[v], t.weight[v]
		set.Lo[i], set.Hi[i] = (float64(d.lo)-t.target[v])*w, (float64(d.hi)-t.target[v])*w
	}
	for _, x := range rows {
		row := polytope.Row{Coef: make([]float64, len(open)), Bound: float64(x.Bound), Equal: x.Op == Eq}
		for k := range x.Terms {
			w := &x.Terms[k]
			i := index[w.Var]
			if i < 0 { // fixed, or a table, whose least value counts
				lo, _ := t.span(w)
				row.Bound -= float64(lo)
				if t.dom[w.Var].n > 1 {
					row.Equal = false
				}
				continue
			}
			row.Bound -= float64(w.Coef) * t.target[w.Var]
			row.Coef[i] = float64(w.Coef) / t.weight[w.Var]
		}
		set.Rows = appendScaled(set.Rows, row)
	}
	y, ok := set.Nearest(point)
	if !ok {
		return !sure || !empty(&set, point)
	}
	from, linear := slices.Clone(t.target), len(set.Rows)
	move := func() {
		for i, v := range open {
			t.target[v] = from[v] + y[i]/t.weight[v]
		}
	}
	move()
	for range mostTangents {
		set.Rows = set.Rows[:linear]
		bent := false
		for _, x := range curves {
			row, missed := t.tangent(x, open, from)
			set.Rows, bent = appendScaled(set.Rows, row), bent || missed
		}
		if !bent {
			break
		}
		if y, ok = set.Nearest(point); !ok {
			if y, ok = elastic(&set, linear); !ok {
				break
			}
		}
		move()
	}
	return true
}

// coordinates are the variables of numbers that are open, and the place of each variable among them, -1 for none.
func (t *seeker) coordinates(rows []*Linear, curves []*Test) (open, index []int) {
	index = slices.Repeat([]int{-1}, len(t.dom))
	add := func(v int, number bool) {
		if number && t.dom[v].n > 1 && index[v] < 0 {
			index[v] = len(open)
			open = append(open, v)
		}
	}
	for _, x := range rows {
		for _, term := range x.Terms {
			add(term.Var, term.Table == nil)
		}
	}
	for _, x := range curves {
		for _, v := range x.Vars {
			add(v, t.p.Vars[v].Number)
		}
	}
	return open, index
}

// give is by how much an elastic row yields at the cost of one length.
const give = 1e-3

// elastic is the point of a set nearest to 0 if its rows from one on may be missed at a cost.
func elastic(set *polytope.Set, from int) (y []float64, ok bool) {
	n, soft := len(set.Lo), len(set.Rows)-from
	wide := polytope.Set{Lo: slices.Concat(set.Lo, make([]float64, soft)),
		Hi: slices.Concat(set.Hi, slices.Repeat([]float64{math.Inf(1)}, soft))}
	for k, r := range set.Rows {
		r.Coef = slices.Concat(r.Coef, make([]float64, soft))
		if k >= from {
			r.Coef[n+k-from] = -give
		}
		wide.Rows = append(wide.Rows, r)
	}
	y, ok = wide.Nearest(make([]float64, n+soft))
	return y[:min(n, len(y))], ok
}

// appendScaled appends a row with the largest coefficient 1, unless all are 0.
func appendScaled(rows []polytope.Row, row polytope.Row) []polytope.Row {
	most := 0.0
	for _, c := range row.Coef {
		most = max(most, math.Abs(c))
	}
	if most == 0 {
		return rows
	}
	for i := range row.Coef {
		row.Coef[i] /= most
	}
	row.Bound /= most
	return append(rows, row)
}

// tangent is the row that a curve is close to near the target, in lengths from a point, and
// whether the target misses the curve. The row leaves long variables room for rounding.
func (t *seeker) tangent(x *Test, open []int, from []float64) (row polytope.Row, missed bool) {
	at := t.places()
	for _, v := range x.Vars {
		at[v] = t.nearest(v)
	}
	excess := x.Excess(at)
	row = polytope.Row{Coef: make([]float64, len(open)), Bound: -excess}
	for i, v := range open {
		if !slices.Contains(x.Vars, v) {
			continue
		}
		d, place := &t.dom[v], at[v]
		off := max((d.hi-d.lo)>>16, 1)
		lo, hi := max(place-off, d.lo), min(place+off, d.hi)
		at[v] = hi
		slope := x.Excess(at)
		at[v] = lo
		slope = (slope - x.Excess(at)) / float64(hi-lo)
		at[v] = place
		row.Coef[i] = slope / t.weight[v]
		row.Bound += slope * (float64(place) - from[v])
		if t.stage(v) == long {
			row.Bound -= math.Abs(slope) * (1 + inside/t.weight[v])
		}
	}
	return row, excess > 0
}

// empty reports whether a set has no point even if every row may be missed by a little: not for rounding alone.
func empty(set *polytope.Set, x []float64) bool {
	const little = 1e-7
	wide := polytope.Set{Lo: set.Lo, Hi: set.Hi}
	for _, r := range set.Rows {
		wide.Rows = append(wide.Rows, polytope.Row{Coef: r.Coef, Bound: r.Bound + little})
		if r.Equal {
			minus := slices.Clone(r.Coef)
			for i := range minus {
				minus[i] = -minus[i]
			}
			wide.Rows = append(wide.Rows, polytope.Row{Coef: minus, Bound: little - r.Bound})
		}
	}
	_, ok := wide.Nearest(x)
	return !ok
}

// forced are the rows and the curves that must hold given the domains. A disjunction that leaves
// a choice gives the ones that the target misses least; then sure is false.
func (t *seeker) forced() (rows []*Linear, curves []*Test, sure bool) {
	sure = true
	at := lists.Make(len(t.dom), t.nearest)
	var add func(x Formula)
	add = func(x Formula) {
		switch x := x.(type) {
		case All:
			for _, y := range x {
				add(y)
			}
		case Any:
			var best Formula
			least := 0.0
			for _, y := range x {
				switch t.status(y) {
				case yes:
					return
				case open:
					m := t.missed(y)
					if m == 0 && !t.p.holds(y, at) {
						m = math.SmallestNonzeroFloat64
					}
					sure = sure && best == nil
					if best == nil || m < least {
						best, least = y, m
					}
				}
			}
			if best != nil {
				add(best)
			}
		case *Linear:
			if x.Op != Ne && t.status(x) == open {
				rows = append(rows, x)
			}
		case *Test:
			if x.Excess != nil {
				curves = append(curves, x)
			}
		}
	}
	for _, x := range t.p.Clauses {
		add(x)
	}
	return rows, curves, sure
}

// missed is by how many of its coefficients' lengths the target misses a formula.
func (t *seeker) missed(x Formula) float64 {
	switch x := x.(type) {
	case All:
		sum := 0.0
		for _, y := range x {
			sum += t.missed(y)
		}
		return sum
	case *Linear:
		sum, size := -float64(x.Bound), 0.0
		for k := range x.Terms {
			w := &x.Terms[k]
			if w.Table != nil {
				return 0
			}
			sum += float64(w.Coef) * min(max(t.target[w.Var], float64(t.dom[w.Var].lo)), float64(t.dom[w.Var].hi))
			size = max(size, math.Abs(float64(w.Coef))/t.weight[w.Var])
		}
		if x.Op == Ne || x.Op == Le && sum <= 0 || size == 0 {
			return 0
		}
		return math.Abs(sum) / size
	}
	return 0
}
