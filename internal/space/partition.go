// A partition divides a space by its conditions alone: every parameter that a condition mentions is cut into sets of
// values that the conditions do not distinguish, and a cell is a product of such sets, so that the same parameters are
// active in all of it (the pieces of a conditional space: Hutter & Osborne 2013, arXiv:1310.5738). The cells are the
// strata of stratified samples (Neyman 1934, doi:10.2307/2342192). They are enumerated, parents first, or found by
// draws where there are too many. Draws and, where these fail, a search (package csp) decide which of them satisfy the
// constraints.

package space

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"bohier/internal/lists"
)

// maxCells bounds the enumeration of branches; larger spaces are explored by sampling.
const maxCells = 4096

// mostSingle is the largest number of values that are distinguished one by one.
const mostSingle = 64

// probes is the number of draws shared by all cells when looking for one that
// satisfies the constraints, and fewProbes where an answer is not worth as many.
const (
	probes    = 1 << 19
	fewProbes = wideDraws
)

// A partition divides a space, with some parameters fixed, into cells: boxes in
// which activity is constant. Cells of one activity pattern form a branch.
type partition struct {
	s        *Space
	fixed    Assignment
	cells    []cell
	branches []branch
	simple   bool // the cells decide every condition
	exact    bool // every cell was enumerated
	unproven bool // a cell was dropped though it may have configurations
	spreads  sync.Map
}

type cell struct {
	sets   [][]valueSet // of the partition
	at     []uint16     // per parameter: which of its sets the cell is in, counted from 1; 0 while inactive
	active []bool
	mass   float64 // prior probability

	witness []int64 // places of a configuration, of a narrow cell; see explore
}

// set is the set that parameter i is in; nil while it is inactive.
func (k *cell) set(i int) *valueSet {
	if k.at[i] == 0 {
		return nil
	}
	return &k.sets[i][k.at[i]-1]
}

type branch struct {
	active []bool
	cells  []int
	mass   float64
	dim    int // active parameters with a coordinate that are not fixed
	shares apportionment
	chance categorical // of the cells
}

// Branches lists the activity patterns, one flag per parameter, of the configurations that satisfy the constraints,
// likeliest first. The patterns of very large spaces are found by sampling, and may not be all.
func (s *Space) Branches() [][]bool {
	return lists.Of(s.whole().branches, func(b branch) []bool { return b.active })
}

// HasBranches reports whether Branches has n at least.
func (s *Space) HasBranches(n int) bool { return len(s.whole().branches) >= n }

// patternKey distinguishes activity patterns.
func patternKey(active []bool) string {
	key := make([]byte, len(active))
	for i, on := range active {
		if on {
			key[i] = 1
		}
	}
	return string(key)
}

// errEmpty means that a partition has no branch; impossible reports why.
var errEmpty = errors.New("no configuration satisfies the constraints")

// newPartition divides the configurations in which every fixed parameter is
// active with its value. It fails if there are none, or so many probes find none.
func newPartition(s *Space, fixed Assignment, probes int) (*partition, error) {
	p := &partition{s: s, fixed: fixed}
	sets, blurred := p.split()
	p.simple = !slices.Contains(blurred, true)
	deciding := p.deciding(sets)
	if p.exact = p.simple && p.enumerate(deciding, sets); !p.exact {
		p.discover(deciding, sets)
	}
	r := rand.New(rand.NewPCG(0x5eed, 0xce11))
	if s.Coupled() {
		p.dropInfeasible(r, probes)
	}
	p.group()
	if len(p.branches) == 0 {
		return p, errEmpty
	}
	return p, nil
}

// split gives the sets of every parameter. Where a condition compares parameters with each
// other, each value is a set; those with too many values for that are blurred.
func (p *partition) split() (sets [][]valueSet, blurred []bool) {
	s := p.s
	by := make([][]Expr, len(s.params))   // the conditions on a parameter alone
	single := make([]bool, len(s.params)) // split into single values
	blurred = make([]bool, len(s.params))
	for i := range s.params {
		for _, e := range atoms(s.params[i].Condition) {
			refs := References(e)
			switch e := e.(type) {
			case ActiveOf:
				continue
			case Compare:
				_, left := e.Left.(Const)
				_, right := e.Right.(Const)
				if len(refs) != 1 || !left && !right || !isLeaf(e.Left) || !isLeaf(e.Right) {
					for _, j := range refs {
						single[j] = true
						blurred[j] = s.count(j) > mostSingle
					}
					continue
				}
			}
			by[refs[0]] = append(by[refs[0]], e)
		}
	}
	sets = make([][]valueSet, len(s.params))
	for i := range s.params {
		v, isFixed := p.fixed[i]
		switch {
		case s.params[i].Kind == Constant:
		case isFixed:
			sets[i] = []valueSet{s.point(i, v)}
		case single[i] && !blurred[i]:
			sets[i] = lists.Of(s.values(i), func(v float64) valueSet { return s.point(i, v) })
		case len(by[i]) > 0:
			sets[i] = s.valueSets(i, by[i])
		default:
			sets[i] = s.all[i : i+1]
		}
	}
	return sets, blurred
}

func isLeaf(x Sum) bool {
	switch x.(type) {
	case Const, Ref, NumberOf:
		return true
	}
	return false
}

// deciding lists, parents first, the parameters that distinguish cells or whose value conditions
// and constraints look at.
func (p *partition) deciding(sets [][]valueSet) []int {
	s := p.s
	in := make([]bool, len(s.params))
	for i := range s.params {
		if p.fixed.has(i) || s.needed[i] || len(sets[i]) > 1 || !p.simple && s.Conditional(i) {
			in[i], in[s.twin[i]] = true, true
		}
	}
	return lists.Only(s.depend.Order, func(i int) bool { return in[i] })
}

// enumerate finds the cells of all sets of the deciding parameters; false means too many.
func (p *partition) enumerate(deciding []int, sets [][]valueSet) bool {
	w := &tour{s: p.s, order: deciding, sets: sets, fixed: p.fixed}
	w.leaf = func(mass float64) bool {
		if len(p.cells) == maxCells {
			return false
		}
		p.cells = append(p.cells, cell{sets: sets, at: slices.Clone(w.at), mass: mass})
		return true
	}
	if !w.run() {
		return false
	}
	c := NewConfiguration(len(p.s.params))
	for k := range p.cells {
		for _, i := range deciding {
			if q := p.cells[k].set(i); q != nil {
				c.Value[i] = q.representative()
			}
		}
		p.cells[k].follow(p.s, c)
	}
	return true
}

// follow completes the cell that a configuration is in by its values: activity, and the sets of the
// parameters that distinguish no cells.
func (k *cell) follow(s *Space, c Configuration) {
	k.active = make([]bool, len(s.params))
	c.Active = k.active
	for _, i := range s.depend.Order {
		if k.active[i] = s.holds(i, c); k.active[i] && k.at[i] == 0 && len(k.sets[i]) > 0 {
			k.at[i] = 1
		}
	}
}

// discover finds cells by sampling values and looking where they fall.
func (p *partition) discover(deciding []int, sets [][]valueSet) {
	s := p.s
	r := rand.New(rand.NewPCG(0xd15c, 0x0ce2))
	p.cells = p.cells[:0]
	found := map[string]bool{}
	c := NewConfiguration(len(s.params))
	at := make([]uint16, len(s.params))
	key := make([]byte, 2*len(deciding)) // which set each is in; 0: none
	const draws = 4 * maxCells
	for range draws {
		clear(c.Active)
		clear(key)
		mass := 1.0
		for n, i := range deciding {
			at[i] = 0
			if c.Active[i] = s.holds(i, c); !c.Active[i] || len(sets[i]) == 0 {
				continue
			}
			// Every set gets its turn, however small its probability.
			k := r.IntN(len(sets[i]))
			at[i] = uint16(k + 1)
			mass *= sets[i][k].mass
			binary.LittleEndian.PutUint16(key[2*n:], uint16(k+1))
			if u := r.Float64(); s.needed[i] {
				c.Value[i] = s.draw(i, &sets[i][k], u)
			}
		}
		if len(p.cells) == maxCells {
			break
		}
		if !found[string(key)] && !p.missesFixed(c) {
			found[string(key)] = true
			n := len(p.cells)
			p.cells = slices.Grow(p.cells, 1)[:n+1]
			k := &p.cells[n]
			*k = cell{sets: sets, at: append(k.at[:0], at...), mass: mass} // in the memory of the enumeration
			k.follow(s, c)
		}
	}
}

func (p *partition) missesFixed(c Configuration) bool {
	for i := range p.fixed {
		if !c.Active[i] && p.s.params[i].Kind != Constant {
			return true
		}
	}
	return false
}

// dropInfeasible removes cells in which no configuration that satisfies the constraints is found.
func (p *partition) dropInfeasible(r *rand.Rand, probes int) {
	draws := min(max(probes/max(len(p.cells), 1), 256), maxTries)
	p.cells = lists.At(p.cells, lists.Where(len(p.cells), func(k int) bool { return p.explore(&p.cells[k], r, draws) }))
}

// settles reports whether the cell has one value at most of every parameter.
func (k *cell) settles(params []int) bool {
	return !slices.ContainsFunc(params, func(i int) bool {
		q := k.set(i)
		return q != nil && len(q.choice) != 1 && (q.choice != nil || q.lo < q.hi)
	})
}

// group forms branches out of cells, likeliest first.
func (p *partition) group() {
	at := map[string]int{}
	free := lists.Only(p.s.coords, func(i int) bool { return !p.fixed.has(i) })
	for k := range p.cells {
		active := p.cells[k].active
		key := patternKey(active)
		b, seen := at[key]
		if !seen {
			b = len(p.branches)
			at[key] = b
			dim := len(lists.Only(free, func(i int) bool { return active[i] }))
			p.branches = append(p.branches, branch{active: active, dim: dim})
		}
		p.branches[b].cells = append(p.branches[b].cells, k)
		p.branches[b].mass += p.cells[k].mass
	}
	slices.SortStableFunc(p.branches, func(a, b branch) int { return cmp.Compare(b.mass, a.mass) })
	for b := range p.branches {
		least := max(1e-3*p.branches[b].mass/float64(len(p.branches[b].cells)), math.SmallestNonzeroFloat64)
		w := lists.Of(p.branches[b].cells, func(k int) float64 { return max(p.cells[k].mass, least) })
		p.branches[b].shares = newApportionment(w)
		p.branches[b].chance = newCategorical(p.branches[b].shares)
	}
}

// weights are the shares of the branches: the root of the number of free active
// parameters, so that large branches get more points but never all.
func weights(branches []branch) []float64 {
	return lists.Of(branches, func(b branch) float64 { return math.Sqrt(float64(max(b.dim, 1))) })
}
