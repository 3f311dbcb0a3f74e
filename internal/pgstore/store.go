package pgstore

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"bohier/internal/journal"
	"bohier/internal/study"
)

const (
	idleTime    = time.Second // then a session that holds nothing is closed: a thousand workers are not a thousand sessions
	firstWait   = 20 * time.Millisecond
	waitShare   = 8 // whoever has waited for a server for so many seconds tries again in one
	lastWait    = 10 * time.Second
	firstTime   = 10 * time.Second // for the first connection of a process, which may have a wrong address
	maxJournal  = 1 << 30          // bytes
	sealed      = len(`,"crc":"00000000"}`)
	minServer   = 140000
	holderQuery = `SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
WHERE l.relation = '{schema}.journal'::regclass AND l.mode = 'RowShareLock' AND l.granted AND l.pid <> pg_backend_pid()
AND NOT EXISTS (SELECT FROM pg_locks w WHERE w.pid = l.pid AND NOT w.granted) LIMIT 1`
	greetQuery = `SELECT version, min_client, current_setting('server_version_num')::int, current_setting('server_version'),
current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on', pg_backend_pid() FROM {schema}.meta`
	readQuery = `SELECT j.seq, j.sum, l.seq, l.line FROM {schema}.journal j
LEFT JOIN {schema}.line l ON l.journal = j.id AND l.seq >= $2 WHERE j.name = $1 ORDER BY l.seq`
	beatQuery    = `SELECT {schema}.beat($1, $2, $3)`
	leaveQuery   = `SELECT {schema}.leave($1, $2)`
	beatsQuery   = `SELECT b.worker, b.count FROM {schema}.beat b JOIN {schema}.journal j ON j.id = b.journal WHERE j.name = $1`
	archiveQuery = `SELECT {schema}.archive($1, $2)`
)

// A Store is a journal in PostgreSQL. It implements journal.Store.
type Store struct {
	at       *Location
	patience time.Duration // for a server that is away

	mu    sync.Mutex
	idle  []idle
	met   bool // the server was there, with the schema
	least int  // the oldest version of the server that will do
	rng   *rand.Rand

	holding sync.Mutex // one Hold at a time
	held    map[int]hold
}

var _ journal.Store = (*Store)(nil)

type idle struct {
	conn  *pgx.Conn
	timer *time.Timer // nil: it holds numbers, and stays
}

// Open makes the store of a location. It connects when it is used. patience is how
// long a server may be away before that is an error.
func (l *Location) Open(patience time.Duration) *Store {
	return &Store{at: l, patience: patience, least: minServer, held: map[int]hold{}, rng: rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(time.Now().UnixNano())))}
}

// jitter is a random time below d.
func (s *Store) jitter(d time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Duration(s.rng.Int64N(int64(d)))
}

func (s *Store) String() string { return s.at.shown }

// sql puts the schema's name into a statement.
func (s *Store) sql(text string) string {
	return strings.ReplaceAll(text, "{schema}", pgx.Identifier{s.at.schema}.Sanitize())
}

// connect is a connection, of those that are idle or a new one.
func (s *Store) connect(ctx context.Context) (conn *pgx.Conn, err error) {
	s.mu.Lock()
	for len(s.idle) > 0 && conn == nil {
		last := s.idle[len(s.idle)-1]
		s.idle = s.idle[:len(s.idle)-1]
		switch {
		case last.timer != nil && !last.timer.Stop():
		case last.conn.IsClosed():
			s.forget(last.conn)
		default:
			conn = last.conn
		}
	}
	met := s.met
	s.mu.Unlock()
	if conn != nil {
		return conn, nil
	}
	err = guard(func() error {
		conn, err = pgx.ConnectConfig(ctx, s.at.config)
		return err
	})
	if err == nil && !met {
		if err = s.greet(ctx, conn); err != nil {
			drop(conn)
		}
	}
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.met = true
	s.mu.Unlock()
	return conn, nil
}

// greet finds out whether the server is one for journals.
func (s *Store) greet(ctx context.Context, conn *pgx.Conn) error {
	var version, least, number int
	var name string
	var durable bool
	var pid uint32
	err := guard(func() error { // the simple protocol: it prepares nothing, which a pooler may not keep
		return conn.QueryRow(ctx, s.sql(greetQuery), pgx.QueryExecModeSimpleProtocol).Scan(&version, &least, &number, &name, &durable, &pid)
	})
	switch {
	case err != nil:
		return err
	case number < s.least:
		return s.tooOld(name)
	case least > Version:
		return study.Errorf(study.Mismatch, "Use a newer version of bohier.", "the schema of %s is of version %d and asks for a program of at least version %d; this one has %d", s, version, least, Version)
	case pid != conn.PgConn().PID() && !s.at.pooled:
		return study.Errorf(study.Usage, "?pooled=true in the URL, or the server's own port", "a pooler stands before %s, and what a session keeps would be lost in it", s)
	case !durable:
		return study.Errorf(study.Usage, "fsync = on and full_page_writes = on in postgresql.conf", "%s does not write to disk what it acknowledges", s)
	}
	return nil
}

func (s *Store) tooOld(version string) error {
	return study.Errorf(study.Usage, "PostgreSQL 14 or later", "%s is PostgreSQL %s, which is too old", s, version)
}

// keep gives a connection back that is as it was, without the numbers that were let go
// of meanwhile.
func (s *Store) keep(conn *pgx.Conn) {
	for {
		freed, given := s.giveBack(conn)
		if given {
			return
		}
		if err := unlock(conn, s.key(), freed); err != nil {
			s.drop(conn)
			return
		}
		s.mu.Lock()
		for _, n := range freed {
			delete(s.held, n)
		}
		s.mu.Unlock()
	}
}

// giveBack makes a connection idle, unless it has numbers that were let go of.
func (s *Store) giveBack(conn *pgx.Conn) (freed []int, given bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if conn.IsClosed() {
		s.forget(conn)
		return nil, true
	}
	holds := false
	for n, h := range s.held {
		if h.conn == conn && h.freed {
			freed = append(freed, n)
		}
		holds = holds || h.conn == conn
	}
	if len(freed) > 0 {
		return freed, false
	}
	i := idle{conn: conn}
	if !holds {
		i.timer = time.AfterFunc(idleTime, func() { drop(conn) })
	}
	s.idle = append(s.idle, i)
	return nil, true
}

// drop closes a connection, with which the numbers go that it holds: who had them
// notices under the lock.
func (s *Store) drop(conn *pgx.Conn) {
	s.mu.Lock()
	s.forget(conn)
	s.mu.Unlock()
	drop(conn)
}

// forget removes what a connection held; s.mu is locked.
func (s *Store) forget(conn *pgx.Conn) {
	maps.DeleteFunc(s.held, func(_ int, h hold) bool { return h.conn == conn })
}

// drop closes a connection without a word that could wait for a server.
func drop(conn *pgx.Conn) {
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

// retry does f on a connection, and again on another one while the server is away.
func (s *Store) retry(ctx context.Context, patience time.Duration, f func(*pgx.Conn) error) error {
	begun := time.Now()
	for wait := firstWait; ; wait = min(2*wait, max(time.Second, time.Since(begun)/waitShare), lastWait) {
		conn, err := s.connect(ctx)
		if err == nil {
			err = guard(func() error { return f(conn) })
			if err == nil {
				return nil
			}
			s.drop(conn)
		}
		if !passing(err) || ctx.Err() != nil || time.Since(begun)+wait > s.worth(err, patience) {
			return s.explain(err)
		}
		time.Sleep(wait/2 + s.jitter(wait)) // not all at the same time
	}
}

// worth is how long to try again after an error: not for long where no server has answered
// yet, as one does that is full or starts.
func (s *Store) worth(err error, patience time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.met || state(err) != "" {
		return patience
	}
	return min(patience, firstTime)
}

// Read is described with journal.Store. With an error of code Damaged the chunk has
// what there is.
func (s *Store) Read(ctx context.Context, from journal.Pos) (chunk journal.Chunk, err error) {
	err = s.retry(ctx, s.patience, func(conn *pgx.Conn) error {
		chunk, err = s.read(ctx, conn, from)
		if err == nil || !passing(err) {
			s.keep(conn)
		}
		return err
	})
	return chunk, err
}

// read reads what follows from in one snapshot.
func (s *Store) read(ctx context.Context, conn *pgx.Conn, from journal.Pos) (journal.Chunk, error) {
	rows, err := conn.Query(ctx, s.sql(readQuery), s.at.name, from.Seq)
	if err != nil {
		return journal.Chunk{}, err
	}
	defer rows.Close()
	var last journal.Pos
	head, sum := 0, "00000000"
	var lines []byte
	moved := from.Seq > 0
	for rows.Next() {
		var seq *int
		var line []byte
		if err := rows.Scan(&head, &sum, &seq, &line); err != nil {
			return journal.Chunk{}, err
		}
		if seq == nil {
			continue
		}
		last = journal.Pos{Seq: *seq, Sum: sumOf(line)}
		if moved {
			if moved = last != from; moved {
				break
			}
			continue
		}
		if lines = append(append(lines, line...), '\n'); len(lines) > maxJournal {
			return journal.Chunk{}, study.Errorf(study.NotRecorded, "bohier journal archive begins a new one, which may start from the old one: warm_start", "%s is larger than 1 GiB", s)
		}
	}
	rows.Close()
	if err := rows.Err(); err != nil {
		return journal.Chunk{}, err
	}
	chunk := journal.Chunk{From: from, Lines: lines}
	if moved {
		return s.read(ctx, conn, journal.Pos{})
	}
	// By its text: that is what an append compares.
	if last.Seq != head || sum != fmt.Sprintf("%08x", last.Sum) {
		return chunk, study.Errorf(study.Damaged, "bohier journal verify shows what is left; bohier journal cat brings it into a file, which bohier journal repair mends",
			"%s is damaged: by its head the last record is %d with checksum %.20q, here it is %d with \"%08x\"", s, head, sum, last.Seq, last.Sum)
	}
	return chunk, nil
}

// sumOf is the checksum that a line carries.
func sumOf(line []byte) uint32 {
	if len(line) < sealed {
		return 0
	}
	v, _ := strconv.ParseUint(string(line[len(line)-10:len(line)-2]), 16, 32)
	return uint32(v)
}

// exec runs a statement without a result.
func (s *Store) exec(ctx context.Context, text string, args ...any) error {
	return s.retry(ctx, s.patience, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, s.sql(text), args...)
		if err == nil {
			s.keep(conn)
		}
		return err
	})
}

// Beat is described with journal.Store.
func (s *Store) Beat(ctx context.Context, worker string, count uint64) error {
	return s.exec(ctx, beatQuery, s.at.name, worker, int64(count))
}

// Leave is described with journal.Store.
func (s *Store) Leave(ctx context.Context, worker string) error {
	return s.exec(ctx, leaveQuery, s.at.name, worker)
}

// Beats is described with journal.Store.
func (s *Store) Beats(ctx context.Context) (beats map[string]uint64, err error) {
	err = s.retry(ctx, s.patience, func(conn *pgx.Conn) error {
		beats = map[string]uint64{}
		rows, err := conn.Query(ctx, s.sql(beatsQuery), s.at.name)
		if err != nil {
			return err
		}
		var worker string
		var count int64
		_, err = pgx.ForEachRow(rows, []any{&worker, &count}, func() error {
			beats[worker] = uint64(count)
			return nil
		})
		if err == nil {
			s.keep(conn)
		}
		return err
	})
	return beats, err
}

// Archive is described with journal.Store. It needs the role of the keeper.
func (s *Store) Archive(ctx context.Context, run string) (string, error) {
	var name *string
	err := s.retry(ctx, s.patience, func(conn *pgx.Conn) error {
		err := conn.QueryRow(ctx, s.sql(archiveQuery), s.at.name, run).Scan(&name)
		if err == nil {
			s.keep(conn)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	if name == nil {
		return "", study.Errorf(study.Usage, "", "there is no journal %s", s)
	}
	return strings.TrimSuffix(s.at.shown, s.at.name) + *name, nil
}
