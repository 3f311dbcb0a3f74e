//go:build linux || darwin

package journal

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"bohier/internal/study"
)

// The test binary is also the program the tests run and kill: with childEnv set
// it does one command and exits with its code.
const childEnv = "BOHIER_TEST_CHILD"

func TestMain(m *testing.M) {
	if what := os.Getenv(childEnv); what != "" {
		child(what)
	}
	os.Exit(m.Run())
}

// child runs "verb path lock args…" and prints what it acknowledges.
func child(what string) {
	args := strings.Split(what, "|")
	random := rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(time.Now().UnixNano())))
	o := options0
	o.Path, o.Lock, o.Space = args[1], args[2], line{"one"}
	var err error
	switch args[0] {
	case "ask":
		var t *study.Trial
		x := random.Float64()
		if t, err = ask(o, args[3], x); err == nil {
			fmt.Printf("%s %v\n", t.ID(), t.Config.Value[0])
		}
	case "tell":
		v, _ := strconv.ParseFloat(args[4], 64)
		if _, err = tell(o, args[3], v, Once); err == nil {
			fmt.Println("told")
		}
	case "work":
		n, _ := strconv.Atoi(args[3])
		for i := range n {
			var t *study.Trial
			if t, err = ask(o, "", random.Float64()); err != nil {
				break
			}
			fmt.Printf("%s %v\n", t.ID(), t.Config.Value[0])
			if i%2 == 0 {
				if _, err = tell(o, t.ID(), t.Config.Value[0], Once); err != nil {
					break
				}
				fmt.Printf("told %s\n", t.ID())
			}
		}
	case "limit":
		limits(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(max(int(code(err)), 1))
	}
	os.Exit(0)
}

func command(binary string, env []string, args ...string) *exec.Cmd {
	c := exec.Command(binary)
	c.Env = append(append(os.Environ(), env...), childEnv+"="+strings.Join(args, "|"))
	return c
}

// killable builds the test binary with failpoints.
func killable(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "killable.test")
	if b, err := exec.Command("go", "test", "-c", "-tags", "failpoints", "-o", out, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	return out
}

func killed(err error) bool {
	var e *exec.ExitError
	return errors.As(err, &e) && e.ExitCode() == -1
}

// A process is killed at every failpoint and after every few bytes of a write,
// on a journal in several conditions; the same command run again gives the trial
// once, and nothing else is lost.
func TestKillAtFailpoints(t *testing.T) {
	bin := killable(t)
	runs := 0
	step := soak(75, 1)
	for _, condition := range []string{"missing", "whole", "torn", "no newline"} {
		var points []string
		for i := 1; i <= 16; i++ {
			points = append(points, fmt.Sprint("any:", i))
		}
		for n := 0; n < 220; n += step {
			points = append(points, fmt.Sprint("short:", n))
		}
		for _, point := range points {
			for _, again := range []string{"ask", "tell", "repair"} {
				o := options(t)
				before := 0
				if condition != "missing" {
					mustAsk(t, o, "first", 0.5)
					before = 1
				}
				data, _ := os.ReadFile(o.Path)
				switch condition {
				case "torn":
					write(t, o.Path, append(data, data[:40]...))
				case "no newline":
					write(t, o.Path, bytes.TrimSuffix(data, []byte{'\n'}))
				}
				runs++
				out, err := command(bin, []string{"BOHIER_FAILPOINT=" + point}, "ask", o.Path, "", "mine").Output()
				if err != nil && !killed(err) {
					t.Fatalf("%s, %s: %v", condition, point, err)
				}
				if err == nil && len(out) == 0 {
					t.Fatalf("%s, %s: exit 0 without an id", condition, point)
				}
				if again == "tell" && before == 1 {
					if _, err := tell(o, "1", 3, Once); err != nil {
						t.Fatalf("%s, %s: %v", condition, point, err)
					}
				}
				if again == "repair" && before == 1 {
					if _, err := Repair(ctx, o, false); err != nil {
						t.Fatalf("%s, %s: %v", condition, point, err)
					}
				}
				tr, err := ask(o, "mine", 0.25)
				if err != nil {
					t.Fatalf("%s, %s: run again: %v", condition, point, err)
				}
				s := read(t, o)
				if len(s.Trials) != before+1 || s.Torn || tr.Number != before+1 {
					t.Fatalf("%s, %s: %s", condition, point, summary(s))
				}
				if len(out) > 0 && strings.Fields(string(out))[0] != tr.ID() {
					t.Fatalf("%s, %s: acknowledged %s, now %s", condition, point, out, tr.ID())
				}
			}
		}
	}
	t.Logf("%d runs", runs)
	if runs < soak(100, 2800) {
		t.Errorf("only %d runs", runs)
	}
}

func TestNoFailpointsInRelease(t *testing.T) {
	build := func(tags string) []byte {
		out := filepath.Join(t.TempDir(), "journal.a")
		if b, err := exec.Command("go", "build", "-tags", tags, "-o", out, ".").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, b)
		}
		return content(t, out)
	}
	name := []byte("BOHIER_FAILPOINT")
	if bytes.Contains(build(""), name) {
		t.Error("the release has failpoints")
	}
	if !bytes.Contains(build("failpoints"), name) {
		t.Error("this test cannot see failpoints")
	}
}

// limits tries an update under every file-size limit from the journal's size to
// one line more.
func limits(o Options) {
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		panic(err)
	}
	cases, recorded := 0, 0
	for round := range 4 {
		for extra := 0; ; extra++ {
			data, err := os.ReadFile(o.Path)
			if err != nil {
				panic(err)
			}
			l := old
			l.Cur = uint64(len(data) + extra)
			if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &l); err != nil {
				panic(err)
			}
			_, err = Update(ctx, o, func(*State) ([]Record, error) {
				return []Record{{Kind: KindNote, Note: strings.Repeat("n", 40*(round+1))}}, nil
			})
			if e := unix.Setrlimit(unix.RLIMIT_FSIZE, &old); e != nil {
				panic(e)
			}
			cases++
			now, _ := os.ReadFile(o.Path)
			if err == nil {
				recorded++
				break
			}
			if code(err) != study.NotRecorded || !bytes.Equal(now, data) {
				fmt.Printf("limit %d: %v, %d bytes became %d\n", l.Cur, err, len(data), len(now))
				os.Exit(1)
			}
		}
	}
	fmt.Printf("%d cases, %d recorded\n", cases, recorded)
}

func TestFileSizeLimit(t *testing.T) {
	o := options(t)
	mustAsk(t, o, "first", 0.5)
	out, err := command(os.Args[0], nil, "limit", o.Path, "").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
	var cases int
	if _, err := fmt.Sscanf(string(out), "%d cases, 4 recorded", &cases); err != nil || cases < 700 {
		t.Errorf("%s", out)
	}
}

// workers run commands at once; kill is how many of a hundred are killed at a
// random time. Whatever was acknowledged must be in the journal, once.
func storm(t *testing.T, kind string, workers, each, ops, kill int) {
	o := options(t)
	o.Lock = kind
	var mu sync.Mutex
	var acks []string
	var wg sync.WaitGroup
	kills := 0
	for w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := newRand(uint64(w))
			for range each {
				c := command(os.Args[0], nil, "work", o.Path, kind, fmt.Sprint(ops))
				var out, errs bytes.Buffer
				c.Stdout, c.Stderr = &out, &errs
				if err := c.Start(); err != nil {
					t.Error(err)
					return
				}
				doomed := r.IntN(100) < kill
				if doomed {
					time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
					_ = c.Process.Kill()
				}
				err := c.Wait()
				if err != nil && !(doomed && killed(err)) {
					t.Errorf("%v: %s", err, errs.Bytes())
				}
				mu.Lock()
				if err != nil {
					kills++
				}
				acks = append(acks, strings.Split(strings.TrimSpace(out.String()), "\n")...)
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	s := read(t, o)
	seen := map[string]bool{}
	points := map[float64]bool{}
	n := 0
	for _, a := range acks {
		f := strings.Fields(a)
		if len(f) < 2 {
			continue
		}
		n++
		if f[0] == "told" {
			if tr, err := s.Trial(f[1]); err != nil || tr.State != study.Complete || tr.Values["loss"] != tr.Config.Value[0] {
				t.Errorf("%s: %v %v", a, tr, err)
			}
			continue
		}
		tr, err := s.Trial(f[0])
		if err != nil || strconv.FormatFloat(tr.Config.Value[0], 'g', -1, 64) != f[1] {
			t.Errorf("acknowledged %q: %+v %v", a, tr, err)
		}
		if seen[f[0]] {
			t.Errorf("%s was given twice", f[0])
		}
		seen[f[0]] = true
	}
	for i := range s.Trials {
		if c := s.Trials[i].Config; s.Trials[i].State != study.Reserved {
			if points[c.Value[0]] {
				t.Errorf("%v twice", c.Value)
			}
			points[c.Value[0]] = true
		}
	}
	rep, err := Verify(ctx, o)
	if err != nil || len(rep.Problems) > 0 {
		t.Errorf("%+v %v", rep, err)
	}
	t.Logf("%s: %d processes, %d killed, %d acknowledgements, 0 lost, 0 twice", kind, workers*each, kills, n)
	if n < workers || kill > 0 && kills == 0 {
		t.Error("nothing happened")
	}
}

func TestKillStorm(t *testing.T) { storm(t, LockPosix, 16, soak(20, 320), soak(4, 1), 60) }

func TestConcurrency(t *testing.T) {
	for _, kind := range []string{LockPosix, LockLease} {
		t.Run(kind, func(t *testing.T) { storm(t, kind, 16, 1, soak(15, 60), 0) })
	}
}
