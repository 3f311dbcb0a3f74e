package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sort"

	"bohier/internal/study"
)

// Verdict is the verdict on a journal.
type Verdict struct {
	Schema   string        `json:"schema"`
	OK       bool          `json:"ok"`
	Path     string        `json:"journal"`
	Records  int           `json:"records"` // that count
	Trials   int           `json:"trials"`
	Torn     int64         `json:"torn"`     // bytes of an unfinished last line, which the next writer cuts
	Problems []LineProblem `json:"problems"` // none: the journal is whole
	Stranded int           `json:"-"`        // lines after the first problem that hold by themselves; repair can bring them back
	Warnings []string      `json:"-"`
	Newer    error         `json:"-"` // Mismatch: a newer program wrote some of it, so that Repair is not for this one; nil: none
}

// LineProblem is a line that does not count.
type LineProblem struct {
	Line  int    `json:"line"`
	Cause string `json:"cause"`
}

// Verify reads the whole journal without a lock and reports every line that
// does not count. The error is for a journal that cannot be read at all.
func Verify(ctx context.Context, o Options) (*Verdict, error) {
	o = o.defaults()
	var m mark
	if o.Store == nil {
		m = readMarkFile(&o)
	}
	src, end, damage := o.source(ctx)
	if damage != nil && !study.HasCode(damage, study.Damaged) { // a store may know of damage by itself
		return nil, damage
	}
	defer end()
	v, err := salvage(&o, src, m, false, func(*salvaged) error { return nil })
	if err != nil {
		return nil, err
	}
	rep := &v.Verdict
	rep.Schema, rep.Path, rep.Stranded = "bohier/verify/1", o.Path, len(v.old)
	for i := range v.state.Trials {
		if v.state.Trials[i].State != study.Reserved { // a number that was asked for and not used
			rep.Trials++
		}
	}
	rep.Warnings = v.whole.warnings(&o)
	if rep.Newer != nil {
		rep.Newer = damaged(&o, rep.Newer)
	}
	if len(rep.Problems) == 0 {
		w, err := checkHistory(v.state, &o, m)
		rep.Warnings = append(rep.Warnings, w...)
		if err != nil {
			rep.Problems = append(rep.Problems, LineProblem{v.state.Seq, err.Error()})
		}
	}
	if o.Store == nil {
		rep.OK = len(rep.Problems) == 0
		return rep, nil
	}
	if rep.Torn > 0 { // it has whole lines
		rep.Problems = append(rep.Problems, LineProblem{rep.Records + 1, errChecksum.Error()})
		rep.Torn = 0
	}
	if damage != nil {
		rep.Problems = append(rep.Problems, LineProblem{rep.Records + 1, damage.Error()})
	}
	rep.OK = len(rep.Problems) == 0
	d, err := o.Store.Describe(ctx)
	if err == nil && d.Doubt != "" {
		rep.Warnings = append(rep.Warnings, d.Doubt)
	}
	return rep, err
}

// A salvaged journal is every record that still means something.
type salvaged struct {
	Verdict // its records are those before the first problem; Newer is that as it is
	state   *State
	old     []int  // the old numbers of those after it, in order
	lines   []byte // of those, under their new numbers, that are not spilled
	whole   tail   // of those before the first problem
	further int    // problems beyond manyProblems
	rebuilt bool   // the header is new
	// kept are lines after the first problem as they came, by number, predecessor and checksum.
	kept map[[3]int]bool
}

// manyProblems is how many problems are listed one by one.
const manyProblems = 1000

func (v *salvaged) problem(line int, err error) {
	if v.Newer == nil && errors.Is(err, errNewer) {
		v.Newer = fmt.Errorf("line %d: %w", line, err)
	}
	if len(v.Problems) < manyProblems {
		v.Problems = append(v.Problems, LineProblem{line, err.Error()})
		return
	}
	v.further++
	v.Problems = append(v.Problems[:manyProblems],
		LineProblem{v.Problems[manyProblems-1].Line + 1, fmt.Sprintf("and %d more lines", v.further)})
}

// salvage reads a journal beyond damage: lines that hold by themselves and fit the records before them are kept. With
// rebuild a header that does not hold is made anew of o and the mark. spill may take lines away.
func salvage(o *Options, src *source, m mark, rebuild bool, spill func(*salvaged) error) (*salvaged, error) {
	v := &salvaged{Verdict: Verdict{Problems: []LineProblem{}}, state: newState(o), kept: map[[3]int]bool{}}
	v.state.expect(src)
	t, err := scan(src, v.state.fold)
	if src.err != nil {
		return nil, readFailure(o, src.err)
	}
	v.Records, v.whole = v.state.Seq, t
	if err == nil {
		v.Torn = t.size - t.end
		return v, nil
	}
	if t.open {
		v.lines = []byte{'\n'}
	}
	d := newDecoder()
	for n := v.Records + 1; src.at < src.size && src.err == nil; n++ {
		line, closed := src.line()
		var r Record
		var err error
		switch _, ok := Sum(line); {
		case ok:
			err = d.decode(line, &r)
		case len(line) > maxLine:
			err = errTooLong
		case closed:
			err = errChecksum
		default:
			v.Torn = int64(len(line))
			continue
		}
		if err == nil && !v.state.Exists && rebuild && r.Kind != KindHeader {
			err = v.rebuildHeader(o, m)
		}
		if err == nil {
			err = v.adopt(r)
		}
		if err != nil {
			v.problem(n, err)
		}
		if len(v.lines) >= maxLine {
			if err := spill(v); err != nil {
				return nil, notRecorded(o, err)
			}
			v.lines = v.lines[:0]
		}
	}
	if len(v.Problems) == 0 {
		v.problem(v.Records+1, err)
	}
	if src.err != nil {
		return nil, readFailure(o, src.err)
	}
	return v, nil
}

// rebuildHeader makes a header for records that have none.
func (v *salvaged) rebuildHeader(o *Options, m mark) error {
	if o.Study == nil || o.Space == nil {
		return nil
	}
	v.rebuilt = true
	return v.push(Record{Kind: KindHeader, Seq: 1, Bohier: formatOf(o.Study), MinReader: formatOf(o.Study),
		Run: cmp.Or(m.Run, o.nonce(16)), Lock: o.lockKind(), Seed: cmp.Or(o.Seed, new(uint64)),
		Space: o.Space.Fingerprint(), Study: o.Study})
}

// lostTag marks a trial number whose own records are lost. The number is free for the next suggestion, under a new tag.
const lostTag = "lost"

// adopt appends a record from beyond the damage under the next number. Trials that only lost records introduced become
// free numbers, so that the later ones keep theirs.
func (v *salvaged) adopt(r Record) error {
	if r.Kind == KindHeader && v.state.Exists {
		return errors.New("a second header")
	}
	if _, known := rules[r.Kind]; !known {
		// Its place changes, and nobody here can tell its other words about places.
		return fmt.Errorf("a record of kind %s, which a newer bohier wrote: repair with that one keeps it", r.Kind)
	}
	if r.Kind != KindHeader && !v.state.Exists {
		return fmt.Errorf("a %s record before any header", r.Kind)
	}
	last := v.Records
	if n := len(v.old); n > 0 {
		last = v.old[n-1]
	}
	came := [3]int{r.Seq, int(r.Prev), int(r.CRC)}
	if r.Seq > 0 && r.Seq <= v.Records && v.state.sums[r.Seq-1] == r.CRC || v.kept[came] {
		return fmt.Errorf("record %d is here once more", r.Seq)
	}
	if r.Seq <= last {
		// It lost its place, to one that was written at the same time.
		switch next := v.state.NextNumber(); {
		case r.Kind == KindReserve && r.Trial != next:
			return fmt.Errorf("record %d comes after record %d", r.Seq, last)
		case r.Kind == KindAdd:
			r.Trial = next
		}
		r.Seq = last
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
	err := v.push(r)
	v.kept[came] = err == nil
	return err
}

// push folds a record under the next number and keeps it.
func (v *salvaged) push(r Record) error {
	old := r.Seq
	r.Seq, r.Prev = v.state.Seq+1, v.state.pos().Sum
	r.From, r.Queue = v.moved(r.From), v.moved(r.Queue)
	line, err := appendRecord(nil, &r, false)
	if err == nil {
		err = v.state.fold(&r)
	}
	if err == nil {
		v.old, v.lines = append(v.old, old), append(v.lines, line...)
	}
	return err
}

// moved is the new number of the last kept record up to old number seq.
func (v *salvaged) moved(seq int) int {
	if seq <= v.Records {
		return seq
	}
	return v.Records + sort.Search(len(v.old), func(i int) bool { return v.old[i] > seq })
}
