package pgstore

import (
	"context"
	"errors"
	"hash/crc32"
	"time"

	"github.com/jackc/pgx/v5"

	"bohier/internal/journal"
)

// A hold is a number that this process has: an advisory lock of a session, which the server
// drops with it. The session does other work, too, so that who waits needs no other one.
type hold struct {
	conn  *pgx.Conn
	freed bool // while the session was at work
}

// key tells the journals of a database apart among its advisory locks.
func (s *Store) key() int32 {
	return int32(crc32.ChecksumIEEE([]byte("bohier/" + s.at.schema + "/" + s.at.name)))
}

// Hold is described with journal.Store. Through a pooler a number that one process got
// is never free for another, and nobody has the turn to compute.
func (s *Store) Hold(ctx context.Context, number int) (release func(), ok bool, err error) {
	if s.at.pooled {
		if number == 0 {
			return nil, false, errors.New("there are no holds through a pooler")
		}
		return func() {}, true, nil
	}
	conn, err := s.connect(ctx, time.Now().Add(s.patience))
	if err != nil {
		return nil, false, s.explain(err)
	}
	if release, ok, err = s.hold(ctx, conn, number); err != nil {
		s.drop()
		return nil, false, s.explain(err)
	}
	s.keep()
	return release, ok, nil
}

// hold takes a number for the session, which the server would give what it has already.
func (s *Store) hold(ctx context.Context, conn *pgx.Conn, number int) (release func(), ok bool, err error) {
	s.mu.Lock()
	_, had := s.held[number]
	s.mu.Unlock()
	if had {
		return nil, false, nil
	}
	var set string
	err = guard(func() error {
		return conn.QueryRow(ctx, s.sql("hold"), s.key(), int32(number)).Scan(&ok, &set, &set, &set, &set)
	})
	if err != nil || !ok {
		return nil, false, err
	}
	s.mu.Lock()
	s.held[number] = hold{conn: conn}
	s.mu.Unlock()
	return func() { s.release(number, conn) }, true, nil
}

// release frees a number: at once, or when the present use of the session ends.
func (s *Store) release(number int, conn *pgx.Conn) {
	s.mu.Lock()
	if s.held[number].conn != conn {
		s.mu.Unlock()
		return
	}
	s.held[number] = hold{conn, true}
	mine := false
	select {
	case s.using <- struct{}{}:
		mine = true
	default:
	}
	s.mu.Unlock()
	if mine {
		s.keep()
	}
}

// unlock gives numbers of a session back.
func (s *Store) unlock(conn *pgx.Conn, numbers []int) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return guard(func() error { _, err := conn.Exec(ctx, s.sql("release"), s.key(), numbers); return err })
}

// Hold is described with journal.Appender.
func (t *turn) Hold(ctx context.Context, number int) (release func(), ok bool, err error) {
	if t.s.at.pooled {
		return t.s.Hold(ctx, number)
	}
	release, ok, err = t.s.hold(ctx, t.conn, number)
	return release, ok, t.again(err)
}

// Held is described with journal.Appender. The server is asked once in a turn, for all numbers:
// processes that reserve need the lock, and a number that is freed meanwhile is seen the next
// time.
func (t *turn) Held(number int) bool {
	if t.s.at.pooled {
		return true
	}
	if t.held != nil {
		return t.held[number]
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	held := map[int]bool{}
	err := guard(func() error {
		rows, err := t.conn.Query(ctx, t.s.sql("held"), int64(uint32(t.s.key())))
		if err != nil {
			return err
		}
		var number int64
		_, err = pgx.ForEachRow(rows, []any{&number}, func() error { held[int(number)] = true; return nil })
		return err
	})
	if err != nil {
		return true
	}
	t.held = held
	return held[number]
}

var _ journal.Appender = (*turn)(nil)
