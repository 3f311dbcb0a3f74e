package pgstore

import (
	"context"
	"fmt"
	"hash/crc32"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// A message goes where an append goes on the server's disk, and is in no table.
const messageQuery = `SELECT pg_logical_emit_message(true, 'bohier', 'doctor')`

// measure is the time of an append, which is taken back, to a journal that is never there, and
// that of a commit, which leaves a message.
func (s *Store) measure(ctx context.Context, conn *pgx.Conn) (appended, committed time.Duration, err error) {
	line := sealedLine(fmt.Sprintf(`{"seq":1,"prev":"00000000","t":"doctor","note":"%0240d"`, 0)) // as long as most
	name := fmt.Sprintf("doctor.%d", time.Now().UnixNano())
	appended, err = median(func() (time.Duration, error) {
		took, _, err := within(ctx, conn, abortQuery, s.sql(appendQuery), name, 0, "00000000", [][]byte{[]byte(line)})
		return took, err
	})
	if err != nil {
		return 0, 0, err
	}
	committed, err = median(func() (time.Duration, error) {
		_, took, err := within(ctx, conn, commitQuery, messageQuery)
		return took, err
	})
	return appended, committed, err
}

// sealedLine is a line with its checksum.
func sealedLine(text string) string {
	return fmt.Sprintf(`%s,"crc":"%08x"}`, text, crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli)))
}

// within does one thing in a transaction such as an append's, and says how long that and the
// transaction's end took.
func within(ctx context.Context, conn *pgx.Conn, end, text string, args ...any) (did, ended time.Duration, err error) {
	b := &pgx.Batch{}
	b.Queue(beginQuery)
	b.Queue(limitsQuery, "1000")
	if err := conn.SendBatch(ctx, b).Close(); err != nil {
		return 0, 0, err
	}
	for _, step := range []struct {
		took *time.Duration
		text string
		args []any
	}{{&did, text, args}, {&ended, end, nil}} {
		if *step.took, err = timed(func() error { _, err := conn.Exec(ctx, step.text, step.args...); return err })(); err != nil {
			return 0, 0, err
		}
	}
	return did, ended, nil
}

// timed is f with the time that it takes.
func timed(f func() error) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		begun := time.Now()
		err := f()
		return time.Since(begun), err
	}
}

// median is the median time of five calls.
func median(f func() (time.Duration, error)) (time.Duration, error) {
	var times []time.Duration
	for range 5 {
		took, err := f()
		if err != nil {
			return 0, err
		}
		times = append(times, took)
	}
	slices.Sort(times)
	return times[2], nil
}
