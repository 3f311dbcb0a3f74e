package journal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"bohier/internal/study"
)

// A Store keeps the lines of one journal elsewhere than in a file: their bytes, their order and who may append. It
// knows no record. Safe for concurrent use. Errors are *study.Error, those of the program, but for ErrMoved.
type Store interface {
	Beats
	// String says where the journal is, without a credential.
	String() string
	// Read returns the whole lines after from, without a lock and without writing.
	// Where from is not in the store any more, Chunk.From is zero and it has all.
	Read(ctx context.Context, from Pos) (Chunk, error)
	// Lock waits, in a queue, for the right to append. Until Close nobody else has
	// it; a holder that is held up loses it and can then no longer append.
	Lock(ctx context.Context, timeout time.Duration) (Appender, error)
	// Hold takes the hold of a process that computes: a reserved number, or 0. It ends with the process. ok is false
	// where another one has it.
	Holder
	// Archive gives the journal another name in the store, and returns where it is.
	Archive(ctx context.Context, run string) (string, error)
	// Describe checks the operations that a journal needs; it writes nothing.
	Describe(ctx context.Context) (*Database, error)
}

// Database describes a database's abilities for a journal.
type Database struct {
	Schema        string   `json:"schema"`
	OK            bool     `json:"ok"`
	Journal       string   `json:"journal"`
	Server        string   `json:"server"`
	SchemaVersion int      `json:"schema_version"`
	TLS           bool     `json:"tls"`
	Pooled        bool     `json:"pooled"` // by a transaction pooler, as the URL says
	Commit        string   `json:"synchronous_commit"`
	Fsync         string   `json:"fsync"`
	FullPages     string   `json:"full_page_writes"`
	Standbys      int      `json:"standbys"`
	Async         int      `json:"standbys_async"` // so many of them are not waited for
	Connections   int      `json:"connections_left"`
	Rights        []string `json:"rights"` // worker, reader, keeper
	Warnings      []string `json:"warnings"`
	Problems      []string `json:"problems"`
	// Doubt reports why the lines, though they hold, might differ from the appended ones: the user may change them.
	Doubt string `json:"-"`
}

// An Appender is the right to append to a journal. Not safe for concurrent use.
type Appender interface {
	// Read is Store.Read under the lock.
	Read(ctx context.Context, from Pos) (Chunk, error)
	// Append appends all of the lines after the one at after, or none. They are on disk when the error
	// is nil, and so are the lines that were read: on the standbys for which a commit waits, too.
	// ErrMoved: after is not the end any more, and the turn is over.
	Append(ctx context.Context, after Pos, lines []byte) error
	Holder // under the lock
	// Held reports whether another process holds a number; true when unknown.
	Held(number int) bool
	Close()
}

// ErrMoved means that others appended since: catch up and decide again.
var ErrMoved = errors.New("others have appended meanwhile")

// Moved is ErrMoved for a reason of its own.
type Moved struct{ Cause error }

func (m Moved) Error() string        { return m.Cause.Error() }
func (m Moved) Is(target error) bool { return target == ErrMoved }

// A process that has to decide again waits a little longer each time, so that processes that
// began together do not meet again.
const firstRest, lastRest = 2 * time.Millisecond, 500 * time.Millisecond

// A Pos is a place between the lines of a journal: after the one with that number and checksum. Zero is the beginning.
type Pos struct {
	Seq int
	Sum uint32
}

// A Chunk is the lines after From, each with its newline.
type Chunk struct {
	From  Pos
	Lines []byte
}

// pos is where the journal of a state ends.
func (s *State) pos() Pos { return s.posAt(s.Seq) }

// posAt is the place after record seq.
func (s *State) posAt(seq int) Pos {
	if seq == 0 {
		return Pos{}
	}
	return Pos{seq, s.sums[seq-1]}
}

// Evidence names the state but for suggestions: where it is the same, the same is known of all trials that
// were suggested in both.
func (s *State) Evidence() Pos { return s.evidence }

// updateStore is Update of a journal in a store.
func (o *Options) updateStore(ctx context.Context, choose choice, wanted bool) (*State, error) {
	if o.Memory == nil {
		o.Memory = &Memory{}
	}
	why := "others were always faster"
	deadline := o.clock.Now() + o.LockTimeout
	for rest := firstRest; ; rest = min(2*rest, lastRest) {
		left := deadline - o.clock.Now()
		if left <= 0 {
			return nil, study.Errorf(study.LockTimeout, "Nothing was written; run the command again.",
				"nothing could be appended to %s in %v: %s", o.Path, o.LockTimeout, why)
		}
		s, err := o.updateOnce(ctx, left, choose, wanted)
		if !errors.Is(err, ErrMoved) {
			return s, err
		}
		if err != ErrMoved { //nolint:errorlint // then it lists the other errors
			why = err.Error()
		}
		if err := o.clock.Sleep(ctx, rest/2+o.jitter(rest)); err != nil {
			return nil, interrupted(o, err)
		}
	}
}

func (o *Options) updateOnce(ctx context.Context, timeout time.Duration, choose choice, wanted bool) (*State, error) {
	m := o.Memory
	m.mu.Lock() // before the store, as every reader: a store may have one session, which both use in turn
	defer m.mu.Unlock()
	if _, _, err := m.readOn(o, inStore{ctx, o.Store}); err != nil { // before the lock, so that it is short
		return nil, err
	}
	turn, err := o.Store.Lock(ctx, timeout)
	if err != nil {
		return nil, err
	}
	defer o.had(o.clock.Now())
	defer turn.Close()
	state, t, err := m.readOn(o, inStore{ctx, turn})
	if err == nil {
		err = check(state, o, mark{}, t)
	}
	if err != nil {
		return nil, err
	}
	state.held = turn.Held
	sound, after := false, state.pos()
	defer func() {
		if state.held = nil; !sound {
			m.state = nil
		}
	}()
	f, err := choose.lines(ctx, o, state, LockLease, func(*framed) error { return nil })
	if err != nil {
		sound = untouched(state, after.Seq, err)
		return nil, err
	}
	if len(f.lines) == 0 { // records that are there already may be acknowledged
		if err := turn.Append(ctx, after, nil); err != nil {
			return nil, err
		}
		sound = true
		return m.keep(state, inStore{}, t, wanted), nil
	}
	var keep Hold
	if o.Hold != nil {
		err = keep.take(ctx, turn, f.reserved)
	}
	if err == nil {
		err = turn.Append(ctx, after, bytes.Join(f.lines, nil))
	}
	if err != nil {
		_ = keep.Close()
		return nil, err
	}
	if o.Hold != nil {
		o.Hold.release = append(o.Hold.release, keep.release...)
	}
	sound = true
	return m.keep(state, inStore{}, t, wanted), nil
}

// archiveStore is Archive in a store, where the name is the store's to give.
func (o *Options) archiveStore(ctx context.Context, to string) (string, error) {
	if to != "" {
		return "", study.Errorf(study.Usage, "bohier journal copy makes a file of it",
			"a journal in a database is archived under its own name with the run in it")
	}
	s, err := o.readOnce(ctx)
	if err != nil {
		return "", err
	}
	if !s.Exists {
		return "", study.Errorf(study.Usage, "", "there is no journal %s", o.Path)
	}
	name, err := o.Store.Archive(ctx, s.Run)
	if err == nil {
		o.aside(s, name)
	}
	return name, err
}

// Beats are signs of life of workers, beside the journal: in its store, or in files. They are a count and no time, and
// nothing is lost with them: each reader watches on its own clock whether a count changes.
type Beats interface {
	// Beat records that a worker lives; count differs from that of its beat before.
	Beat(ctx context.Context, worker string, count uint64) error
	// Beats returns the last beat of each worker, except workers that ended well.
	Beats(ctx context.Context) (map[string]uint64, error)
	// Leave removes a worker's beat.
	Leave(ctx context.Context, worker string) error
}

// Beats are those beside a journal.
func (o Options) Beats() Beats {
	if o = o.defaults(); o.Store != nil {
		return o.Store
	}
	return &beatFiles{o, o.Path + ".beats"}
}

// beatFiles are beats in a directory, a file for each worker.
type beatFiles struct {
	Options
	dir string
}

func (o *beatFiles) Beat(_ context.Context, worker string, count uint64) error {
	if err := os.MkdirAll(o.dir, 0o777); err != nil {
		return readFailure(&o.Options, err)
	}
	name := o.file(worker)
	err := os.WriteFile(name+".new", fmt.Appendf(nil, "%d %s\n", count, worker), 0o666)
	if err == nil {
		err = os.Rename(name+".new", name)
	}
	if err != nil {
		return notRecorded(&o.Options, err)
	}
	return nil
}

func (o *beatFiles) Beats(context.Context) (map[string]uint64, error) {
	files, err := os.ReadDir(o.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, readFailure(&o.Options, err)
	}
	beats := map[string]uint64{}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(o.dir, f.Name()))
		count, worker, ok := strings.Cut(strings.TrimSuffix(string(text), "\n"), " ")
		n, parseErr := strconv.ParseUint(count, 10, 64)
		if err == nil && ok && parseErr == nil { // another may be leaving
			beats[worker] = n
		}
	}
	return beats, nil
}

func (o *beatFiles) Leave(_ context.Context, worker string) error {
	_ = os.Remove(o.file(worker)) // there may be none
	_ = os.Remove(o.dir)          // fails, as it should, while others beat
	return nil
}

// file is a file's name for any name of a worker.
func (o *beatFiles) file(worker string) string {
	return filepath.Join(o.dir, fmt.Sprintf("%x", sha256.Sum256([]byte(worker)))[:32])
}
