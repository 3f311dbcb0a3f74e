package journal

import (
	"cmp"
	"fmt"
	"slices"

	"bohier/internal/study"
)

// reconcileCurves brings the values at resources that only the other journal has, and what
// became of the trial there if it got further. Two values at one resource are a conflict,
// and ours stays.
func (s *State) reconcileCurves(ours, t *study.Trial, rep *MergeReport) []Record {
	var points []study.Point
	if t.Course != nil {
		for _, p := range t.Course.Points {
			was := ours.Course.Find(p.Resource)
			switch {
			case was == nil:
				points = append(points, p)
			case !agree(was.Observation, p.Observation):
				rep.Conflicts = append(rep.Conflicts,
					fmt.Sprintf("trial %s at %s %s: here %s, there %s", ours.ID(), s.fidelity.Name, show(p.Resource),
						outcomes(was.Observation), outcomes(p.Observation)))
			}
		}
	}
	recs := curveRecords(ours, t, points)
	if len(recs) == 0 || t.Course == nil || len(t.Course.Points) == 0 {
		recs = append(recs, missing(ours, t.Observation)...)
	}
	return recs
}

// curveRecords give a trial points of its curve in another journal, in the order they were
// reported there, the state there where it is further on, and further measurements of a
// complete one. A leg that is under way, or waits, in the other journal is a matter of that
// journal.
func curveRecords(ours, theirs *study.Trial, points []study.Point) (recs []Record) {
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b study.Point) int { return cmp.Compare(a.Seq, b.Seq) })
	state := ours.State
	if progress(theirs.State) > progress(state) {
		state = theirs.State
	}
	reported := state
	if state == study.Failed || state == study.Abandoned {
		reported = ours.State // the values came before
	}
	for k, p := range points {
		now := ours.State
		if k == len(points)-1 {
			now = reported
		}
		recs = append(recs, Record{Kind: KindReport, Trial: ours.Number, Tag: ours.Tag, At: theirs.ObservedAt,
			Resource: p.Resource,
			Values:   p.Values, Cost: p.Cost, Stderr: p.Stderr, State: now, Verdict: verdictOf(now)})
		recs = append(recs, extras(ours.Number, ours.Tag, p.Observation)...)
	}
	switch {
	case state == ours.State || len(points) > 0 && reported == state:
	case state == study.Abandoned:
		recs = append(recs, Record{Kind: KindAbandon, Trial: ours.Number, Tag: ours.Tag, Note: theirs.Note})
	case state == study.Failed:
		r := Record{Kind: KindReplace, Trial: ours.Number, Tag: ours.Tag, At: theirs.ObservedAt, State: study.Failed,
			Failure: theirs.Failure, Note: theirs.Note}
		if reported == study.Pending || reported == study.Abandoned {
			r.Kind = KindObserve
		}
		recs = append(recs, r)
	}
	if state == study.Complete && theirs.State == study.Complete {
		recs = append(recs, furtherRecords(ours, theirs)...)
	}
	return recs
}

// furtherRecords are the further measurements of a complete trial that only another journal
// has.
func furtherRecords(ours, theirs *study.Trial) (recs []Record) {
	for i, o := range theirs.Replicates {
		same := func(p study.Observation) bool { return sameObservation(o, p) }
		if count(theirs.Replicates[:i+1], same) > count(ours.Replicates, same) {
			recs = append(recs, Record{Kind: KindReplicate, Trial: ours.Number, Tag: ours.Tag, At: theirs.ObservedAt,
				State:  study.Complete,
				Values: o.Values, Cost: o.Cost, Stderr: o.Stderr, Stderrs: o.Stderrs})
			recs = append(recs, extras(ours.Number, ours.Tag, o)...)
		}
	}
	return recs
}

// count is the number of observations for which is holds.
func count(list []study.Observation, is func(study.Observation) bool) (n int) {
	for _, o := range list {
		if is(o) {
			n++
		}
	}
	return n
}

// progress orders states by how much is known of a trial in them.
func progress(s study.State) int {
	return slices.Index([]study.State{study.Pending, study.Abandoned, study.Paused, study.Stopped, study.Failed,
		study.Complete}, s)
}

func verdictOf(s study.State) study.Verdict {
	switch s {
	case study.Complete:
		return study.VerdictDone
	case study.Paused:
		return study.VerdictPause
	case study.Stopped, study.Abandoned, study.Failed:
		return study.VerdictStop
	}
	return study.VerdictGo
}
