package journal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bohier/internal/study"
)

// A model explores what a few processes under one lease can do to a journal: the real code, every order of its calls
// that others can see, each process held up anywhere for any time, and a lease broken whenever somebody waits for it. A
// process that is held up for ever has died, so every state is also one after deaths. No clock is in it but the
// patience of those who wait.
//
// A state is the files and, for each process, what its calls have told it so far, of which all that it does next is a
// function. States are told apart by a hash of 128 bits; one reached before is not explored again.
type model struct {
	actors   []actor
	begin    *memFS
	procs    int // of them, the first so many
	switches int // at most so many away from a process that could go on; 0: any number
	seen     map[[18]byte]struct{}
	states   int
	acked    int // ends of a process with an acknowledgement
	refused  int
	compared int                     // orders of calls, with the protocol
	quick    int                     // switches outside the long runs
	damaged  bool                    // until all have ended
	like     func(*protocol) machine // the protocol's state at the beginning; nil: it does not say
}

// An actor is one process: it does one command and tells what it was told.
type actor struct {
	short bool // its first write fails half-way
	run   func(o Options) (acked string, err error)
}

func writing(text string) actor {
	return actor{run: func(o Options) (string, error) { return text, jot(o, text) }}
}

type actorProc struct {
	x        *execution
	fs       *remoteFS
	index    int
	resume   chan bool // false: the execution is over
	now      time.Duration
	heard    [sha256.Size]byte
	began    bool // it has looked at the lease
	finished bool
	asleep   bool
}

// An execution is one order of calls.
type execution struct {
	m     *memFS
	procs []*actorProc
	back  chan struct{}
	acked []string
	err   error // what must not be
	count *model
	heard *transcript
}

type over struct{}

func (p *actorProc) Now() time.Duration { return p.now }

// Sleep is for ever, or until it is time to break a lease.
func (p *actorProc) Sleep(context.Context, time.Duration) error {
	p.asleep = true
	p.pause()
	p.asleep = false
	p.now += leaseTime
	p.hear("slept", "", nil, nil)
	return nil
}

func (p *actorProc) pause() {
	p.x.back <- struct{}{}
	if !<-p.resume {
		panic(over{})
	}
}

// visible tells before which calls others may come: those whose effect or answer that can change. The rest goes with
// the call before it: what a lease file or a file of one's own says, that a name is there which goes only when nobody
// looks for it, and dropping such names, which does most harm at once.
func (p *actorProc) visible(call, name string) bool {
	_, exists := p.x.m.names[name]
	member := strings.Contains(name, ".lease-")
	switch {
	case strings.HasSuffix(name, ".lease"):
		p.began = true
		return call != "read"
	case !p.began, call == "create", call == "sync":
		return false
	case strings.HasSuffix(name, ".lock"):
		return call == "write"
	case member && call == "open":
		return !exists
	case member && (call == "read" || call == "remove"):
		return false
	case strings.Contains(name, ".lease."): // a breaker's fence, or one's own
		return call == "rename" || call == "remove" && exists
	}
	return true
}

func (p *actorProc) during(call, name string, do func() ([]byte, error)) {
	if p.visible(call, name) {
		p.pause()
	}
	said, err := do()
	p.hear(call, name, said, err)
	if t := p.x.heard; t != nil {
		t.hear(p.index, call, name, said, err, p.fs.stat)
	}
}

// hear adds what a call said to all that this process has heard.
func (p *actorProc) hear(call, name string, said []byte, err error) {
	b := append(p.heard[:len(p.heard):len(p.heard)], call...)
	b = append(append(b, ' '), name...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(said)))
	b = append(b, said...)
	if err != nil {
		b = append(b, err.Error()...)
	}
	p.heard = sha256.Sum256(b)
}

func (mo *model) start() *execution {
	x := &execution{m: mo.begin.clone(), back: make(chan struct{}), count: mo}
	if mo.like != nil {
		x.heard = newTranscript(x.m, memOptions(x.m, 0).Path, mo.procs)
	}
	for i, a := range mo.actors[:mo.procs] {
		p := &actorProc{x: x, index: i, resume: make(chan bool)}
		x.procs = append(x.procs, p)
		go func() {
			defer func() {
				if d := recover(); d != nil {
					if _, ok := d.(over); !ok {
						x.err = fmt.Errorf("panic: %v", d)
					}
				}
				p.finished = true
				x.back <- struct{}{}
			}()
			if !<-p.resume {
				panic(over{})
			}
			o := memOptions(x.m, uint64(i+2))
			f := &remoteFS{memFS: x.m, during: p.during}
			p.fs = f
			if a.short {
				f.short = `"note"`
			}
			o.Lock, o.LockTimeout, o.clock, o.fs = LockLease, leaseTime+time.Second, p, f
			text, err := a.run(o)
			if x.heard != nil {
				x.heard.say(i, event{op: "end", ok: err == nil})
			}
			switch c := code(err); {
			case err == nil:
				x.acked = append(x.acked, text)
				mo.acked++
			case c == study.LockTimeout, c == study.NotRecorded, c == study.PerhapsRecorded, mo.damaged && c == study.Damaged:
				mo.refused++
			default:
				x.err = err
			}
		}()
		x.step(i)
	}
	return x
}

// step lets a process make one visible call and go on to the next.
func (x *execution) step(i int) {
	x.procs[i].resume <- true
	<-x.back
}

// end stops the processes wherever they are.
func (x *execution) end() {
	for _, p := range x.procs {
		for !p.finished { // what it defers may call again
			p.resume <- false
			<-x.back
		}
	}
}

func (x *execution) ready() []int {
	var out []int
	for i, p := range x.procs {
		if !p.finished {
			out = append(out, i)
		}
	}
	return out
}

// sum is the hash of the state.
func (x *execution) sum() (out [16]byte) {
	names := make([]string, 0, len(x.m.names))
	for name := range x.m.names {
		names = append(names, name)
	}
	slices.Sort(names)
	var b []byte
	number := func(n int) { b = binary.LittleEndian.AppendUint32(b, uint32(n)) }
	for _, name := range names {
		n := x.m.names[name]
		b = append(b, name...)
		number(slices.IndexFunc(names, func(other string) bool { return x.m.names[other] == n })) // hard links
		number(len(n.data))
		b = append(b, n.data...)
	}
	for _, p := range x.procs {
		b = append(b, p.heard[:]...)
	}
	number(len(x.acked))
	whole := sha256.Sum256(b)
	return [16]byte(whole[:16])
}

// check is what holds in every state: the journal is whole, perhaps with an
// unfinished last line, and some file has what was acknowledged.
func (x *execution) check() error {
	if x.err != nil {
		return x.err
	}
	o := memOptions(x.m, 99)
	data := x.m.bytes(o.Path)
	if _, err := scan(sourceOf(data), func(*Record) error { return nil }); err != nil &&
		!(x.count.damaged && len(x.ready()) > 0) {
		return err
	}
	for _, text := range x.acked {
		if found := bytes.Count(data, []byte(`"note":"`+text+`"`)); found > 1 || found == 0 && !x.archived(text) {
			return fmt.Errorf("the journal has %q %d times", text, found)
		}
	}
	return nil
}

// archived reports whether the archive has a record.
func (x *execution) archived(text string) bool {
	for name := range x.m.names {
		if name == "/d/old.jsonl" &&
			bytes.Contains(x.m.bytes(name), []byte(`"note":"`+text+`"`)) {
			return true
		}
	}
	return false
}

// A branch is an order of calls, by process, not gone on with yet.
type branch struct {
	path     []byte
	switches int
}

// explore visits every state, depth first. Executions cannot be copied, so each
// branch not taken is begun again from the start.
func (mo *model) explore() error {
	mo.seen = map[[18]byte]struct{}{}
	for todo := []branch{{}}; len(todo) > 0; {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		x := mo.start()
		for _, i := range b.path {
			x.step(int(i))
		}
		for {
			if err := x.check(); err != nil {
				x.end()
				return fmt.Errorf("after the steps %v: %w\n%s", b.path, err, x.m.bytes("/d/s.jsonl"))
			}
			sum, last := x.sum(), -1
			if len(b.path) > 0 {
				last = int(b.path[len(b.path)-1])
			}
			key := [18]byte(append(sum[:], byte(b.switches), byte(last)))
			if mo.switches == 0 {
				key[16], key[17] = 0, 0
			}
			if _, ok := mo.seen[key]; ok {
				break
			}
			mo.seen[key] = struct{}{}
			mo.states++
			var next []branch
			for _, i := range x.ready() {
				n := branch{append(slices.Clone(b.path), byte(i)), b.switches}
				if last >= 0 && i != last && !x.procs[last].finished && !x.procs[last].asleep {
					n.switches++
				}
				if mo.switches == 0 || n.switches <= mo.switches {
					next = append(next, n)
				}
			}
			if len(next) == 0 {
				break
			}
			todo = append(todo, next[1:]...)
			b = next[0]
			x.step(int(b.path[len(b.path)-1]))
		}
		err := x.conforms()
		if x.end(); err != nil {
			return err
		}
		mo.compared++
	}
	return nil
}

func TestLeaseInterleavings(t *testing.T) {
	whole := func() *memFS { return leaseJournal(t) }
	torn := func() *memFS {
		m := leaseJournal(t)
		n := m.names["/d/s.jsonl"]
		n.data = append(bytes.Clone(n.data), `{"seq":3,"prev"`...)
		return m
	}
	left := func() *memFS { // a holder died in the middle of a write
		m := torn()
		o := memOptions(m, 77)
		members, err := leaseMembers(&o)
		must(t, err)
		if l, err := claim(&o, members); l == nil {
			t.Fatal(err)
		}
		return m
	}
	damaged := func() *memFS {
		m := leaseJournal(t)
		n := m.names["/d/s.jsonl"]
		n.data = append(bytes.Clone(n.data), "?\n"...)
		return m
	}
	short := writing("cut short")
	short.short = true
	repairing := actor{run: func(o Options) (string, error) { _, err := Repair(ctx, o, false); return "first", err }}
	archiving := actor{run: func(o Options) (string, error) {
		_, err := Archive(ctx, o, "/d/old.jsonl")
		return "first",
			err
	}}
	for name, mo := range map[string]*model{
		"writers": {begin: whole(), like: (*protocol).begin, quick: 2,
			actors: []actor{writing("a"), writing("b"), writing("c")}},
		"a short write": {begin: whole(), like: (*protocol).begin, quick: 2,
			actors: []actor{short, writing("b"), writing("c")}},
		"a torn tail": {begin: torn(), like: (*protocol).torn, quick: 1,
			actors: []actor{writing("a"), writing("b"), writing("c")}},
		"a dead holder": {begin: left(), like: (*protocol).left, quick: 1,
			actors: []actor{writing("a"), writing("b"), writing("c")}},
		"no journal": {begin: newMemFS(), like: (*protocol).nothing, quick: 2,
			actors: []actor{writing("a"), writing("b"), writing("c")}},
		"a repair":   {begin: damaged(), damaged: true, quick: 1, actors: []actor{repairing, repairing, writing("c")}},
		"an archive": {begin: whole(), quick: 1, actors: []actor{archiving, writing("b"), writing("c")}},
	} {
		sizes := [][2]int{{2, mo.quick}} // processes, switches
		if soak(0, 1) > 0 {
			sizes = [][2]int{{2, mo.quick + 2}, {3, mo.quick}}
		}
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s %d %d", name, size[0], size[1]), func(t *testing.T) {
				t.Parallel()
				m := *mo
				m.procs, m.switches = size[0], size[1]
				err := m.explore()
				t.Logf("%d acknowledged, %d refused", m.acked, m.refused)
				if m.like != nil {
					figure(t, "orders of calls compared with the protocol", m.compared, 40)
				}
				figure(t, "lease states", m.states, 100)
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
}
