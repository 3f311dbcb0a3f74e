package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A server is what a load was to the database's server.
type server struct {
	Sessions     [2]int  `json:"sessions"`     // of clients, ours not counted: 99 % of the time at most, and the most
	Transactions int     `json:"transactions"` // that were committed or rolled back
	Refused      int     `json:"refused"`      // rolled back
	Written      int64   `json:"written"`      // bytes of its log
	Seconds      float64 `json:"seconds"`
}

const (
	countsQuery   = `SELECT xact_commit, xact_rollback, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint FROM pg_stat_database WHERE datname = current_database();`
	sessionsQuery = `SELECT count(*) - 1 FROM pg_stat_activity WHERE backend_type = 'client backend';`
)

// watchServer looks at a server 20 times a second, through psql, until the function that it
// returns is called, which tells what was seen.
func watchServer(location string) (func() (*server, error), error) {
	location, _, _ = strings.Cut(location, "#")
	psql := exec.Command("psql", "-X", "-q", "-A", "-t", "-F", " ", location)
	psql.Stderr = os.Stderr
	in, err := psql.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := psql.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := psql.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	ask := func(query string, into ...any) error {
		if _, err := io.WriteString(in, query+"\n"); err != nil {
			return err
		}
		line, err := lines.ReadString('\n')
		if err == nil {
			_, err = fmt.Sscan(line, into...)
		}
		return err
	}
	var before, after server
	if err := ask(countsQuery, &before.Transactions, &before.Refused, &before.Written); err != nil {
		return nil, err
	}
	begun, end, ended := time.Now(), make(chan struct{}), make(chan []int)
	go func() {
		var seen []int
		for {
			select {
			case <-end:
				ended <- seen
				return
			case <-time.After(50 * time.Millisecond):
			}
			n := 0
			if ask(sessionsQuery, &n) == nil {
				seen = append(seen, n)
			}
		}
	}()
	return func() (*server, error) {
		s := &server{Seconds: time.Since(begun).Seconds()}
		close(end)
		seen := <-ended
		time.Sleep(time.Second) // sessions tell what they did when they are idle
		err := ask(countsQuery, &after.Transactions, &after.Refused, &after.Written)
		in.Close()
		if waited := psql.Wait(); err == nil {
			err = waited
		}
		if slices.Sort(seen); len(seen) > 0 {
			s.Sessions = [2]int{seen[len(seen)*99/100], seen[len(seen)-1]}
		}
		s.Refused, s.Written = after.Refused-before.Refused, after.Written-before.Written
		s.Transactions = after.Transactions - before.Transactions + s.Refused - len(seen)
		return s, err
	}, nil
}
