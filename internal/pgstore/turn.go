package pgstore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"bohier/internal/journal"
	"bohier/internal/study"
)

const (
	beginQuery  = `BEGIN ISOLATION LEVEL READ COMMITTED`
	commitQuery = `COMMIT`
	abortQuery  = `ROLLBACK`
)

// appendTime is the time that a very busy server may take to check and write a line.
const appendTime = 10 * time.Millisecond

// resolveTime is how long a commit whose reply was lost is looked for at least.
const resolveTime = 20 * time.Second

// silence is how long after its own timeout a server is waited for.
const silence = 10 * time.Second

// A turn is the right to append: a transaction that has locked the journal's row.
type turn struct {
	s       *Store
	conn    *session // nil: over
	timeout time.Duration
	name    string  // of the transaction
	held    []int64 // by anybody; nil: not asked yet
}

// Lock is described with journal.Store.
func (s *Store) Lock(ctx context.Context, timeout time.Duration) (journal.Appender, error) {
	begun := time.Now()
	t := &turn{s: s, timeout: timeout}
	in, err := s.begin(ctx, timeout, func(conn *pgx.Conn) error {
		left := max(timeout-time.Since(begun), time.Millisecond)
		ctx, cancel := context.WithTimeout(ctx, left+silence) // the server's own timeout comes first
		defer cancel()
		b := &pgx.Batch{}
		b.Queue(beginQuery)
		b.Queue(s.sql("limits"), fmt.Sprint(left.Milliseconds()+1))
		b.Queue(s.sql("head"), s.at.name)
		b.Queue(s.sql("name")).QueryRow(func(row pgx.Row) error { return row.Scan(&t.name) })
		err := conn.SendBatch(ctx, b).Close()
		if state(err) == "55P03" {
			err = s.lockedBy(ctx, conn, timeout)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	t.conn = in
	return t, nil
}

// lockedBy is the error for a lock that others have, with the holder where the server names it.
func (s *Store) lockedBy(ctx context.Context, conn *pgx.Conn, timeout time.Duration) error {
	var who string
	if _, err := conn.Exec(ctx, abortQuery); err == nil {
		_ = conn.QueryRow(ctx, s.sql("holder")).Scan(&who) // there may be none any more
	}
	return study.Errorf(study.LockTimeout, "Nothing was written; run the command again, or end that process.",
		"the lock of %s was not obtained in %v: held by %s", s, timeout, cmp.Or(who, "a process that left no name"))
}

// Read is described with journal.Appender.
func (t *turn) Read(ctx context.Context, from journal.Pos) (chunk journal.Chunk, err error) {
	err = guard(func() error {
		chunk, err = t.s.read(ctx, t.conn.Conn, from)
		return err
	})
	return chunk, t.moved(err)
}

// moved is ErrMoved for an error after which one takes the lock anew.
func (t *turn) moved(err error) error {
	if err == nil {
		return nil
	}
	if passing(err) {
		t.over()
		return journal.Moved{Cause: bare(err)}
	}
	return t.s.explain(err)
}

// over ends the turn with its session, end without.
func (t *turn) over() {
	if t.conn != nil {
		t.s.drop(t.conn)
		t.conn = nil
	}
}

func (t *turn) end() {
	t.s.keep(t.conn)
	t.conn = nil
}

// Append is described with journal.Appender.
func (t *turn) Append(ctx context.Context, after journal.Pos, text []byte) error {
	if len(text) == 0 {
		return t.confirm(ctx, t.timeout)
	}
	lines := bytes.Split(bytes.TrimSuffix(text, []byte{'\n'}), []byte{'\n'})
	// From here on a signal does not interrupt: the fate of sent records would be unknown.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute+time.Duration(len(lines))*appendTime)
	defer cancel()
	// COMMIT goes out with the lines, so that the lock is not held for another answer. After
	// an error the server skips it; where others have appended it commits nothing.
	b := &pgx.Batch{}
	b.Queue(t.s.sql("append"), t.s.at.name, after.Seq, fmt.Sprintf("%08x", after.Sum), lines)
	b.Queue(commitQuery)
	var end int
	appended := false
	err := guard(func() error {
		r := t.conn.SendBatch(ctx, b)
		err := r.QueryRow().Scan(&end)
		if appended = err == nil; appended {
			var tag pgconn.CommandTag
			if tag, err = r.Exec(); err == nil && tag.String() != commitQuery {
				err = errRolledBack
			}
		}
		return cmp.Or(err, r.Close())
	})
	switch {
	case !appended && state(err) != "": // the session stays, with the numbers that it holds
		return t.moved(err)
	case err == nil:
		t.end()
		if end < 0 {
			return journal.ErrMoved
		}
		return nil
	case errors.Is(err, errRolledBack), state(err) != "" && !passing(err):
		t.over()
		return t.s.explain(err)
	}
	t.over()
	return t.resolve(ctx, after, text, err)
}

// confirm ends the turn by a commit, which waits until the server's synchronous standbys have all that was read. A
// commit whose client left while it waited is read by everybody, and a standby that takes over may not have it.
func (t *turn) confirm(ctx context.Context, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return t.finish(ctx, commitQuery)
}

// finish ends the turn by a statement that the server confirms in the same word.
func (t *turn) finish(ctx context.Context, statement string) error {
	err := guard(func() error {
		tag, err := t.conn.Exec(ctx, statement)
		if err == nil && tag.String() != statement {
			err = errRolledBack
		}
		return err
	})
	if err != nil {
		t.over()
		return t.moved(err)
	}
	t.end()
	return nil
}

var errRolledBack = errors.New("the server rolled the transaction back")

// resolve finds out the end of a commit whose reply was lost. The lock is free
// only when that transaction has ended; so reads under it are final. The lines alone do not show it: another worker may
// since have appended the very same, within a millisecond.
func (t *turn) resolve(ctx context.Context, after journal.Pos, text []byte, cause error) error {
	patience := max(t.timeout, resolveTime)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience+10*time.Second)
	defer cancel()
	unknown := study.Wrap(study.PerhapsRecorded, cause,
		"Whether the record is on disk is unknown; running the same command again is safe.", "perhaps recorded in %s", t.s)
	begun := time.Now()
	for time.Since(begun) < patience {
		next, err := t.s.Lock(ctx, patience-time.Since(begun))
		if err != nil {
			return unknown
		}
		now := next.(*turn)
		var fate string
		chunk, err := now.Read(ctx, after)
		if err == nil {
			fate, err = now.fate(ctx, t.name)
		}
		there := fate != "aborted" && chunk.From == after && bytes.HasPrefix(chunk.Lines, text)
		if err == nil && there && fate != "in progress" {
			err = now.confirm(ctx, patience-time.Since(begun))
		}
		now.Close()
		switch {
		case err == nil && fate == "in progress": // which a transaction that makes the journal can be: it locks no row
			time.Sleep(firstWait)
		case err == nil && there:
			return nil
		case err == nil:
			return journal.ErrMoved
		case !errors.Is(err, journal.ErrMoved):
			return unknown
		}
	}
	return unknown
}

// fate is the end of a transaction: "committed", "aborted", "in progress" or, where the server no
// longer remembers it or was replaced by a copy, nothing.
func (t *turn) fate(ctx context.Context, name string) (fate string, err error) {
	err = guard(func() error { return t.conn.QueryRow(ctx, t.s.sql("fate"), name).Scan(&fate) })
	return fate, t.moved(err)
}

// Close is described with journal.Appender.
func (t *turn) Close() {
	if t.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = t.finish(ctx, abortQuery) // else the session is closed
}
