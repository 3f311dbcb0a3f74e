package runner

import (
	"bohier/internal/fidelity"
	"bohier/internal/study"
)

// courseReason explains the course of trial t, before being the trials before it.
func (c Session) courseReason(before, now []study.Trial, t *study.Trial) *study.CourseReason {
	f := &c.Study.Fidelity
	if c.Study.Course(t) == nil {
		return nil
	}
	r := &study.CourseReason{Name: f.Name, Start: t.Course.Start, Resource: f.Resource(t.Course), Leg: t.Course.Leg()}
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
		r.Level, r.Place, r.Entries, r.Promoted = &p.Level, p.Place, p.Entries, p.Promoted
	}
	if last := t.Course.Last(); r.Leg > 1 {
		switch {
		case last.Source == fidelity.SourceFinish:
			r.Why = "the best paused trial, which is trained out at the end"
		case last.Source == fidelity.SourcePromotion && fidelity.Continues(c.Study):
			r.Why = "it promised more for each unit still to be spent than a new configuration"
		case last.Source == fidelity.SourcePromotion:
			r.Why = "among the best of its level"
		}
	}
	return r
}
