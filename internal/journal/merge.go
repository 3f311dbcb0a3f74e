package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bohier/internal/study"
)

// A MergeReport counts the records that Merge added.
type MergeReport struct {
	Added     int      // trials that were unknown here
	Observed  int      // outcomes of trials known here
	Conflicts []string // trials with different outcomes or metrics here and there; ours stay
}

// Merge brings the trials of another journal into the one of o: from a copy that was continued elsewhere, the records
// since the two parted; from another study with the same space, everything. Trials get new numbers here; their old ids
// are still understood, and measurements keep their times. Merging in any order and direction gives the same trials
// with the same measurements, each once; merging again adds nothing.
func Merge(ctx context.Context, o Options, from Options) (*MergeReport, error) {
	m := merging{from: Options{Path: from.Path, Store: from.Store, fs: o.fs, clock: o.clock}.defaults(), end: func() {}}
	defer func() { m.end() }()
	var err error
	if m.whole, _, err = m.from.read(ctx, m.outline); err != nil {
		return nil, err
	}
	if !m.whole.Exists {
		return nil, study.Errorf(study.Usage, "", "there is no journal %s", m.from.Path)
	}
	o.Coming = min(len(m.last), 20*partOfMerged) // perhaps they are here
	_, err = UpdateInParts(ctx, o, false, func(s *State, part int) ([]Record, bool, error) {
		if part == 0 {
			return nil, true, m.begin(ctx, s)
		}
		trials, err := m.next()
		if err != nil {
			return nil, false, err
		}
		return m.merge(s, trials), m.b.Seq < m.whole.Seq || m.done < len(m.last), nil
	})
	return m.rep, err
}

// A merging brings in the trials of another journal, in parts. It reads that twice: for the last record of
// each trial, and again, to merge trials when nothing more comes of them. So it has few at a time. Records
// that would hold up very many trials are kept from the first time, and taken in before their place.
type merging struct {
	from  Options
	whole *State           // without trials
	last  []int            // by trial: the last record that is about it, but for late ones
	late  map[int][]Record // by number
	study int              // the last record that gives a study, and may change all trials
	src   *source
	end   func()
	b     *State // as far as it is read again, with the trials of the last part and later ones
	done  int    // so many trials are merged
	here  int    // trials that were here before
	rep   *MergeReport
	recs  []Record // of the last part
	more  []Record // of the last trial
}

// outline finds the last record of each trial.
func (m *merging) outline(from storage) (*State, tail, error) {
	src, err := from.after(&m.from, &Memory{state: newState(&m.from)})
	if err != nil {
		return nil, tail{}, err
	}
	s := newState(&m.from)
	s.bare = true
	s.expect(src)
	var begun []int // by trial: the last record that begins it
	m.last, m.late, m.study = nil, map[int][]Record{}, 0
	t, err := scan(src, func(r *Record) error {
		switch {
		case r.Study != nil:
			m.study = r.Seq
		case r.Trial == len(m.last)+1:
			m.last, begun = append(m.last, r.Seq), append(begun, r.Seq)
		case r.Trial > 0 && r.Trial <= len(m.last):
			m.last[r.Trial-1] = r.Seq
			switch {
			case r.Kind == KindReserve || r.Kind == KindSuggest:
				begun[r.Trial-1] = r.Seq
			case len(begun) >= r.Trial+fewHeldUp && r.Kind != KindPlan:
				late := *r
				late.Params = slices.Clone(r.Params)
				m.late[r.Trial] = append(m.late[r.Trial], late)
			}
		}
		return s.fold(r)
	})
	if err != nil {
		return nil, t, damaged(&m.from, err)
	}
	for k := range m.late {
		m.last[k-1] = min(m.last[k-1], max(begun[k-1], begun[k-1+fewHeldUp], m.study))
	}
	return s, t, nil
}

// finish takes in the late records of the next trial, the rest of whose records are taken in.
func (m *merging) finish() error {
	m.done++
	b, seq := m.b, m.b.Seq
	defer func() { b.Seq = seq }()
	for _, r := range m.late[m.done] {
		if b.Seq = r.Seq - 1; r.Seq > seq {
			if err := (folding{b}).foldKind(&r); err != nil {
				return &damage{r.Seq, err}
			}
		}
	}
	return nil
}

// begin begins to read again.
func (m *merging) begin(ctx context.Context, s *State) error {
	if s.Exists && s.Space != m.whole.Space {
		return study.Errorf(study.Mismatch,
			"Only journals over the same space can be merged. One that was copied before the other was migrated: "+
				"`bohier migrate -c FILE --journal JOURNAL` it with the study file of the other, then merge.",
			"%s has another space:\n%s", m.from.Path,
			indent(diffObjects("space", member(s.Study, "space"), member(m.whole.Study, "space"))))
	}
	m.here, m.rep = len(s.Trials), &MergeReport{}
	src, end, err := m.from.source(ctx)
	if err != nil {
		return err
	}
	m.end()
	m.src, m.end, m.b, m.done = src, end, newState(&m.from), 0
	return nil
}

// next are the trials of the next part.
func (m *merging) next() ([]study.Trial, error) {
	b := m.b
	old := m.done - b.gone
	b.Trials, b.notes, b.gone = slices.Delete(b.Trials, 0, old), slices.Delete(b.notes, 0, old), m.done
	var wrong error
	enough := func() bool {
		most := min(b.gone+min(len(b.Trials), partOfMerged), len(m.last))
		for wrong == nil && b.Seq >= m.study && m.done < most && m.last[m.done] <= b.Seq {
			wrong = m.finish()
		}
		return m.done-b.gone == partOfMerged || b.Seq == m.whole.Seq
	}
	_, err := scanAfter(m.src, b.Seq, b.pos().Sum, func(r *Record) error {
		if enough() || wrong != nil {
			return cmp.Or(wrong, errEnough)
		}
		b.bare = r.Trial > 0 && r.Trial <= m.done
		return b.fold(r)
	})
	b.bare = false
	if err != nil && !errors.Is(err, errEnough) {
		return nil, damaged(&m.from, err)
	}
	if !enough() && wrong == nil || b.Seq == m.whole.Seq && b.pos() != m.whole.pos() {
		return nil, study.Errorf(study.NotRecorded, "Nothing was written; run the command again.",
			"%s was changed while it was merged", m.from.Path)
	}
	if wrong != nil {
		return nil, damaged(&m.from, wrong)
	}
	return b.Trials[:m.done-b.gone], nil
}

// partOfMerged is how many trials of the other journal are merged at a time. A record is late when more than
// fewHeldUp have begun since its trial began.
const (
	partOfMerged = 1000
	fewHeldUp    = 2 * partOfMerged
)

const mergePrefix = "merge:"

// mergeKey is the key under which trial id of another run is known here.
func mergeKey(run, id string) string { return mergePrefix + run + ":" + id }

// origin names a trial across all journals it was ever merged into: the run and id
// that it was suggested or added under.
func origin(s *State, t *study.Trial) string {
	if strings.HasPrefix(t.Key, mergePrefix) {
		return t.Key
	}
	return mergeKey(s.Run, t.ID())
}

// brought is the trial here that has an origin; nil: none has.
func (s *State) brought(origin string) *study.Trial {
	if id, ours := strings.CutPrefix(origin, mergeKey(s.Run, "")); ours {
		return own(s, id)
	}
	if t := s.ByKey(origin); t != nil && t.State != study.Reserved {
		return t
	}
	return nil
}

// merge is the records of the next part, which stand until the one after it.
func (m *merging) merge(s *State, part []study.Trial) []Record {
	b, rep, recs, next := m.b, m.rep, m.recs[:0], s.NextNumber()
	added := map[string]bool{} // origins
	s.Expect(len(m.last) - m.done + len(part))
	for i := range part {
		t := &part[i]
		if t.State == study.Reserved {
			continue
		}
		from := origin(b, t)
		there := s.brought(from)
		here, ours := there != nil, study.Trial{Number: next, Tag: s.tag(), State: study.Pending, Note: t.Note}
		switch {
		case added[from], here && there.Number > m.here:
			continue // twice in the other journal, by a program that did not know origins
		case !here:
			added[from] = true
			add := Record{Kind: KindAdd, Trial: next, Tag: ours.Tag, At: t.Suggested, Key: from, Source: t.Source,
				Params: b.Params(t.Number), State: study.Pending, Note: t.Note}
			if t.Course != nil {
				add.Start = t.Course.Start
			}
			recs = append(recs, add)
			next++
			rep.Added++
		default:
			ours = *there
		}
		more := m.more[:0]
		if b.fidelity != nil {
			more = reconcileCurves(more, s, &ours, t, rep)
		} else {
			more = reconcile(more, s, &ours, t, b, rep)
		}
		if !here && t.Waiting {
			more = append(more, returned(&ours, ""))
		}
		after := ours
		for _, r := range more {
			after.Remark("", r.Note)
			if here && r.Kind != KindMeasure && r.Kind != KindReturn {
				rep.Observed += 1 + len(r.Curve)
			}
		}
		recs, m.more = append(recs, more...), more
		for _, r := range append([]study.Remark{{At: t.ObservedAt, Text: t.Note}}, t.Remarks...) {
			if r.Text != "" && !after.Says(r.Text) {
				recs = append(recs, remarkRecord(&after, r))
			}
		}
	}
	m.recs = recs
	return recs
}

// complement are another journal's values of objectives that a trial here lacks: values that were
// reported one after the other. It does so for trials with one measurement at most on either side where
// one of the two has more values than the other.
func complement(s *State, ours, t *study.Trial, theirs history) (recs []Record, done, conflict bool) {
	open := isOpen(t) && isOpen(ours)
	several := len(theirs) > 1 || len(s.log(ours)) > 1 || len(t.Replicates)+len(ours.Replicates) > 0
	if several || ours.State != t.State && !open {
		return nil, false, false
	}
	if !open && t.State != study.Complete || slices.Equal(ours.Values, t.Values) || len(t.Values) == 0 {
		return nil, false, false
	}
	if len(ours.Values) == 0 && t.State == study.Complete {
		return nil, false, false
	}
	for name, v := range t.Values.All() {
		if was, known := ours.Values.Get(name); known && was != v {
			return nil, open, open
		}
	}
	own := *ours // so that those of all trials need no room of their own
	recs, err := s.observe(&own, study.Report{Observation: t.Observation, Partial: true})
	return recs, true, err != nil
}

// isOpen reports whether an outcome of a trial is awaited still.
func isOpen(t *study.Trial) bool { return t.State == study.Pending || t.State == study.Abandoned }

// reconcile merges b's records of a trial that both have, or that is new here. If one of two outcomes replaced the
// other, it counts. Two outcomes that do not know each other are a conflict, and ours stays. Further measurements of
// the outcome that counts are united. The records are appended to recs, which is empty.
func reconcile(recs []Record, s *State, ours, t *study.Trial, b *State, rep *MergeReport) []Record {
	theirs, here := b.log(t), ours.Number <= len(s.Trials)
	known, done, conflict := complement(s, ours, t, theirs)
	recs = append(recs, known...)
	switch {
	case done:
	case len(theirs) == 0:
		// A worker has one journal: trials that it gave back there nobody runs here.
		if t.Waiting && ours.Worker != "" && ours.Worker == t.Worker {
			recs = append(recs, s.Return([]study.Trial{*ours}, "")...)
		}
		recs = append(recs, missing(ours, t.Observation)...)
	default:
		var more history
		more, conflict = s.log(ours).union(theirs)
		for i := range more {
			r := more[i].record(ours.Number, ours.Tag)
			if r.Kind == KindReplace && i == 0 && isOpen(ours) {
				r.Kind = KindObserve
			}
			if s.replicated[r.Key].trial > 0 {
				r.Key = ""
			}
			recs = append(append(recs, r), extras(ours.Number, ours.Tag, more[i].Observation)...)
		}
		if len(more) == 0 && !conflict {
			recs = append(recs, missing(ours, t.Observation)...)
		}
		for i, r := range slices.Backward(recs) {
			if r.Kind == KindObserve || r.Kind == KindReplace {
				if here && !sameParams(b.Params(t.Number), s.Params(ours.Number)) {
					recs[i].Params = b.Params(t.Number)
				}
				break
			}
		}
	}
	if !here && t.State == study.Abandoned {
		recs = append(recs, Record{Kind: KindAbandon, Trial: ours.Number, Tag: ours.Tag, Note: t.Note})
	}
	if conflict {
		rep.Conflicts = append(rep.Conflicts, fmt.Sprintf("trial %s: here %s, there %s", ours.ID(),
			describe(ours.State, ours.Failure, ours.Observation), describe(t.State, t.Failure, t.Observation)))
		return recs
	}
	if !sameObservation(ours.Observation, t.Observation) {
		return recs
	}
	for name, v := range ours.Metrics.All() {
		if w, known := t.Metrics.Get(name); known && w != v {
			rep.Conflicts = append(rep.Conflicts, fmt.Sprintf("trial %s: the metric %s is %v here and %v there; ours stays",
				ours.ID(), name, v, w))
		}
	}
	return recs
}
