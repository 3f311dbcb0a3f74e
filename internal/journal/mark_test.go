package journal

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"bohier/internal/study"
)

// A mark is written when the lease has ended, so it can come at any later time: it must
// not speak against a journal that was archived, mended or accepted meanwhile.
func TestMarkComesLate(t *testing.T) {
	rollBack := func(o *Options) {
		n := o.fs.(*memFS).names[o.Path]
		n.data = bytes.Join(bytes.SplitAfter(n.data, []byte("\n"))[:2], nil)
	}
	for name, meanwhile := range map[string]func(o Options) error{
		"archive": func(o Options) error { _, err := Archive(ctx, o, "/d/old.jsonl"); return err },
		"repair": func(o Options) error {
			n := o.fs.(*memFS).names[o.Path]
			n.data = bytes.Replace(n.data, []byte("first"), []byte("worst"), 1)
			_, err := Repair(ctx, o, false)
			return err
		},
		"accept": func(o Options) error {
			rollBack(&o)
			_, err := Repair(ctx, o, true)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := leaseJournal(t)
			o := memOptions(m, 2)
			must(t, jot(o, "second"))
			late := memOptions(m, 3)
			done := false
			late.fs = &remoteFS{memFS: m, during: func(call, name string, do func() ([]byte, error)) {
				if call == "write" && strings.HasSuffix(name, ".lock") && !done {
					done = true
					if err := meanwhile(o); err != nil {
						t.Errorf("meanwhile: %v", err)
					}
				}
				_, _ = do()
			}}
			if err := jot(late, "third"); err != nil || !done {
				t.Fatalf("the late writer: %v", err)
			}
			if s, warnings, err := Read(ctx, o); err != nil || len(warnings) > 0 {
				t.Errorf("then: %+v %q %v", s, warnings, err)
			}
			o.Lock = LockLease
			for _, text := range []string{"fourth", "fifth"} {
				must(t, jot(o, text))
			}
			rollBack(&o) // what really was rolled back, or emptied, is refused still
			_, _, err := Read(ctx, o)
			wantCode(t, err, study.Damaged)
			m.names[o.Path].data = nil
			wantCode(t, jot(o, "sixth"), study.Damaged)
		})
	}
}

// A program that knows no generations writes marks without one: they are as good until
// there is a generation, and no more than nothing then.
func TestMarkWithoutGeneration(t *testing.T) {
	m := newMemFS()
	f, err := m.Open("/d/s.lock", os.O_RDWR|os.O_CREATE, 0o666)
	must(t, err)
	o := memOptions(m, 1)
	l := &lock{o: &o, f: f}
	old := mark{Run: "r", Seq: 3, Sum: "00000007"}
	must(t, writeMark(f, old))
	if got := readMark(f); got != old || bytes.Contains(m.bytes("/d/s.lock"), []byte("generation")) {
		t.Errorf("%+v", got)
	}
	g, err := l.newGeneration()
	must(t, err)
	if got := readMark(f); got != (mark{Run: "r", Generation: g}) {
		t.Errorf("%+v", got)
	}
	newer := mark{Run: "r", Seq: 4, Sum: "00000008", Generation: g}
	must(t, writeMark(f, newer))
	if got := readMark(f); got != newer {
		t.Errorf("%+v", got)
	}
}
