package execute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
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

// An attempt is one execution of the command.
type attempt struct {
	result study.Report
	err    error // the failure of the command; nil: result holds
	retry  bool  // another attempt may end differently
	// stopped means that ctx ended and the command did not end well in the time left to it: nothing is
	// known of the trial. killed means that somebody else stopped it, late that its own time was up.
	stopped, killed, late bool
	recorded              *study.Trial // its result is recorded already; nil: not yet
}

// A failure describes the failure of a command.
type failure struct {
	kind   string // failures of one kind are alike
	what   string
	advice string // a hint; empty: none is known
	output string // the file of the command's output
}

func (f *failure) Error() string {
	text := f.what
	if f.advice != "" {
		text += "; " + f.advice
	}
	return text + "; output: " + f.output
}

// errNotStarted is a command that could not be started: no trial is to blame.
var errNotStarted = errors.New("the command could not be started")

// run executes the command for a trial, with its files in trialDir, and tells
// began its process group. The error is nil unless bohier itself failed.
func (c *command) run(ctx context.Context, t *study.Trial, trialDir string, began func(group int, in string) error,
	legs *reports) (attempt, error) {
	dir := trialDir
	if legs != nil {
		dir = filepath.Join(trialDir, "checkpoint")
		_ = os.Remove(legs.verdict) // of the leg before
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return attempt{}, err
	}
	f, err := c.prepare(t, trialDir)
	if err != nil {
		return attempt{}, err
	}
	if err := removeIfThere(f.result); err != nil {
		return attempt{}, err // a result of an earlier run would be taken for this one's
	}
	if f.out, err = newCapture(filepath.Join(trialDir, "stdout")); err != nil {
		return attempt{}, err
	}
	defer f.out.Close()
	if f.errs, err = newCapture(filepath.Join(trialDir, "stderr")); err != nil {
		return attempt{}, err
	}
	defer f.errs.Close()

	limited, cancel := context.WithTimeout(ctx, cmp.Or(c.st.Run.Timeout, math.MaxInt64))
	defer cancel()
	if legs != nil {
		var end context.CancelCauseFunc
		limited, end = context.WithCancelCause(limited)
		defer end(nil)
		legs.end = c.endsBy(end)
		f.out.tee = legs
		legs.start()
	}
	took, err := c.execute(ctx, limited, t, f, began)
	if legs != nil {
		legs.finish()
		switch {
		case legs.broken != nil:
			return attempt{}, legs.broken
		case legs.ended:
			return attempt{recorded: &legs.latest}, nil
		}
	}
	a, err := c.judge(ctx, f, err)
	if legs != nil && err == nil && a.err == nil && !a.stopped {
		a = legs.complete(f, a)
	}
	a.keep(took)
	return a, err
}

// prepare writes the files that a trial's command may read.
func (c *command) prepare(t *study.Trial, trialDir string) (files, error) {
	f := c.files(t, trialDir)
	params, err := newFile(f.params)
	if err != nil {
		return f, err
	}
	_, err = params.Write(append(c.st.Space.JSON(t.Config), '\n'))
	return f, errors.Join(err, params.Close())
}

// endsBy is how a verdict ends a command: at once where the trial is stopped; one that
// has reached its goal ends by itself, for which it has a grace time.
func (c *command) endsBy(end context.CancelCauseFunc) func(study.Verdict) {
	return func(v study.Verdict) {
		if v == study.VerdictStop {
			end(errVerdict)
			return
		}
		time.AfterFunc(c.grace, func() { end(errVerdict) })
	}
}

// complete puts the results of a command where they belong.
func (r *reports) complete(f files, a attempt) attempt {
	if a.result.Failure != "" {
		a.result.At = 0
		if n := len(r.curve.points); n > 0 {
			a.result.At = r.curve.points[n-1].Resource
		}
		return a
	}
	t, err := r.part(a.result)
	if err != nil {
		return failed(f.out, "no result", err.Error(), "")
	}
	a.result = t
	return a
}

// judge decides on an execution that ended with err.
func (c *command) judge(ctx context.Context, f files, err error) (attempt, error) {
	switch {
	case errors.Is(err, errNotStarted):
		return attempt{}, fmt.Errorf("the command cannot be run: %w", err)
	case ctx.Err() != nil && err == nil:
		a, err := c.collect(f)
		a.stopped = a.err != nil
		return a, err
	case ctx.Err() != nil:
		return attempt{stopped: true}, nil
	case errors.Is(err, errLate):
		return c.late(f, "stopped"), nil
	case err != nil:
		kind := describe(err)
		what, said := kind, f.out
		if last := lastLine(f.errs.tail()); last != "" {
			what, said = what+": "+clip(last), f.errs
		}
		advice := ""
		if strings.HasPrefix(kind, "killed by signal 9") || kind == "exit code 137" {
			advice = "where memory ran out, give it more, run fewer at once (-j), or keep the configuration from coming " +
				"again: bohier observe ID --fail infeasible --replace"
		}
		a := failed(said, kind, what, advice)
		a.killed = endedBySignal(err)
		return a, nil
	}
	if err := errors.Join(f.out.Close(), f.errs.Close()); err != nil {
		return attempt{}, err
	}
	return c.collect(f)
}

// collect finds the result of a command that ended well.
func (c *command) collect(f files) (attempt, error) {
	text := f.out.tail()
	if f.result != "" {
		b, err := readBounded(f.result)
		switch {
		case study.Refused(err):
			return attempt{}, err
		case err != nil:
			return failed(f.out, "no result file", fmt.Sprintf("no result file: %v", err), ""), nil
		}
		text = b
	}
	result, err := findResult(c.st, text, c.st.Run.ResultRegex)
	var none noResult
	if errors.As(err, &none) && text == "" && f.result == "" && f.out.written > 0 {
		none.cut = true
		err = none
	}
	switch {
	case errors.As(err, &none) && f.result == "" && c.onStderr(f):
		return failed(f.errs, "no result", err.Error(),
			"stderr has a result, and only stdout is read: print it there, or add 2>&1 to a shell's command"), nil
	case errors.Is(err, errTooLarge): // as one that is printed as infinite
		return attempt{result: study.Report{Failure: study.Infeasible, Note: err.Error()}}, nil
	case err != nil:
		return failed(f.out, "no result", err.Error(), ""), nil
	}
	return attempt{result: result}, nil
}

// onStderr reports whether the command printed a result on its other stream.
func (c *command) onStderr(f files) bool {
	_, err := findResult(c.st, f.errs.tail(), c.st.Run.ResultRegex)
	return err == nil
}

// keep adds the facts of every execution: its duration. One that the command reported is a metric.
func (a *attempt) keep(took time.Duration) {
	if own := a.result.Duration; own != nil {
		a.result.Metrics = a.result.Metrics.With(study.Metrics{{Name: "duration", Value: ParseMetric(fmt.Sprint(*own))}})
	}
	a.result.Duration = new(math.Round(took.Seconds()*1e6) / 1e6)
}

// failed is an attempt that says nothing about the configuration; said keeps the command's message about it.
func failed(said *capture, kind, what, advice string) attempt {
	return attempt{
		err:    &failure{kind: kind, what: what, advice: advice, output: shown(said.path)},
		retry:  true,
		result: study.Report{Failure: study.Transient, Note: what},
	}
}

// late is an attempt whose own time was up, and what was done then.
func (c *command) late(f files, done string) attempt {
	a := failed(f.out, "timeout", fmt.Sprintf("%s after %v", done, c.st.Run.Timeout), "")
	a.retry, a.late = false, true
	return a
}

// shown is a path as seen from the working directory, where that is shorter.
func shown(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

// describe is the end of a command in words.
func describe(err error) string {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return err.Error()
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return fmt.Sprintf("killed by signal %d (%v)", int(status.Signal()), status.Signal())
	}
	return fmt.Sprintf("exit code %d", exit.ExitCode())
}

// Measure runs the command of c's study n times for a configuration, one after the other in
// dir, with its files in trialDir, and returns the measured values. Nothing is recorded.
//
// Errors: Usage where the study has no command that can be run so, NoResult where it fails, and the cause of ctx.
func Measure(ctx context.Context, c runner.Session, dir, trialDir string, conf space.Configuration,
	n int) ([]study.Observation, error) {
	cmd, err := newCommand(c.Study, dir)
	if err != nil {
		return nil, err
	}
	f := &c.Study.Fidelity
	if c.Study.Run.Submits() || f.Averaged() {
		return nil, study.Errorf(study.Usage, "measure it, and give the value",
			"a job of a scheduler, or one of several folds, cannot be measured here")
	}
	cmd.nonce, cmd.database = newNonce(), c.Journal.Store != nil
	t := study.Trial{Tag: "gate", Config: conf, Course: &study.Course{Start: f.High(), Legs: []study.Leg{{To: f.High()}}}}
	var out []study.Observation
	for range n {
		a, err := cmd.run(ctx, &t, trialDir, func(int, string) error { return nil }, nil)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			return nil, cannotRun(err)
		case a.err == nil && a.result.Failure != "":
			a.err = errors.New(fmt.Sprint("the command reported it as ", a.result.Failure))
		}
		if a.err != nil {
			return nil, study.Wrap(study.NoResult, a.err, "repair the command, or the program that it tests",
				"the configuration could not be measured")
		}
		out = append(out, a.result.Observation)
	}
	return out, nil
}
