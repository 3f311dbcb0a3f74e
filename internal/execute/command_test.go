package execute

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bohier/internal/space"
	"bohier/internal/study"
)

// commandStudy runs a shell text over two parameters, the second inactive where the first is "off".
func commandStudy(t *testing.T, shell string) *study.Study {
	t.Helper()
	s, err := space.New([]space.Parameter{
		{Name: "mode", Kind: space.Categorical, Values: []string{"off", "on"}},
		{Name: "dropout.rate", Kind: space.Float, Low: 0, High: 1, Condition: space.In{Param: 0, Values: []float64{1}}},
	}, nil, nil)
	must(t, err)
	return &study.Study{Space: s, Objectives: []study.Objective{{Name: "loss"}}, Run: &study.Run{Shell: shell}}
}

func runOnce(t *testing.T, ctx context.Context, c *command, params string) (attempt, error) {
	t.Helper()
	conf, err := c.st.Space.ParseJSON([]byte(params))
	must(t, err)
	return c.run(ctx, &study.Trial{Number: 3, Tag: "abcd", Config: conf}, filepath.Join(t.TempDir(), "3-abcd"),
		func(int, string) error { return nil }, nil)
}

func mustCommand(t *testing.T, st *study.Study, dir string) *command {
	t.Helper()
	c, err := newCommand(st, dir)
	must(t, err)
	return c
}

func TestCommandEnvironment(t *testing.T) {
	t.Setenv("BOHIER_P_DROPOUT_RATE", "left over")
	t.Setenv("BOHIER_RESULT", "left over")
	c := mustCommand(t, commandStudy(t,
		`echo "{\"loss\": 1, \"note\": \"$BOHIER_TRIAL $BOHIER_P_MODE ${BOHIER_P_DROPOUT_RATE-none} ${BOHIER_RESULT-none} $(tr -d '"' < "$BOHIER_PARAMS") $PWD\"}"`), ".")
	here, err := os.Getwd()
	must(t, err)
	for params, want := range map[string]string{
		`{"mode":"off"}`:                     "3-abcd off none none {mode:off} " + here,
		`{"mode":"on","dropout.rate":0.125}`: "3-abcd on 0.125 none {mode:on,dropout.rate:0.125} " + here,
	} {
		a, err := runOnce(t, context.Background(), c, params)
		if err != nil || a.err != nil || a.result.Note != want {
			t.Errorf("%s: %v, %v\ngot  %q\nwant %q", params, err, a.err, a.result.Note, want)
		}
	}
}

func TestCommandThatIgnoresTERM(t *testing.T) {
	st := commandStudy(t, `trap "" TERM; echo up; while :; do sleep 0.01; done`)
	st.Run.Timeout = 50 * time.Millisecond
	c := mustCommand(t, st, ".")
	c.grace, c.last = 50*time.Millisecond, 50*time.Millisecond
	a, err := runOnce(t, context.Background(), c, `{"mode":"off"}`)
	if err != nil || a.err == nil || a.retry || !a.late || a.result.Failure != study.Transient {
		t.Errorf("timeout: %+v, %v", a, err)
	}

	st.Run.Timeout = 0
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if a, err = runOnce(t, ctx, c, `{"mode":"off"}`); err != nil || !a.stopped {
		t.Errorf("stopped: %+v, %v", a, err)
	}
}

// A command that ends well in the time left to it has its result; one that ends well without one, or badly, is stopped.
func TestCommandInItsGrace(t *testing.T) {
	for shell, want := range map[string]attempt{
		`trap "echo 0.5; exit 0" TERM; echo up; while :; do sleep 0.01; done`: {result: told(map[string]float64{"loss": 0.5})},
		`trap "exit 0" TERM; echo up; while :; do sleep 0.01; done`:           {stopped: true},
		`trap "echo 0.5; exit 3" TERM; echo up; while :; do sleep 0.01; done`: {stopped: true},
		`while :; do sleep 0.01; done`:                                        {stopped: true},
	} {
		c := mustCommand(t, commandStudy(t, shell), ".")
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(100*time.Millisecond, cancel)
		a, err := runOnce(t, ctx, c, `{"mode":"off"}`)
		if err != nil || a.stopped != want.stopped || a.result.Values.Of("loss") != want.result.Values.Of("loss") {
			t.Errorf("%s: %+v, %v", shell, a, err)
		}
	}
}

// Commands that somebody else stops are told from those that fail by themselves.
func TestEndedBySignal(t *testing.T) {
	for shell, want := range map[string]bool{
		"kill -TERM $$": true, "kill -INT $$": true, "kill -XCPU $$": true, "kill -KILL $$": true, "kill -ABRT $$": false,
		"exit 143": true, "exit 130": true, "exit 137": true, "exit 152": true, "exit 1": false, "exit 139": false,
	} {
		if strings.Contains(shell, "INT") && signal.Ignored(syscall.SIGINT) {
			continue // as in the background of a shell, and by what it starts, too
		}
		c := mustCommand(t, commandStudy(t, shell), ".")
		if a, err := runOnce(t, context.Background(), c, `{"mode":"off"}`); err != nil || a.killed != want || a.stopped {
			t.Errorf("%s: %+v, %v", shell, a, err)
		}
	}
}

func TestCommandThatLeavesProcessesBehind(t *testing.T) {
	st := commandStudy(t, `sleep 30 & echo 0.5`) // sleep holds stdout open
	c := mustCommand(t, st, ".")
	a, err := runOnce(t, context.Background(), c, `{"mode":"off"}`)
	if err != nil || a.err != nil || a.result.Values.Of("loss") != 0.5 {
		t.Errorf("%+v, %v", a, err)
	}
}

// The result is found behind a long line, in a long line, and where a child that
// outlives the command, as bash's >(tee log) does, prints it a moment later.
func TestResultIsWaitedFor(t *testing.T) {
	for _, shell := range []string{
		`head -c 3000000 /dev/zero | tr '\0' x; echo; echo 0.5`,
		`printf '{"loss": 0.5, "epochs": ['; yes 0.25, | head -n 60000 | tr -d '\n'; echo '1]}'`,
		`(sleep 0.4; echo 0.5) &`,
	} {
		c := mustCommand(t, commandStudy(t, shell), ".")
		a, err := runOnce(t, context.Background(), c, `{"mode":"off"}`)
		if err != nil || a.err != nil || a.result.Values.Of("loss") != 0.5 {
			t.Errorf("%s: %v %v, %v", shell, a.result.Values, a.err, err)
		}
	}
}

func TestCommandFailures(t *testing.T) {
	for shell, want := range map[string]string{
		"echo a >&2; echo b >&2; exit 3":   `exit code 3: "b"`,
		"kill -9 $$":                       "killed by signal 9",
		"true":                             "printed nothing",
		"head -c 1100000 /dev/zero":        "the last line printed is longer than 1024 KiB",
		`echo '{"accuracy": 1}'`:           "no value for the objective loss",
		"echo 1; exec ./no-such-file 2>&1": "exit code 127",
	} {
		c := mustCommand(t, commandStudy(t, shell), ".")
		a, err := runOnce(t, context.Background(), c, `{"mode":"off"}`)
		if err != nil || a.err == nil || !strings.Contains(a.err.Error(), want) || !a.retry ||
			a.result.Failure != study.Transient {
			t.Errorf("%s: %+v, %v; want %q", shell, a, err, want)
		}
	}
}

func TestCommandIsCheckedFirst(t *testing.T) {
	for want, run := range map[string]*study.Run{
		"there is no command":      nil,
		"cannot be run":            {Command: []string{"./no-such-program"}},
		"{modus}":                  {Command: []string{"true", "--mode={modus}"}},
		"the same result file out": {Command: []string{"true"}, Parallel: 2, ResultFile: "out"},
	} {
		st := commandStudy(t, "")
		st.Run = run
		if _, err := newCommand(st, "."); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	s, err := space.New([]space.Parameter{
		{Name: "lr", Kind: space.Float, Low: 0, High: 1}, {Name: "LR", Kind: space.Float, Low: 0, High: 1},
	}, nil, nil)
	must(t, err)
	if _, err := newCommand(&study.Study{Space: s, Run: &study.Run{Shell: "true"}}, "."); err == nil ||
		!strings.Contains(err.Error(), "would both be BOHIER_P_LR") {
		t.Errorf("error %v", err)
	}
}

func TestStaleResultFileIsNotRead(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "out-3"), []byte("1"), 0o666))
	st := commandStudy(t, "true")
	st.Run.ResultFile = "out-{trial}"
	c := mustCommand(t, st, dir)
	a, err := runOnce(t, context.Background(), c, `{"mode":"off"}`)
	if err != nil || a.err == nil || !strings.Contains(a.err.Error(), "no result file") {
		t.Errorf("%+v, %v", a, err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
