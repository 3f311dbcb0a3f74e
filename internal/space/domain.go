package space

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// A Domain is a space as a search over encoded points sees it, with some
// parameters fixed. It is safe for concurrent use.
type Domain struct {
	s     *Space
	p     *partition
	err   error
	fixed Assignment
	list  []branch // that samples are drawn from
}

// NewDomain returns the domain of the configurations in which every parameter of
// fixed is active with its value. It is empty if there are none; see Err.
func NewDomain(s *Space, fixed Assignment) *Domain {
	d := &Domain{s: s, fixed: fixed}
	if d.p, d.err = s.restrict(fixed); d.err == nil {
		d.list = d.p.branches
	}
	return d
}

// Branch is d with samples from one branch alone, given by its activity pattern.
func (d *Domain) Branch(active []bool) *Domain {
	part := *d
	if k := slices.IndexFunc(d.list, func(b branch) bool { return slices.Equal(b.active, active) }); k >= 0 {
		part.list = d.list[k : k+1]
	} else {
		part.err = cmp.Or(d.err, errEmpty)
	}
	return &part
}

// Err reports why the domain is empty: nothing can be sampled and Repair refuses everything. It is nil otherwise.
func (d *Domain) Err() error { return d.err }

// Sample draws n points that satisfy the constraints, every activity pattern getting its share of them; points of the
// others take the place of points that are too rare to be drawn. An empty domain gives none.
func (d *Domain) Sample(r *rand.Rand, n int) *points.Set {
	if d.err != nil {
		return points.New(0, len(d.s.coords))
	}
	q := points.New(n, len(d.s.coords))
	k := 0
	walkers := map[*cell]*walker{}
	for b, count := range newApportionment(weights(d.list)).systematicCounts(r, n) {
		for range count {
			if d.sampleInto(r, q, k, b, walkers) {
				k++
			}
		}
	}
	if found := k; found > 0 {
		for ; k < n; k++ {
			q.Copy(k, q, r.IntN(found))
		}
	}
	return q
}

// sampleInto draws point k from branch b until the constraints hold. It is false where
// they do not within the bound; then the last draw remains, which Repair refuses.
func (d *Domain) sampleInto(r *rand.Rand, q *points.Set, k, b int, walkers map[*cell]*walker) bool {
	br := &d.list[b]
	for range maxTries {
		cell := &d.p.cells[br.cells[br.chance.draw(r.Float64())]]
		if cell.narrow() {
			if walkers[cell] == nil {
				walkers[cell] = d.p.newWalker(cell)
			}
			c := NewConfiguration(len(d.s.params))
			walkers[cell].next(&c, r) // it goes on from draw to draw
			d.s.Encode(q, k, c)
			return true
		}
		for co, i := range d.s.coords {
			if !cell.active[i] {
				q.Set(co, k, d.s.standIn(i), false)
				continue
			}
			q.Set(co, k, d.draw(i, cell.set(i), r.Float64()), true)
		}
		if !d.s.Coupled() && d.p.exact || d.Repair(q, k) {
			return true
		}
	}
	return false
}

// draw maps a uniform number to a coordinate in a set of values of parameter i. For a
// continuum nobody else looks at, the number is the coordinate.
func (d *Domain) draw(i int, p *valueSet, u float64) float64 {
	if p.choice == nil && d.s.codecs[i].continuous && !d.s.needed[i] && !d.fixed.has(i) {
		return u
	}
	return d.s.encode(i, d.s.draw(i, p, u))
}

// Repair makes point i of q one that is emitted: coordinates are clamped, those on a grid rounded to it, fixed
// parameters put back, and activity decided from the emitted values. It reports whether the result satisfies every
// constraint and keeps every fixed parameter active. A coordinate that becomes active keeps its value.
func (d *Domain) Repair(q *points.Set, i int) bool {
	if d.err != nil {
		return false
	}
	s := d.s
	c := NewConfiguration(len(s.params))
	ok := true
	for _, p := range s.depend.Order {
		co := s.coordOf[p]
		if !s.holds(p, c) {
			ok = ok && !d.fixed.has(p)
			q.Set(co, i, s.standIn(p), false)
			continue
		}
		c.Active[p] = true
		if co < 0 {
			continue
		}
		x := q.At(co, i)
		switch {
		case d.fixed.has(p):
			c.Value[p] = d.fixed[p]
			x = s.encode(p, c.Value[p])
		case s.codecs[p].continuous:
			if !(x > 0) {
				x = 0
			} else if x > 1 {
				x = 1
			}
			if s.needed[p] {
				c.Value[p] = s.codecs[p].value(x)
			}
		default:
			c.Value[p] = s.decode(p, x)
			x = s.encode(p, c.Value[p])
		}
		q.Set(co, i, x, true)
	}
	return ok && (s.Allows(c) || s.mends() && d.mend(&c, q, i))
}

// mend moves point i of q, which is c, to one near by that satisfies the constraints.
func (d *Domain) mend(c *Configuration, q *points.Set, i int) bool {
	for co, p := range d.s.coords { // of a number that nobody else looks at only the coordinate counts
		if c.Active[p] && !d.s.needed[p] {
			c.Value[p] = d.s.decode(p, q.At(co, i))
		}
	}
	if !d.s.mend(c, d.fixed, rand.New(rand.NewPCG(0x3e4d, 0x9e57))) {
		return false
	}
	for co, p := range d.s.coords {
		if d.s.needed[p] && c.Active[p] {
			q.Set(co, i, d.s.encode(p, c.Value[p]), true)
		}
	}
	return true
}

// Smooth lists the active unit coordinates of point i: numbers that are not fixed. Whole numbers and numbers on a grid
// count too: between their values the surrogate has gradients, and Repair rounds.
func (d *Domain) Smooth(q *points.Set, i int) []int {
	return lists.Where(len(d.s.coords), func(co int) bool {
		p := d.s.coords[co]
		return d.s.Numeric(p) && !d.fixed.has(p) && q.Active(co, i)
	})
}
