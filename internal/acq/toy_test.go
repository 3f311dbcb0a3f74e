package acq_test

import (
	"math"
	"math/rand/v2"

	"bohier/internal/acq"
	"bohier/internal/points"
	"bohier/internal/polytope"
)

// A toy is a small space: the parameters in order, parents before children.
type toy struct {
	params []toyParam
	// valid is a constraint; nil accepts everything.
	valid func(q *points.Set, i int) bool
}

type toyParam struct {
	levels int // > 0: a choice with that many values
	steps  int // > 0: a unit coordinate rounded to steps+1 values
	// The parameter is active if param parent (≥ 0) is and has value want.
	parent, want int
}

func number(parent, want int) toyParam     { return toyParam{parent: parent, want: want} }
func choice(m, parent, want int) toyParam  { return toyParam{levels: m, parent: parent, want: want} }
func integer(n, parent, want int) toyParam { return toyParam{steps: n, parent: parent, want: want} }
func (t *toy) new(n int) *points.Set       { return points.New(n, len(t.params)) }
func (p toyParam) snap(v float64) float64 {
	switch {
	case p.levels > 0:
		return math.Min(float64(p.levels-1), math.Max(0, math.Round(v)))
	case p.steps > 0:
		v = math.Round(v*float64(p.steps)) / float64(p.steps)
	}
	return math.Min(1, math.Max(0, v))
}

func (t *toy) Repair(q *points.Set, i int) bool {
	for c, p := range t.params {
		if p.parent >= 0 && !(q.Active(p.parent, i) && q.At(p.parent, i) == float64(p.want)) {
			q.Set(c, i, map[bool]float64{true: 0, false: 0.5}[p.levels > 0], false)
			continue
		}
		q.Set(c, i, p.snap(q.At(c, i)), true)
	}
	return t.valid == nil || t.valid(q, i)
}

func (t *toy) draw(r *rand.Rand, c int) float64 {
	if m := t.params[c].levels; m > 0 {
		return float64(r.IntN(m))
	}
	return r.Float64()
}

func (t *toy) Sample(r *rand.Rand, n int) *points.Set {
	q := t.new(n)
	kept := []int{}
	for i := range n {
		for range 20 {
			for c := range t.params {
				q.Set(c, i, t.draw(r, c), true)
			}
			if t.Repair(q, i) {
				kept = append(kept, i)
				break
			}
		}
	}
	return q.Select(kept)
}

func (t *toy) Neighbors(r *rand.Rand, q *points.Set, i int) *points.Set {
	sets := []*points.Set{t.new(0)}
	add := func(c int, v float64) {
		x := q.Slice(i, i+1)
		for k := range t.params { // children are sampled anew
			if !x.Active(k, 0) {
				x.Set(k, 0, t.draw(r, k), true)
			}
		}
		x.Set(c, 0, v, true)
		if t.Repair(x, 0) && !x.Equal(0, q, i) {
			sets = append(sets, x)
		}
	}
	for c, p := range t.params {
		at := q.At(c, i)
		switch {
		case !q.Active(c, i):
		case p.levels > 0:
			for v := range p.levels {
				add(c, float64(v))
			}
		case p.steps > 0 && p.steps <= 10:
			add(c, at+1/float64(p.steps))
			add(c, at-1/float64(p.steps))
		}
	}
	return points.Concat(sets...)
}

// Rows are none: the toy is a box.
func (t *toy) Rows(*points.Set, int) []polytope.Row { return nil }

func (t *toy) Smooth(q *points.Set, i int) []int {
	out := []int{}
	for c, p := range t.params {
		if p.levels == 0 && q.Active(c, i) {
			out = append(out, c)
		}
	}
	return out
}

// check reports what makes point i unfit to be emitted, or "".
func (t *toy) check(q *points.Set, i int) string {
	x := q.Slice(i, i+1)
	if !t.Repair(x, 0) {
		return "violates the constraint"
	}
	if !x.Equal(0, q, i) {
		return "is not repaired"
	}
	for c := range t.params {
		if v := q.At(c, i); math.IsNaN(v) || v < 0 || t.params[c].levels == 0 && v > 1 {
			return "is out of bounds"
		}
	}
	return ""
}

// A field is an acquisition given by a function of the point; gradients are
// central differences in the unit coordinates. It counts evaluations.
type field struct {
	toy   *toy
	value func(q *points.Set, i int) float64
}

func (f field) fork() acq.Scorer { return f }

func (f field) Open(bound []float64, q *points.Set) func([]float64, []int, float64) {
	q = q.Clone()
	for i := range bound {
		bound[i] = math.Inf(1)
	}
	return func(bound []float64, at []int, _ float64) { copy(bound, acq.Scores(f, q.Select(at))) }
}

func (f field) Score(dst []float64, q *points.Set) func(dx [][]float64) {
	for i := range dst {
		dst[i] = f.value(q, i)
	}
	return func(dx [][]float64) {
		for i, d := range dx {
			if d != nil {
				f.gradient(d, q.Slice(i, i+1))
			}
		}
	}
}

func (f field) gradient(d []float64, x *points.Set) {
	clear(d)
	for _, c := range f.toy.Smooth(x, 0) {
		at := x.At(c, 0)
		x.Set(c, 0, at+1e-6, true)
		hi := f.value(x, 0)
		x.Set(c, 0, at-1e-6, true)
		d[c] = (hi - f.value(x, 0)) / 2e-6
		x.Set(c, 0, at, true)
	}
}

// score is that of point i alone, with the gradient unless dx is nil.
func score(s acq.Scorer, dx []float64, q *points.Set, i int) float64 {
	var dst [1]float64
	gradients := s.Score(dst[:], q.Slice(i, i+1))
	gradients([][]float64{dx})
	return dst[0]
}
