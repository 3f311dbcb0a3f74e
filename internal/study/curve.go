package study

import (
	"cmp"
	"math"
	"slices"
)

// A Point is the result of a trial after so much of the resource. With folds and repeats it is
// the value of one split or measurement.
type Point struct {
	Resource float64
	Seq      int // of the journal's record: the order of reports
	Leg      int // in which it was reported; 0: in none
	Observation
}

// A Leg is one stretch of work on a trial.
type Leg struct {
	From, To float64 // resources
	Reached  float64 // the largest resource that was reported in it; 0: none
	Ended    bool    // nobody works on it any more
	Seen     int     // the last journal record it was decided from; 0: of a first leg, by levels alone

	// For a promotion.
	Key    string // the asker's; empty: none
	Source string
}

// A Task is the work of the next worker: a further leg of a paused trial, or a new trial.
type Task struct {
	Trial   int     // number of the trial that gets a further leg; 0: a new one
	Start   float64 // of a new trial: below it the trial is not judged
	To      float64 // how far the leg goes; 0: there is nothing to do, for now or for ever
	Source  string  // of a further leg: why the trial has it, in one word
	Why     string  // the same in words, or why there is nothing to do
	Waiting bool    // there may be something to do when a leg under way has ended
	Seen    int     // the last record it was decided from by a surrogate; 0: all there are
	Cut     Cut     // of the surrogate's comparison before it
}

// Verdict is the answer to a report.
type Verdict string

// The verdicts.
const (
	VerdictGo    Verdict = "go"    // work goes on
	VerdictPause Verdict = "pause" // the leg is done; the trial may be promoted later
	VerdictStop  Verdict = "stop"  // the trial ends here
	VerdictDone  Verdict = "done"  // the trial has its full resource
)

// Ends reports whether work on the trial is to end here.
func (v Verdict) Ends() bool { return v == VerdictPause || v == VerdictStop }

// A Course is how far a trial of a study with a Fidelity got. It is shared by copies
// of the trial and not changed in place.
type Course struct {
	Start    float64 // below it the trial is not judged; at full resource: straight
	Legs     []Leg   // the last may be under way
	Points   []Point // ascending in resource
	Verdict  Verdict // the newest; empty: nothing was reported
	Setbacks int     // transient failures since the resource last grew
	Whole    bool    // the mean of folds or repeats was given at once: that of each is not known
}

// Clone is a copy that can be changed.
func (c *Course) Clone() *Course {
	if c == nil {
		return &Course{}
	}
	out := *c
	out.Legs, out.Points = slices.Clone(c.Legs), slices.Clone(c.Points)
	return &out
}

// Barred reports whether the trial gets no further leg: its newest failed twice in a row.
func (c *Course) Barred() bool { return c != nil && c.Setbacks >= 2 }

// Leg is the number of the newest leg, from 1; 0: none was handed out.
func (c *Course) Leg() int {
	if c == nil {
		return 0
	}
	return len(c.Legs)
}

// Last is the newest leg; nil: there is none.
func (c *Course) Last() *Leg {
	if c == nil || len(c.Legs) == 0 {
		return nil
	}
	return &c.Legs[len(c.Legs)-1]
}

// Find is the point at a resource; nil: there is none.
func (c *Course) Find(r float64) *Point {
	if c == nil {
		return nil
	}
	if k, found := c.search(r); found {
		return &c.Points[k]
	}
	return nil
}

func (c *Course) search(r float64) (int, bool) {
	return slices.BinarySearchFunc(c.Points, r, func(p Point, r float64) int { return cmp.Compare(p.Resource, r) })
}

// Put adds a point, or gives the one at its resource another observation; the order of reports stays that of the first.
func (c *Course) Put(p Point) {
	k, found := c.search(p.Resource)
	if found {
		p.Seq, p.Leg = c.Points[k].Seq, c.Points[k].Leg
		c.Points[k] = p
		return
	}
	c.Points = slices.Insert(c.Points, k, p)
}

// Resource is how much of the resource a trial has a value for: the largest with one, or for
// folds and repeats the largest number that is complete. 0: none.
func (f *Fidelity) Resource(c *Course) float64 {
	switch {
	case c == nil || len(c.Points) == 0:
		return 0
	case f.Averaged():
		return float64(f.complete(c))
	}
	return c.Points[len(c.Points)-1].Resource
}

// complete is the number of first splits that are all in.
func (f *Fidelity) complete(c *Course) int {
	n := 0
	for n < len(c.Points) && c.Points[n].Resource == float64(n+1) {
		n++
	}
	return n
}

// Entry is the result of a trial at a level, as the rungs and the surrogate see it: its value
// there or, where the level was jumped over, that of the smallest resource before the next
// level; for folds and repeats the mean of the first ones. seq is the record that completed it.
func (f *Fidelity) Entry(c *Course, level int) (o Observation, seq int, ok bool) {
	if f.Averaged() {
		if r := f.Levels[level]; c != nil && float64(f.complete(c)) >= r {
			o, seq = f.Mean(c, int(r))
			return o, seq, true
		}
		return o, 0, false
	}
	p := f.standsFor(c, level)
	if p == nil {
		return o, 0, false
	}
	return p.Observation, p.Seq, true
}

// standsFor is the point of a curve that counts as that at a level; nil: there is none.
func (f *Fidelity) standsFor(c *Course, level int) *Point {
	if c == nil {
		return nil
	}
	k, found := c.search(f.Levels[level])
	if !found && (k == len(c.Points) || level == f.Top() || c.Points[k].Resource >= f.Levels[level+1]) {
		return nil
	}
	return &c.Points[k]
}

// Reported are the points that somebody reported, one by one or as a whole.
func (c *Course) Reported() []Point {
	if c.Whole {
		return c.Points[len(c.Points)-1:]
	}
	return c.Points
}

// Jumped is the resource that replaces a level without a value of its own; 0: none does.
func (f *Fidelity) Jumped(c *Course, level int) float64 {
	if p := f.standsFor(c, level); p != nil && p.Resource > f.Levels[level] && !f.Averaged() {
		return p.Resource
	}
	return 0
}

// FirstJumped is the lowest level that a value beyond it replaces, and the resource of that value; 0: there is none.
func (f *Fidelity) FirstJumped(c *Course) (level, at float64) {
	for k, r := range f.Levels {
		if at := f.Jumped(c, k); at > 0 {
			return r, at
		}
	}
	return 0, 0
}

// Mean is the mean outcome of the first n splits, which must all be in, with the standard error of the mean where every
// one has its own. seq is the last of their records.
func (f *Fidelity) Mean(c *Course, n int) (o Observation, seq int) {
	o.Values = Values{}
	for name := range c.Points[0].Values.All() {
		sum, all := 0.0, true
		for _, p := range c.Points[:n] {
			v, ok := p.Values.Get(name)
			sum, all = sum+v/float64(n), all && ok
		}
		if all {
			o.Values.Set(name, sum)
		}
	}
	square, known := 0.0, true
	for _, p := range c.Points[:n] {
		seq = max(seq, p.Seq)
		if p.Stderr != nil {
			square += *p.Stderr * *p.Stderr
		} else {
			known = false
		}
		o.Metrics = p.Metrics
	}
	if known {
		o.Stderr = new(math.Sqrt(square) / float64(n))
	}
	return o, seq
}

// Latest is the result of a trial at its largest resource, with the cost of all its legs; the zero value without one.
func (f *Fidelity) Latest(c *Course) (o Observation) {
	if f.Resource(c) == 0 {
		return o
	}
	if f.Averaged() {
		o, _ = f.Mean(c, f.complete(c))
	} else {
		o = c.Points[len(c.Points)-1].Observation
	}
	o.Cost = c.Cost()
	return o
}

// Cost is the sum over legs of the largest cost that was reported in each, as a report has the cost
// of its leg so far; nil: none was.
func (c *Course) Cost() *float64 {
	byLeg, known := make([]float64, len(c.Legs)+1), false
	for _, p := range c.Points {
		if p.Cost != nil && p.Leg < len(byLeg) {
			byLeg[p.Leg], known = max(byLeg[p.Leg], *p.Cost), true
		}
	}
	if !known {
		return nil
	}
	sum := 0.0
	for _, v := range byLeg {
		sum += v
	}
	return &sum
}

// Straight reports whether a trial runs to its full resource unjudged.
func (f *Fidelity) Straight(c *Course) bool { return c == nil || c.Start >= f.High() }

// Spent is the units that legs of a trial are charged: those under way in full, ended
// ones up to the largest resource that was reported in them.
func (f *Fidelity) Spent(c *Course) float64 {
	if c == nil {
		return 0
	}
	sum := 0.0
	for _, l := range c.Legs {
		to := l.To
		if l.Ended {
			to = l.Reached
		}
		sum += f.Charge(l.From, to)
	}
	return sum
}

// Charge is the units of a leg.
func (f *Fidelity) Charge(from, to float64) float64 { return max(0, to-f.ResumesAt(from)) }

// ResumesAt is where the command of a leg takes up its work: 0 where every leg starts from nothing.
func (f *Fidelity) ResumesAt(from float64) float64 {
	if f.Resume || f.Averaged() {
		return from
	}
	return 0
}
