package runner

import (
	"bohier/internal/fidelity"
	"bohier/internal/study"
)

// A CourseReason says how far a trial of a study with a fidelity got, and why.
type CourseReason struct {
	Start, Resource float64
	Leg             int
	Why             string          // of the level it began at; empty: somebody named it
	Place           *fidelity.Place // today; nil: it has no value at a level
	Going           string          // why its newest leg was given; empty: it is the first
}

// courseReason explains the course of trial t, before being the trials before it.
func (c Session) courseReason(before, now []study.Trial, t *study.Trial) *CourseReason {
	f := &c.Study.Fidelity
	if c.Study.Course(t) == nil {
		return nil
	}
	r := &CourseReason{Start: t.Course.Start, Resource: f.Resource(t.Course), Leg: t.Course.Leg()}
	switch {
	case startOf(t.Flags) > 0:
		r.Why = "asked for with --start"
	case t.Source != "enqueued" && t.Source != "initial" && r.Leg > 0:
		w := fidelity.Wish{OnlyNew: true}
		if t.Course.Legs[0].Seen > 0 {
			w.Preferred = r.Start
		}
		if d := fidelity.Decide(c.Study, before, w); d.Kind == fidelity.New {
			r.Why = d.Why
		}
	}
	if p, ok := fidelity.PlaceOf(c.Study, now, t.Number-1); ok {
		r.Place = &p
	}
	if last := t.Course.Last(); r.Leg > 1 {
		r.Going = map[string]string{fidelity.SourcePromotion: "among the best of its level",
			fidelity.SourceFinish: "the best paused trial, which is trained out at the end"}[last.Source]
		if last.Source == fidelity.SourcePromotion && fidelity.Continues(c.Study) {
			r.Going = "it promised more for each unit still to be spent than a new configuration"
		}
	}
	return r
}
