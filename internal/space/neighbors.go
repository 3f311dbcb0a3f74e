package space

import (
	"maps"
	"math/rand/v2"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// maxMoves bounds the values tried for one parameter; more are drawn at random.
const maxMoves = 32

// maxNeighbors bounds the neighbours of a point; more are drawn at random.
const maxNeighbors = 256

// maxMovable bounds the parameters that are moved; more are drawn at random.
const maxMovable = 32

// smallInt is the number of values up to which an int moves by ±1 only; larger ones also take longer steps.
const smallInt = 64

// Neighbors returns the configurations one discrete move away from point i of q that satisfy the constraints, each
// once: one parameter takes another value (choices along their graph, complete graphs any; grids a step up or down, and
// larger strides where there are many values; a number in a condition a draw from each other stretch between its
// thresholds). Where that changes the active parameters, there is a version that keeps the values of the parameters
// still active and one that draws all descendants anew; newly active ones are drawn. Where the move alone violates a
// constraint that other parameters can satisfy, they move, too, as little as they can.
func (d *Domain) Neighbors(r *rand.Rand, q *points.Set, i int) *points.Set {
	if d.err != nil {
		return points.New(0, len(d.s.coords))
	}
	s := d.s
	from := s.Decode(q, i)
	var found []Configuration
	seen := map[string]bool{s.Key(from): true}
	add := func(p int, v float64, fresh bool) {
		if c, ok := d.move(r, from, p, v, fresh); ok {
			if key := s.Key(c); !seen[key] {
				seen[key], found = true, append(found, c)
			}
		}
	}
	movable := lists.Only(s.coords, func(p int) bool { return from.Active[p] && !d.fixed.has(p) })
	mentioned := s.Mentioned()
	for _, p := range thin(r, movable, maxMovable) {
		for _, v := range d.moves(r, p, from.Value[p]) {
			if v == from.Value[p] {
				continue // a stride that ends where it began
			}
			for range d.s.versions(p) {
				add(p, v, false)
			}
			if mentioned[p] {
				add(p, v, true)
			}
		}
	}
	return s.EncodeAll(thin(r, found, maxNeighbors))
}

// versions is how often a move of parameter p is made: where it is mended, other parameters give way each time.
func (s *Space) versions(p int) int {
	if s.tied() && s.needed[p] && s.Numeric(p) {
		return 3
	}
	return 1
}

// moves lists the values parameter p may take next after v.
func (d *Domain) moves(r *rand.Rand, p int, v float64) []float64 {
	q := &d.s.params[p]
	var out []float64
	switch {
	case len(q.Graph.Edges) > 0:
		for _, e := range q.Graph.Edges {
			switch v {
			case float64(e.From):
				out = append(out, float64(e.To))
			case float64(e.To):
				out = append(out, float64(e.From))
			}
		}
	case q.Nominal():
		out = lists.Only(d.s.values(p), func(w float64) bool { return w != v })
	case q.Kind == Ordinal:
		out = lists.Only([]float64{v - 1, v + 1}, func(w float64) bool { return w >= 0 && int(w) < len(q.Values) })
	default:
		return d.numberMoves(r, p, v)
	}
	return thin(r, out, maxMoves)
}

func (d *Domain) numberMoves(r *rand.Rand, p int, v float64) []float64 {
	s := d.s
	ru := &s.codecs[p]
	var out []float64
	if !ru.continuous {
		out = lists.Some([]float64{-1, +1}, func(dir float64) (float64, bool) { return ru.next(v, dir) })
		if s.count(p) > smallInt {
			u := ru.unit(v)
			for _, stride := range []float64{0.01, 0.1} {
				out = append(out, ru.value(u-stride), ru.value(u+stride))
			}
		}
	}
	if s.needed[p] {
		for _, set := range d.stretches(p) {
			if !set.holds(v) {
				out = append(out, s.draw(p, &set, r.Float64()))
			}
		}
	}
	return out
}

// stretches are the distinct sets of number p over the cells.
func (d *Domain) stretches(p int) []valueSet {
	var out []valueSet
	for k := range d.p.cells {
		q := d.p.cells[k].set(p)
		if q == nil || slices.ContainsFunc(out, func(o valueSet) bool { return o.lo == q.lo && o.hi == q.hi }) {
			continue
		}
		out = append(out, *q)
		if len(out) == maxMoves {
			break
		}
	}
	return out
}

// thin draws most of a longer list.
func thin[T any](r *rand.Rand, v []T, most int) []T {
	if len(v) > most {
		r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
		v = v[:most]
	}
	return v
}

// move sets parameter p to v and repairs activity. Parameters that become active are drawn; fresh draws all descendants
// of p. A few draws are tried to satisfy the constraints.
func (d *Domain) move(r *rand.Rand, from Configuration, p int, v float64, fresh bool) (Configuration, bool) {
	s := d.s
	c := NewConfiguration(len(s.params))
	for range 8 {
		drawn := false
		s.assign(&c, func(i int) float64 {
			switch {
			case i == p:
				return v
			case d.fixed.has(i):
				return d.fixed[i]
			case from.Active[i] && !(fresh && slices.Contains(s.depend.Ancestors[i], p)):
				return from.Value[i]
			}
			drawn = true
			return s.draw(i, &s.all[i], r.Float64())
		})
		if !d.p.missesFixed(c) {
			if s.Allows(c) {
				return c, true
			}
			held := Assignment{p: v}
			maps.Copy(held, d.fixed)
			if s.mends() && s.mend(&c, held, r) {
				return c, true
			}
		}
		if !drawn {
			break
		}
	}
	return c, false
}
