package journal

import (
	"context"
	"fmt"
	"io"
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
	m := merging{from: Options{Path: from.Path, Store: from.Store, fs: o.fs, clock: o.clock}.defaults()}
	end, err := m.read(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	o.Coming = min(len(m.about), 20*partOfMerged) // perhaps they are here
	_, err = UpdateInParts(ctx, o, false, func(s *State, part int) ([]Record, bool, error) {
		if part == 0 {
			return nil, true, m.begin(s)
		}
		trials, err := m.next()
		if err != nil {
			return nil, false, err
		}
		return m.merge(s, trials), m.done < len(m.about), nil
	})
	return m.rep, err
}

// partOfMerged is how many trials of the other journal are merged, and in memory, at a time.
const partOfMerged = 1000

// A merging brings in the trials of another journal, in parts. It reads that once to find the records about each trial,
// and these again when their turn comes.
type merging struct {
	from  Options
	whole *State  // without trials
	ends  []int64 // where lines end, from none on
	about [][]int // by trial: the records about it
	all   []int   // those about all trials
	lines io.ReaderAt
	room  []byte // for some of them
	b     *State // with the trials of the part
	done  int    // so many trials are merged
	here  int    // trials that were here before
	rep   *MergeReport
	recs  []Record // of the last part
}

// read finds the records of the other journal.
func (m *merging) read(ctx context.Context) (end func(), err error) {
	o := m.from
	o.bare = true
	o.each = func(_ *State, r *Record) error {
		switch _, known := rules[r.Kind]; {
		case !known: // and optional
		case r.Kind == KindHeader:
			m.ends, m.about, m.all = []int64{0}, nil, []int{1}
		case r.Study != nil:
			m.all = append(m.all, r.Seq)
		case r.Trial > len(m.about)+1:
			return fmt.Errorf("%s of trial %d where %d comes next", r.Kind, r.Trial, len(m.about)+1)
		case r.Trial == len(m.about)+1:
			m.about = append(m.about, []int{r.Seq})
		case r.Trial > 0:
			m.about[r.Trial-1] = append(m.about[r.Trial-1], r.Seq)
		}
		m.ends = append(m.ends, r.end)
		return nil
	}
	if m.whole, _, err = Read(ctx, o); err != nil {
		return nil, err
	}
	if !m.whole.Exists {
		return nil, study.Errorf(study.Usage, "", "there is no journal %s", m.from.Path)
	}
	src, end, err := m.from.source(ctx)
	if err != nil {
		return nil, err
	}
	m.lines = src.r
	return end, nil
}

// begin begins to merge into a journal.
func (m *merging) begin(s *State) error {
	if s.Exists && s.Space != m.whole.Space {
		return study.Errorf(study.Mismatch,
			"Only journals over the same space can be merged. One that was copied before the other was migrated: "+
				"`bohier migrate -c FILE --journal JOURNAL` it with the study file of the other, then merge.",
			"%s has another space:\n%s", m.from.Path,
			indent(diffObjects("space", member(s.Study, "space"), member(m.whole.Study, "space"))))
	}
	m.b, m.done, m.here, m.rep = newState(&m.from), 0, len(s.Trials), &MergeReport{}
	return nil
}

// next are the trials of the next part.
func (m *merging) next() ([]study.Trial, error) {
	b, end := newState(&m.from), min(m.done+partOfMerged, len(m.about))
	left := slices.Concat(m.all, slices.Concat(m.about[m.done:end]...))
	slices.Sort(left)
	b.gone, b.keys = m.done, m.b.keys // which no other trial may have
	b.Trials, b.notes = m.b.Trials[:0], m.b.notes[:0]
	for len(left) > 0 {
		n := 1 // lines that follow each other
		for n < len(left) && left[n] == left[0]+n {
			n++
		}
		at, sum := m.ends[left[0]-1], uint32(0) // of the last line, and so of all
		src := source{r: m.lines, at: at, from: at, size: m.ends[left[n-1]], after: m.whole.posAt(left[0] - 1),
			buf: m.room[:0]}
		_, err := scan(&src, func(r *Record) error {
			b.Seq, r.Queue, sum = r.Seq-1, 0, r.CRC
			return folding{b}.foldKind(r)
		})
		switch {
		case err != nil:
			return nil, damaged(&m.from, err)
		case sum != m.whole.sums[left[n-1]-1]:
			return nil, study.Errorf(study.NotRecorded, "Nothing was written; run the command again.",
				"%s was changed while it was merged", m.from.Path)
		}
		left, m.room = left[n:], src.buf
	}
	m.b, m.done = b, end
	return b.Trials, nil
}

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
	s.Expect(len(m.about) - m.done + len(part))
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
		before := len(recs)
		if b.fidelity != nil {
			recs = reconcileCurves(recs, s, &ours, t, rep)
		} else {
			recs = reconcile(recs, s, &ours, t, b, rep)
		}
		if !here && t.Waiting {
			recs = append(recs, returned(&ours, ""))
		}
		after := ours
		for _, r := range recs[before:] {
			after.Remark("", r.Note)
			if here && r.Kind != KindMeasure && r.Kind != KindReturn {
				rep.Observed += 1 + len(r.Curve)
			}
		}
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
// the outcome that counts are united. The records are appended to recs.
func reconcile(recs []Record, s *State, ours, t *study.Trial, b *State, rep *MergeReport) []Record {
	theirs, here, before := b.log(t), ours.Number <= len(s.Trials), len(recs)
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
		for i, r := range slices.Backward(recs[before:]) {
			if r.Kind == KindObserve || r.Kind == KindReplace {
				if here && !sameParams(b.Params(t.Number), s.Params(ours.Number)) {
					recs[before+i].Params = b.Params(t.Number)
				}
				break
			}
		}
	}
	if !here && t.State == study.Abandoned {
		recs = append(recs, Record{Kind: KindAbandon, Trial: ours.Number, Tag: ours.Tag, Note: t.Note})
	}
	if conflict {
		rep.Conflicts = append(rep.Conflicts, fmt.Sprintf("trial %s is %s here and %s there; ours stays", ours.ID(),
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
