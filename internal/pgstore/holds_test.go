package pgstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"bohier/internal/journal"
	"bohier/internal/study"
)

func holdsTest(t *testing.T, c *server) {
	a, b := open(t, c.URL("wanda", "holds")), open(t, c.URL("wanda", "holds"))
	must(t, enqueue(t.Context(), options(a), "a"))
	release, ok, err := a.Hold(t.Context(), 3)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, ok, err := b.Hold(t.Context(), 3); ok || err != nil {
		t.Errorf("held twice: %v, %v", ok, err)
	}
	if _, ok, err := a.Hold(t.Context(), 3); ok || err != nil {
		t.Errorf("held twice by one process: %v, %v", ok, err)
	}
	held := func(n int) bool {
		turn, err := b.Lock(t.Context(), time.Second)
		must(t, err)
		defer turn.Close()
		return turn.Held(n)
	}
	if !held(3) || held(4) {
		t.Error("what is held is not seen, or what is not is")
	}
	c.SQL("tuning", `CREATE FUNCTION public.crowded() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER crowded BEFORE INSERT ON bohier.line FOR EACH ROW EXECUTE FUNCTION public.crowded()`)
	err = enqueue(t.Context(), options(a), "b")
	c.SQL("tuning", "DROP TRIGGER crowded ON bohier.line; DROP FUNCTION public.crowded()")
	if !study.HasCode(err, study.NotRecorded) || !held(3) {
		t.Errorf("after a line that the server refused: %v, held %v", err, held(3))
	}
	release()
	for try := 0; held(3); try++ { // the server hears of it a little later
		if try == 200 {
			t.Fatal("what was released is still held")
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// shared holds that the workers of a process use one session, those who come first before
// the others, and that who waits for it in vain is told so.
func shared(t *testing.T, c *server) {
	c.SQL("tuning", "CREATE ROLE una LOGIN PASSWORD '"+password+"' CONNECTION LIMIT 1; GRANT bohier_worker TO una")
	s := open(t, c.URL("una", "shared"))
	must(t, enqueue(t.Context(), options(s), "first"))
	var group sync.WaitGroup
	errs := make([]error, 32)
	for k := range 16 {
		group.Go(func() { errs[k] = enqueue(t.Context(), options(s), fmt.Sprint(k)) })
		group.Go(func() { errs[16+k] = s.Beat(t.Context(), fmt.Sprint("w/", k), 1) })
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	beats, err := s.Beats(t.Context())
	if state, _, failed := journal.Read(t.Context(), options(s)); err != nil || failed != nil || len(beats) != 16 ||
		len(keysOf(state)) != 17 {
		t.Errorf("%d beats of 16 and %d keys of 17: %v, %v", len(beats), len(keysOf(state)), err, failed)
	}
	turn, err := s.Lock(t.Context(), time.Second)
	must(t, err)
	if _, err := s.Lock(t.Context(), 100*time.Millisecond); code(err) != study.LockTimeout ||
		!strings.Contains(err.Error(), "other workers of this process") {
		t.Errorf("the session is in use: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Lock(ended, time.Minute); code(err) != study.LockTimeout {
		t.Errorf("waiting for the session, interrupted: %v", err)
	}
	if _, ok, err := turn.Hold(t.Context(), 7); err != nil || !ok {
		t.Fatal(ok, err)
	}
	turn.Close()
	// Who waits for the lock in vain loses nothing that the process holds.
	other, err := open(t, c.URL("wanda", "shared")).Lock(t.Context(), time.Second)
	must(t, err)
	if _, err := s.Lock(t.Context(), 100*time.Millisecond); code(err) != study.LockTimeout ||
		!strings.Contains(err.Error(), "held by") {
		t.Errorf("the lock of another process: %v", err)
	}
	if !other.Held(7) || other.Held(8) {
		t.Error("the process does not hold what it held")
	}
	other.Close()
	if err := enqueue(t.Context(), options(s), "after all"); err != nil {
		t.Error(err)
	}
}

// sessions holds that a process that has reserved a number and has the turn to compute
// needs one session, and that others wait for one where the server has no more.
func sessions(t *testing.T, c *server) {
	c.SQL("tuning", "CREATE ROLE sola LOGIN PASSWORD '"+password+
		"' CONNECTION LIMIT 1; GRANT bohier_worker TO sola")
	first := options(open(t, c.URL("sola", "sessions")))
	first.Hold = &journal.Hold{}
	id, err := reserve(t.Context(), first, "")
	must(t, err)
	release, ok, err := first.Hold.Compute(t.Context(), first)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	others := make(chan error, 1)
	go func() {
		others <- enqueue(t.Context(), options(open(t, c.URL("sola", "sessions"))), "other")
	}()
	for k := range 3 {
		must(t, enqueue(t.Context(), first, fmt.Sprint(k)))
	}
	taken, err := reserve(t.Context(), options(open(t, c.URL("wanda", "sessions"))), "")
	if number, _, _ := strings.Cut(id, "-"); err != nil || strings.HasPrefix(taken, number+"-") {
		t.Errorf("what is held was taken: %s after %s, %v", taken, id, err)
	}
	if s := first.Store.(*Store); !hasSession(s) || s.timer.Stop() {
		t.Error("the session that holds numbers will be closed")
	}
	select {
	case err := <-others:
		t.Fatalf("the only session is taken, and another one was had: %v", err)
	default:
	}
	release()
	must(t, first.Hold.Close())
	if err := <-others; err != nil {
		t.Errorf("waiting for a session: %v", err)
	}
	if d, err := first.Store.Describe(t.Context()); err != nil || d.Connections != 0 {
		t.Errorf("with its only session in use: %+v, %v", d, err)
	}
}

// hasSession reports whether a store that nobody uses has a session.
func hasSession(s *Store) bool {
	in := <-s.idle
	s.idle <- in
	return in != nil
}
