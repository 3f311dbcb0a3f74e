package journal

import "bohier/internal/study"

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

// remarks are the records of what was noted on a trial of another journal, and not here.
func remarks(ours, theirs *study.Trial) (recs []Record) {
	for _, r := range append([]study.Remark{{At: theirs.ObservedAt, Text: theirs.Note}}, theirs.Remarks...) {
		if r.Text != "" && !ours.Says(r.Text) {
			recs = append(recs, remarkRecord(ours, r))
		}
	}
	return recs
}

// Annotate adds a note and metrics to a trial in any state, beside what it has. Metrics that
// it has with another value are replaced.
func (s *State) Annotate(id, text string, metrics study.Metrics) ([]Record, *study.Trial, error) {
	t, err := s.Trial(id)
	if err != nil {
		return nil, nil, err
	}
	if err := metrics.Check(); err != nil {
		return nil, nil, err
	}
	if err := checkNote(text); err != nil {
		return nil, nil, err
	}
	if t.State == study.Reserved {
		return nil, nil, study.Errorf(study.Conflict, "Run the command again.", "trial %s has no configuration yet", t.ID())
	}
	more := study.Metrics{}
	for name, v := range metrics {
		if was, known := t.Metrics[name]; !known || was != v {
			more[name] = v
		}
	}
	recs := append(extras(t.Number, t.Tag, study.Observation{Metrics: more}), remark(t, text)...)
	return recs, s.after(t, recs...), nil
}

// checkNote refuses a note beyond its bound.
func checkNote(text string) error {
	if len(text) > study.MaxNote {
		return study.Errorf(study.Usage, "keep longer texts in a file of the experiment's own",
			"the note has %d bytes, more than %d", len(text), study.MaxNote)
	}
	return nil
}
