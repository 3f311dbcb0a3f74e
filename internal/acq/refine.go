package acq

import (
	"math"
	"math/rand/v2"

	"bohier/internal/points"
)

// A climb is one start under refinement. Its point is always repaired, valid and
// in the box, and its score never falls.
type climb struct {
	point  *points.Set // one point
	score  float64
	source string
	r      *rand.Rand
	done   bool // the last round gained nothing
	best   *archive
	tried  *archive
	qn     ascent
}

func (s *search) newClimb(point *points.Set, score float64, source string, r *rand.Rand) *climb {
	c := &climb{point: point, score: score, source: source, r: r}
	c.best, c.tried = s.newArchives()
	return c
}

// round alternates: one hill-climbing step over the discrete moves, then at
// most iters quasi-Newton steps on the unit coordinates.
func (s *search) round(worker int, c *climb, iters int) {
	before := c.score
	s.hill(worker, c)
	s.smooth(worker, c, iters)
	c.done = !(c.score-before > 1e-5*math.Abs(before))
}

// hill moves to the best discrete neighbour if it is better.
func (s *search) hill(worker int, c *climb) {
	q, score := s.neighbors(worker, c)
	top := -1
	for i, v := range score {
		s.record(c.best, c.tried, q, i, v, "discrete")
		if better(v, c.score) && (top < 0 || better(v, score[top])) {
			top = i
		}
	}
	if top >= 0 {
		c.point, c.score, c.source = q.Slice(top, top+1), score[top], "discrete"
	}
}

// neighbors are the discrete moves in the box, among them one grid step of each
// rounded unit coordinate either way, with their scores.
func (s *search) neighbors(worker int, c *climb) (*points.Set, []float64) {
	q := s.d.Neighbors(c.r, c.point, 0)
	if grid := s.gridSteps(c.point); grid.Len() > 0 {
		q = points.Concat(q, grid)
	}
	q = distinct(q)
	keep := make([]int, 0, q.Len())
	for i := range q.Len() {
		if s.o.Box.contains(s.shape, q, i) {
			keep = append(keep, i)
		}
	}
	if len(keep) < q.Len() {
		q = q.Select(keep)
	}
	score := make([]float64, q.Len())
	if q.Len() > 0 {
		s.score(worker, score, q)
	}
	return q, score
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

// rounds tells whether repair undoes a small change of unit coordinate c.
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
// the result is rounded and then climbs on those that rounding leaves alone.
func (s *search) smooth(worker int, c *climb, iters int) {
	coords := s.d.Smooth(c.point, 0)
	if len(coords) == 0 {
		return
	}
	rounded := s.ascend(worker, c, coords, iters)
	if len(rounded) == 0 || len(rounded) == len(coords) {
		return
	}
	free := make([]int, 0, len(coords))
	for _, k := range coords {
		if !rounded[k] {
			free = append(free, k)
		}
	}
	s.ascend(worker, c, free, iters)
}

// ascend runs the quasi-Newton maximizer on some coordinates of c.point, which
// must be active, moves there if the repaired result is better, and returns the
// coordinates that repair rounded.
func (s *search) ascend(worker int, c *climb, coords []int, iters int) map[int]bool {
	n := len(coords)
	buf := make([]float64, 5*n+s.shapeDim())
	x, g, lo, hi, start := buf[:n], buf[n:2*n], buf[2*n:3*n], buf[3*n:4*n], buf[4*n:5*n]
	dx := buf[5*n:]
	try := c.point.Clone()
	for k, at := range coords {
		lo[k], hi[k] = s.o.Box.bounds(at)
		x[k] = c.point.At(at, 0)
	}
	copy(start, x)
	scorer := s.scorer(worker)
	calls := 0
	f := func(x, g []float64) float64 {
		for k, at := range coords {
			try.Set(at, 0, x[k], true)
		}
		v := scorer.Score(dx, try, 0)
		calls++
		for k, at := range coords {
			g[k] = dx[at]
		}
		return v
	}
	fx := f(x, g)
	c.qn.run(f, x, fx, g, lo, hi, iters)
	s.gradients.Add(int64(calls))
	return s.land(worker, c, coords, start, x)
}

// land repairs the end x of an ascent and moves c there if that is valid and
// better, otherwise to a point on the way back that is.
func (s *search) land(worker int, c *climb, coords []int, start, x []float64) (rounded map[int]bool) {
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
		if !valid || !s.o.Box.contains(s.shape, end, 0) {
			continue
		}
		score := s.scorer(worker).Score(nil, end, 0)
		s.scored.Add(1)
		s.record(c.best, c.tried, end, 0, score, "smooth")
		if better(score, c.score) {
			c.point, c.score, c.source = end, score, "smooth"
		}
		return rounded
	}
	return rounded
}

func (s *search) shapeDim() int { return len(s.shape.numeric) }
