package acq

import (
	"math"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/parallel"
	"bohier/internal/points"
)

// shares are the fractions of the surrogate's observations that are used for
// successively tighter upper bounds of a candidate's score. A candidate moves to the
// next share only while its bound is the largest among the eligible candidates.
var shares = [...]float64{0, 0.25, 0.5, 0.75, 1}

const complete = len(shares) - 1

// A lazyRanking orders candidates by score. The key of a candidate is an upper bound of its score until the order
// depends on it: the ranking returned equals that of exact scores, while most candidates are never scored exactly.
type lazyRanking struct {
	points *points.Set
	source []string
	key    []float64
	stage  []int // the share behind key; complete: key is the score
	blocks []rankingBlock
	block  []int // of each candidate
	s      *search
	worker int // that works on it, or all
}

// all is the worker of a ranking that all work on.
const all = -1

// each runs tasks 0…n−1 and returns how many it ran: fewer than n once the search is stopped, which
// still returns something.
func (p *lazyRanking) each(n int, run func(worker, task int)) int {
	switch {
	case p.worker != all:
		parallel.Each(1, n, func(_, t int) { run(p.worker, t) })
	case !p.s.stopped:
		return p.s.each(n, run)
	case p.s.best.fresh():
		return 0
	default:
		p.s.parallel(0, n, run)
	}
	return n
}

// opened is the number of candidates of a block. The default has fewer, so that one goroutine opens all of them and
// bounds are tightened together: less work, though one goroutine takes longer than two.
const opened = 1024

// A rankingBlock is candidates whose scores are worked out together.
type rankingBlock struct {
	first   int // candidate
	tighten func(bound []float64, at []int, share float64)
}

// add adds distinct candidates, which stay as they are, with their first bounds.
func (p *lazyRanking) add(q *points.Set, source string) {
	key := make([]float64, q.Len())
	first := len(p.key)
	blocks := make([]rankingBlock, (q.Len()+opened-1)/opened)
	done := p.each(len(blocks), func(w, t int) {
		lo, hi := t*opened, min(q.Len(), (t+1)*opened)
		blocks[t] = rankingBlock{first + lo, p.s.scorer(w).Open(key[lo:hi], q.Slice(lo, hi))}
	})
	q = q.Slice(0, min(q.Len(), done*opened))
	for i := range q.Len() {
		p.key = append(p.key, bound(key[i]))
		p.stage = append(p.stage, 0)
		p.source = append(p.source, source)
		p.block = append(p.block, len(p.blocks)+i/opened)
	}
	p.blocks = append(p.blocks, blocks[:done]...)
	if p.points != nil {
		q = points.Concat(p.points, q)
	}
	p.points = q
}

// bound keeps candidates whose bound is not a number in the running.
func bound(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(1)
	}
	return v
}

// best is the candidate with the highest score among the suitable ones, the first of equals; −1 for none, or none that
// is wanted for its score. Once the search is stopped it is the best candidate whose score is known.
func (p *lazyRanking) best(suits []bool, wanted func(score float64) bool) int {
	for {
		top, known := -1, -1
		for i, v := range p.key {
			if !suits[i] {
				continue
			}
			if top < 0 || better(v, p.key[top]) {
				top = i
			}
			if p.stage[i] == complete && (known < 0 || better(v, p.key[known])) {
				known = i
			}
		}
		if top < 0 || !wanted(p.key[top]) {
			return -1
		}
		if top == known || !p.tightenLeading(suits, p.stage[top]) {
			return known
		}
	}
}

// tightenLeading moves the best of the suitable candidates at a stage to the next one,
// and reports whether the search let it.
func (p *lazyRanking) tightenLeading(suits []bool, stage int) bool {
	atOnce := 4 // candidates, at least; of many, a thousandth
	if p.worker == all {
		atOnce = 16
	}
	at := p.leading(max(atOnce, len(p.key)/1000), func(i int) bool { return suits[i] && p.stage[i] == stage })
	slices.Sort(at)                   // blocks are runs of candidates
	return p.each(1, func(int, int) { // by one goroutine: to wake others would take as much as they do
		for lo, k := 0, 1; k <= len(at); k++ {
			if k == len(at) || p.block[at[k]] != p.block[at[lo]] {
				p.tighten(at[lo:k], stage+1)
				lo = k
			}
		}
	}) > 0
}

// leading are the n best candidates that are in, best first, the first of equals
// first. Many candidates are looked through often: they are not sorted.
func (p *lazyRanking) leading(n int, in func(i int) bool) []int {
	out := make([]int, 0, n+1)
	for i := range p.key {
		if len(out) == n && !better(p.key[i], p.key[out[n-1]]) || !in(i) {
			continue
		}
		k := len(out)
		for k > 0 && better(p.key[i], p.key[out[k-1]]) {
			k--
		}
		if out = slices.Insert(out, k, i); len(out) > n {
			out = out[:n]
		}
	}
	return out
}

// tighten computes the bounds of candidates of one block at a stage.
func (p *lazyRanking) tighten(at []int, stage int) {
	b := &p.blocks[p.block[at[0]]]
	key := make([]float64, len(at))
	b.tighten(key, lists.Of(at, func(i int) int { return i - b.first }), shares[stage])
	for k, i := range at {
		p.stage[i] = stage
		if stage < complete {
			p.key[i] = min(p.key[i], bound(key[k]))
		} else {
			p.key[i] = key[k]
		}
	}
}

// anyScore accepts every score.
func anyScore(float64) bool { return true }

// all suit.
func (p *lazyRanking) all() []bool { return slices.Repeat([]bool{true}, len(p.key)) }

// top are the best n candidates.
func (p *lazyRanking) top(n int) []int {
	suits, out := p.all(), []int{}
	for len(out) < n {
		i := p.best(suits, anyScore)
		if i < 0 {
			break
		}
		suits[i] = false
		out = append(out, i)
	}
	return out
}

// collectBest offers the candidates of p to an archive, best first, until it takes no other.
func (s *search) collectBest(p *lazyRanking, in *archive) {
	suits := p.all()
	for {
		i := p.best(suits, func(score float64) bool { return s.wanted(in, score) })
		if i < 0 {
			return
		}
		suits[i] = false
		s.record(in, p.points, i, p.key[i], p.source[i])
	}
}
