package acq

import (
	"math"
	"math/rand/v2"

	"bohier/internal/boxopt"
	"bohier/internal/points"
)

// A climb is one start under refinement. Its point is always repaired, valid and
// in the domain, and its score never falls.
type climb struct {
	point  *points.Set // one point
	score  float64
	source string
	r      *rand.Rand
	done   bool // the last round gained nothing
	best   *archive
	tried  *archive
}

func (s *search) newClimb(point *points.Set, score float64, source string, r *rand.Rand) *climb {
	c := &climb{point: point, score: score, source: source, r: r}
	c.best, c.tried = s.newArchives()
	return c
}

// round alternates: one hill-climbing step over the discrete moves, then at
// most iters quasi-Newton steps on the unit coordinates, if there are any. The
// first round, which only tells good starts from bad, leaves the moves out where
// it can. What it wants scored beside them it asks for.
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
	s.collectBest(p, c.best, c.tried)
	if i := p.best(p.all(), func(score float64) bool { return better(score, c.score) }); i >= 0 {
		c.point, c.score, c.source = p.points.Slice(i, i+1), p.key[i], "discrete"
	}
}

// neighbors are the discrete moves, among them one grid step of each
// rounded unit coordinate either way.
func (s *search) neighbors(worker int, c *climb) *lazyRanking {
	q := s.d.Neighbors(c.r, c.point, 0)
	if grid := s.gridSteps(c.point); grid.Len() > 0 {
		q = points.Concat(q, grid)
	}
	p := s.workerRanking(worker)
	p.add(q, "discrete")
	return p
}

// gridSteps returns p moved by one step in each unit coordinate that is rounded
// to a grid of at most 512 values.
func (s *search) gridSteps(p *points.Set) *points.Set {
	try := p.Clone()
	out := []*points.Set{points.New(0, p.Dim())}
	for _, c := range s.d.Smooth(p, 0) {
		at := p.At(c, 0)
		if !s.rounds(try, p, c, at) {
			continue
		}
		for _, sign := range [...]float64{-1, 1} {
			for step := 1.0 / 1024; step <= 1; step *= 2 {
				x := at + sign*step
				try.Copy(0, p, 0)
				try.Set(c, 0, math.Min(1, math.Max(0, x)), true)
				valid := s.d.Repair(try, 0)
				if try.At(c, 0) != at || !try.Active(c, 0) {
					if valid {
						out = append(out, try.Clone())
					}
					break
				}
				if x < 0 || x > 1 {
					break
				}
			}
		}
	}
	return points.Concat(out...)
}

// rounds reports whether repair undoes a small change of unit coordinate c.
func (s *search) rounds(try, p *points.Set, c int, at float64) bool {
	nudge := 1.0 / 1024
	if at > 0.5 {
		nudge = -nudge
	}
	try.Copy(0, p, 0)
	try.Set(c, 0, at+nudge, true)
	s.d.Repair(try, 0)
	return try.Active(c, 0) && try.At(c, 0) == at
}

// smooth climbs on the unit coordinates. All are first treated as continuous;
// the result is rounded and then, unless this is the first round, climbs on those
// that rounding leaves alone.
func (s *search) smooth(c *climb, iters int, ask func(*query)) {
	coords := s.d.Smooth(c.point, 0)
	if len(coords) == 0 {
		return
	}
	rounded := s.ascend(c, coords, iters, ask)
	if len(rounded) == 0 || len(rounded) == len(coords) || iters <= firstSteps {
		return
	}
	free := make([]int, 0, len(coords))
	for _, k := range coords {
		if !rounded[k] {
			free = append(free, k)
		}
	}
	s.ascend(c, free, iters, ask)
}

// ascend runs the quasi-Newton maximizer on some coordinates of c.point, which
// must be active, moves there if the repaired result is better, and returns the
// coordinates that repair rounded.
func (s *search) ascend(c *climb, coords []int, iters int, ask func(*query)) map[int]bool {
	n := len(coords)
	buf := make([]float64, 3*n+len(s.layout.numeric))
	lo, hi, start := buf[:n], buf[n:2*n], buf[2*n:3*n]
	try := &query{at: c.point.Clone(), dx: buf[3*n:]}
	for k, at := range coords {
		lo[k], hi[k] = 0, 1
		start[k] = c.point.At(at, 0)
	}
	descent := boxopt.New(func(x, g []float64) float64 {
		for k, at := range coords {
			try.at.Set(at, 0, x[k], true)
		}
		ask(try)
		for k, at := range coords {
			g[k] = -try.dx[at]
		}
		return -try.score
	}, lo, hi, start, boxopt.Options{First: 0.1, Longest: 0.25, Trials: 6, Move: 1e-6, Gain: 1e-6, Patience: 1})
	descent.Run(func() bool { return descent.Steps < iters })
	return s.land(c, coords, start, descent.X, ask)
}

// land repairs the end x of an ascent and moves c there if that is valid and
// better, otherwise to a point on the way back that is.
func (s *search) land(c *climb, coords []int, start, x []float64, ask func(*query)) (rounded map[int]bool) {
	for back := 1.0; back > 0.1; back /= 2 {
		end := c.point.Clone()
		for k, at := range coords {
			end.Set(at, 0, start[k]+back*(x[k]-start[k]), true)
		}
		valid := s.d.Repair(end, 0)
		if back == 1 {
			for k, at := range coords {
				if !end.Active(at, 0) || math.Abs(end.At(at, 0)-x[k]) > 1e-9 {
					if rounded == nil {
						rounded = make(map[int]bool)
					}
					rounded[at] = true
				}
			}
		}
		if !valid {
			continue
		}
		q := &query{at: end}
		ask(q)
		s.record(c.best, c.tried, end, 0, q.score, "smooth")
		if better(q.score, c.score) {
			c.point, c.score, c.source = end, q.score, "smooth"
		}
		return rounded
	}
	return rounded
}
