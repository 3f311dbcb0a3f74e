package pgstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"bohier/internal/journal"
	"bohier/internal/study"
)

// holder takes the lock, says so, waits for a line, and appends: with a server that ends its
// turn after 300 ms of silence, in place of 15 s.
func holder(url string) int {
	l, err := Parse(url, "stopped", true)
	if err != nil {
		return 1
	}
	s := l.Open(time.Minute)
	ctx := context.Background()
	held, err := s.Lock(ctx, time.Minute)
	if err != nil {
		return 1
	}
	if _, err := held.(*turn).conn.Exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = '300ms'"); err != nil {
		return 1
	}
	chunk, err := held.Read(ctx, journal.Pos{})
	if err != nil {
		return 1
	}
	lines := strings.Split(strings.TrimSpace(string(chunk.Lines)), "\n")
	end := lines[len(lines)-1]
	fmt.Println("have it")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return 1
	}
	late := fmt.Sprintf(`{"seq":%d,"prev":"%08x","t":"late"`, len(lines)+1, sumOf([]byte(end)))
	err = held.Append(ctx, journal.Pos{Seq: len(lines), Sum: sumOf([]byte(end))}, []byte(sealedLine(late)))
	fmt.Println("moved:", errors.Is(err, journal.ErrMoved))
	return 0
}

// stopped holds that a holder of the lock that is stopped for longer than it may be silent does
// not hold others up, and that what it appends when it goes on is not recorded.
func stopped(t *testing.T, c *server) {
	o := options(open(t, c.URL("wanda", "stopped")))
	must(t, enqueue(t.Context(), o, "first"))
	holder := exec.CommandContext(t.Context(), os.Args[0])
	holder.Env = append(os.Environ(), "PGSTORE_HOLDER="+c.URL("wanda", "stopped"))
	in, err := holder.StdinPipe()
	must(t, err)
	out, err := holder.StdoutPipe()
	must(t, err)
	must(t, holder.Start())
	says := bufio.NewScanner(out)
	if !says.Scan() || says.Text() != "have it" {
		t.Fatalf("the holder says %q", says.Text())
	}
	must(t, holder.Process.Signal(syscall.SIGSTOP))
	if err := enqueue(t.Context(), o, "second"); err != nil {
		t.Errorf("while the holder is stopped: %v", err)
	}
	must(t, holder.Process.Signal(syscall.SIGCONT))
	fmt.Fprintln(in)
	if !says.Scan() || says.Text() != "moved: true" {
		t.Errorf("the holder, when it goes on: %q", says.Text())
	}
	if err := holder.Wait(); err != nil {
		t.Error(err)
	}
	if s, _, err := journal.Read(t.Context(), options(open(t, c.URL("rita", "stopped")))); err != nil ||
		len(s.Queue) != 2 || s.Seq != 3 {
		t.Errorf("%+v, %v", s, err)
	}
}

// sealedLine is a line with its checksum.
func sealedLine(text string) string {
	return fmt.Sprintf(`%s,"crc":"%08x"}`, text, crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli)))
}

// standby holds that nothing is acknowledged which the standbys of a commit do not have, though
// everybody can read it: a record whose writer lost its session while it waited for them.
func standby(t *testing.T, c *server) {
	o := options(open(t, c.URL("wanda", "standby")))
	waitsFor := func(names string) {
		c.SQL("postgres", "ALTER SYSTEM SET synchronous_standby_names = '"+names+"'")
		c.SQL("postgres", "SELECT pg_reload_conf()")
		for c.SQL("postgres", "SHOW synchronous_standby_names") != names {
			time.Sleep(time.Millisecond)
		}
		c.SQL("postgres", "CHECKPOINT") // by the process that has the setting act
	}
	must(t, enqueue(t.Context(), o, "first"))
	waitsFor("nobody")
	defer waitsFor("")
	acknowledged := make(chan error, 1)
	const waiting = "SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
	waiter := func(other string) (pid string) {
		for pid == "" || pid == "0" || pid == other {
			select {
			case err := <-acknowledged:
				t.Fatalf("%v, which is an answer, before a standby has it", err)
			case <-time.After(20 * time.Millisecond):
			}
			pid = c.SQL("postgres", waiting)
		}
		return pid
	}
	go func() { acknowledged <- enqueue(t.Context(), o, "second") }()
	first := waiter("")
	c.SQL("postgres", "SELECT pg_terminate_backend("+first+")")
	waiter(first)
	waitsFor("")
	if err := <-acknowledged; err != nil {
		t.Error(err)
	}
	waitsFor("nobody")
	o.LockTimeout = 200 * time.Millisecond
	if err := enqueue(t.Context(), o, "second"); code(err) != study.LockTimeout {
		t.Errorf("what is there already is acknowledged without the standby: %v", err)
	}
}
