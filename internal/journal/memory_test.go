package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"
	"testing"

	"bohier/internal/space"
	"bohier/internal/study"
)

// TestMemoryReadsWhatIsThere compares what a process with a memory reads, after
// anything that may happen to a journal, with what one reads that begins anew. It holds that what was read
// stays as it was, unless it is Done or the memory is for one that uses none but the newest.
func TestMemoryReadsWhatIsThere(t *testing.T) {
	rng := newRand(11)
	checks, stood := 0, 0
	for k := range soak(6, 400) {
		fresh := options(t)
		kept := fresh
		kept.Memory = &Memory{Own: k%2 > 0}
		var ids []string
		var stand [][2]*State
		for range 25 {
			writer := fresh
			if rng.IntN(2) == 0 {
				writer = kept
			}
			switch k := rng.IntN(12); {
			case k < 5 || len(ids) == 0:
				ids = append(ids, mustAsk(t, writer, "", float64(len(ids))).ID())
			case k < 7:
				_, _ = tell(writer, ids[rng.IntN(len(ids))], 1, study.Once)
			case k < 9:
				_, _ = tell(writer, ids[rng.IntN(len(ids))], rng.Float64(), study.Replicate)
			case k == 9: // a torn tail
				f, err := os.OpenFile(fresh.Path, os.O_WRONLY|os.O_APPEND, 0)
				must(t, err)
				_, _ = f.WriteString(`{"seq":`)
				f.Close()
			case k == 10: // the last line lacks its newline
				if data, err := os.ReadFile(fresh.Path); err == nil && data[len(data)-1] == '\n' {
					must(t, os.Truncate(fresh.Path, int64(len(data)-1)))
				}
			case k == 11 && rng.IntN(4) == 0:
				if _, err := Archive(t.Context(), writer, ""); err != nil {
					t.Fatal(err)
				}
				ids = nil
			}
			a, _, errA := Read(t.Context(), fresh)
			b, _, errB := Read(t.Context(), kept)
			if fmt.Sprint(errA) != fmt.Sprint(errB) {
				t.Fatalf("without a memory: %v; with one: %v", errA, errB)
			}
			if errA == nil {
				view := b
				b = new(*view)
				a.options, b.options, b.lent = nil, nil, nil
				for _, s := range []*State{a, b} {
					if len(s.Warnings) == 0 {
						s.Warnings = nil
					}
				}
				if !same(a, b) {
					t.Fatalf("a process with a memory reads something else:\n%+v\n%+v", a, b)
				}
				if rng.IntN(2) == 0 {
					view.Done()
				} else if !kept.Memory.Own {
					stand = append(stand, [2]*State{a, b})
				}
			}
			checks++
		}
		for _, s := range stand {
			if !same(s[0], s[1]) {
				t.Fatalf("a state has changed since it was read:\n%+v\n%+v", s[0], s[1])
			}
			stood++
		}
	}
	figure(t, "states that stand", stood, soak(20, 2000))
	figure(t, "states compared", checks, soak(150, 10000))
}

// same compares states; empty and absent lists are the same.
func same(a, b *State) bool {
	for _, s := range []*State{a, b} {
		if len(s.Queue) == 0 {
			s.Queue = nil
		}
		for i := range s.Trials {
			if len(s.Trials[i].Replicates) == 0 {
				s.Trials[i].Replicates = nil
			}
			if p := s.notes[i].more; p != nil && len(p.log) == 0 {
				p.log = nil
			}
		}
	}
	return reflect.DeepEqual(a, b)
}

// TestStatesShareTrials holds that the trials are copied for a state that is used while they change, and for no other.
func TestStatesShareTrials(t *testing.T) {
	o := options(t)
	o.Memory = &Memory{}
	id := mustAsk(t, o, "", 0.5).ID()
	_, _ = tell(o, id, 0, study.Once)
	change := func(v float64) *State {
		return update(t, o, func(s *State) ([]Record, error) {
			recs, _, err := s.Observe(id, by(value(v), study.Replace))
			return recs, err
		})
	}
	for range 3 {
		a := change(4)
		b := read(t, o)
		trial := &a.Trials[0]
		a.Done()
		b.Done()
		c := change(5)
		if trial != &b.Trials[0] || trial != &c.Trials[0] {
			t.Error("trials that nobody uses were copied")
		}
		was := *trial
		var wait sync.WaitGroup
		wait.Go(func() { // while it is read
			for k := 0; k < 1000 && c.Trials[0].Values.Of("loss") == 5; k++ {
			}
		})
		change(6).Done()
		wait.Wait()
		c.Done()
		if d := read(t, o); !reflect.DeepEqual(c.Trials[0], was) || d.Trials[0].Values.Of("loss") != 6 {
			t.Errorf("the trial was %+v and is %+v, in a new state %+v", was, c.Trials[0], d.Trials[0])
		}
	}
}

// TestStatesShareCourses holds that what a state says of a trial stands while reports change the trial.
func TestStatesShareCourses(t *testing.T) {
	a := options(t)
	a.Study = upTo(9)
	b, other := a, a
	a.Memory, b.Memory = &Memory{}, &Memory{}
	for k := range 3 {
		tell := func(o Options, r Record) *State {
			return update(t, o, func(*State) ([]Record, error) {
				r.Trial, r.Tag = k+1, "k3f9"
				return []Record{r}, nil
			})
		}
		wrote := tell(a, Record{Kind: KindSuggest, Params: json.RawMessage(`{"x":0.25}`), Start: 1, To: 9})
		for _, at := range []float64{1, 3} {
			saw := read(t, b)
			was := [2]*study.Course{wrote.Trials[k].Course.Clone(), saw.Trials[k].Course.Clone()}
			tell(other, Record{Kind: KindReport, Leg: 1, Resource: at, State: study.Pending, Verdict: study.VerdictGo,
				Values: study.Values{{Name: "loss", Value: at}}})
			read(t, a)
			read(t, b)
			if now := [2]*study.Course{wrote.Trials[k].Course, saw.Trials[k].Course}; !reflect.DeepEqual(was, now) {
				t.Errorf("courses were %+v and are %+v", was, now)
			}
		}
	}
}

// A counting file system tells how many bytes are read of the journal.
type counting struct {
	fileSystem
	journal string
	read    *int
}

func (c counting) Open(name string, flag int, perm os.FileMode) (file, error) {
	f, err := c.fileSystem.Open(name, flag, perm)
	if err == nil && name == c.journal {
		f = countingFile{f, c.read}
	}
	return f, err
}

type countingFile struct {
	file
	read *int
}

func (c countingFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.file.ReadAt(b, off)
	*c.read += n
	return n, err
}

// TestMemoryReadsLittle holds that no call reads the whole journal again.
func TestMemoryReadsLittle(t *testing.T) {
	o := options(t)
	o.Memory = &Memory{}
	recs := func(s *State) ([]Record, error) {
		r, _, err := s.Add(additions(len(s.Trials), 2000))
		return r, err
	}
	update(t, o, recs)
	o.Path = resolve(o.Path)
	bytes := 0
	o.fs = counting{osFS{}, o.Path, &bytes}
	size := func() int {
		info, err := os.Stat(o.Path)
		must(t, err)
		return int(info.Size())
	}
	before := size()
	read(t, o)
	if bytes < before/2 {
		t.Fatalf("%d of %d bytes were read at first: nothing is counted", bytes, before)
	}
	bytes = 0
	const calls = 20
	for k := range calls {
		mustAsk(t, o, "", float64(5000+k))
	}
	const header = 4 << 10 // is looked at for the kind of lock
	if grown := size() - before; bytes > 4*grown+calls*2*(header+1<<10) {
		t.Errorf("%d bytes were read for %d bytes written; the journal has %d", bytes, grown, size())
	}
}

func additions(from, n int) []study.Addition {
	out := make([]study.Addition, n)
	for k := range out {
		out[k] = addition(line{}.AppendJSON(nil, space.Configuration{Value: []float64{float64(from + k)}}), value(float64(k)))
	}
	return out
}

// TestPartsAreRecordedTogether holds that a later part of a decision which fails takes the parts before with it.
func TestPartsAreRecordedTogether(t *testing.T) {
	o, wrong := options(t), errors.New("wrong")
	for _, last := range []error{wrong, nil} {
		_, err := UpdateInParts(t.Context(), o, false, func(s *State, part int) ([]Record, bool, error) {
			recs, _, err := s.Add(additions(part, 1))
			if part == 2 {
				err = last
			}
			return recs, part < 2, err
		})
		if want := map[bool]int{true: 3}[last == nil]; !errors.Is(err, last) || len(read(t, o).Trials) != want {
			t.Errorf("%d trials and the error %v, want %d and %v", len(read(t, o).Trials), err, want, last)
		}
	}
}
