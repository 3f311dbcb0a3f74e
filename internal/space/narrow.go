package space

import (
	"math/rand/v2"

	"bohier/internal/csp"
)

// A cell is narrow if few draws from its box satisfy the constraints: none of the first wideHits, and fewer than that
// of wideDraws. Its configurations are found by a search and drawn by a walk among them.
const (
	wideDraws = 1024
	wideHits  = 4
)

// How long a search goes on: narrowNodes places near a random target, and proofNodes,
// shared by all cells, before a cell counts as empty.
const (
	narrowNodes = 2000
	proofNodes  = 1 << 20
)

// explore finds out whether a cell has a configuration that satisfies the constraints,
// and whether it is narrow. Draws are the most to spend on it.
func (p *partition) explore(k *cell, r *rand.Rand, draws int) bool {
	c := NewConfiguration(len(p.s.params))
	var hit Configuration // a draw that satisfies the constraints
	hits := 0
	for n := range draws {
		if p.fill(&c, k, p.s.needed, by(r)) {
			if hits++; hits == wideHits || n < wideHits {
				return true
			}
			hit = c.Clone()
		} else if v, bad := p.s.violated(c); bad && k.settles(p.s.constraints[v].refs) {
			return false
		}
		if n+1 == wideDraws {
			break
		}
	}
	w := p.newWalker(k)
	var none bool
	most := narrowNodes
	if draws > wideDraws {
		most = max(proofNodes/len(p.cells), narrowNodes)
	}
	for nodes := narrowNodes; !none && nodes <= most; nodes *= 4 {
		if k.witness, none = w.search(&c, r, nodes); k.witness != nil {
			return true
		}
	}
	if !none || p.unproven {
		p.unproven = true
		for n := wideDraws; n < draws && hits == 0; n++ {
			if p.fill(&c, k, p.s.needed, by(r)) {
				hits++
				hit = c.Clone()
			}
		}
	}
	if hits == 0 {
		return false
	}
	places := w.y.places(&hit)
	if w.y.write(&hit, places); p.s.fits(hit) { // or else they are not fine enough
		k.witness = places
	}
	return true
}

// narrow reports whether the configurations of a cell are found by a search.
func (k *cell) narrow() bool { return k.witness != nil }

// A walker draws configurations of a narrow cell. It belongs to one goroutine.
type walker struct {
	p     *partition
	k     *cell
	y     *system
	state *csp.State
	walk  *csp.Walk
	drawn int
}

func (p *partition) newWalker(k *cell) *walker {
	w := &walker{p: p, k: k, y: p.s.system(k.active)}
	w.state = w.y.begin(p.fixed)
	w.y.in(w.state, k)
	return w
}

// search finds a solution near a random point of the cell, which c becomes.
func (w *walker) search(c *Configuration, r *rand.Rand, nodes int) (places []int64, none bool) {
	w.p.s.drawIn(c, w.k, nil, by(r))
	places, none = w.y.near(w.state, c, r, nodes)
	if places == nil {
		return nil, none
	}
	w.y.write(c, places)
	if !w.p.s.fits(*c) {
		return nil, false
	}
	return places, false
}

// A walk begins anew after restartAfter draws, takes firstSteps moves a variable to forget
// where a search left it, and nextSteps between draws.
const (
	restartAfter = 16
	firstSteps   = 32
	nextSteps    = 6
)

// next makes c a configuration of the cell: the parameters that constraints mention by the walk, the others uniform.
func (w *walker) next(c *Configuration, r *rand.Rand) {
	s := w.p.s
	for range 8 {
		steps := nextSteps
		if w.drawn%restartAfter == 0 {
			places, _ := w.search(c, r, narrowNodes)
			if places == nil {
				places = w.k.witness
			}
			w.walk, steps = w.state.NewWalk(places, r), firstSteps
		}
		w.drawn++
		w.walk.Steps(steps)
		w.place(c, w.walk.At, by(r))
		if s.fits(*c) {
			return
		}
		w.drawn = 0
	}
	w.place(c, w.k.witness, by(r))
}

// place sets the parameters of constraints to places, and the rest by a source of uniform numbers.
func (w *walker) place(c *Configuration, places []int64, uniform func(i int) float64) {
	w.p.s.drawIn(c, w.k, nil, uniform)
	w.y.write(c, places)
}
