package pgstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"bohier/internal/study"
)

// A process has one session, which its workers use in turn: a server has few, and workers
// that shared several among themselves would leave none to other processes.
const (
	idleTime  = time.Second // then a session that holds nothing is closed: a thousand workers are not a thousand sessions
	firstWait = 20 * time.Millisecond
	waitShare = 8 // a client that has waited for a server for so many seconds tries again in one
	lastWait  = 10 * time.Second
	firstTime = 10 * time.Second // for the first connection of a process, which may have a wrong address
	minServer = 140000
)

// A session is a connection, and the numbers that it holds: advisory locks, which the server drops with
// it. It does other work, too, so that who waits needs no other one.
type session struct {
	*pgx.Conn
	held map[int]bool // numbers, and whether they were freed while the session was at work
}

// connect waits for the session until the deadline and returns it, a new one where there is
// none. It is in use until keep or drop.
func (s *Store) connect(ctx context.Context, deadline time.Time) (in *session, err error) {
	wait, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	select {
	case in = <-s.idle: // before the deadline is looked at, which may have passed in a pause
	default:
		select {
		case in = <-s.idle:
		case <-wait.Done():
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, study.Errorf(study.LockTimeout,
				"Nothing was written; run the command again, with a longer --lock-timeout or fewer workers in one process.",
				"the session with %s was not free in time: other workers of this process have it", s)
		}
	}
	if in != nil && !in.IsClosed() {
		return in, nil
	}
	conn, err := s.dial(ctx, s.met.Load())
	if err != nil {
		s.idle <- nil
		return nil, err
	}
	s.met.Store(true)
	return &session{conn, map[int]bool{}}, nil
}

// dial is a new connection, to a server that was met before or is greeted.
func (s *Store) dial(ctx context.Context, met bool) (conn *pgx.Conn, err error) {
	err = guard(func() error {
		conn, err = pgx.ConnectConfig(ctx, s.at.config)
		return err
	})
	if err != nil || met {
		return conn, err
	}
	if err = s.greet(ctx, conn); err != nil {
		closeNow(conn)
		return nil, err
	}
	return conn, nil
}

// greet finds out whether the server is one for journals.
func (s *Store) greet(ctx context.Context, conn *pgx.Conn) error {
	var version, least, number int
	var name string
	var durable bool
	var pid uint32
	err := guard(func() error { // the simple protocol: it prepares nothing, which a pooler may not keep
		return conn.QueryRow(ctx, s.sql("greet"), pgx.QueryExecModeSimpleProtocol).Scan(&version, &least, &number, &name,
			&durable, &pid)
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return study.Errorf(study.Usage, s.schemaHint(), "the schema of %s is not complete: its table meta is empty", s)
	case errors.As(err, new(pgx.ScanArgError)):
		return s.refused("42", err)
	case err != nil:
		return err
	case number < s.least:
		return s.tooOld(name)
	case least > Version:
		return study.Errorf(study.Mismatch, "Use a newer version of bohier.",
			"the schema of %s has version %d and needs a program of at least version %d; this one has %d", s, version,
			least, Version)
	case pid != conn.PgConn().PID() && !s.at.pooled:
		return study.Errorf(study.Usage, "?pooled=true in the URL, or the server's own port",
			"a pooler is in front of %s, and would lose the state of sessions", s)
	case !durable:
		return study.Errorf(study.Usage, "fsync = on and full_page_writes = on in postgresql.conf",
			"%s acknowledges data before it is on disk", s)
	}
	return nil
}

func (s *Store) tooOld(version string) error {
	return study.Errorf(study.Usage, "PostgreSQL 14 or later", "%s is PostgreSQL %s, which is too old", s, version)
}

// keep ends the use of the session, which is unchanged, without the numbers that were freed meanwhile.
func (s *Store) keep(in *session) {
	for in != nil && !in.IsClosed() {
		s.mu.Lock()
		var freed []int
		for n, is := range in.held {
			if is {
				freed = append(freed, n)
			}
		}
		if len(freed) == 0 {
			if s.timer.Stop(); len(in.held) == 0 {
				s.timer.Reset(idleTime)
			}
			s.idle <- in // within the lock, where release looks whether the session is in use
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		if s.unlock(in.Conn, freed) != nil {
			break
		}
		s.mu.Lock()
		for _, n := range freed {
			delete(in.held, n)
		}
		s.mu.Unlock()
	}
	s.drop(in)
}

// rest closes a session that nobody has used for a while.
func (s *Store) rest() {
	select {
	case in := <-s.idle:
		s.mu.Lock()
		holds := in != nil && len(in.held) > 0
		s.mu.Unlock()
		if holds {
			s.keep(in)
		} else {
			s.drop(in)
		}
	default:
	}
}

// drop ends the use of the session and closes it. The numbers that it holds go with it: who
// had them notices under the lock.
func (s *Store) drop(in *session) {
	if in != nil {
		closeNow(in.Conn)
	}
	s.idle <- nil
}

// closeNow closes a connection without a word that could wait for a server.
func closeNow(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = guard(func() error { return conn.Close(ctx) })
}

// guard is f; a panic of the driver, which may misread a damaged stream, is an error.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the connection's stream was not understood: %v", p)
		}
	}()
	return f()
}

// retry does f in the session, and again in another one while the server is away.
func (s *Store) retry(ctx context.Context, patience time.Duration, f func(*pgx.Conn) error) error {
	in, err := s.begin(ctx, patience, f)
	if err == nil {
		s.keep(in)
	}
	return err
}

// begin is retry which, without an error, leaves the session in use.
func (s *Store) begin(ctx context.Context, patience time.Duration, f func(*pgx.Conn) error) (*session, error) {
	begun := time.Now()
	jitter := rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(begun.UnixNano())))
	for wait := firstWait; ; wait = min(2*wait, max(time.Second, time.Since(begun)/waitShare), lastWait) {
		in, err := s.connect(ctx, begun.Add(patience))
		if err == nil {
			if err = guard(func() error { return f(in.Conn) }); err == nil {
				return in, nil
			}
			if errors.As(err, new(*study.Error)) { // the session is unchanged, with its holds
				s.keep(in)
			} else {
				s.drop(in)
			}
		}
		if !passing(err) || ctx.Err() != nil || time.Since(begun)+wait > s.worth(err, patience) {
			return nil, s.explain(err)
		}
		time.Sleep(wait/2 + time.Duration(jitter.Int64N(int64(wait)))) // not all at the same time
	}
}

// worth is how long to try again after an error: not for long where no server has answered
// yet, as one does that is full or starts.
func (s *Store) worth(err error, patience time.Duration) time.Duration {
	if s.met.Load() || state(err) != "" {
		return patience
	}
	return min(patience, firstTime)
}
