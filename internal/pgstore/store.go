package pgstore

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"bohier/internal/journal"
	"bohier/internal/study"
)

const maxJournal = 1 << 30 // bytes

// A Store is a journal in PostgreSQL. It implements journal.Store.
type Store struct {
	at       *Location
	patience time.Duration // for a server that is away
	met      atomic.Bool   // the server was there, with the schema
	least    int           // the oldest version of the server that will do
	idle     chan *session // that of this process while nobody uses it; a nil one stands for none yet, or a lost one
	mu       sync.Mutex    // of the holds of sessions
	timer    *time.Timer   // ends the session
}

var _ journal.Store = (*Store)(nil)

// Open makes the store of a location. It connects when it is used. patience is how
// long a server may be away before that is an error.
func (l *Location) Open(patience time.Duration) *Store {
	s := &Store{at: l, patience: patience, least: minServer, idle: make(chan *session, 1)}
	s.idle <- nil
	s.timer = time.AfterFunc(idleTime, s.rest)
	return s
}

func (s *Store) String() string { return s.at.shown }

//go:embed statements.sql
var statements string

var statementOf = sync.OnceValue(func() map[string]string {
	of := map[string]string{}
	for text := range strings.SplitSeq(statements, "\n\n-- ") {
		name, statement, _ := strings.Cut(text, "\n")
		of[name] = strings.TrimSpace(statement)
	}
	return of
})

// sql is a statement of the store.
func (s *Store) sql(name string) string {
	return strings.ReplaceAll(statementOf()[name], "{schema}", pgx.Identifier{s.at.schema}.Sanitize())
}

// Read is described with journal.Store. With an error of code Damaged the chunk has the readable records.
func (s *Store) Read(ctx context.Context, from journal.Pos) (chunk journal.Chunk, err error) {
	err = s.retry(ctx, s.patience, func(conn *pgx.Conn) error {
		chunk, err = s.read(ctx, conn, from)
		return err
	})
	return chunk, err
}

// read reads the records after from in one snapshot.
func (s *Store) read(ctx context.Context, conn *pgx.Conn, from journal.Pos) (journal.Chunk, error) {
	rows, _ := conn.Query(ctx, s.sql("read"), s.at.name, from.Seq) // which have its error
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
		last.Seq = *seq
		last.Sum, _ = journal.Sum(line)
		if moved {
			if moved = last != from; moved {
				break
			}
			continue
		}
		if lines = append(append(lines, line...), '\n'); len(lines) > maxJournal {
			return journal.Chunk{}, study.Errorf(study.NotRecorded,
				"bohier journal archive begins a new one, which may start from the old one: warm_start", "%s is larger than 1 GiB",
				s)
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
	// By its text: an append compares it.
	if last.Seq != head || sum != fmt.Sprintf("%08x", last.Sum) {
		return chunk, study.Errorf(study.Damaged, journal.ByCopy(s.String()),
			"%s is damaged: by its head the last record is %d with checksum %.20q, here it is %d with \"%08x\"", s, head, sum,
			last.Seq, last.Sum)
	}
	return chunk, nil
}

// exec runs a statement without a result.
func (s *Store) exec(ctx context.Context, name string, args ...any) error {
	return s.retry(ctx, s.patience, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, s.sql(name), args...)
		return err
	})
}

// Beat is described with journal.Store.
func (s *Store) Beat(ctx context.Context, worker string, count uint64) error {
	return s.exec(ctx, "beat", s.at.name, worker, int64(count))
}

// Leave is described with journal.Store.
func (s *Store) Leave(ctx context.Context, worker string) error {
	return s.exec(ctx, "leave", s.at.name, worker)
}

// Beats is described with journal.Store.
func (s *Store) Beats(ctx context.Context) (beats map[string]uint64, err error) {
	err = s.retry(ctx, s.patience, func(conn *pgx.Conn) error {
		beats = map[string]uint64{}
		rows, _ := conn.Query(ctx, s.sql("beats"), s.at.name) // which have its error
		var worker string
		var count int64
		_, err = pgx.ForEachRow(rows, []any{&worker, &count}, func() error {
			beats[worker] = uint64(count)
			return nil
		})
		return err
	})
	return beats, err
}

// Archive is described with journal.Store. It needs the role of the keeper.
func (s *Store) Archive(ctx context.Context, run string) (string, error) {
	var name *string
	err := s.retry(ctx, s.patience, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, s.sql("archive"), s.at.name, run).Scan(&name)
	})
	if err != nil {
		return "", err
	}
	if name == nil {
		return "", study.Errorf(study.Usage, "", "there is no journal %s", s)
	}
	return strings.TrimSuffix(s.at.shown, s.at.name) + *name, nil
}
