package acq

import (
	"context"
	"math/rand/v2"
	"sync/atomic"

	"bohier/internal/lists"
	"bohier/internal/parallel"
	"bohier/internal/points"
)

// group is the number of tasks in a step. It is fixed, so that a step, and with it the result of a stopped search, does
// not depend on the number of workers.
const group = 8

// search is the state of one Maximize.
type search struct {
	ctx     context.Context
	a       Acquisition
	d       Domain
	o       Options
	scorers []Scorer // one per worker, made when first needed

	steps             int
	stopped           bool
	scored, gradients atomic.Int64

	layout *layout
	spray  *sprayer
	best   *archive // of all that was seen
}

func newSearch(ctx context.Context, a Acquisition, d Domain, o Options) *search {
	return &search{ctx: ctx, a: a, d: d, o: o, scorers: make([]Scorer, o.Workers), best: &archive{}}
}

func (s *search) stats() Stats {
	return Stats{
		Scored:    int(s.scored.Load()),
		Gradients: int(s.gradients.Load()),
		Steps:     s.steps,
		Stopped:   s.stopped,
	}
}

// scorer is the scorer of a worker.
func (s *search) scorer(worker int) Scorer {
	if s.scorers[worker] == nil {
		s.scorers[worker] = s.a()
	}
	return s.scorers[worker]
}

// each runs tasks 0…n−1, a group to a step, and returns how many it ran: fewer
// than n once the search is stopped. The first step always runs.
func (s *search) each(n int, run func(worker, task int)) int {
	for lo := 0; lo < n; lo += group {
		if !s.step() {
			return lo
		}
		s.parallel(lo, min(n, lo+group), run)
	}
	return n
}

// step reports whether another step may be done, and counts it.
func (s *search) step() bool {
	if s.steps > 0 && (s.ctx.Err() != nil || s.o.Cut > 0 && s.steps >= s.o.Cut) {
		s.stopped = true
		return false
	}
	s.steps++
	return true
}

func (s *search) parallel(lo, hi int, run func(worker, task int)) {
	parallel.Each(s.o.Workers, hi-lo, func(worker, k int) { run(worker, lo+k) })
}

// fork returns n independent generators; the caller's advances by one draw.
func fork(r *rand.Rand, n int) []*rand.Rand {
	seed := r.Uint64()
	return lists.Make(n, func(i int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(i))) })
}

// block is the number of points scored by one task.
const block = 128

// scoreAll scores the points of q in blocks and returns the scores of those it reached before the search was stopped.
func (s *search) scoreAll(q *points.Set) []float64 {
	score := make([]float64, q.Len())
	tasks := (q.Len() + block - 1) / block
	done := s.each(tasks, func(w, t int) {
		lo, hi := t*block, min(q.Len(), (t+1)*block)
		s.scored.Add(int64(hi - lo))
		copy(score[lo:], Scores(s.scorer(w), q.Slice(lo, hi)))
	})
	return score[:min(q.Len(), done*block)]
}

// Scores are the scores of all points of q.
func Scores(s Scorer, q *points.Set) []float64 {
	out := make([]float64, q.Len())
	for lo := 0; lo < len(out); lo += block {
		part := q.Slice(lo, min(lo+block, len(out)))
		s.Score(out[lo:lo+part.Len()], part)
	}
	return out
}
