package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"bohier/internal/study"
)

// memJournal is the bytes of a small journal of every kind of record, and the
// summary of each of its prefixes by number of records.
func memJournal(t testing.TB) (data []byte, prefixes []string) {
	m := newMemFS()
	o := memOptions(m, 9)
	steps := []step{{"enqueue", 1}, {"ask", 1}, {"ask", 2}, {"tell", 1}, {"abandon", 2}, {"batch", 1}, {"ask", 3},
		{"tell", 3}}
	if _, _, err := play(o, steps); err != nil {
		t.Fatal(err)
	}
	update(t, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Observe("1", by(value(5), study.Replace))
		return recs, err
	})
	update(t, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Observe("3", by(value(6), study.Replicate))
		return recs, err
	})
	update(t, o, func(s *State) ([]Record, error) {
		recs, _, err := s.Observe("3", by(measuring(7, study.NamedOf(map[string]any{"acc": 0.5, "host": "a"}), 2.5), study.Replicate))
		return recs, err
	})
	data = bytes.Clone(m.bytes(o.Path))
	n := bytes.Count(data, []byte{'\n'})
	prefixes = append(prefixes, summary(newState(&o)))
	for i := 1; i <= n; i++ {
		s, err := ReadUpTo(ctx, o, i)
		must(t, err)
		prefixes = append(prefixes, summary(s))
	}
	return data, prefixes
}

// of is a file system that holds only a journal.
func of(data []byte) (*memFS, Options) {
	m := newMemFS()
	o := memOptions(m, 5)
	n := &inode{data: data, disk: data, lock: map[int64]*memFile{}}
	m.names[o.Path], m.kept[o.Path] = n, n
	return m, o
}

// A journal cut at any byte, with anything a crash may leave after the cut,
// reads as the records before it, takes a new one, and reads again.
func TestTruncateEverywhere(t *testing.T) {
	t.Parallel()
	data, prefixes := memJournal(t)
	r := newRand(1)
	cases, disk, bad := 0, 0, 0
	dir := t.TempDir()
	rounds := soak(1, 14)
	for cut := range len(data) + 1 {
		head := data[:cut]
		whole := bytes.Count(head, []byte{'\n'})
		if whole < len(prefixes)-1 && cut > 0 {
			// A line that lacks only its newline counts.
			rest := data[cut:]
			if rest[0] == '\n' {
				whole++
			}
		}
		after := fills(r, data, cut, rounds)
		if soak(1, 0) == 1 { // one of them in turn
			after = after[cut%len(after):][:1]
		}
		for _, fill := range after {
			content := append(bytes.Clone(head), fill...)
			_, o := of(content)
			err := tornCase(o, content, prefixes, whole)
			cases++
			if err == nil && len(fill) <= 600 && (cases+cut)%soak(25, 12) == 0 {
				disk++
				err = tornOnDisk(dir, content, prefixes, whole)
			}
			if err != nil {
				bad++
				t.Errorf("cut at %d, fill %.40q: %v", cut, fill, err)
				if bad > 5 {
					t.FailNow()
				}
			}
		}
	}
	figure(t, "truncations in memory", cases, soak(2200, 130000))
	figure(t, "truncations on disk", disk, soak(50, 10000))
}

// tornOnDisk is tornCase on the operating system's file system.
func tornOnDisk(dir string, content []byte, prefixes []string, whole int) error {
	o := options0
	o.Path, o.Space, o.clock = filepath.Join(dir, "s.jsonl"), line{"one"}, &fakeClock{}
	if err := os.WriteFile(o.Path, content, 0o666); err != nil {
		return err
	}
	err := tornCase(o, content, prefixes, whole)
	left, _ := filepath.Glob(o.Path + "*")
	for _, name := range left {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	return err
}

// fills are what may stand after a cut: nothing, blocks of NULs, the head of a
// later line, random bytes without a newline.
func fills(r *rand.Rand, data []byte, cut, rounds int) [][]byte {
	out := [][]byte{nil}
	for range rounds {
		out = append(out, make([]byte, 1+r.IntN(600)))
		nl := bytes.IndexByte(data[cut:], '\n')
		if nl >= 0 && cut+nl+1 < len(data) {
			from := cut + nl + 1
			line := data[from : from+bytes.IndexByte(data[from:], '\n')]
			out = append(out, bytes.Clone(line[:r.IntN(len(line))]))
		}
		b := make([]byte, 1+r.IntN(100))
		for i := range b {
			if b[i] = byte(r.Uint32()); b[i] == '\n' {
				b[i] = 0
			}
		}
		if cut < len(data) && b[0] == data[cut] {
			b[0]++ // chance must not complete the line
		}
		out = append(out, b)
		// What is left of a write whose first block never arrived.
		if len(data)-cut > 1 {
			tail := data[cut : cut+1+max(bytes.IndexByte(data[cut:], '\n'), 0)]
			hole := bytes.Clone(tail)
			clear(hole[:1+r.IntN(len(hole))])
			out = append(out, hole)
		}
	}
	return out
}

// tornCase reads, appends and reads again the journal of o, which is content.
func tornCase(o Options, content []byte, prefixes []string, whole int) error {
	if whole == 0 && len(bytes.Trim(content, "\x00")) > 0 {
		// A header is on disk before it has the name: this is something else.
		if _, _, err := Read(ctx, o); code(err) != study.Damaged {
			return fmt.Errorf("reading what is no journal: %w", err)
		}
		if _, err := ask(o, "after", 0.99); code(err) != study.Damaged {
			return fmt.Errorf("appending to what is no journal: %w", err)
		}
		if now, err := readHead(o.defaults().fs, o.Path, len(content)+1); err != nil || !bytes.Equal(now, content) {
			return fmt.Errorf("what is no journal was changed: %w", err)
		}
		return nil
	}
	s, _, err := Read(ctx, o)
	if err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	end, _ := scan(sourceOf(content), func(*Record) error { return nil })
	kept := end.end
	wasTorn := kept < int64(len(content))
	if s.Torn != wasTorn {
		return fmt.Errorf("reads as torn: %v, with %d of %d bytes whole", s.Torn, kept, len(content))
	}
	want := prefixes[whole]
	got := *s
	got.Torn = false
	if summary(&got) != want {
		return fmt.Errorf("reads as\n%s\nnot\n%s", summary(&got), want)
	}
	if _, err := ask(o, "after", 0.99); err != nil {
		return fmt.Errorf("appending: %w", err)
	}
	s, _, err = Read(ctx, o)
	if err != nil || s.Torn || s.ByKey("after") == nil {
		return fmt.Errorf("reading again: torn %v, %w", s != nil && s.Torn, err)
	}
	add := 2
	if whole == 0 {
		add = 3
	}
	if s.Seq != whole+add {
		return fmt.Errorf("%d records where %d were and %d came", s.Seq, whole, add)
	}
	now, err := readHead(o.defaults().fs, o.Path, len(content)+1)
	if err != nil || !bytes.HasPrefix(now, content[:kept]) {
		return fmt.Errorf("the records before were changed: %w", err)
	}
	if wasTorn {
		saved, err := readHead(o.defaults().fs, fmt.Sprintf("%s.torn-%d", o.Path, whole+1), len(content)+1)
		if err != nil || !bytes.Equal(saved, content[kept:]) {
			return errors.New("what was cut was not kept")
		}
	}
	return nil
}

// A mutated journal is refused, or read as what it was, or as a prefix that is
// said to be torn; never as something else.
func TestMutations(t *testing.T) {
	t.Parallel()
	data, prefixes := memJournal(t)
	known := map[string]int{}
	for i, p := range prefixes {
		known[p] = i
	}
	full := len(prefixes) - 1
	r := newRand(3)
	n := soak(3000, 500000)
	refused, torn, same := 0, 0, 0
	for i := range n {
		b, what := mutate(r, data)
		_, o := of(b)
		s, warnings, err := Read(ctx, o)
		if err != nil {
			if c := code(err); c != study.Damaged && c != study.Mismatch {
				t.Fatalf("mutation %d (%s): %v", i, what, err)
			}
			refused++
			continue
		}
		got := *s
		got.Torn = false
		k, ok := known[summary(&got)]
		switch {
		case !ok:
			t.Fatalf("mutation %d (%s) reads silently as\n%s", i, what, summary(s))
		case k == full:
			same++
		case s.Torn || what == "cut" || len(warnings) > 0:
			torn++
		default:
			t.Fatalf("mutation %d (%s): %d of %d records, and nothing is said", i, what, k, full)
		}
	}
	t.Logf("%d refused, %d torn or cut, %d without effect", refused, torn, same)
	figure(t, "mutations", n, 0)
	if refused < n/2 {
		t.Errorf("only %d refused", refused)
	}
}

func mutate(r *rand.Rand, data []byte) ([]byte, string) {
	b := bytes.Clone(data)
	at := r.IntN(len(b))
	switch r.IntN(9) {
	case 0:
		b[at] ^= 1 << r.IntN(8)
		return b, "bit"
	case 1:
		b[at] = byte(r.Uint32())
		return b, "byte"
	case 2:
		for i := at; i < min(at+1+r.IntN(40), len(b)); i++ {
			b[i] = byte(r.Uint32())
		}
		return b, "span"
	case 3:
		clear(b[at:min(at+1+r.IntN(600), len(b))])
		return b, "NULs"
	case 4:
		return append(b[:at], b[min(at+1+r.IntN(30), len(b)):]...), "deleted"
	case 5:
		return append(b[:at:at], append([]byte{byte(r.Uint32())}, b[at:]...)...), "inserted"
	case 6:
		return b[:at], "cut"
	}
	lines := bytes.SplitAfter(b, []byte{'\n'})
	lines = lines[:len(lines)-1]
	i, j := r.IntN(len(lines)), r.IntN(len(lines))
	switch r.IntN(3) {
	case 0:
		lines[i], lines[j] = lines[j], lines[i]
		return bytes.Join(lines, nil), "lines swapped"
	case 1:
		if i == len(lines)-1 {
			return bytes.Join(lines[:i], nil), "cut" // without the lock file a deleted last line cannot be seen
		}
		return bytes.Join(append(lines[:i:i], lines[i+1:]...), nil), "line deleted"
	}
	return bytes.Join(append(lines[:i:i], append([][]byte{lines[j]}, lines[i:]...)...), nil), "line copied"
}

func TestLineEnds(t *testing.T) {
	data, prefixes := memJournal(t)
	want := prefixes[len(prefixes)-1]
	for name, b := range map[string][]byte{
		"CRLF": bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")),
		"BOM":  append(bytes.Clone(byteOrder), data...),
	} {
		_, o := of(b)
		s, warnings, err := Read(ctx, o)
		if err != nil || summary(s) != want || len(warnings) != 1 {
			t.Errorf("%s: %v %v", name, warnings, err)
			continue
		}
		mustAsk(t, o, "after", 0.9)
		if s := read(t, o); s.ByKey("after") == nil {
			t.Errorf("%s: nothing appended", name)
		}
	}
}

// line is a valid line with any members.
func forge(seq int, prev uint32, members string) []byte {
	body := fmt.Sprintf(`{"seq":%d,"prev":"%08x",%s`, seq, prev, members)
	return append(sealed([]byte(body)), '\n')
}

func TestStrictDecoding(t *testing.T) {
	data, _ := memJournal(t)
	head := data[:bytes.IndexByte(data, '\n')+1]
	sum, _ := Sum(head[:len(head)-1])
	for members, want := range map[string]study.Code{
		`"t":"note","note":"x"`:                              0,
		`"t":"note","note":"x","note":"y"`:                   study.Damaged,
		`"t":"note","Note":"x"`:                              study.Mismatch,
		`"t":"note","trial":1`:                               study.Mismatch,
		`"t":"reserve","trial":1,"tag":"a","source":"model"`: study.Mismatch,
		`"t":"observe","trial":1,"tag":"a","state":"moot"`:   study.Mismatch,
		`"t":"report","trial":1,"tag":"a","resource":1,"state":"pending","verdict":"wait"`: study.Mismatch,
		`"t":"sing","optional":true,"song":[1,{"a":null}]`:                                 0,
		`"t":"sing","song":"la"`:                                                     study.Mismatch,
		`"t":"suggest","trial":1,"tag":"a","params":{"x":1,"x":2}`:                   study.Damaged,
		`"t":"suggest","trial":1,"tag":"a","params":{"x":01}`:                        study.Damaged,
		`"t":"suggest","trial":1,"tag":"a","params":[1]`:                             study.Damaged,
		`"t":"suggest","trial":2,"tag":"a","params":{"x":1}`:                         study.Damaged,
		`"t":"suggest","trial":1,"params":{"x":1}`:                                   study.Mismatch,
		`"t":"observe","trial":1,"tag":"a","state":"complete"`:                       study.Damaged,
		`"t":"header","bohier":1,"min_reader":1,"run":"r","lock":"posix","seed":"1"`: study.Damaged,
		`"t":"header","bohier":1,"min_reader":1`:                                     study.Mismatch,
		`"t":"suggest","trial":1,"tag":"a","params":{"x":1},"from":2`:                study.Damaged,
		`"t":"note","note":"` + "\x01" + `"`:                                         study.Damaged,
		`"t":"note","note":"` + "\xff" + `"`:                                         study.Damaged,
	} {
		m, o := of(append(bytes.Clone(head), forge(2, sum, members)...))
		if _, _, err := Read(ctx, o); code(err) != want {
			t.Errorf("%s: %v, want code %d", members, err, want)
		}
		if want != study.Mismatch {
			continue
		}
		// What a newer program wrote is not damage: repair must not drop it.
		before := m.bytes(o.Path)
		if rep, err := Repair(ctx, o, false); code(err) != study.Mismatch || !bytes.Equal(m.bytes(o.Path), before) {
			t.Errorf("%s: repair: %v %v", members, rep, err)
		}
		if rep, err := Verify(ctx, o); err != nil || code(rep.Newer) != study.Mismatch {
			t.Errorf("%s: verify: %v %v", members, rep, err)
		}
	}
	newer := forge(1, 0, `"t":"header","bohier":3,"min_reader":3,"run":"r","lock":"posix","seed":"1"`)
	_, o := of(newer)
	_, _, err := Read(ctx, o)
	wantCode(t, err, study.Mismatch)
	deep := bytes.Repeat([]byte(`{"a":`), 100)
	_, o = of(append(bytes.Clone(head),
		forge(2, sum, `"t":"note","study":`+string(deep)+`1`+string(bytes.Repeat([]byte("}"), 100)))...))
	_, _, err = Read(ctx, o)
	wantCode(t, err, study.Damaged)
}

func TestLongLinesAreRefused(t *testing.T) {
	o := filled(t)
	before := content(t, o.Path)
	_, err := Update(ctx, o, func(*State) ([]Record, error) {
		return []Record{{Kind: KindNote, Note: string(bytes.Repeat([]byte("x"), maxLine))}}, nil
	})
	wantCode(t, err, study.Usage)
	if !bytes.Equal(before, content(t, o.Path)) {
		t.Error("something was written")
	}
}

// Blank lines at the end, as an editor leaves them, are no damage: nothing is reported, and the
// next record follows the last one.
func TestBlankLinesAtTheEnd(t *testing.T) {
	for _, blank := range []string{"\n", "\r\n", "\n\n\n", "  \n", "\t\r\n \n", " "} {
		o := filled(t)
		before := string(content(t, o.Path))
		must(t, os.WriteFile(o.Path, []byte(before+blank), 0o666))
		rep, err := Verify(ctx, o)
		if err != nil || len(rep.Problems) > 0 {
			t.Errorf("%q: %+v, %v", blank, rep, err)
		}
		mustAsk(t, o, "after", 0.75)
		if after := string(content(t, o.Path)); after[:len(before)] != before || after[len(before)] != '{' {
			t.Errorf("%q: the record does not follow the last one", blank)
		}
		if got := len(read(t, o).Trials); got != 5 {
			t.Errorf("%q: %d trials, want 5", blank, got)
		}
	}
}

// Blocks that are lost from a write of many records leave a prefix, whichever they are. A block that is
// lost from before that is damage: what follows is of another time.
func TestBlocksOfOneWriteAreLost(t *testing.T) {
	t.Run("added", func(t *testing.T) {
		blocksAreLost(t, func(o Options) {
			update(t, o, func(s *State) ([]Record, error) {
				recs, _, err := s.Add(slices.Repeat([]study.Addition{addition(json.RawMessage(`{"x":0.5}`), value(1))}, 300))
				return recs, err
			})
		})
	})
	// What is merged has the times at which it was measured.
	t.Run("merged", func(t *testing.T) {
		from, moment := memOptions(newMemFS(), 2), clockTime.Add(-time.Hour)
		from.Now = func() time.Time { return moment }
		for k := range 90 {
			moment = moment.Add(time.Second)
			if _, err := tell(from, mustAsk(t, from, "", float64(k)).ID(), 1, study.Once); err != nil {
				t.Fatal(err)
			}
		}
		data := from.fs.(*memFS).bytes(from.Path)
		blocksAreLost(t, func(o Options) {
			other := o
			other.Path = "/d/other.jsonl"
			if f, err := o.fs.Open(other.Path, os.O_WRONLY|os.O_CREATE, 0o666); err != nil || writeAll(f, [][]byte{data}) != nil {
				t.Fatal(err)
			}
			if rep, err := Merge(ctx, o, other); err != nil || rep.Added != 90 {
				t.Fatal(rep, err)
			}
		})
	})
}

func blocksAreLost(t *testing.T, write func(Options)) {
	m := newMemFS()
	o, moment := memOptions(m, 1), clockTime
	o.Now = func() time.Time { return moment }
	for range 12 {
		mustAsk(t, o, "", 0.5)
		moment = moment.Add(time.Millisecond)
	}
	before, calls := len(m.bytes(o.Path)), m.calls
	write(o)
	if n := m.calls - calls; n > 40 {
		t.Errorf("%d calls for 300 records", n)
	}
	whole := m.bytes(o.Path)
	const block = 512
	for from := 0; from < len(whole); from += block {
		lost := bytes.Clone(whole)
		clear(lost[from:min(from+block, len(lost))])
		_, of := of(lost)
		s, _, err := Read(ctx, of)
		switch {
		case from+2*block < before: // a line before the write holds
			wantCode(t, err, study.Damaged)
		case from >= before && (err != nil || !s.Torn || s.Seq < 1+2*12):
			t.Fatalf("without the block at %d of %d: %v", from, len(whole), err)
		}
	}
}
