package journal

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"bohier/internal/study"
)

func TestAskTellRead(t *testing.T) {
	o := options(t)
	if s := read(t, o); s.Exists || s.Seq != 0 {
		t.Fatalf("a missing journal reads as %+v", s)
	}
	if _, err := os.Stat(o.Path + ".lock"); err == nil {
		t.Fatal("reading made a lock file")
	}
	a := mustAsk(t, o, "", 0.25)
	b := mustAsk(t, o, "k", 0.5)
	if a.Number != 1 || b.Number != 2 || a.Tag == b.Tag {
		t.Fatalf("trials %s and %s", a.ID(), b.ID())
	}
	if again := mustAsk(t, o, "k", 0.9); again.ID() != b.ID() || !again.Config.Equal(at(0.5)) {
		t.Fatalf("key k gave %+v", again)
	}
	if rec, err := tell(o, a.ID(), 0.125, study.Once); err != nil || !rec {
		t.Fatal(rec, err)
	}
	if rec, err := tell(o, "1", 0.125, study.Once); err != nil || rec {
		t.Fatal("identical observation", rec, err)
	}
	_, err := tell(o, "1", 3, study.Once)
	wantCode(t, err, study.Conflict)
	if !strings.Contains(err.Error(), "0.125") || !strings.Contains(err.Error(), "loss=3") {
		t.Errorf("the conflict does not show both values: %v", err)
	}
	_, err = tell(o, "9", 3, study.Once)
	wantCode(t, err, study.Conflict)
	_, err = tell(o, "1-zzzz", 0.125, study.Once)
	wantCode(t, err, study.Conflict)
	s := read(t, o)
	if s.Seq != 6 || s.Trials[0].Values.Of("loss") != 0.125 || s.Trials[1].State != study.Pending || s.Seed != 42 {
		t.Fatal(summary(s))
	}
	if _, err := tell(o, b.ID(), math.NaN(), study.Once); err != nil {
		t.Fatal(err)
	}
	if got := read(t, o).Trials[1]; got.State != study.Failed || got.Note != "nan" {
		t.Fatalf("NaN was recorded as %+v", got)
	}
}

func TestLinesAreJSON(t *testing.T) {
	o := options(t)
	a := mustAsk(t, o, "key \"with\" \\ and \u2028 ü", 0.25)
	if _, err := tell(o, a.ID(), 1e-300, study.Once); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(o.Path)
	must(t, err)
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines:\n%s", len(lines), data)
	}
	for i, l := range lines {
		var m map[string]any
		if err := json.Unmarshal([]byte(l), &m); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		if m["seq"] != float64(i+1) || !strings.HasPrefix(l, `{"seq":`) {
			t.Errorf("line %d: %s", i+1, l)
		}
	}
	if read(t, o).Trials[0].Key != "key \"with\" \\ and \u2028 ü" {
		t.Error("the key did not survive")
	}
}

func TestCancelled(t *testing.T) {
	o := options(t)
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Update(ctx, o, func(*State) ([]Record, error) {
		cancel()
		return []Record{{Kind: KindNote, Note: "x"}},
			nil
	})
	wantCode(t, err, study.LockTimeout)
	if read(t, o).Exists {
		t.Error("a cancelled update wrote")
	}
}

// Times that jump about, into the past and far ahead, change nothing but the informative `at`.
func TestWallClock(t *testing.T) {
	states := map[string]bool{}
	for seed := range uint64(5) {
		m := newMemFS()
		o := memOptions(m, 1)
		r := newRand(seed)
		o.Now = func() time.Time {
			return clockTime.Add(time.Duration(r.Int64N(int64(2000*time.Hour))) - 1000*time.Hour)
		}
		steps := []step{{"ask", 1}, {"batch", 1}, {"tell", 1}, {"enqueue", 2}, {"ask", 2}, {"abandon", 2}, {"tell", 1},
			{"ask", 1}}
		if _, _, err := play(o, steps); err != nil {
			t.Fatal(err)
		}
		states[summary(read(t, o))] = true
	}
	if len(states) != 1 {
		t.Errorf("%d different states", len(states))
	}
}
