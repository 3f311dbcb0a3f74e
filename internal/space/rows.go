package space

import (
	"math"

	"bohier/internal/csp"
	"bohier/internal/lists"
	"bohier/internal/points"
	"bohier/internal/polytope"
)

// Rows are the linear constraints in force at point i of q, which has its own activity pattern and choices, in all
// coordinates. On other scales than the linear one they are those of the tangent at the point.
func (d *Domain) Rows(q *points.Set, i int) []polytope.Row {
	if !d.s.tied() || d.err != nil {
		return nil
	}
	c := d.s.Decode(q, i)
	y := d.s.system(c.Active)
	return lists.Some(y.p.InForce(y.places(&c), true), func(x *csp.Linear) (polytope.Row, bool) { return d.row(y, x, &c) })
}

// row is x in coordinates; ok is false where it moves no number.
func (d *Domain) row(y *system, x *csp.Linear, c *Configuration) (row polytope.Row, ok bool) {
	row = polytope.Row{Coef: make([]float64, len(d.s.coords)), Bound: float64(x.Bound), Equal: x.Op == csp.Eq}
	size := 0.0
	for _, term := range x.Terms {
		g := &y.grids[term.Var]
		v := c.Value[g.param]
		if term.Table != nil {
			row.Bound -= float64(term.Table[g.place(v)-g.lo])
			continue
		}
		row.Bound -= float64(term.Coef) * g.at(v)
		if d.s.Numeric(g.param) && !d.fixed.has(g.param) {
			slope := float64(term.Coef) / g.weight(v)
			row.Coef[d.s.coordOf[g.param]] = slope
			size = max(size, math.Abs(slope))
		}
	}
	if size == 0 {
		return row, false
	}
	for co := range row.Coef { // the bound is of moves so far
		row.Coef[co] /= size
		if p := d.s.coords[co]; row.Coef[co] != 0 {
			row.Bound += size * row.Coef[co] * d.s.encode(p, c.Value[p])
		}
	}
	row.Bound /= size
	return row, true
}
