package execute

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

// How a command is stopped and how much of its output is kept. The result is
// looked for in the last tailBytes; files hold the first fileBytes and the tail.
const (
	graceTime = 10 * time.Second // from TERM to KILL, after a timeout
	stopGrace = 5 * time.Second  // the same when the whole run is stopped
	drainTime = 2 * time.Second  // for output of processes the command left behind
	tailBytes = 64 << 10
	fileBytes = 8 << 20
)

// A command is a study's run: section made ready.
type command struct {
	st     *study.Study
	argv   study.Argv
	names  []string // environment variable of each parameter
	dir    string   // working directory, absolute
	result study.Template
	grace  time.Duration // after a timeout
	last   time.Duration // when the whole run is stopped
}

// newCommand checks that the study's command can be run at all.
func newCommand(st *study.Study, dir string) (*command, error) {
	r := st.Run
	if r == nil || len(r.Command) == 0 && r.Shell == "" {
		return nil, study.Errorf(study.Usage, `write run: {command: [./train, "--lr={lr}"]} into the study file, or: bohier run -- ./train --lr={lr}`,
			"there is no command to run")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c := &command{
		st: st, dir: dir, grace: graceTime, last: stopGrace,
		argv: study.ParseArgv(r.Command), result: study.ParseTemplate(r.ResultFile),
	}
	if r.Grace > 0 {
		c.grace, c.last = r.Grace, r.Grace
	}
	for _, name := range c.argv.Names() {
		if _, ok := st.Space.Index(name); !ok {
			return nil, study.Errorf(study.Usage, "", "the command asks for {%s}, which is no parameter", name)
		}
	}
	if r.ResultFile != "" && r.Parallel > 1 && len(c.result.Names()) == 0 {
		return nil, study.Errorf(study.Usage, "put {id} into its name: result-{id}.json",
			"%d commands at once would write the same result file %s", r.Parallel, r.ResultFile)
	}
	owner := map[string]string{}
	for i := range st.Space.Params() {
		p := st.Space.Params()[i].Name
		name := "BOHIER_P_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(p))
		if other, taken := owner[name]; taken {
			return nil, study.Errorf(study.Usage, "rename one of them",
				"parameters %s and %s would both be %s in the command's environment", other, p, name)
		}
		owner[name] = p
		c.names = append(c.names, name)
	}
	program := c.program()
	if _, err := exec.LookPath(program); err != nil {
		return nil, &study.Error{Code: study.Usage, Msg: "the command cannot be run", Err: err}
	}
	return c, nil
}

// program is the executable, found from the working directory when it is a path.
func (c *command) program() string {
	name := "/bin/sh"
	if c.st.Run.Shell == "" {
		name = c.st.Run.Command[0]
	}
	if strings.Contains(name, "/") && !filepath.IsAbs(name) {
		return filepath.Join(c.dir, name)
	}
	return name
}

// An attempt is one execution of the command.
type attempt struct {
	result runner.Tell
	err    error // what went wrong with the command; nil: result holds
	again  bool  // another attempt may end differently
	// stopped says that ctx ended and the command did not end well in the time left
	// to it: nothing is known of the trial. killed says that it ended as those do that
	// somebody else stops.
	stopped, killed bool
}

// errNotStarted is a command that could not be started: no trial is to blame.
var errNotStarted = errors.New("the command could not be started")

// run executes the command for a trial, with its files in trialDir, and tells
// began its process group. The error is nil unless bohier itself failed.
func (c *command) run(ctx context.Context, t *study.Trial, trialDir string, began func(group int) error) (attempt, error) {
	if err := os.MkdirAll(trialDir, 0o777); err != nil {
		return attempt{}, err
	}
	params := filepath.Join(trialDir, "params.json")
	if err := os.WriteFile(params, append(c.st.Space.AppendJSON(nil, t.Config), '\n'), 0o666); err != nil {
		return attempt{}, err
	}
	resultFile := c.resultFile(t)
	if resultFile != "" {
		if err := os.Remove(resultFile); err != nil && !os.IsNotExist(err) {
			return attempt{}, err // a result of an earlier run would be taken for this one's
		}
	}
	out, err := newCapture(filepath.Join(trialDir, "stdout"))
	if err != nil {
		return attempt{}, err
	}
	defer out.Close()
	errs, err := newCapture(filepath.Join(trialDir, "stderr"))
	if err != nil {
		return attempt{}, err
	}
	defer errs.Close()

	limited, timeout := ctx, c.st.Run.Timeout
	if timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	err = c.execute(ctx, limited, t, params, resultFile, out, errs, began)
	switch {
	case errors.Is(err, errNotStarted):
		return attempt{}, fmt.Errorf("the command cannot be run: %w", err)
	case ctx.Err() != nil && err == nil:
		a, err := c.collect(resultFile, out)
		a.stopped = a.err != nil
		return a, err
	case ctx.Err() != nil:
		return attempt{stopped: true}, nil
	case limited.Err() != nil:
		return attempt{
			err:    fmt.Errorf("stopped after %v", timeout),
			result: runner.Tell{Failure: study.Infeasible},
		}, nil
	case err != nil:
		return attempt{err: describe(err, errs.lastLine()), again: true, killed: endedBySignal(err), result: runner.Tell{Failure: study.Transient}}, nil
	}
	if err := errors.Join(out.Close(), errs.Close()); err != nil {
		return attempt{}, err
	}
	return c.collect(resultFile, out)
}

// collect finds the result of a command that ended well.
func (c *command) collect(resultFile string, out *capture) (attempt, error) {
	text := out.tail()
	if resultFile != "" {
		b, err := readBounded(resultFile)
		if err != nil {
			return attempt{err: fmt.Errorf("no result file: %w", err), again: true, result: runner.Tell{Failure: study.Transient}}, nil
		}
		text = b
	}
	result, err := findResult(c.st, text, c.st.Run.ResultRegex)
	if err != nil {
		return attempt{err: err, again: true, result: runner.Tell{Failure: study.Transient}}, nil
	}
	return attempt{result: result}, nil
}

// execute starts the command in a process group of its own and waits for its end;
// when limited ends the group gets TERM, and KILL after the grace time, of which
// there is less when all ends. The error is nil when the command ended well.
func (c *command) execute(all, limited context.Context, t *study.Trial, params, resultFile string, out, errs *capture, began func(group int) error) error {
	argv := []string{"/bin/sh", "-c", c.st.Run.Shell}
	if c.st.Run.Shell == "" {
		argv = c.argv.Expand(lookup(c.st.Space, t.Config))
	}
	cmd := exec.Command(c.program(), argv[1:]...)
	cmd.Args[0] = argv[0]
	cmd.Dir = c.dir
	cmd.Env = c.environ(t, params, resultFile)
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.WaitDelay = drainTime
	forget, err := start(cmd)
	if err != nil {
		return fmt.Errorf("%w: %w", errNotStarted, err)
	}
	defer forget()
	group := cmd.Process.Pid
	if err := began(group); err != nil {
		killGroup(group)
		_ = cmd.Wait()
		return fmt.Errorf("%w: %w", errNotStarted, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if errors.Is(err, exec.ErrWaitDelay) { // ended well, left something behind that holds its output
			err = nil
		}
		return err
	case <-limited.Done():
	}
	stopGroup(group)
	grace, last := time.After(c.grace), (<-chan time.Time)(nil)
	for stop := all.Done(); ; {
		select {
		case err := <-ended:
			killGroup(group) // whatever of the group is left
			if errors.Is(err, exec.ErrWaitDelay) {
				err = nil
			}
			return err
		case <-stop:
			stop, last = nil, time.After(c.last)
			continue
		case <-grace:
		case <-last:
		}
		killGroup(group)
		<-ended
		return limited.Err()
	}
}

// environ is bohier's environment with the trial in it, and nothing left of an
// outer trial.
func (c *command) environ(t *study.Trial, params, resultFile string) []string {
	var env []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "BOHIER_P_") && !strings.HasPrefix(e, "BOHIER_RESULT=") {
			env = append(env, e)
		}
	}
	env = append(env, "BOHIER_TRIAL="+t.ID(), "BOHIER_PARAMS="+params)
	if resultFile != "" {
		env = append(env, "BOHIER_RESULT="+resultFile)
	}
	for i, name := range c.names {
		if t.Config.Active[i] {
			env = append(env, name+"="+c.st.Space.FormatValue(i, t.Config.Value[i]))
		}
	}
	return env
}

// resultFile is where the command is to write the result of a trial; empty when
// it prints it.
func (c *command) resultFile(t *study.Trial) string {
	if c.st.Run.ResultFile == "" {
		return ""
	}
	file, _ := c.result.Expand(func(name string) (string, bool) {
		switch name {
		case "id":
			return t.ID(), true
		case "trial":
			return fmt.Sprint(t.Number), true
		}
		return "{" + name + "}", true
	})
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(c.dir, file)
}

// lookup gives placeholders their values; inactive parameters have none.
func lookup(s *space.Space, c space.Configuration) func(string) (string, bool) {
	return func(name string) (string, bool) {
		i, ok := s.Index(name)
		if !ok || !c.Active[i] {
			return "", false
		}
		return s.FormatValue(i, c.Value[i]), true
	}
}

// describe tells how a command ended, with the last it said.
func describe(err error, last string) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		status, _ := exit.Sys().(syscall.WaitStatus)
		err = fmt.Errorf("exit code %d", exit.ExitCode())
		if status.Signaled() {
			err = fmt.Errorf("killed by signal %d (%v)", int(status.Signal()), status.Signal())
		}
	}
	if last != "" {
		return fmt.Errorf("%w: %s", err, clip(last))
	}
	return err
}
