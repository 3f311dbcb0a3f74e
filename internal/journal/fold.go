package journal

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"bohier/internal/study"
)

// fold brings one more record into the state. The record is not kept; an error
// means it contradicts the records before it.
func (s *State) fold(r *Record) error {
	s.own()
	if !s.bare || r.Kind == KindHeader || r.Kind == KindMigrate || r.Kind == KindNote {
		if err := (folding{s}).foldKind(r); err != nil {
			return err
		}
	}
	s.noteOf(r.Trial).changed = true
	if r.Kind != KindReserve && r.Kind != KindSuggest && r.Kind != KindPlan {
		s.evidence = Pos{r.Seq, r.CRC}
	}
	s.Seq = r.Seq
	s.sums = append(s.sums, r.CRC)
	if each := s.options.each; each != nil {
		return each(s, r)
	}
	return nil
}

// Folding changes the trials, keys and settings of a state as a record says.
type folding struct{ *State }

func (s folding) foldKind(r *Record) error {
	switch r.Kind {
	case KindHeader:
		return s.foldHeader(r)
	case KindReserve:
		t, err := s.slot(r)
		if err != nil {
			return err
		}
		t.Tag, t.Worker, t.Flags, t.Released = r.Tag, r.Worker, r.Flags, false
		begin(t, r)
		return s.setKey(t, r.Key)
	case KindSuggest:
		return s.foldSuggest(r)
	case KindAdd:
		if r.Trial != s.NextNumber() {
			return fmt.Errorf("trial %d added where %d comes next", r.Trial, s.NextNumber())
		}
		t := s.grow()
		t.Tag, t.Source, t.Suggested = r.Tag, r.Source, r.At
		s.setParams(r.Trial, r.Params)
		if r.Start > 0 { // it has a curve in another journal
			t.Course = &study.Course{Start: r.Start}
		}
		if err := s.setKey(t, r.Key); err != nil {
			return err
		}
		return s.setOutcome(t, r)
	case KindPlan:
		if _, err := s.named(r); err != nil {
			return err
		}
		s.noteOf(r.Trial).set(func(p *particulars) {
			if r.Plan != nil {
				p.plan = slices.Clone(r.Plan)
			}
			if r.Model != nil {
				s.lastFit = slices.Clone(r.Model)
				p.fit, p.fitted = s.lastFit, r.Seq
			}
		})
	case KindObserve, KindReplace, KindReplicate, KindPartial, KindMeasure, KindRemark, KindAbandon, KindRelease,
		KindReturn, KindTake, KindReport, KindPromote:
		return s.foldOutcome(r)
	case KindEnqueue:
		if r.Key != "" {
			s.enqueued[r.Key] = slices.Clone(r.Params)
		}
		s.Queue = append(s.Queue, Enqueued{Seq: r.Seq, Key: r.Key, Params: slices.Clone(r.Params), Start: r.Start})
	case KindMigrate:
		s.Space = r.Space
		s.adopt(r.Study)
		s.fills = append(s.fills, slices.Clone(r.Fill))
		s.unparse()
	case KindNote:
		if r.Study != nil {
			s.adopt(r.Study)
		}
		if r.Seed != nil {
			s.Seed = *r.Seed
		}
	}
	return nil // unknown kinds get here only when they are optional
}

func (s folding) foldHeader(r *Record) error {
	if r.MinReader > Version {
		return fmt.Errorf("the journal needs a reader of format %d, this program reads format %d: %w", r.MinReader, Version,
			errNewer)
	}
	if r.Lock != LockPosix && r.Lock != LockLease {
		return fmt.Errorf("lock kind %q: %w", r.Lock, errNewer)
	}
	s.Exists = true
	s.Run, s.Lock, s.Seed, s.Space = r.Run, r.Lock, *r.Seed, r.Space
	s.adopt(r.Study)
	return nil
}

// slot is the reserved trial a record names, or a new one when it names the next number.
func (s folding) slot(r *Record) (*study.Trial, error) {
	switch t := s.Number(r.Trial); {
	case r.Trial == s.NextNumber():
		return s.grow(), nil
	case t == nil:
		return nil, fmt.Errorf("%s of trial %d where %d comes next", r.Kind, r.Trial, s.NextNumber())
	case t.State != study.Reserved:
		return nil, fmt.Errorf("%s of trial %d, which is %s", r.Kind, r.Trial, t.State)
	default:
		return t, nil
	}
}

func (s folding) grow() *study.Trial {
	if len(s.Trials) == cap(s.Trials) && s.coming > 0 {
		keys := make(map[string]keyUse, len(s.keys)+s.coming)
		maps.Copy(keys, s.keys)
		s.Trials, s.notes, s.keys, s.coming = slices.Grow(s.Trials, s.coming), slices.Grow(s.notes, s.coming), keys, 0
	}
	s.Trials = append(s.Trials, study.Trial{Number: s.NextNumber(), State: study.Reserved})
	s.notes = append(s.notes, blank())
	return &s.Trials[len(s.Trials)-1]
}

func (s folding) setKey(t *study.Trial, key string) error {
	if key == "" || key == t.Key {
		return nil
	}
	if k := s.keys[key]; k.number > 0 && !k.lent {
		return fmt.Errorf("key %q of trial %d is given again to trial %d", key, k.number, t.Number)
	}
	t.Key = key
	s.keys[key] = keyUse{number: t.Number}
	return nil
}

func (s folding) foldSuggest(r *Record) error {
	isNew := r.Trial == s.NextNumber()
	t, err := s.slot(r)
	if err != nil {
		return err
	}
	switch {
	case isNew:
		t.Tag, t.Worker, t.Flags = r.Tag, r.Worker, r.Flags
	case t.Tag != r.Tag:
		return fmt.Errorf("suggest of trial %d-%s, which is %s", r.Trial, r.Tag, t.ID())
	}
	if err := s.setKey(t, r.Key); err != nil {
		return err
	}
	if r.From >= r.Seq {
		return fmt.Errorf("suggestion from record %d, which comes later", r.From)
	}
	if r.Queue > 0 {
		i := slices.IndexFunc(s.Queue, func(q Enqueued) bool { return q.Seq == r.Queue })
		if i < 0 {
			return fmt.Errorf("suggestion for record %d, which is not in the queue", r.Queue)
		}
		served := s.Queue[i]
		s.noteOf(r.Trial).set(func(p *particulars) { p.served = &served })
		s.Queue = slices.Delete(s.Queue, i, i+1)
	}
	t.State, t.Released, t.Source, t.From, t.Cut, t.Spare, t.Suggested = study.Pending, false, r.Source, r.From, r.Cut,
		r.Spare, r.At
	t.Waiting = t.Worker == Nobody
	begin(t, r)
	s.setParams(r.Trial, r.Params)
	s.noteOf(r.Trial).study = int32(len(s.studies))
	return nil
}

// takes says in which states a trial takes a record.
var takes = map[Kind][]study.State{
	KindObserve:   {study.Pending, study.Abandoned, study.Paused}, // paused: that it failed
	KindReplace:   {study.Pending, study.Complete, study.Failed, study.Abandoned, study.Paused, study.Stopped},
	KindReplicate: {study.Complete},
	KindPartial:   {study.Pending, study.Complete, study.Abandoned},
	KindMeasure:   {study.Complete, study.Failed, study.Pending, study.Paused, study.Stopped, study.Abandoned},
	KindRemark:    {study.Complete, study.Failed, study.Pending, study.Paused, study.Stopped, study.Abandoned},
	KindReport:    {study.Pending, study.Paused, study.Stopped, study.Abandoned, study.Complete, study.Failed},
	KindPromote:   {study.Paused},
	KindAbandon:   {study.Pending},
	KindRelease:   {study.Pending, study.Reserved},
	KindReturn:    {study.Pending},
	KindTake:      {study.Pending},
}

// named is the trial that a record is about.
func (s folding) named(r *Record) (*study.Trial, error) {
	switch t := s.Number(r.Trial); {
	case t == nil:
		return nil, fmt.Errorf("%s of trial %d, which does not exist", r.Kind, r.Trial)
	case t.Tag != r.Tag:
		return nil, fmt.Errorf("%s of trial %d-%s, which is %s", r.Kind, r.Trial, r.Tag, t.ID())
	default:
		return t, nil
	}
}

func (s folding) foldOutcome(r *Record) error {
	t, err := s.named(r)
	if err != nil {
		return err
	}
	moved := s.noteOf(r.Trial).more.was
	if t.State != study.Paused && t.State != study.Complete {
		moved = "" // it has gone on since
	}
	if !slices.Contains(takes[r.Kind], t.State) && !slices.Contains(takes[r.Kind], moved) {
		return fmt.Errorf("%s of trial %d, which is %s", r.Kind, r.Trial, t.State)
	}
	if r.Params != nil {
		s.setActual(r)
	}
	switch r.Kind {
	case KindObserve, KindReplace:
		if s.fidelity != nil && s.foldPart(t, r) {
			return nil
		}
		s.remember(t, r)
		return s.setOutcome(t, r)
	case KindReport:
		f := s.fidelity
		if f == nil {
			return fmt.Errorf("report of trial %d in a study without a fidelity", r.Trial)
		}
		if !(r.Resource > 0) || r.Resource > f.High() {
			return fmt.Errorf("report of trial %d at %v", r.Trial, r.Resource)
		}
		s.applyReport(t, r, s.Seq+1)
		t.ObservedAt = r.At
	case KindPromote:
		return s.foldPromote(t, r)
	case KindReplicate:
		s.remember(t, r)
		t.Replicates = append(t.Replicates, r.observation())
		t.Remark(r.At, r.Note)
		if r.Key != "" {
			s.replicated[r.Key] = replicated{trial: t.Number, at: len(t.Replicates), Observation: r.observation()}
		}
	case KindPartial:
		return s.foldPartial(t, r)
	case KindRemark:
		t.Remark(r.At, r.Note)
	case KindMeasure:
		s.measure(t, r)
	case KindAbandon:
		t.State, t.Note, t.Waiting = study.Abandoned, r.Note, false
		if leg := t.Course.Leg(); leg > 0 {
			c := s.ownCourse(t)
			if c.Last().Ended, c.Verdict = true, study.VerdictStop; leg > 1 {
				t.State, c.Verdict = study.Paused, study.VerdictPause
			}
		}
	case KindReturn:
		s.straight(t)
		t.Waiting = true
		t.Returns++
		if r.Note == lostNote {
			t.Lost++
		}
	case KindTake:
		t.Waiting, t.Worker = false, r.Worker
		s.lend(r.Key, t)
	case KindRelease:
		s.release(t)
	}
	return nil
}

// release undoes a suggestion, or a promotion, that was never delivered.
func (s folding) release(t *study.Trial) {
	if s.takeBack(t) {
		return
	}
	if q := s.noteOf(t.Number).more.served; q != nil {
		at, _ := slices.BinarySearchFunc(s.Queue, q.Seq, func(e Enqueued, seq int) int { return e.Seq - seq })
		s.Queue = slices.Insert(s.Queue, at, *q)
	}
	*s.noteOf(t.Number) = blank()
	if t.Key != "" && t.State == study.Pending { // keeps its place for its key
		*t = study.Trial{Number: t.Number, Tag: t.Tag, Key: t.Key, Worker: t.Worker, Flags: t.Flags, State: study.Reserved}
	} else {
		delete(s.keys, t.Key)
		*t = study.Trial{Number: t.Number, Tag: t.Tag, State: study.Reserved, Released: true}
	}
}

// measure gives the newest measurement of a trial the metrics that were measured with it.
func (s folding) measure(t *study.Trial, r *Record) {
	o, n := &t.Observation, len(t.Replicates)
	point := n == 0 && s.fidelity != nil && t.Course != nil && len(t.Course.Points) > 0
	switch {
	case point:
		o = &s.ownCourse(t).Newest().Observation
	case n > 0:
		t.Replicates = slices.Clone(t.Replicates)
		o = &t.Replicates[n-1]
	}
	o.Metrics, o.Duration = o.Metrics.With(r.Metrics), cmp.Or(r.Seconds, o.Duration)
	if log := s.noteOf(t.Number).more.log; point {
		t.Observation = s.fidelity.Latest(t.Course)
	} else if len(log) > 0 {
		log[len(log)-1].Observation = *o
	}
}

// foldPartial gives a trial values that it lacks.
func (s folding) foldPartial(t *study.Trial, r *Record) error {
	for name := range r.Values.All() {
		if _, known := t.Values.Get(name); known {
			return fmt.Errorf("trial %d has a value of %s already", r.Trial, name)
		}
	}
	whole := *r
	if _, err := supplement(t, &whole); err != nil {
		return err
	}
	metrics, duration := t.Metrics, t.Duration
	t.Observation = whole.observation()
	t.Metrics, t.Duration = metrics, duration
	t.Remark(r.At, r.Note)
	if log := s.noteOf(r.Trial).more.log; len(log) > 0 {
		log[log.current()].Observation = t.Observation
	}
	return nil
}

// setActual gives a trial the configuration that was really run.
func (s folding) setActual(r *Record) {
	n := s.noteOf(r.Trial)
	n.set(func(p *particulars) {
		if p.proposed == nil {
			p.proposed = n.params
		}
	})
	s.setParams(r.Trial, r.Params)
}

// setOutcome gives t the result a record carries.
func (s folding) setOutcome(t *study.Trial, r *Record) error {
	legal := false
	switch r.State {
	case study.Complete:
		legal = len(r.Values) > 0
	case study.Failed:
		legal = r.Failure == study.Infeasible || r.Failure == study.Transient
	case study.Pending:
		legal = r.Kind == KindAdd
	case study.Stopped:
		legal = r.Kind == KindAdd && len(r.Values) > 0
	}
	if !legal {
		return fmt.Errorf("trial %d is observed to be %q, with %s and the failure %q",
			r.Trial, r.State, study.Count(len(r.Values), "value"), r.Failure)
	}
	said := "" // why it was given up
	if t.State == study.Abandoned {
		said = t.Note
	}
	t.State, t.Failure, t.Note, t.ObservedAt, t.Waiting = r.State, r.Failure, r.said(), r.At, false
	t.Remark(r.At, said)
	t.Observation = r.observation()
	s.straightPoint(t, r)
	if r.Kind == KindReplace {
		t.Replicates = nil
	}
	return nil
}
