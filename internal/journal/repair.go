package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"bohier/internal/study"
)

// A RepairReport describes a repair.
type RepairReport struct {
	Done    []string      // in words; empty: nothing was wrong
	Dropped []LineProblem // lines that could not be kept
	Saved   string        // where the journal as it was is kept; empty: it was not replaced
}

// Repair makes a journal writable again. An unfinished last line is saved beside it and cut. Repair
// keeps every record of a damaged journal that holds by itself and still makes sense, in a new file
// with a note of the dropped lines; the old file stays as J.damaged-<line>. A journal that lost
// acknowledged records, or was replaced by another copy, is adopted as it is only with accept, and
// the note says so. A journal that a newer program wrote to is left alone: Mismatch.
func Repair(ctx context.Context, o Options, accept bool) (*RepairReport, error) {
	o = o.defaults()
	if o.Store != nil {
		return nil, study.Errorf(study.Usage, ByCopy(o.Path),
			"nothing that is in a database is rewritten: a journal there is repaired by way of a copy")
	}
	o.AnySpace, o.replaces = true, true
	rep := &RepairReport{}
	v, historyErr, err := rep.mend(ctx, &o, accept)
	if err != nil {
		return nil, err
	}
	o.replaces = false
	if v.Torn > 0 && len(v.Problems) == 0 {
		rep.Done = append(rep.Done, fmt.Sprintf("cut %d bytes of an unfinished last line, kept in %s.torn-%d", v.Torn,
			o.Path, v.state.Seq+1))
	}
	s, err := Update(ctx, o, func(s *State) ([]Record, error) {
		if historyErr == nil {
			return nil, nil
		}
		return []Record{{Kind: KindNote, Note: "accepted: " + historyErr.Error()}}, nil
	})
	if err != nil {
		return nil, err
	}
	if historyErr != nil {
		rep.Done = append(rep.Done, fmt.Sprintf("accepted the journal as it is, with %s",
			study.Count(len(s.Trials), "trial")))
	}
	return rep, nil
}

// mend reads the journal under the lock and replaces it if it is damaged. Otherwise it describes
// how the mark contradicts the journal, and with accept removes the contradiction.
func (rep *RepairReport) mend(ctx context.Context, o *Options, accept bool) (v *salvaged, history, err error) {
	l, err := acquire(ctx, o, o.lockKind())
	if err != nil {
		return nil, nil, err
	}
	defer l.release()
	f, err := l.openJournal()
	if err != nil {
		return nil, nil, readFailure(o, err)
	}
	defer f.Close() // nothing is written to it
	m := readMark(l.f)
	src, err := newSource(f, 0)
	if err != nil {
		return nil, nil, readFailure(o, err)
	}
	if v, err = salvage(o, src, m, true, func(v *salvaged) error { return v.spill(l, f) }); err != nil {
		return nil, nil, err
	}
	switch {
	case v.Newer != nil:
		return nil, nil, damaged(o, v.Newer) // records of unknown kinds are not damage
	case len(v.Problems) > 0:
		return v, nil, rep.rebuild(o, l, v, f)
	}
	o.Memory = &Memory{Own: true}
	o.Memory.keep(v.state, openFile{f}, v.whole, false) // a long journal is read once
	_, history = checkHistory(v.state, o, m)
	if history != nil && accept {
		if _, err := l.newGeneration(); err != nil {
			return nil, nil, notRecorded(o, err)
		}
	}
	return v, history, nil
}

// spill writes lines to the draft, which begins with the whole lines of the journal f.
func (v *salvaged) spill(l *lock, f file) error {
	whole := int64(0)
	if l.draft.file == nil {
		whole = v.whole.end
	}
	if err := l.begin(); err != nil {
		return err
	}
	// A writer alone: short writes are errors, and every byte goes through Write.
	_, err := io.Copy(struct{ io.Writer }{l.draft.file}, io.NewSectionReader(f, 0, whole))
	if err == nil {
		err = writeAll(l.draft.file, [][]byte{v.lines})
	}
	return err
}

// rebuild replaces a damaged journal by the salvaged records.
func (rep *RepairReport) rebuild(o *Options, l *lock, v *salvaged, f file) error {
	if !v.state.Exists {
		hint := "Move the file away and begin anew, or restore a backup."
		if o.Study == nil {
			hint = "Name the study file (-c) to make a lost header anew, or restore a backup."
		}
		return study.Errorf(study.Damaged, hint, "nothing in %s can be kept: no line of it is a header", o.Path)
	}
	note := "repaired; dropped"
	if v.rebuilt {
		note = "repaired; the header is new, from the study file; dropped"
		rep.Done = append(rep.Done, "the header was lost: it is new, from the study file")
	}
	for _, p := range v.Problems {
		note += fmt.Sprintf("; line %d: %s", p.Line, p.Cause)
	}
	kept := v.state.Seq
	if err := v.push(Record{Kind: KindNote, Note: study.Clip(note, 4000), At: o.at()}); err != nil {
		return study.Wrap(study.Unexpected, err, "", "a salvaged record cannot be written")
	}
	if err := l.valid(); err != nil {
		return err
	}
	var err error
	saved := fmt.Sprintf("%s.damaged-%d", o.Path, v.Problems[0].Line)
	if saved, err = o.keepAs(saved, func(to string) error { return o.keep(to, f) }); err != nil {
		return notRecorded(o, err)
	}
	if err := v.spill(l, f); err != nil {
		return notRecorded(o, err)
	}
	tmp, err := l.finish(nil, 0)
	if err != nil {
		return notRecorded(o, err)
	}
	if err := l.valid(); err != nil {
		return errors.Join(err, o.fs.Remove(tmp))
	}
	// The new file may have fewer records than were acknowledged, and contradict marks.
	generation, err := l.newGeneration()
	if err != nil {
		return errors.Join(notRecorded(o, err), o.fs.Remove(tmp))
	}
	failpoint("before-replace")
	if err := o.fs.Rename(tmp, o.Path); err != nil {
		_ = o.fs.Remove(tmp) // best effort: the first error counts
		return notRecorded(o, err)
	}
	failpoint("after-replace")
	err = o.fs.SyncDir(filepath.Dir(o.Path))
	if err == nil {
		err = l.confirm()
	}
	if err != nil {
		return perhapsRecorded(o, err)
	}
	_ = writeMark(l.f, v.state.markOf(v.state.Seq, generation)) // no mark is as good, until the next record
	rep.Saved, rep.Dropped = saved, v.Problems
	rep.Done = append(rep.Done, fmt.Sprintf("kept %s and dropped %s; the journal as it was is in %s",
		study.Count(kept, "record"), study.Count(len(v.Problems), "line"), saved))
	return nil
}
