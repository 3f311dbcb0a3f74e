package pgstore

import (
	"context"
	"errors"
	"hash/crc32"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"bohier/internal/journal"
)

// key distinguishes the journals of a database among its advisory locks.
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
	in, err := s.connect(ctx, time.Now().Add(s.patience))
	if err != nil {
		return nil, false, s.explain(err)
	}
	if release, ok, err = s.hold(ctx, in, number); err != nil {
		s.drop(in)
		return nil, false, s.explain(err)
	}
	s.keep(in)
	return release, ok, nil
}

// hold takes a number for the session. The server would grant it twice.
func (s *Store) hold(ctx context.Context, in *session, number int) (release func(), ok bool, err error) {
	s.mu.Lock()
	_, had := in.held[number]
	s.mu.Unlock()
	if had {
		return nil, false, nil
	}
	var set string
	err = guard(func() error {
		return in.QueryRow(ctx, s.sql("hold"), s.key(), int32(number)).Scan(&ok, &set, &set, &set, &set)
	})
	if err != nil || !ok {
		return nil, false, err
	}
	s.mu.Lock()
	in.held[number] = false
	s.mu.Unlock()
	return func() { s.release(number, in) }, true, nil
}

// release frees a number of a session: at once, or when its present use ends.
func (s *Store) release(number int, of *session) {
	s.mu.Lock()
	if _, mine := of.held[number]; mine {
		of.held[number] = true
	}
	select {
	case in := <-s.idle:
		s.mu.Unlock()
		s.keep(in)
	default:
		s.mu.Unlock()
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
	return release, ok, t.moved(err)
}

// Held is described with journal.Appender. The server is asked once in a turn, for all numbers: processes that reserve
// need the lock, and a number that is freed meanwhile is seen the next time.
func (t *turn) Held(number int) bool {
	if t.s.at.pooled {
		return true
	}
	if t.held == nil {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		err := guard(func() (err error) {
			rows, _ := t.conn.Query(ctx, t.s.sql("held"), int64(uint32(t.s.key()))) // which have its error
			t.held, err = pgx.CollectRows(rows, pgx.RowTo[int64])
			return err
		})
		if err != nil {
			t.held = nil
			return true
		}
	}
	return slices.Contains(t.held, int64(number))
}

var _ journal.Appender = (*turn)(nil)
