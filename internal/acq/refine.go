package acq

import (
	"math"
	"math/rand/v2"
	"slices"

	"bohier/internal/boxopt"
	"bohier/internal/points"
	"bohier/internal/polytope"
)

// A climb is one start under refinement. Its point is always repaired, valid and
// in the domain, and its score never falls.
type climb struct {
	point *points.Set // one point
	score float64
	r     *rand.Rand
	held  map[int]bool // unit coordinates that were rounded since the last move between choices
	done  bool         // the last round gained nothing
	best  *archive     // of the points it saw
}

func (s *search) newClimb(point *points.Set, score float64, r *rand.Rand) *climb {
	return &climb{point: point, score: score, r: r, held: map[int]bool{}, best: s.newArchive()}
}

// round alternates: one hill-climbing step over the discrete moves, then at most iters quasi-Newton steps on the unit
// coordinates, if there are any. The first round, which only separates good starts from bad, leaves the moves out where
// it can. It asks for the scores of further points.
func (s *search) round(worker int, c *climb, iters int, ask func(*query)) {
	before := c.score
	if iters > firstSteps || len(s.d.Smooth(c.point, 0)) == 0 {
		s.hill(worker, c)
	}
	s.smooth(c, iters, ask)
	c.done = iters > firstSteps && !(c.score-before > 1e-5*math.Abs(before))
}

// hill moves to the best discrete neighbour if it is better.
func (s *search) hill(worker int, c *climb) {
	p := s.neighbors(worker, c)
	s.collectBest(p, c.best)
	if i := p.best(p.all(), func(score float64) bool { return better(score, c.score) }); i >= 0 {
		next := p.points.Slice(i, i+1)
		if !s.layout.within(1, c.point, 0, next, 0) {
			clear(c.held)
		}
		c.point, c.score = next, p.key[i]
	}
}

// neighbors are the discrete moves.
func (s *search) neighbors(worker int, c *climb) *lazyRanking {
	p := &lazyRanking{s: s, worker: worker}
	p.add(s.d.Neighbors(c.r, c.point, 0), "discrete")
	return p
}

// smooth climbs on the unit coordinates. All are first treated as continuous. Coordinates that the rounding of the end
// moves are held from then on, until a move between choices, and the others climb on. The first round only rounds.
func (s *search) smooth(c *climb, iters int, ask func(*query)) {
	for {
		from := c.point
		open := slices.DeleteFunc(s.d.Smooth(from, 0), func(at int) bool { return c.held[at] })
		if len(open) == 0 {
			return
		}
		relaxed := s.ascend(from, open, iters, ask)
		end := s.land(c, from, relaxed, open, ask)
		if iters <= firstSteps || !c.hold(relaxed, end, open) {
			return
		}
	}
}

// hold holds the coordinates that were rounded and reports whether there are such.
func (c *climb) hold(relaxed, rounded *points.Set, coords []int) (more bool) {
	for _, at := range coords {
		if rounded.Active(at, 0) && math.Abs(rounded.At(at, 0)-relaxed.At(at, 0)) > 1e-9 {
			c.held[at], more = true, true
		}
	}
	return more
}

// ascend runs the quasi-Newton maximizer on some coordinates of a point, which must be
// active, and returns its end, which is not rounded.
func (s *search) ascend(from *points.Set, coords []int, iters int, ask func(*query)) *points.Set {
	n := len(coords)
	buf := make([]float64, 3*n+len(s.layout.numeric))
	lo, hi, start := buf[:n], buf[n:2*n], buf[2*n:3*n]
	try := from.Clone()
	for k, at := range coords {
		lo[k], hi[k] = 0, 1
		start[k] = from.At(at, 0)
	}
	f := func(x []float64) (float64, func(g []float64)) {
		for k, at := range coords {
			try.Set(at, 0, x[k], true)
		}
		q := &query{at: try}
		ask(q)
		return -q.score, func(g []float64) {
			q.dx = buf[3*n:]
			ask(q)
			for k, at := range coords {
				g[k] = -q.dx[at]
			}
		}
	}
	options := boxopt.Options{First: 0.1, Longest: 0.25, Trials: 6, Move: 1e-6, Gain: 1e-6, Patience: 1}
	var end []float64
	if rows := s.d.Rows(from, 0); len(rows) > 0 {
		set := &polytope.Set{Lo: lo, Hi: hi, Rows: along(rows, from, coords)}
		end = polytope.Minimize(f, set, start, iters, options)
	} else {
		descent := boxopt.New(f, lo, hi, start, options)
		descent.Run(func() bool { return descent.Steps < iters })
		end = descent.X
	}
	for k, at := range coords {
		try.Set(at, 0, end[k], true)
	}
	return try
}

// along are rows in some coordinates, the others as they are at a point.
func along(rows []polytope.Row, from *points.Set, coords []int) (out []polytope.Row) {
	for _, r := range rows {
		cut := polytope.Row{Coef: make([]float64, len(coords)), Bound: r.Bound, Equal: r.Equal}
		free := false
		for at, a := range r.Coef {
			if a != 0 {
				cut.Bound -= a * from.At(at, 0)
			}
		}
		for k, at := range coords {
			cut.Coef[k] = r.Coef[at]
			cut.Bound += r.Coef[at] * from.At(at, 0)
			free = free || r.Coef[at] != 0
		}
		if free {
			out = append(out, cut)
		}
	}
	return out
}

// land repairs the end of an ascent and moves the climb there if that is valid and better. Where it is not valid, a
// point on the way back that is takes its place. It returns the repaired end, valid or not.
func (s *search) land(c *climb, from, to *points.Set, coords []int, ask func(*query)) (end *points.Set) {
	for back := 1.0; back > 0.1; back /= 2 {
		p := to.Clone()
		for _, at := range coords {
			x := from.At(at, 0)
			p.Set(at, 0, x+back*(to.At(at, 0)-x), true)
		}
		valid := s.d.Repair(p, 0)
		if end == nil {
			end = p
		}
		if !valid {
			continue
		}
		q := &query{at: p}
		ask(q)
		s.record(c.best, p, 0, q.score, "smooth")
		if better(q.score, c.score) {
			c.point, c.score = p, q.score
		}
		break
	}
	return end
}
