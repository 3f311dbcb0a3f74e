package journal

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sort"
)

// A Problem is a line that does not count, and why.
type Problem struct {
	Line  int
	Cause string
}

// A Report is what Verify found.
type Report struct {
	Path     string
	Run      string
	Lock     string
	Records  int // that count
	Trials   int
	Problems []Problem // none: the journal is whole
	Stranded int       // lines after the first problem that hold by themselves; repair can bring them back
	Torn     int64     // bytes of an unfinished last line, which the next writer cuts
	Warnings []string
}

// Verify reads the whole journal without a lock and reports every line that
// does not count. The error is for a journal that cannot be read at all.
func Verify(ctx context.Context, o Options) (*Report, error) {
	o = o.defaults()
	m, marked := readMarkFile(&o)
	data, err := readFile(o.fs, o.Path)
	if err != nil {
		return nil, readFailure(&o, err)
	}
	rep := &Report{Path: o.Path}
	v := salvage(&o, data)
	rep.Run, rep.Lock, rep.Records, rep.Trials = v.state.Header.Run, v.state.Header.Lock, v.whole, len(v.state.Trials)
	rep.Problems, rep.Stranded, rep.Torn = v.problems, len(v.recs)-v.whole, v.torn
	rep.Warnings = tail{warned: v.warned}.warnings(&o)
	if len(v.problems) == 0 {
		w, err := v.state.checkHistory(&o, m, marked)
		rep.Warnings = append(rep.Warnings, w...)
		if err != nil {
			rep.Problems = append(rep.Problems, Problem{v.state.Seq, err.Error()})
		}
	}
	return rep, nil
}

// A salvaged journal is every record that still means something.
type salvaged struct {
	state    *State
	recs     []Record // in order, with their old numbers
	whole    int      // records before the first problem
	end      int64    // bytes they take
	problems []Problem
	torn     int64
	warned   bool
}

// salvage reads data beyond damage: lines that hold by themselves and fit the
// records before them are kept.
func salvage(o *Options, data []byte) *salvaged {
	v := &salvaged{state: newState(o)}
	t, err := scan(data, func(r *Record) error {
		if err := v.state.fold(r); err != nil {
			return err
		}
		v.recs = append(v.recs, *r)
		return nil
	})
	v.whole, v.end, v.warned = len(v.recs), t.end, t.warned
	if err == nil {
		v.torn = t.size - t.end
		return v
	}
	d := newDecoder()
	n := v.whole
	for off := int(t.end); off < len(data); {
		if n == 0 && off == 0 && t.warned {
			off = len(byteOrder)
		}
		line, next, closed := cutLine(data, off)
		off = next
		n++
		var r Record
		_, ok := checksum(line)
		switch {
		case !ok && !closed:
			v.torn = int64(len(line))
			continue
		case !ok:
			v.problems = append(v.problems, Problem{n, errChecksum.Error()})
			continue
		}
		err := d.decode(line, &r)
		if err == nil {
			err = v.adopt(r)
		}
		if err != nil {
			v.problems = append(v.problems, Problem{n, err.Error()})
		}
	}
	if len(v.problems) == 0 {
		v.problems = append(v.problems, Problem{v.whole + 1, err.Error()})
	}
	return v
}

// lostTag marks a trial number whose own records are lost. The number is free
// for the next suggestion, under a new tag.
const lostTag = "lost"

// adopt appends a record from beyond the damage under the next number. Trials
// that only lost records introduced become free numbers, so that the later ones
// keep theirs.
func (v *salvaged) adopt(r Record) error {
	if r.Kind == KindHeader && v.state.Exists {
		return errors.New("a second header")
	}
	if r.Kind != KindHeader && !v.state.Exists {
		return fmt.Errorf("a %s record before any header", r.Kind)
	}
	last := 0
	if n := len(v.recs); n > 0 {
		last = v.recs[n-1].Seq
	}
	if r.Seq <= last {
		return fmt.Errorf("record %d comes after record %d", r.Seq, last)
	}
	if r.Kind == KindReserve || r.Kind == KindSuggest || r.Kind == KindAdd {
		// A lost record introduces one trial at most.
		if next := v.state.NextNumber(); r.Trial-next < r.Seq-last {
			for n := next; n < r.Trial; n++ {
				if err := v.push(Record{Kind: KindReserve, Seq: last, Trial: n, Tag: lostTag}); err != nil {
					return err
				}
			}
		}
	}
	if n := r.Trial; r.Kind == KindSuggest && n <= len(v.state.Trials) && n > 0 && v.state.Trials[n-1].Tag == lostTag {
		if err := v.push(Record{Kind: KindReserve, Seq: last, Trial: n, Tag: r.Tag}); err != nil {
			return err
		}
	}
	return v.push(r)
}

// push folds a record under the next number and keeps it.
func (v *salvaged) push(r Record) error {
	renumbered := r
	renumbered.Seq, renumbered.Prev = v.state.Seq+1, 0
	if v.state.Seq > 0 {
		renumbered.Prev = v.state.sums[v.state.Seq-1]
	}
	renumbered.From, renumbered.Queue = v.moved(r.From), v.moved(r.Queue)
	if _, err := appendRecord(nil, &renumbered); err != nil {
		return err
	}
	if err := v.state.fold(&renumbered); err != nil {
		return err
	}
	v.recs = append(v.recs, r)
	return nil
}

// moved is the new number of the last kept record up to old number seq.
func (v *salvaged) moved(seq int) int {
	return sort.Search(len(v.recs), func(i int) bool { return v.recs[i].Seq > seq })
}

// beside is a file name next to the journal.
func (o *Options) beside(suffix string) string {
	return filepath.Join(filepath.Dir(o.Path), filepath.Base(o.Path)+suffix)
}
