package pgstore

import (
	"context"
	"errors"
	"hash/crc32"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"bohier/internal/journal"
)

const (
	holdQuery    = `SELECT pg_try_advisory_lock($1, $2)`
	releaseQuery = `SELECT pg_advisory_unlock($1, $2)`
	// A host that vanished is noticed within half a minute.
	aliveQuery = `SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
set_config('tcp_keepalives_count', '4', false), set_config('tcp_user_timeout', '30000', false)`
	heldQuery = `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
AND classid::bigint = $1::bigint AND objid::bigint = $2::bigint
AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`
	watchQuery = `SELECT id, seq FROM {schema}.journal WHERE name = $1`
)

// holds are the numbers that this process holds: advisory locks of one session, which
// the server drops with the session.
type holds struct {
	session *pgx.Conn
	numbers map[int]bool
}

// key tells the journals of a database apart among its advisory locks.
func (s *Store) key() int32 {
	return int32(crc32.ChecksumIEEE([]byte("bohier/" + s.at.schema + "/" + s.at.name)))
}

// errNoSession is why a hold cannot be had through a pooler.
var errNoSession = errors.New("there are no holds through a pooler")

// Hold is described with journal.Store. Through a pooler a number that one process got
// is never free for another, and nobody has the turn to compute.
func (s *Store) Hold(ctx context.Context, number int) (release func(), ok bool, err error) {
	if s.at.pooled {
		if number == 0 {
			return nil, false, errNoSession
		}
		return func() {}, true, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.numbers[number] {
		return nil, false, nil
	}
	if s.session == nil || s.session.IsClosed() {
		s.session, s.numbers = nil, map[int]bool{}
		err := guard(func() error {
			conn, err := pgx.ConnectConfig(ctx, s.at.config)
			if err == nil {
				_, _ = conn.Exec(ctx, aliveQuery) // a unix socket has none of these
				s.session = conn
			}
			return err
		})
		if err != nil {
			return nil, false, s.explain(err)
		}
	}
	err = guard(func() error { return s.session.QueryRow(ctx, holdQuery, s.key(), int32(number)).Scan(&ok) })
	if err != nil {
		s.endHolds()
		return nil, false, s.explain(err)
	}
	if ok {
		s.numbers[number] = true
	} else if len(s.numbers) == 0 {
		s.endHolds()
	}
	return func() { s.release(number) }, ok, nil
}

func (s *Store) endHolds() {
	drop(s.session)
	s.session, s.numbers = nil, nil
}

func (s *Store) release(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.numbers[number] {
		return
	}
	delete(s.numbers, number)
	if len(s.numbers) == 0 {
		s.endHolds()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := guard(func() error { _, err := s.session.Exec(ctx, releaseQuery, s.key(), int32(number)); return err }); err != nil {
		s.endHolds() // which releases the others too; they are looked after under the lock
	}
}

// Held is described with journal.Appender.
func (t *turn) Held(number int) bool {
	if t.s.at.pooled {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	held := true
	err := guard(func() error {
		return t.conn.QueryRow(ctx, heldQuery, int64(uint32(t.s.key())), int64(number)).Scan(&held)
	})
	return held || err != nil
}

// Watch is described with journal.Store.
func (s *Store) Watch(ctx context.Context, seq int) error {
	if s.at.pooled {
		return s.poll(ctx, seq)
	}
	conn, err := s.connect(ctx)
	if err != nil {
		return s.explain(err)
	}
	defer drop(conn) // it listens
	var id int64
	var now int
	err = guard(func() error {
		err := conn.QueryRow(ctx, s.sql(watchQuery), s.at.name).Scan(&id, &now)
		if err != nil || now > seq {
			return err
		}
		channel := pgx.Identifier{s.at.schema + "_" + itoa(id)}.Sanitize()
		if _, err := conn.Exec(ctx, listen+channel); err != nil {
			return err
		}
		// Between the first look and LISTEN there may have been one more.
		if err := conn.QueryRow(ctx, s.sql(watchQuery), s.at.name).Scan(&id, &now); err != nil || now > seq {
			return err
		}
		_, err = conn.WaitForNotification(ctx)
		return err
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.explain(err)
}

// poll is Watch without a session to listen in.
func (s *Store) poll(ctx context.Context, seq int) error {
	for wait := firstPoll; ; wait = min(2*wait, lastPoll) {
		now := 0
		err := s.retry(ctx, s.patience, func(conn *pgx.Conn) error {
			var id int64
			err := conn.QueryRow(ctx, s.sql(watchQuery), s.at.name).Scan(&id, &now)
			if err == nil {
				s.keep(conn)
			}
			return err
		})
		if err != nil || now > seq {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

const firstPoll, lastPoll = 250 * time.Millisecond, 5 * time.Second

var _ journal.Appender = (*turn)(nil)

const listen = `LISTEN `

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
