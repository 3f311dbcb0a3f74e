package acq

import (
	"iter"

	"bohier/internal/points"
)

// A query is a point that a climb wants scored, with the gradient unless dx is
// nil.
type query struct {
	at    *points.Set // one point
	dx    []float64
	score float64
}

// climbsPerStep is the number of climbs in a step.
const climbsPerStep = 16

// fewest is the number of climbs that one worker takes: predictions of fewer cost as much.
const fewest = 4

// lockstep runs a round of every climb and returns how many it ran: fewer than
// all once the search is stopped. Each climb is a coroutine that stops at every
// query; the queries of a worker's climbs are answered in one batch, so that
// predictions are matrix operations.
func (s *search) lockstep(climbs []*climb, iters int) int {
	done := 0
	for done < len(climbs) && s.step() {
		group := climbs[done:min(len(climbs), done+climbsPerStep)]
		share := max(fewest, (len(group)+s.o.Workers-1)/s.o.Workers)
		s.parallel(0, (len(group)+share-1)/share, func(w, t int) {
			s.march(w, group[t*share:min(len(group), (t+1)*share)], iters)
		})
		done += len(group)
	}
	return done
}

// march runs a round of climbs on one worker.
func (s *search) march(worker int, climbs []*climb, iters int) {
	var next []func() (*query, bool)
	for _, c := range climbs {
		n, stop := iter.Pull(func(yield func(*query) bool) {
			s.round(worker, c, iters, func(q *query) { yield(q) })
		})
		defer stop()
		next = append(next, n)
	}
	for {
		var asked []*query
		for k, n := range next {
			if n == nil {
				continue
			}
			q, ok := n()
			if !ok {
				next[k] = nil
				continue
			}
			asked = append(asked, q)
		}
		if len(asked) == 0 {
			return
		}
		s.answer(worker, asked)
	}
}

func (s *search) answer(worker int, asked []*query) {
	at := make([]*points.Set, len(asked))
	dx := make([][]float64, len(asked))
	score := make([]float64, len(asked))
	for k, q := range asked {
		at[k], dx[k] = q.at, q.dx
		if q.dx != nil {
			s.gradients.Add(1)
		} else {
			s.scored.Add(1)
		}
	}
	s.scorer(worker).Gradients(score, dx, points.Concat(at...))
	for k, q := range asked {
		q.score = score[k]
	}
}
