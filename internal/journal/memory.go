package journal

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"sync"

	"bohier/internal/study"
)

// A Memory keeps what was read of a journal, so that the next call reads and parses
// only what came since. The zero value is ready; it serves one journal, and any
// number of goroutines. Nothing of it is on disk.
type Memory struct {
	mu     sync.Mutex
	state  *State // never handed out; nil: nothing is kept
	off    int64  // where it ends in the file
	ending []byte // the last bytes before off
	warned bool
	// Once has a reading get the state itself, so that nothing is kept for the next one.
	Once bool
}

// endingSize is how much of the file before off must be the same still. It has the
// checksum of the last line, which is a checksum of all lines.
const endingSize = 256

// replay is Options.replay of the whole journal, read from where Memory ends.
func (m *Memory) replay(o *Options, f file) (*State, tail, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, t, err := m.readOn(o, f)
	if err != nil {
		return nil, t, err
	}
	if s != m.state { // which is the caller's then
		return s, t, nil
	}
	out := m.give(o)
	out.Torn = t.torn()
	return out, t, nil
}

// give is the state for a caller to keep.
func (m *Memory) give(o *Options) *State {
	if s := m.state; m.Once {
		m.state = nil
		return s
	}
	return m.state.copy(o)
}

// ahead reads what there is and copies it, which takes the longer the more trials there
// are, for a call that then has little to do under the lock and tells of errors.
func (m *Memory) ahead(o *Options) *Memory {
	if f, err := o.fs.Open(o.Path, os.O_RDONLY, 0); err == nil {
		defer f.Close() // read only: nothing can be lost
		m.mu.Lock()
		defer m.mu.Unlock()
		_, _, _ = m.readOn(o, f)
		return m.apart(o)
	}
	return &Memory{Once: true}
}

// apart is what is kept, for one call.
func (m *Memory) apart(o *Options) *Memory {
	out := &Memory{off: m.off, ending: m.ending, warned: m.warned, Once: true}
	if m.state != nil {
		out.state = m.state.copy(o)
	}
	return out
}

// readOn is the state of the whole journal, and keeps it unless its last line is not
// ended.
func (m *Memory) readOn(o *Options, f file) (*State, tail, error) {
	src, err := newSource(f)
	if err != nil {
		return nil, tail{}, readFailure(o, err)
	}
	if !m.fits(o) || !m.standsIn(f) {
		m.state, m.off, m.warned = newState(o), 0, false
	}
	s := m.state
	s.expect(src)
	m.state = nil // unless all goes well
	off := m.off
	t, err := scanAfter(src, off, s.Seq, s.pos().Sum, s.fold)
	if src.err != nil {
		return nil, t, readFailure(o, src.err)
	}
	if err != nil {
		return nil, t, damaged(o, err)
	}
	s.configure()
	t.warned = t.warned || m.warned
	if t.open {
		s.random, s.Torn = o, t.torn()
		return s, t, nil // the next writer puts a newline before its line
	}
	ending := m.ending
	if t.end > off || len(ending) == 0 {
		ending = make([]byte, min(t.end, endingSize))
		if _, err := f.ReadAt(ending, t.end-int64(len(ending))); err != nil {
			s.random, s.Torn = o, t.torn()
			return s, t, nil // what was read is right; it is only not kept
		}
	}
	m.state, m.off, m.ending, m.warned = s, t.end, ending, t.warned
	return s, t, nil
}

// fits reports whether what is kept was read in the space and the context of o.
func (m *Memory) fits(o *Options) bool {
	return m.state != nil && m.state.space == o.Space && m.state.context == contextOf(o.Study)
}

// standsIn reports whether a file still begins with what is kept.
func (m *Memory) standsIn(f file) bool {
	there := make([]byte, len(m.ending))
	n, _ := f.ReadAt(there, m.off-int64(len(m.ending)))
	return m.off > 0 && n == len(there) && bytes.Equal(there, m.ending)
}

// follow is ahead for a store.
func (m *Memory) follow(ctx context.Context, o *Options, from reader) (*Memory, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.catchUp(ctx, o, from); err != nil {
		return nil, err
	}
	return m.apart(o), nil
}

// read reads what came since from a store.
func (m *Memory) read(ctx context.Context, o *Options, from reader) (*State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.catchUp(ctx, o, from); err != nil {
		return nil, err
	}
	return m.give(o), nil
}

func (m *Memory) catchUp(ctx context.Context, o *Options, from reader) error {
	if !m.fits(o) {
		m.state = newState(o)
	}
	chunk, err := from.Read(ctx, m.state.pos())
	if err != nil {
		return err
	}
	s := m.state
	if chunk.From != s.pos() {
		before := s.pos()
		s = newState(o)
		if err := rolledBack(o, m.state, before, chunk.Lines); err != nil {
			return err
		}
	}
	m.state = nil
	t, err := scanAfter(sourceOf(chunk.Lines), 0, s.Seq, s.pos().Sum, s.fold)
	if err == nil && t.torn() { // a store has whole lines
		err = &damage{s.Seq + 1, errChecksum}
	}
	if err != nil {
		return damaged(o, err)
	}
	s.configure()
	m.state = s
	return nil
}

// rolledBack is the error for a store that had record before of the same run and
// has it no more.
func rolledBack(o *Options, was *State, before Pos, lines []byte) error {
	now, _, err := o.fold(sourceOf(lines), 0)
	if err != nil || !was.Exists || now.Header.Run != was.Header.Run {
		return err
	}
	return study.Errorf(study.Damaged, "A backup was restored, or a standby was promoted that had not heard of it. A new command goes on from here; "+
		"if a copy of the journal has more: bohier journal merge", "journal %s was rolled back: record %d was here, the last one now is %d", o.Path, before.Seq, now.Seq)
}

// copy is a state that its owner may change without changing s.
func (s *State) copy(o *Options) *State {
	c := *s
	c.random, c.held, c.Warnings = o, nil, nil
	c.Trials, c.notes, c.Queue = withRoom(s.Trials), withRoom(s.notes), slices.Clone(s.Queue)
	for i := range c.Trials {
		c.Trials[i].Replicates = slices.Clone(c.Trials[i].Replicates)
		if log := c.notes[i].log; log != nil {
			c.notes[i].log = slices.Clone(log)
		}
	}
	c.fills, c.sums = slices.Clip(s.fills), slices.Clip(s.sums)
	c.keys, c.lent, c.legs, c.enqueued = maps.Clone(s.keys), maps.Clone(s.lent), maps.Clone(s.legs), maps.Clone(s.enqueued)
	c.served, c.replicated = maps.Clone(s.served), maps.Clone(s.replicated)
	return &c
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
	if src.err != nil {
		return nil, t, readFailure(o, src.err)
	}
	if err != nil && !errors.Is(err, errEnough) {
		return nil, t, damaged(o, err)
	}
	s.Torn = err == nil && t.torn()
	s.configure()
	return s, t, nil
}
