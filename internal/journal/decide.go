package journal

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"bohier/internal/study"
)

// on decides about the trial with an id, and returns it as it is.
func (s *State) on(id string, decide func(t *study.Trial) ([]Record, error)) ([]Record, *study.Trial, error) {
	t, err := s.Trial(id)
	if err != nil {
		return nil, nil, err
	}
	recs, err := decide(t)
	return recs, t, err
}

// Abandon frees a pending trial. An abandoned one stays so without a record.
func (s *State) Abandon(id, note string) ([]Record, *study.Trial, error) {
	return s.on(id, func(t *study.Trial) ([]Record, error) {
		leg := t.Course.Leg()
		switch err := checkNote(note); {
		case err != nil:
			return nil, err
		case t.State == study.Abandoned:
			return remark(t, note), nil
		case t.State == study.Paused && leg > 1 && t.Course.Last().Reached == 0:
			return nil, nil // the leg is free already
		case t.State != study.Pending:
			return nil, study.Errorf(study.Conflict, "Only a pending trial can be abandoned.", "trial %s is %s", t.ID(),
				t.State)
		}
		r := Record{Kind: KindAbandon, Trial: t.Number, Tag: t.Tag, Note: note}
		if leg > 1 {
			r.Leg = leg
		}
		return []Record{r}, nil
	})
}

// Release takes back suggestions that could not be delivered, and reservations for which there was nothing to suggest:
// their numbers are free for the next asker, or for the one with the key. One that had been taken waits again, as it
// was. Trials that got further are left alone.
func (s *State) Release(trials []study.Trial, why string) []Record {
	var recs []Record
	for i := range trials {
		now := s.Current(&trials[i])
		switch {
		case now == nil:
		case now.State == study.Pending && now.Course.Leg() != trials[i].Course.Leg():
		case now.State == study.Pending && now.Course.Leg() > 1 && !now.Course.Last().Ended && now.Course.Last().Reached == 0:
			recs = append(recs, Record{Kind: KindRelease, Trial: now.Number, Tag: now.Tag, Leg: now.Course.Leg(), Note: why})
		case now.State == study.Pending && now.Returns > 0:
			recs = append(recs, s.Return(trials[i:i+1], why)...)
		case now.State == study.Pending || now.State == study.Reserved && !now.Released:
			recs = append(recs, Record{Kind: KindRelease, Trial: now.Number, Tag: now.Tag, Note: why})
		}
	}
	return recs
}

// Enqueue puts a configuration, perhaps partial, at the end of the queue. The
// same key with the same configuration is there already.
func (s *State) Enqueue(params json.RawMessage, key string) ([]Record, error) {
	if old, known := s.enqueued[key]; known {
		if sameParams(old, params) {
			return nil, nil
		}
		return nil, study.Errorf(study.Conflict, "Use another key.", "key %q enqueued %s before, now %s", key, old, params)
	}
	return []Record{{Kind: KindEnqueue, Params: params, Key: key}}, nil
}

// Add decides on new trials for configurations measured elsewhere. The trials
// are in the order of the additions; one whose key is known, or whose id is that of
// a trial here, is not added again, and is a conflict if it says something else, unless the trial was corrected.
// A row of a table is also known if an earlier row has its configuration and outcome in the study of today.
func (s *State) Add(additions []study.Addition) ([]Record, []study.Trial, error) {
	recs, trials := make([]Record, 0, 2*len(additions)), make([]study.Trial, 0, len(additions))
	next, rows := s.NextNumber(), sync.OnceValue(s.rows)
	for i := range additions {
		a := &additions[i]
		r, err := checked(a.Report)
		if err != nil {
			return nil, nil, err
		}
		r.Kind, r.Params, r.Key, r.Source, r.Resource = KindAdd, a.Params, a.Key, "added", a.At
		for _, p := range a.Points {
			r.Curve = append(r.Curve, [2]float64{p.Resource, p.Values.Of(s.objective)})
		}
		if r.State == study.Complete && a.Partial {
			r.State = study.Stopped
		}
		t, what, hint := s.ByKey(a.Key), fmt.Sprintf("key %q is trial %%s", a.Key), "Use another key."
		if t == nil {
			t, what, hint = own(s, a.ID), "%s is a trial of this journal", "Observe it, or leave its id out to add it once more."
		}
		if t == nil && a.Said {
			t = s.row(rows()[rowOf(a.Params, r.observation())], a.Key, &r)
		}
		if t != nil {
			if !a.Said && !s.same(t, &r, a.Observation) {
				return nil, nil, study.Errorf(study.Conflict, hint, "%s, which is %s; now: %s", fmt.Sprintf(what, t.ID()),
					describe(t.State, t.Failure, t.Observation), describe(r.State, r.Failure, recorded(a.Observation, &r)))
			}
			recs = append(recs, missing(t, a.Observation)...)
			after := *t
			if recs, err = replicates(recs, a, &after); err != nil {
				return nil, nil, err
			}
			trials = append(trials, after)
			continue
		}
		r.Trial, r.Tag = next, s.tag()
		next++
		recs = append(append(recs, r), extras(r.Trial, r.Tag, a.Observation)...)
		t = &study.Trial{Number: r.Trial, Tag: r.Tag, Key: r.Key, State: r.State, Failure: r.Failure, Note: r.said(),
			Source: r.Source, Observation: recorded(a.Observation, &r)}
		if recs, err = replicates(recs, a, t); err != nil {
			return nil, nil, err
		}
		trials = append(trials, *t)
	}
	return recs, trials, nil
}

// rows returns the trials from tables that a migration or a correction has changed since, by their configuration in the
// study of today and by each outcome that they have had.
func (s *State) rows() map[string][]*study.Trial {
	out := map[string][]*study.Trial{}
	for i := range s.Trials {
		t, n := &s.Trials[i], &s.notes[i]
		changed := int(n.epoch) < len(s.fills) || n.more.log != nil
		if !changed || !strings.HasPrefix(t.Key, "add:") || t.Config.Active == nil {
			continue
		}
		params := s.space.AppendJSON(nil, t.Config)
		said := map[string]bool{rowOf(params, t.Observation): true}
		for _, m := range s.log(t) {
			said[rowOf(params, m.Observation)] = true
		}
		for text := range said {
			out[text] = append(out[text], t)
		}
	}
	return out
}

// rowOf writes a configuration and its values as a text, to find them by.
func rowOf(params []byte, o study.Observation) string { return string(params) + fmt.Sprint(o.Values) }

// row returns the trial that has the outcome of r, now or before a correction; nil: there is none. Several may have it:
// the number at the end of the row's key, such as 2 in #2, picks one.
func (s *State) row(trials []*study.Trial, key string, r *Record) *study.Trial {
	_, turn, _ := strings.Cut(key, "#")
	left, _ := strconv.Atoi(turn)
	m := measurement{Report: study.Report{Observation: r.observation(), Failure: r.Failure}}
	for _, t := range trials {
		said := slices.ContainsFunc(s.log(t), func(was measurement) bool { return was.alike(&m) })
		part := t.State == study.Stopped && r.State == t.State && t.Course.Find(r.Resource) != nil
		if said || part && sameObservation(t.Observation, m.Observation) {
			if left--; left == 0 {
				return t
			}
		}
	}
	return nil
}

// replicates adds the further measurements that a trial has not got yet: all of them or, after a crash, the last ones.
func replicates(recs []Record, a *study.Addition, t *study.Trial) ([]Record, error) {
	if t.State != study.Complete {
		return recs, nil
	}
	for k := len(t.Replicates); k < len(a.Replicates); k++ {
		o := a.Replicates[k]
		r, err := checked(study.Report{Observation: o})
		if err != nil {
			return nil, err
		}
		if r.State != study.Complete {
			return nil, study.Errorf(study.Usage, "", "a further measurement needs finite values")
		}
		r.Kind, r.Trial, r.Tag = KindReplicate, t.Number, t.Tag
		recs = append(append(recs, r), extras(t.Number, t.Tag, o)...)
		t.Replicates = append(t.Replicates[:k:k], recorded(o, &r))
	}
	return recs, nil
}

// remark is the record of a further note on a trial; none for a note that is there already.
func remark(t *study.Trial, text string) []Record {
	if text == "" || t.Says(text) {
		return nil
	}
	return []Record{remarkRecord(t, study.Remark{Text: text})}
}

func remarkRecord(t *study.Trial, r study.Remark) Record {
	return Record{Kind: KindRemark, Optional: true, Trial: t.Number, Tag: t.Tag, At: r.At, Note: r.Text}
}

// Annotate adds a note and metrics to a trial in any state, beside its earlier ones. Metrics that it has with another
// value are replaced.
func (s *State) Annotate(id, text string, metrics study.Metrics) ([]Record, *study.Trial, error) {
	return s.on(id, func(t *study.Trial) ([]Record, error) {
		if err := cmp.Or(study.CheckMetrics(metrics), checkNote(text)); err != nil {
			return nil, err
		}
		if t.State == study.Reserved {
			return nil, study.Errorf(study.Conflict, "Run the command again.", "trial %s has no configuration yet", t.ID())
		}
		var more study.Metrics
		for name, v := range metrics.All() {
			if was, known := t.Metrics.Get(name); !known || was != v {
				more.Set(name, v)
			}
		}
		return append(extras(t.Number, t.Tag, study.Observation{Metrics: more}), remark(t, text)...), nil
	})
}

// checkNote refuses a note beyond its bound.
func checkNote(text string) error {
	if len(text) > study.MaxNote {
		return study.Errorf(study.Usage, "keep longer texts in a file of the experiment's own",
			"the note has %d bytes, more than %d", len(text), study.MaxNote)
	}
	return nil
}
