package csp

import (
	"math"
	"slices"

	"bohier/internal/polytope"
)

// relax moves the targets of the open numbers to the nearest point at which the linear
// rows hold that have to, real numbers taken for whole ones. It is false where that
// shows that there is no solution.
func (t *seeker) relax() bool {
	rows, sure := t.forced()
	var open []int // variables
	index := make([]int, len(t.dom))
	for v := range t.dom {
		index[v] = -1
	}
	for _, x := range rows {
		for k := range x.Terms {
			if v := x.Terms[k].Var; x.Terms[k].Table == nil && t.dom[v].n > 1 && index[v] < 0 {
				index[v] = len(open)
				open = append(open, v)
			}
		}
	}
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
		most := 0.0
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
			most = max(most, row.Coef[i], -row.Coef[i])
		}
		if most == 0 {
			continue
		}
		for i := range row.Coef {
			row.Coef[i] /= most
		}
		row.Bound /= most
		set.Rows = append(set.Rows, row)
	}
	y, ok := set.Nearest(point)
	if !ok {
		return !sure || !empty(&set, point)
	}
	for i, v := range open {
		t.target[v] += y[i] / t.weight[v]
	}
	return true
}

// empty reports whether a set has no point even if every row may be missed by a little:
// not for rounding alone.
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

// forced are the rows that must hold given the domains. A disjunction that leaves a choice
// gives the rows that the target misses least; then sure is false.
func (t *seeker) forced() (rows []*Linear, sure bool) {
	sure = true
	at := make([]int64, len(t.dom))
	for v := range at {
		at[v] = t.nearest(v)
	}
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
		}
	}
	for _, x := range t.p.Clauses {
		add(x)
	}
	return rows, sure
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
			size = max(size, float64(w.Coef)/t.weight[w.Var], float64(-w.Coef)/t.weight[w.Var])
		}
		switch {
		case x.Op == Ne, x.Op == Le && sum <= 0, size == 0:
			return 0
		case sum < 0:
			return -sum / size
		}
		return sum / size
	}
	return 0
}
