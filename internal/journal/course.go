package journal

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bohier/internal/study"
)

// adopt takes a study that comes into force, and reads its fidelity, as far as records
// need it. Trials that were complete before have their values at full resource, and those
// under way go there. Where the full resource has changed, other trials are complete, but not
// trials whose resources were those of another fidelity: these compare with none of now.
func (s folding) adopt(recorded json.RawMessage) {
	s.Study = slices.Clone(recorded)
	s.studies = append(s.studies, s.Study)
	now := readStudy(s.Study)
	if s.fidelity, s.objective = now.fidelity(), now.Objective.Name; s.fidelity == nil {
		return
	}
	was := s.resource
	s.resource = s.fidelity.Name + " " + s.fidelity.Kind
	for i := range s.Trials {
		t := &s.Trials[i]
		if was != "" && was != s.resource && t.Course != nil {
			s.notes[i].foreign = true
		}
		if t.Course == nil && t.State == study.Complete {
			s.atFull(t)
		}
		s.straight(t)
		switch whole := s.fidelity.Resource(t.Course) >= s.fidelity.High(); {
		case s.notes[i].foreign:
		case t.State == study.Complete && !whole:
			s.notes[i].set(func(p *particulars) { p.was = t.State })
			t.State, s.ownCourse(t).Verdict = study.Paused, study.VerdictPause
		case (t.State == study.Paused || t.State == study.Stopped) && whole:
			s.notes[i].set(func(p *particulars) { p.was = t.State })
			t.State, s.ownCourse(t).Verdict = study.Complete, study.VerdictDone
		}
	}
}

// straight gives a pending trial that has no leg one to the full resource: it is from before
// the study had a fidelity, or from another journal, where its leg is a matter of that one.
func (s folding) straight(t *study.Trial) {
	f := s.fidelity
	if f == nil || t.State != study.Pending || t.Course.Leg() > 0 {
		return
	}
	c := s.ownCourse(t)
	c.Start = cmp.Or(c.Start, f.High())
	c.Legs = []study.Leg{{From: f.Resource(c), To: f.High()}}
	s.noteOf(t.Number).straight = true
}

// atFull gives a trial without a course its value at full resource.
func (s folding) atFull(t *study.Trial) {
	f := s.fidelity
	t.Course = &study.Course{Start: f.High(), Verdict: study.VerdictDone,
		Points: []study.Point{{Resource: f.High(), Seq: s.Seq, Observation: t.Observation}}}
	if f.Averaged() {
		t.Course.Points, t.Course.Whole = nil, true
		for r := 1.0; r <= f.High(); r++ {
			t.Course.Points = append(t.Course.Points, study.Point{Resource: r, Seq: s.Seq, Observation: t.Observation})
		}
	}
}

// A recordedStudy holds the settings of the study in force that records need.
type recordedStudy struct {
	Context   string
	Objective struct{ Name string }
	Fidelity  *struct {
		study.Fidelity
		Low, High float64
	}
}

// readStudy reads a study in normal form, which this program has written.
func readStudy(normal json.RawMessage) (st recordedStudy) {
	_ = json.Unmarshal(normal, &st)
	return st
}

// fidelity is that of the study; nil: none.
func (st recordedStudy) fidelity() *study.Fidelity {
	d := st.Fidelity
	if d == nil {
		return nil
	}
	f := &d.Fidelity
	f.Kind = cmp.Or(f.Kind, study.FidelityCurve)
	if len(f.Levels) == 0 {
		f.Levels = []float64{d.Low, d.High}
	}
	f.Resume = f.Resume || f.Averaged()
	return f
}

// begin gives a trial its first leg, where a record names one.
func begin(t *study.Trial, r *Record) {
	if r.To == 0 {
		return
	}
	leg := study.Leg{To: r.To}
	switch {
	case r.Kind == KindReserve:
		leg.Seen = r.From
	case t.Course.Leg() == 1 && t.Course.Start == r.Start: // as it was reserved
		leg.Seen = t.Course.Legs[0].Seen
	}
	t.Course = &study.Course{Start: r.Start, Legs: []study.Leg{leg}}
}

// ownCourse is the trial's course, for this state to change. Until somebody has seen the trial, nobody else has it.
func (s folding) ownCourse(t *study.Trial) *study.Course {
	if t.Course == nil || t.Number <= s.seen {
		t.Course = t.Course.Clone()
	}
	return t.Course
}

// takeBack undoes a promotion that was never delivered.
func (s folding) takeBack(t *study.Trial) bool {
	if t.Course.Leg() < 2 {
		return false
	}
	c := s.ownCourse(t)
	c.Legs = c.Legs[:len(c.Legs)-1]
	c.Verdict = study.VerdictPause
	t.State, t.Worker, t.Waiting = study.Paused, "", false
	maps.DeleteFunc(s.keys, func(_ string, k keyUse) bool { return k.number == t.Number && k.leg > len(c.Legs) })
	return true
}

func (s folding) foldPromote(t *study.Trial, r *Record) error {
	if s.fidelity == nil {
		return fmt.Errorf("trial %d is promoted in a study without a fidelity", r.Trial)
	}
	legs := t.Course.Leg()
	if s.noteOf(r.Trial).straight && r.Leg == legs { // a program that gave it no leg has promoted it to its first
		legs--
	}
	if r.Leg != legs+1 || r.To <= s.fidelity.Resource(t.Course) {
		return fmt.Errorf("trial %d is promoted to leg %d up to %v after leg %d and %v", r.Trial, r.Leg, r.To, legs,
			s.fidelity.Resource(t.Course))
	}
	c := s.ownCourse(t)
	c.Legs, s.noteOf(r.Trial).straight = c.Legs[:legs], false
	c.Legs = append(c.Legs, study.Leg{From: s.fidelity.Resource(c), To: r.To, Key: r.Key, Source: r.Source, Seen: r.From})
	c.Verdict = study.VerdictGo
	t.State, t.Worker, t.Waiting, t.Note, t.Failure = study.Pending, r.Worker, r.Worker == Nobody, "", ""
	s.lend(r.Key, t)
	return nil
}

// applyReport applies a report to a trial.
func (s folding) applyReport(t *study.Trial, r *Record, seq int) {
	f := s.fidelity
	before := f.Resource(t.Course)
	c := s.ownCourse(t)
	if c.Points == nil && c.Leg() == 0 && c.Start == 0 {
		c.Start = f.High()
	}
	if more := len(r.Curve) + 1; len(c.Points)+more > cap(c.Points) { // a small one grows no further, of very many trials
		c.Points = append(make([]study.Point, 0, len(c.Points)+max(more, len(c.Points)/4)), c.Points...)
	}
	for _, p := range r.Curve {
		if c.Find(p[0]) == nil {
			c.Put(study.Point{Resource: p[0], Seq: seq, Leg: r.Leg,
				Observation: study.Observation{Values: study.Values{{Name: s.objective, Value: p[1]}}}})
		}
	}
	c.Put(study.Point{Resource: r.Resource, Seq: seq, Leg: r.Leg, Observation: r.observation()})
	if now := f.Resource(c); now > before {
		c.Setbacks = 0
		if f.Kind != study.FidelityRepeats { // further measurements were of the full resource of then
			t.Replicates = nil
		}
	}
	if last := c.Last(); last != nil { // a late report is one of the leg that had ended
		last.Reached = max(last.Reached, f.Resource(c))
		last.Ended = last.Ended || r.State != study.Pending
	}
	c.Verdict = r.Verdict
	said := t.Note // with the report before
	t.State, t.Failure, t.Note = r.State, "", r.Note
	t.Remark(t.ObservedAt, said)
	t.Waiting = t.Waiting && r.State == study.Pending
	t.Observation = f.Latest(c)
}

// foldPart folds a record that ends or corrects a part of a trial; false where the record is about the whole trial, as
// without a fidelity.
func (s folding) foldPart(t *study.Trial, r *Record) bool {
	f := s.fidelity
	switch {
	case r.Kind == KindReplace && r.State != study.Failed && r.Resource > 0:
		c := s.ownCourse(t)
		c.Put(study.Point{Resource: r.Resource, Seq: s.Seq + 1, Leg: r.Leg, Observation: r.observation()})
		c.Whole = false
		t.State, t.Failure, t.Note, t.ObservedAt, c.Verdict = r.State, "", r.Note, r.At, verdictOf(r.State)
		t.Observation = f.Latest(c)
		t.Replicates = nil
		return true
	case r.State != study.Failed:
		return false
	}
	if c := t.Course; c.Leg() > 0 {
		c = s.ownCourse(t)
		if last := c.Last(); !last.Ended {
			last.Ended, last.Reached = true, max(last.Reached, min(r.Resource, last.To))
		}
		c.Verdict = study.VerdictStop
		if r.Failure == study.Transient && r.Leg >= 2 {
			c.Setbacks++
			c.Verdict = study.VerdictPause
			t.State, t.Failure, t.Note, t.ObservedAt, t.Waiting = study.Paused, "", r.Note, r.At, false
			if c.Barred() {
				t.Note = strings.TrimPrefix(r.Note+"; it failed twice in a row, and gets no further leg", "; ")
			}
			return true
		}
	}
	o := t.Observation
	t.State, t.Failure, t.Note, t.ObservedAt, t.Waiting = r.State, r.Failure, r.said(), r.At, false
	if t.Observation = r.observation(); len(o.Values) > 0 && len(r.Values) == 0 {
		t.Observation = o
	}
	return true
}

// straightPoint puts the value of a trial that was measured as a whole at full resource, or where an addition says.
func (s folding) straightPoint(t *study.Trial, r *Record) {
	f := s.fidelity
	if f == nil || len(r.Values) == 0 || r.State == study.Failed {
		return
	}
	if r.Kind != KindAdd || r.Resource == 0 {
		s.atFull(t)
		t.Course.Points[len(t.Course.Points)-1].Seq = s.Seq + 1
		return
	}
	s.applyReport(t, r, s.Seq+1)
}
