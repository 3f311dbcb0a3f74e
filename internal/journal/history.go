package journal

import (
	"cmp"
	"fmt"
	"slices"

	"bohier/internal/study"
)

// A measurement is a report on a trial: its outcome, one that replaced it, or a further measurement, by its mode. With
// its time it is the same measurement in every journal that it was merged into.
type measurement struct {
	at string
	study.Report
}

// A history is all measurements of a trial in the order they were recorded. The last
// outcome counts, with the further measurements after it.
type history []measurement

// log is the history of a trial here; empty for one that was never observed. It is
// kept only for trials with more than one measurement.
func (s *State) log(t *study.Trial) history {
	if log := s.noteOf(t.Number).more.log; log != nil {
		return log
	}
	if t.State != study.Complete && t.State != study.Failed {
		return nil
	}
	return history{{t.ObservedAt, study.Report{Observation: t.Observation, Failure: t.Failure, Note: t.Note}}}
}

// remember keeps a measurement that is not the trial's first.
func (s folding) remember(t *study.Trial, r *Record) {
	if log := s.log(t); len(log) > 0 {
		m := measurement{r.At, study.Report{Observation: r.observation(), Failure: r.Failure, Note: r.said(), Key: r.Key}}
		if r.Kind == KindReplicate {
			m.Mode = study.Replicate
		}
		s.noteOf(t.Number).set(func(p *particulars) { p.log = append(log, m) })
	}
}

// record is a record that says the same.
func (m *measurement) record(number int, tag string) Record {
	r := recordOf(m.Report)
	r.Kind, r.Trial, r.Tag, r.At, r.Key = KindReplace, number, tag, m.at, m.Key
	if m.Mode == study.Replicate {
		r.Kind = KindReplicate
	}
	return r
}

func (m *measurement) alike(n *measurement) bool {
	return m.Mode == n.Mode && m.Failure == n.Failure && sameObservation(m.Observation, n.Observation)
}

func (m *measurement) same(n *measurement) bool { return m.at == n.at && m.alike(n) }

// current is the index of the outcome that counts.
func (h history) current() int {
	i := len(h) - 1
	for h[i].Mode == study.Replicate {
		i--
	}
	return i
}

// count is how often a further measurement was made: most often between two outcomes, as the
// measurements that remain are recorded again after an outcome is replaced.
func (h history) count(m *measurement) int {
	n, most := 0, 0
	for i := range h {
		if h[i].Mode != study.Replicate {
			n = 0
		} else if h[i].same(m) {
			n++
			most = max(most, n)
		}
	}
	return most
}

// union are the measurements of other that h lacks. It is a conflict, and nothing, when neither
// outcome that counts is known to the other.
func (h history) union(other history) (more history, conflict bool) {
	if len(h) == 0 || len(other) == 0 {
		return other, false
	}
	theirs, ours := &other[other.current()], &h[h.current()]
	for _, equal := range []func(m, n *measurement) bool{(*measurement).same, (*measurement).alike} {
		if slices.ContainsFunc(h, func(m measurement) bool { return equal(&m, theirs) }) {
			return h.further(other), false
		}
		if at := slices.IndexFunc(other, func(m measurement) bool { return equal(&m, ours) }); at >= 0 {
			return h.newer(other, at), false
		}
	}
	return nil, true
}

// further is the further measurements of other that count there and are unknown here.
func (h history) further(other history) (more history) {
	if h[h.current()].Failure != "" {
		return nil
	}
	last := other.current()
	for i := last + 1; i < len(other); i++ {
		if other[last:i+1].count(&other[i]) > h.count(&other[i]) {
			more = append(more, other[i])
		}
	}
	return more
}

// newer are the measurements of other after its measurement at, the outcome that counts here, and
// again the further ones of here that other lacks.
func (h history) newer(other history, at int) (more history) {
	last := other.current()
	for i := at + 1; i < len(other); i++ {
		if m := &other[i]; i >= last || m.Mode != study.Replicate || h.count(m) == 0 {
			more = append(more, *m)
		}
	}
	return append(more, other.further(h)...)
}

// reconcileCurves brings the values at resources that only the other journal has, and the trial's state there if it got
// further. Two values at one resource are a conflict, and ours stays. The records are appended to recs.
func reconcileCurves(recs []Record, s *State, ours, t *study.Trial, rep *MergeReport) []Record {
	var points []study.Point
	if t.Course != nil {
		points = make([]study.Point, 0, len(t.Course.Points))
		for _, p := range t.Course.Points {
			was := ours.Course.Find(p.Resource)
			switch {
			case was == nil:
				points = append(points, p)
			case !agree(was.Observation, p.Observation):
				rep.Conflicts = append(rep.Conflicts,
					fmt.Sprintf("trial %s at %s %s is %s here and %s there; ours stays", ours.ID(), s.fidelity.Name, show(p.Resource),
						outcomes(was.Observation), outcomes(p.Observation)))
			}
		}
	}
	before := len(recs)
	recs = curveRecords(recs, s.objective, ours, t, points)
	if len(recs) == before || t.Course == nil || len(t.Course.Points) == 0 {
		recs = append(recs, missing(ours, t.Observation)...)
	}
	return recs
}

// curveRecords give a trial points of its curve in another journal, in the order they were
// reported there, the state there where it is further on, and further measurements of a
// complete one. Points that have the objective's value alone need no record of their own. A leg that is under
// way, or waits, in the other journal is a matter of that journal. The points are sorted.
func curveRecords(recs []Record, objective string, ours, theirs *study.Trial, points []study.Point) []Record {
	slices.SortStableFunc(points, func(a, b study.Point) int { return cmp.Compare(a.Seq, b.Seq) })
	state := ours.State
	if progress(theirs.State) > progress(state) {
		state = theirs.State
	}
	reported := state
	if state == study.Failed || state == study.Abandoned {
		reported = ours.State // the values came before
	}
	var before [][2]float64
	for k, p := range points {
		now := ours.State
		if k == len(points)-1 {
			now = reported
		} else if v, only := p.Values.Get(objective); only && plain(p.Observation) && len(before) < curveMost &&
			p.Resource < points[k+1].Resource { // metrics with a late report belong to that report
			before = append(before, [2]float64{p.Resource, v})
			continue
		}
		r := recordOf(study.Report{Observation: p.Observation})
		r.Kind, r.Trial, r.Tag, r.At, r.Resource, r.Curve = KindReport, ours.Number, ours.Tag, theirs.ObservedAt, p.Resource,
			before
		r.State, r.Verdict, before = now, verdictOf(now), nil
		recs = append(append(recs, r), extras(r.Trial, r.Tag, p.Observation)...)
	}
	switch {
	case state == ours.State || len(points) > 0 && reported == state:
	case state == study.Abandoned:
		recs = append(recs, Record{Kind: KindAbandon, Trial: ours.Number, Tag: ours.Tag, Note: theirs.Note})
	case state == study.Failed:
		m := measurement{theirs.ObservedAt, study.Report{Failure: theirs.Failure, Note: theirs.Note}}
		r := m.record(ours.Number, ours.Tag)
		if reported == study.Pending || reported == study.Abandoned {
			r.Kind = KindObserve
		}
		recs = append(recs, r)
	}
	if state != study.Complete || theirs.State != study.Complete {
		return recs
	}
	known := slices.Clone(ours.Replicates)
	for _, o := range theirs.Replicates { // records of the other journal alone
		k := slices.IndexFunc(known, func(p study.Observation) bool { return sameObservation(o, p) })
		if k >= 0 {
			known = slices.Delete(known, k, k+1)
			continue
		}
		m := measurement{theirs.ObservedAt, study.Report{Observation: o, Mode: study.Replicate}}
		recs = append(append(recs, m.record(ours.Number, ours.Tag)), extras(ours.Number, ours.Tag, o)...)
	}
	return recs
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
