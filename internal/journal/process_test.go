//go:build linux || darwin

package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
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

// addThree adds three trials with keys and returns their ids as lines.
func addThree(o Options) (ids string, err error) {
	_, err = Update(ctx, o, func(s *State) ([]Record, error) {
		var as []study.Addition
		for i := range 3 {
			as = append(as, addition([]byte(`{"x":0.5}`), keyed(1, fmt.Sprint("add", i))))
		}
		recs, trials, err := s.Add(as)
		ids = ""
		for i := range trials {
			ids += trials[i].ID() + "\n"
		}
		return recs, err
	})
	return ids, err
}

// child runs "verb path lock args…" and prints what it acknowledges.
func child(what string) {
	args := strings.Split(what, "|")
	random := rand.New(rand.NewPCG(uint64(os.Getpid()), uint64(time.Now().UnixNano())))
	o := options0
	o.Path, o.Lock, o.Space = args[1], args[2], line{"one"}
	if o.Lock == pausing {
		o.Lock, o.fs, o.clock = LockLease, unlocked{}, hasty{}
		o.Now = func() time.Time { return time.Now().Add(time.Duration(random.Int64N(48)-24) * time.Hour) }
	}
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
		if _, err = tell(o, args[3], v, study.Once); err == nil {
			fmt.Println("told")
		}
	case "part":
		v, _ := strconv.ParseFloat(args[4], 64)
		if _, err = tellPart(o, args[3], v); err == nil {
			fmt.Println("told")
		}
	case "add":
		var ids string
		if ids, err = addThree(o); err == nil {
			fmt.Print(ids)
		}
	case "work":
		n, _ := strconv.Atoi(args[3])
		for i := range n {
			var t *study.Trial
			if t, err = ask(o, "", random.Float64()); err != nil {
				break
			}
			fmt.Printf("%s %v\n", t.ID(), t.Config.Value[0])
			if i%4 < 2 {
				if _, err = tellPart(o, t.ID(), t.Config.Value[0]); err != nil {
					break
				}
				fmt.Printf("part %s\n", t.ID())
			}
			if i%2 == 0 {
				if _, err = tell(o, t.ID(), t.Config.Value[0], study.Once); err != nil {
					break
				}
				fmt.Printf("told %s\n", t.ID())
			}
		}
	case "repair":
		if _, err = Repair(ctx, o, false); err == nil {
			fmt.Println("repaired")
		}
	case "archive":
		if _, err = Archive(ctx, o, args[3]); err == nil {
			fmt.Println("archived")
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

func command(env []string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(append(os.Environ(), env...), childEnv+"="+strings.Join(args, "|"))
	return c
}

// limits tries an update under every file-size limit from the journal's size to
// one line more, and suggestions, which take two updates, under some.
func limits(o Options) {
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		panic(err)
	}
	cases, recorded := 0, 0
	for round := range 5 {
		update, step := func() error {
			_, err := Update(ctx, o, func(*State) ([]Record, error) {
				return []Record{{Kind: KindNote, Note: strings.Repeat("n", 40*(round+1))}}, nil
			})
			return err
		}, 1
		if round == 4 {
			update, step = func() error { _, err := ask(o, "limited", 0.25); return err }, 20
		}
		for extra := 0; ; extra += step {
			data, err := os.ReadFile(o.Path)
			if err != nil {
				panic(err)
			}
			l := old
			l.Cur = uint64(len(data) + extra)
			if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &l); err != nil {
				panic(err)
			}
			err = update()
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
	t.Parallel()
	o := options(t)
	mustAsk(t, o, "first", 0.5)
	out, err := command(nil, "limit", o.Path, "").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var cases int
	if _, err := fmt.Sscanf(string(out), "%d cases, 5 recorded", &cases); err != nil {
		t.Errorf("%s", out)
	}
	figure(t, "file-size limits", cases, 700)
}

// pausing is a kind of lock for storms: leases alone, on a file system without locks, where a
// second counts as twenty and the wall clock jumps. Processes are held up in place of killed.
const pausing = "pausing"

const haste = 20

// hasty is a clock that runs fast.
type hasty struct{ systemClock }

func (hasty) Now() time.Duration { return haste * uptime() }

func (c hasty) Sleep(ctx context.Context, d time.Duration) error {
	return c.systemClock.Sleep(ctx, d/haste)
}

// unlocked is a file system whose locks lock nothing.
type unlocked struct{ osFS }

func (u unlocked) Open(name string, flag int, perm os.FileMode) (file, error) {
	f, err := u.osFS.Open(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return unlockedFile{f}, nil
}

type unlockedFile struct{ file }

func (unlockedFile) TryLock(int64) (bool, error) { return true, nil }
func (unlockedFile) Unlock(int64) error          { return nil }

// waking has a process that stopped itself at a failpoint go on, after more than a lease or less.
func waking(p *os.Process, r *rand.Rand) {
	for p.Signal(unix.SIGCONT) == nil {
		time.Sleep(leaseTime/haste/2 + time.Duration(r.Int64N(int64(3*leaseTime/haste))))
	}
}

// workers run commands at once; kill is how many of a hundred are killed at a
// random time. Whatever was acknowledged must be in the journal, once.
func storm(t *testing.T, kind string, workers, each, ops, kill int) (kills, acknowledged int) {
	var lost, ids, configurations, ends int
	o := options(t)
	o.Lock = kind
	var mu sync.Mutex
	var acks []string
	var wg sync.WaitGroup
	for w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := newRand(uint64(w))
			for range each {
				doomed := r.IntN(100) < kill
				var env []string
				if kind == pausing && doomed {
					env = []string{"BOHIER_FAILPOINT=" + []string{"any", "before-write"}[r.IntN(2)] +
						fmt.Sprintf(":%d", 1+r.IntN(3*ops)), "BOHIER_FAILPOINT_STOP=1"}
				}
				c := command(env, "work", o.Path, kind, fmt.Sprint(ops))
				var out, errs bytes.Buffer
				c.Stdout, c.Stderr = &out, &errs
				if err := c.Start(); err != nil {
					t.Error(err)
					return
				}
				switch {
				case kind == pausing:
					go waking(c.Process, newRand(r.Uint64()))
				case doomed:
					time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
					_ = c.Process.Kill()
				}
				err := c.Wait()
				mu.Lock()
				if err != nil && !(doomed && killed(err)) && !(kind == pausing && lostTheLease(err)) {
					t.Errorf("%v: %s", err, errs.Bytes())
					ends++
				}
				if err != nil || doomed && kind == pausing {
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
	for _, a := range acks {
		f := strings.Fields(a)
		if len(f) < 2 {
			continue
		}
		acknowledged++
		if f[0] == "told" {
			if tr, err := s.Trial(f[1]); err != nil || tr.State != study.Complete || tr.Values.Of("loss") != tr.Config.Value[0] {
				t.Errorf("%s: %v %v", a, tr, err)
				lost++
			}
			continue
		}
		if f[0] == "part" {
			if tr, err := s.Trial(f[1]); err != nil || tr.Values.Of("latency") != tr.Config.Value[0] {
				t.Errorf("%s: %v %v", a, tr, err)
				lost++
			}
			continue
		}
		tr, err := s.Trial(f[0])
		if err != nil || strconv.FormatFloat(tr.Config.Value[0], 'g', -1, 64) != f[1] {
			t.Errorf("acknowledged %q: %+v %v", a, tr, err)
			lost++
		}
		if seen[f[0]] {
			t.Errorf("%s was given twice", f[0])
			ids++
		}
		seen[f[0]] = true
	}
	for i := range s.Trials {
		if c := s.Trials[i].Config; s.Trials[i].State != study.Reserved {
			if points[c.Value[0]] {
				t.Errorf("%v twice", c.Value)
				configurations++
			}
			points[c.Value[0]] = true
		}
	}
	rep, err := Verify(ctx, o)
	if err != nil || len(rep.Problems) > 0 {
		t.Errorf("%+v %v", rep, err)
	}
	zero(t, "kill storm records lost or changed", lost)
	zero(t, "kill storm ids given twice", ids)
	zero(t, "kill storm configurations given twice", configurations)
	zero(t, "kill storm other ends", ends)
	return kills, acknowledged
}

// lostTheLease reports whether a process ended as one does that was held up, or that waited for others.
func lostTheLease(err error) bool {
	var e *exec.ExitError
	return errors.As(err, &e) && (e.ExitCode() == int(study.LockTimeout) || e.ExitCode() == int(study.PerhapsRecorded))
}

func TestPausedHolders(t *testing.T) {
	t.Parallel()
	each := soak(1, 30)
	paused, acknowledged := storm(t, pausing, 6, each, 4, 90)
	figure(t, "paused holders of a lease", paused, each)
	figure(t, "kill storm acknowledgements kept", acknowledged, each)
}

func TestKillStorm(t *testing.T) {
	t.Parallel()
	each := soak(4, 320)
	storms, killed, acknowledged := soak(1, 3), 0, 0
	for range storms {
		k, a := storm(t, LockPosix, 16, each, soak(4, 1), 60)
		killed, acknowledged = killed+k, acknowledged+a
	}
	figure(t, "kill storm processes", 16*each*storms, 0)
	figure(t, "kill storm processes killed", killed, each)
	figure(t, "kill storm acknowledgements kept", acknowledged, 16)
}

func TestConcurrency(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{LockPosix, LockLease} {
		t.Run(kind, func(t *testing.T) {
			ops := soak(3, 60)
			_, n := storm(t, kind, 16, 1, ops, 0)
			figure(t, "concurrent operations under "+kind, n, 16*ops)
		})
	}
}
