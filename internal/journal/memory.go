package journal

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"bohier/internal/study"
)

// A Memory keeps the state of a journal, so that the next call reads and parses only later records. The zero value is
// ready; it serves one journal, and any number of goroutines. Nothing of it is on disk.
type Memory struct {
	mu    sync.Mutex
	state *State // nil: nothing is kept
	off   int64  // where it ends in the file
	// Own has every call go on with the very state that the one before returned, which it changes:
	// for a caller that uses none but the newest. The states of any other memory stand until they are
	// Done, and a change copies the trials first where one is not.
	Own bool
}

// A storage is where the lines of a journal are read: a file that is open, or a store.
type storage interface {
	// after is the part of the journal behind the lines that m keeps. Where those lines are gone, m begins anew.
	after(o *Options, m *Memory) (*source, error)
	// keeps reports whether m can go on behind s, which ends at t.
	keeps(m *Memory, s *State, t tail) (bool, error)
}

// An openFile is a storage.
type openFile struct{ file }

func (f openFile) after(o *Options, m *Memory) (*source, error) {
	if m.off > 0 { // the checksum of the last line is one of all lines
		ending := append(seal(nil, m.state.pos().Sum), '\n')
		there := make([]byte, len(ending))
		if _, err := f.ReadAt(there, m.off-int64(len(there))); err != nil || !bytes.Equal(there, ending) {
			m.begin(o)
		}
	}
	src, err := newSource(f, m.off)
	if err != nil {
		return nil, readFailure(o, err)
	}
	return src, nil
}

// keeps is false before a line without a newline, which the next writer adds, and where something changed
// line ends, as every reader warns of that.
func (f openFile) keeps(m *Memory, _ *State, t tail) (bool, error) {
	m.off = t.end
	return !t.open && !t.warned, nil
}

// An inStore is a storage: a store, or one who appends to it.
type inStore struct {
	ctx context.Context
	of  interface {
		Read(ctx context.Context, from Pos) (Chunk, error)
	}
}

func (p inStore) after(o *Options, m *Memory) (*source, error) {
	chunk, err := p.of.Read(p.ctx, m.state.pos())
	if err == nil && chunk.From != m.state.pos() {
		if err = rolledBack(o, m.state, chunk.Lines); err == nil {
			m.begin(o)
		}
	}
	return sourceOf(chunk.Lines), err
}

func (inStore) keeps(_ *Memory, s *State, t tail) (bool, error) {
	if t.torn() { // a store has whole lines
		return false, &damage{s.Seq + 1, errChecksum}
	}
	return true, nil
}

// read is the state of a journal for a caller.
func (m *Memory) read(o *Options, from storage) (*State, tail, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, t, err := m.readOn(o, from)
	if err != nil {
		return nil, t, err
	}
	s.Torn = t.torn()
	return m.lend(s), t, nil
}

// keep has m, which is locked, keep the state that a call ended with, and returns it for the caller, if wanted.
func (m *Memory) keep(s *State, from storage, t tail, wanted bool) *State {
	m.state = nil
	s.show()
	if kept, err := from.keeps(m, s, t); kept && err == nil {
		m.state = s
	}
	if !wanted {
		return nil
	}
	s.configure()
	return m.lend(s)
}

// lend is a state for a caller to read: one that is kept stands as it is until it is Done.
func (m *Memory) lend(s *State) *State {
	if m.Own || s != m.state {
		return s
	}
	if s.lent == nil {
		s.lent = new(atomic.Int32)
	}
	s.lent.Add(1)
	view := *s
	view.held = nil
	return &view
}

// Done means that a returned state is no longer used, nor is anything in it. Nobody needs to say
// so: it saves the next call from copying the trials.
func (s *State) Done() {
	if s != nil && s.lent != nil {
		s.lent.Add(-1)
		s.lent = nil
	}
}

// own makes s the owner of all it holds, so that it may change, where it shares that with states that are not Done.
func (s *State) own() {
	if s.lent == nil || s.lent.Load() == 0 {
		return
	}
	s.detach()
}

// Apart is a copy of a state for a caller to change.
func (s *State) Apart() *State {
	out := *s
	out.show()
	out.detach()
	return &out
}

// detach gives s a copy of all it holds that records change.
func (s *State) detach() {
	s.lent = nil
	s.Trials, s.notes, s.Queue = withRoom(s.Trials), withRoom(s.notes), slices.Clone(s.Queue)
	for i := range s.Trials {
		s.Trials[i].Replicates = slices.Clone(s.Trials[i].Replicates)
		if n := &s.notes[i]; n.more.log != nil {
			n.set(func(p *particulars) { p.log = slices.Clone(p.log) })
		}
	}
	s.fills, s.studies, s.sums = slices.Clip(s.fills), slices.Clip(s.studies), slices.Clip(s.sums)
	s.keys, s.enqueued, s.replicated = maps.Clone(s.keys), maps.Clone(s.enqueued), maps.Clone(s.replicated)
}

// readOn is the state of the whole journal, which m keeps if it can go on from there.
func (m *Memory) readOn(o *Options, from storage) (*State, tail, error) {
	if m.state == nil || m.state.space != o.Space || m.state.context != readStudy(o.Study).Context {
		m.begin(o)
	}
	src, err := from.after(o, m)
	if err != nil {
		return nil, tail{}, err
	}
	s := m.state
	s.expect(src)
	m.state = nil // unless all goes well
	src.after = s.pos()
	t, err := scan(src, s.fold)
	kept := false
	if err == nil {
		kept, err = from.keeps(m, s, t)
	}
	if err != nil {
		return nil, t, damaged(o, err)
	}
	s.show()
	s.configure()
	if kept {
		m.state = s
	}
	s.options = o
	return s, t, nil
}

// begin forgets the kept state.
func (m *Memory) begin(o *Options) {
	m.state, m.off = newState(o), 0
}

// rolledBack is the error for a store that had more of the same run before.
func rolledBack(o *Options, was *State, lines []byte) error {
	now, _, err := o.fold(sourceOf(lines), 0)
	if err != nil || !was.Exists || now.Run != was.Run {
		return err
	}
	return study.Errorf(study.Damaged,
		"A backup was restored, or a standby without the record was promoted. A new command goes on from here; "+
			"if a copy of the journal has more: bohier journal merge",
		"journal %s was rolled back: record %d was here, the last one now is %d", o.Path, was.Seq, now.Seq)
}

// fold folds the records of a source up to record seq (0: all).
func (o *Options) fold(src *source, seq int) (*State, tail, error) {
	s := newState(o)
	s.expect(src)
	t, err := scan(src, func(r *Record) error {
		if seq > 0 && r.Seq > seq {
			return errEnough
		}
		return s.fold(r)
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, t, damaged(o, err)
	}
	s.Torn = err == nil && t.torn()
	s.show()
	s.configure()
	return s, t, nil
}
