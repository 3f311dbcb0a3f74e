package journal

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"bohier/internal/study"
)

// A remoteFS is the file system as one machine of several sees it: file locks do not reach the others, and during
// decides when each call happens. do makes the call and tells what it said.
type remoteFS struct {
	*memFS
	during func(call, name string, do func() (said []byte, err error))
	short  string // the write that carries this text fails half-way, once
	stat   *inode // the file whose size was asked for last
}

func (f *remoteFS) Open(name string, flag int, perm os.FileMode) (g file, err error) {
	call := "open"
	if flag&os.O_CREATE != 0 {
		call = "create"
	}
	f.during(call, name, func() ([]byte, error) {
		g, err = f.memFS.Open(name, flag, perm)
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	return remoteFile{g, f, name}, nil
}

func (f *remoteFS) List(prefix string) (out []entry, err error) {
	f.during("list", prefix, func() ([]byte, error) { out, err = f.memFS.List(prefix); return fmt.Append(nil, out), err })
	return out, err
}

func (f *remoteFS) Link(a, b string) (err error) {
	f.during("link", b, func() ([]byte, error) { err = f.memFS.Link(a, b); return nil, err })
	return err
}

func (f *remoteFS) Rename(a, b string) (err error) {
	f.during("rename", b, func() ([]byte, error) { err = f.memFS.Rename(a, b); return nil, err })
	return err
}

func (f *remoteFS) Remove(a string) (err error) {
	f.during("remove", a, func() ([]byte, error) { err = f.memFS.Remove(a); return nil, err })
	return err
}

type remoteFile struct {
	file
	fs   *remoteFS
	name string
}

func (r remoteFile) ReadAt(b []byte, off int64) (n int, err error) {
	r.fs.during("read", r.name, func() ([]byte, error) { n, err = r.file.ReadAt(b, off); return b[:n], err })
	return n, err
}

func (r remoteFile) Write(b []byte) (n int, err error) {
	r.fs.during("write", r.name, func() ([]byte, error) {
		if s := r.fs.short; s != "" && strings.Contains(string(b), s) {
			r.fs.short = ""
			n, _ = r.file.Write(b[:len(b)/2])
			err = errMem
			return nil, err
		}
		n, err = r.file.Write(b)
		return nil, err
	})
	return n, err
}

func (r remoteFile) WriteAt(b []byte, off int64) (n int, err error) {
	call := "write"
	if off == holderAt {
		call = "sign"
	}
	r.fs.during(call, r.name, func() ([]byte, error) { n, err = r.file.WriteAt(b, off); return nil, err })
	return n, err
}

func (r remoteFile) Truncate(size int64) (err error) {
	r.fs.during("truncate", r.name, func() ([]byte, error) { err = r.file.Truncate(size); return nil, err })
	return err
}

func (r remoteFile) Sync() (err error) {
	r.fs.during("sync", r.name, func() ([]byte, error) { err = r.file.Sync(); return nil, err })
	return err
}

func (r remoteFile) Size() (n int64, err error) {
	if f, ok := r.file.(*memFile); ok {
		r.fs.stat = f.node
	}
	r.fs.during("stat", r.name, func() ([]byte, error) { n, err = r.file.Size(); return fmt.Append(nil, n), err })
	return n, err
}

func (r remoteFile) At(name string) (is bool) {
	r.fs.during("stat", name, func() ([]byte, error) { is = r.file.At(name); return fmt.Append(nil, is), nil })
	return is
}

func (r remoteFile) TryLock(int64) (bool, error) { return true, nil }
func (r remoteFile) Locked(int64) (bool, error)  { return false, nil }

// heldUp is a during that holds the process up before a call and after it.
func heldUp(p *proc, delay func(call, name string) (before, after time.Duration)) func(string, string,
	func() ([]byte, error)) {
	return func(call, name string, do func() ([]byte, error)) {
		before, after := delay(call, name)
		p.yield(before)
		_, _ = do()
		p.yield(after)
	}
}

// jot appends a note under the lease and reports whether it was acknowledged.
func jot(o Options, text string) error {
	_, err := Update(ctx, o, func(s *State) ([]Record, error) { return []Record{{Kind: KindNote, Note: text}}, nil })
	return err
}

// lost is the acknowledged notes that a journal does not have, after a repair if it needs one.
func lost(m *memFS, acked []string) (missing []string, damaged error) {
	o := memOptions(m, 99)
	o.Lock = LockLease
	if _, _, damaged = Read(ctx, o); damaged != nil {
		if _, err := Repair(ctx, o, true); err != nil {
			return acked, err
		}
	}
	data := string(m.bytes(o.Path))
	for _, text := range acked {
		if strings.Count(data, `"note":"`+text+`"`) != 1 {
			missing = append(missing, text)
		}
	}
	return missing, damaged
}

// leaseJournal is a journal of the lease kind with one record.
func leaseJournal(t testing.TB) *memFS {
	m := newMemFS()
	o := memOptions(m, 1)
	o.Lock = LockLease
	must(t, jot(o, "first"))
	return m
}

// A scene is what one machine does: when it begins, and which of its calls is held up.
type scene struct {
	begin         time.Duration
	call, file    string // the first such call; the file is a suffix
	before, after time.Duration
	short         bool // its write fails half-way
}

// playScenes has each machine append one note and returns what was acknowledged.
func playScenes(m *memFS, scenes []scene) (acked []string, errs []error) {
	w := &world{r: newRand(1), back: make(chan struct{})}
	errs = make([]error, len(scenes))
	for i, sc := range scenes {
		w.spawn(func(p *proc) {
			p.yield(sc.begin)
			o := memOptions(m, uint64(i+2))
			o.Lock, o.LockTimeout, o.clock = LockLease, 10*time.Hour, p
			text := fmt.Sprint("note of ", i)
			f := &remoteFS{memFS: m}
			if sc.short {
				f.short = text
			}
			done := false
			f.during = heldUp(p, func(call, name string) (time.Duration, time.Duration) {
				if done || call != sc.call || !strings.HasSuffix(name, sc.file) {
					return 0, 0
				}
				done = true
				return sc.before, sc.after
			})
			o.fs = f
			if errs[i] = jot(o, text); errs[i] == nil {
				acked = append(acked, text)
			}
		})
	}
	w.simulate()
	return acked, errs
}

// Whoever is held up for longer than a lease loses it; what anybody was told is
// recorded stays recorded, and the journal stays whole.
func TestHeldUpUnderTheLease(t *testing.T) {
	s := time.Second
	for name, scenes := range map[string][]scene{
		"in a write":    {{call: "write", file: ".jsonl", before: 40 * s}, {begin: 2 * s}},
		"after a write": {{call: "write", file: ".jsonl", after: 40 * s}, {begin: 2 * s}},
		"in a sync":     {{call: "sync", file: ".jsonl", before: 40 * s}, {begin: 2 * s}},
		"in the release": {{call: "remove", file: ".lease", before: 36 * s},
			{begin: s, call: "write", file: ".jsonl", before: 10 * s}, {begin: 36 * s}},
		"in the releasing link": {{call: "link", file: "", before: 36 * s},
			{begin: s, call: "write", file: ".jsonl", before: 10 * s}, {begin: 36 * s}},
		"before taking it over": {{call: "write", file: ".jsonl", before: time.Hour},
			{begin: s, call: "rename", file: ".lease", before: 40 * s},
			{begin: 2 * s, call: "write", file: ".jsonl", before: 9 * s}, {begin: 3 * s}},
		"in taking a write back": {{call: "truncate", file: ".jsonl", before: 40 * s, short: true}, {begin: 2 * s}},
		"in opening the journal": {{call: "open", file: ".jsonl", before: 40 * s},
			{begin: 2 * s, call: "write", file: ".jsonl", after: 5 * s}, {begin: 30 * s}},
	} {
		t.Run(name, func(t *testing.T) {
			m := leaseJournal(t)
			acked, errs := playScenes(m, scenes)
			missing, damaged := lost(m, append(acked, "first"))
			if len(missing) > 0 || damaged != nil {
				t.Errorf("lost %q, damage %v\n%s", missing, damaged, m.bytes("/d/s.jsonl"))
			}
			if len(acked) == 0 {
				t.Errorf("nobody got through: %v", errs)
			}
			for _, err := range errs {
				if c := code(err); err != nil && c != study.PerhapsRecorded && c != study.LockTimeout && c != study.NotRecorded {
					t.Errorf("%v has code %d", err, c)
				}
			}
		})
	}
}

// leaseWorld has machines append notes, each held up at any call for up to pause.
func leaseWorld(t *testing.T, seed uint64, procs, each int, pause time.Duration) (acked, refused int) {
	w := &world{r: newRand(seed), back: make(chan struct{})}
	m := leaseJournal(t)
	all := []string{"first"}
	for i := range procs {
		w.spawn(func(p *proc) {
			o := memOptions(m, seed<<8|uint64(i+2))
			o.Lock, o.LockTimeout, o.clock = LockLease, 1000*time.Hour, p
			f := &remoteFS{memFS: m, during: heldUp(p, func(call, name string) (before, after time.Duration) {
				rare := 200
				if call != "open" && call != "create" && call != "read" && call != "stat" {
					rare = 30
				}
				for _, d := range []*time.Duration{&before, &after} {
					if w.r.IntN(rare) == 0 {
						*d = time.Duration(w.r.Int64N(int64(pause)))
					}
				}
				return before, after
			})}
			o.fs = f
			for n := range each {
				text := fmt.Sprintf("note %d of %d", n, i)
				if w.r.IntN(8) == 0 {
					f.short = text
				}
				if err := jot(o, text); err == nil {
					all = append(all, text)
				} else {
					refused++
				}
			}
		})
	}
	w.simulate()
	if missing, damaged := lost(m, all); len(missing) > 0 || damaged != nil {
		t.Fatalf("seed %d: lost %q, damage %v\n%s", seed, missing, damaged, m.bytes("/d/s.jsonl"))
	}
	return len(all), refused
}

func TestLeaseWorld(t *testing.T) {
	t.Parallel()
	acked, refused := 0, 0
	for seed := range uint64(soak(15, 600)) {
		a, r := leaseWorld(t, seed, 2+int(seed%4), 6,
			[]time.Duration{leaseTime, 2 * leaseTime, 4 * leaseTime}[rand.New(rand.NewPCG(seed, 0)).IntN(3)])
		acked, refused = acked+a, refused+r
	}
	figure(t, "lease records acknowledged", acked, soak(100, 5000))
	figure(t, "lease records refused to the held up", refused, soak(5, 400))
}
