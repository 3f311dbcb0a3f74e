package space

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Designs lists the names of the initial designs.
func Designs() []string { return []string{"halton", "random", "sobol", "uniform"} }

// DesignPoint is point k ≥ 0 of a design. It depends on nothing but the space and the arguments:
//
//   - uniform: every point is drawn independently of the others, as Sample does;
//   - halton (randomised), sobol (scrambled, 21 dimensions, then halton) and random.
//
// In the last three activity patterns take turns in proportion to the root of their number of active parameters. Inside
// a pattern numbers follow the sequence, which spends no dimension on inactive ones; choices, and ints of two values,
// run through balanced permutations. A point that violates a constraint is replaced by another, of its pattern if it
// has one.
func (s *Space) DesignPoint(kind string, seed uint64, k int) (Configuration, error) {
	if kind == "uniform" {
		c, err := s.Sample(seeded(seed, uint64(k), 4), 1)
		if err != nil {
			return Configuration{}, err
		}
		return c[0], nil
	}
	seq, ok := sequences[kind]
	if !ok {
		return Configuration{}, fmt.Errorf("no design %q; %s", kind, Offered(kind, "designs", Designs()))
	}
	p := s.whole()
	if len(p.branches) == 0 {
		return Configuration{}, p.impossible(rand.New(rand.NewPCG(seed, 0)))
	}
	d := &design{p: p, seq: seq, random: kind == "random", seed: seed, branches: newApportionment(weights(p.branches))}
	return d.point(k)
}

type design struct {
	p        *partition
	seq      sequence
	random   bool // values of choices are independent, not balanced
	seed     uint64
	branches apportionment
}

// Retries first stay in the cell, then leave it, then leave the branch. A retry
// takes the sequence's points from a distant stretch that no design reaches.
const (
	cellTries   = 64
	branchTries = 1024
	retryStride = 1 << 21
)

func (d *design) point(k int) (Configuration, error) {
	s := d.p.s
	c := NewConfiguration(len(s.params))
	b, nth := d.branches.seat(k)
	br := &d.p.branches[b]
	cell, within := br.shares.seat(nth)
	if k := br.cells[cell]; d.p.cells[k].narrow() {
		d.narrow(&c, b, k, nth, within)
		return c, nil
	}
	for try := range cellTries {
		if d.fill(&c, b, br.cells[cell], nth+try*retryStride, within+try*retryStride) {
			return c, nil
		}
	}
	r := seeded(d.seed, uint64(b), uint64(nth), 2)
	for try := cellTries; try < branchTries; try++ {
		if d.fill(&c, b, br.cells[r.IntN(len(br.cells))], nth+try*retryStride, r.IntN(retryStride)) {
			return c, nil
		}
	}
	if d.p.sample(&c, r, b) {
		return c, nil
	}
	return d.p.configuration(r)
}

// fill writes point number nth of branch b, number within of its cell.
func (d *design) fill(c *Configuration, b, cell, nth, within int) bool {
	return d.p.fill(c, &d.p.cells[cell], nil, d.uniform(b, cell, nth, within))
}

// narrow writes point number within of a narrow cell: the parameters of constraints by their spread, the rest as fill
// does.
func (d *design) narrow(c *Configuration, b, cell, nth, within int) {
	w := d.p.newWalker(&d.p.cells[cell])
	if !d.random && within < poolSize {
		w.place(c, d.p.spreadOf(cell, d.seed)[within], d.uniform(b, cell, nth, within))
		if d.p.s.fits(*c) {
			return
		}
	}
	w.next(c, seeded(d.seed, uint64(cell), uint64(within), 9))
}

// uniform gives the numbers of point number nth of branch b, number within of its cell, for the active parameters,
// which are asked for in order.
func (d *design) uniform(b, cell, nth, within int) func(i int) float64 {
	s := d.p.s
	key := mix(d.seed, uint64(b))
	dim := 0
	k := &d.p.cells[cell]
	return func(i int) float64 {
		m := s.turns(i, k.set(i))
		switch {
		case m == 0:
			dim++
			return d.seq(key, dim-1, uint64(nth))
		case d.random:
			return unitOf(mix(key, uint64(i), uint64(nth), 3))
		}
		turn, place := uint64(nth), 0
		if s.needed[i] { // the cell fixes which values: count its own turns
			turn, place = uint64(within), slices.Index(d.p.branches[b].cells, cell)
		}
		v := permute(turn%uint64(m), uint64(m), mix(key, uint64(i), turn/uint64(m), uint64(place)))
		return float64(v) / float64(max(m-1, 1)) // the ends are the ends on any scale
	}
}

// turns is how many values of a set of values of parameter i take turns; 0: it follows the
// sequence, which may take a while to visit both of only two ints.
func (s *parameters) turns(i int, q *valueSet) int {
	switch p := &s.params[i]; {
	case q.choice != nil:
		return len(q.choice)
	case p.Discrete:
		return p.Levels()
	case p.Kind == Int:
		if next, ok := s.codecs[i].next(q.lo, +1); ok && next == q.hi {
			return 2
		}
	}
	return 0
}
