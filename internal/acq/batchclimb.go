package acq

import (
	"iter"
	"slices"

	"bohier/internal/lists"
	"bohier/internal/points"
)

// A query is a point that a climb wants scored. With dx it is the point scored last once more, for the gradient.
type query struct {
	at    *points.Set // one point
	dx    []float64
	score float64
}

// climbsPerStep is the number of climbs in a step.
const climbsPerStep = 16

// fewest is the number of climbs that one worker takes: predictions of fewer cost as much.
const fewest = 4

// lockstep runs a round of every climb and returns how many it ran: fewer than all once the search is stopped. Each
// climb is a coroutine that stops at every query; the queries of a worker's climbs are answered in one batch, so that
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

// A march is a climb on the way.
type march struct {
	next  func() (*query, bool)
	asked *query // nil at the end
}

// march runs a round of climbs on one worker.
func (s *search) march(worker int, climbs []*climb, iters int) {
	all := make([]*march, len(climbs))
	for k, c := range climbs {
		next, stop := iter.Pull(func(yield func(*query) bool) {
			s.round(worker, c, iters, func(q *query) { yield(q) })
		})
		defer stop()
		all[k] = &march{next: next}
		all[k].asked, _ = next()
	}
	for {
		all = slices.DeleteFunc(all, func(m *march) bool { return m.asked == nil })
		if len(all) == 0 {
			return
		}
		s.answer(worker, all)
	}
}

// answer scores the points of climbs and works out the gradients that they ask for, until all ask for another point.
func (s *search) answer(worker int, all []*march) {
	score, dx := make([]float64, len(all)), make([][]float64, len(all))
	at := lists.Of(all, func(m *march) *points.Set { return m.asked.at })
	s.scored.Add(int64(len(all)))
	gradients := s.scorer(worker).Score(score, points.Concat(at...))
	for k, m := range all {
		m.asked.score = score[k]
		if m.asked, _ = m.next(); m.asked != nil && m.asked.dx != nil {
			dx[k] = m.asked.dx
		}
	}
	gradients(dx)
	for k, m := range all {
		if dx[k] != nil {
			s.gradients.Add(1)
			m.asked, _ = m.next()
		}
	}
}
