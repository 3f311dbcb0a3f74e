package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bohier/internal/execute"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

type runOptions struct {
	place  place
	format format
	argv   []string

	parallel, retries, most int
	timeout, until          time.Duration
	worker                  string
	resultFile, resultRegex string
	keepGoing, wait         bool
	changed                 func(flag string) bool
}

func newRun(s *streams, g *globals) *cobra.Command {
	var o runOptions
	c := &cobra.Command{
		Use: "run [flags] [-- COMMAND...]", Short: "Tune a command: suggest, run it, read the result, observe, again.",
		Example: `  bohier run                              # the command of the study file
  bohier run -j 4                         # four at once
  bohier run -- ./train --lr={lr} '[--degree {degree}]'
  bohier run --timeout 30m --retries 1
  bohier run -n 5                         # five trials, whatever the budget has left
  bohier run --for 3h50m                  # ahead of a scheduler's limit of 4 h`,
		Long: `The command is a list of arguments, not run by a shell. {name} is replaced by the
parameter's value; an argument whose parameter is inactive is left out, and so is
a whole group in brackets such as '[--degree {degree}]'. In the environment:
BOHIER_TRIAL (the id), BOHIER_PARAMS (path of a JSON file), BOHIER_P_LR for a
parameter lr, and so on. A command of the study file runs in that file's
directory, one given here in the current one.

The result is the last line of its stdout that names the objective, as the JSON object
{"loss": 0.42} and "loss: 0.42", "loss=0.42" or "step 9, loss 0.42" do, or else the last
line that is a number alone; "train loss: 0.42" names another value. Other outcomes may be
named on other lines. In nested objects run: {result: metrics.loss} of the study file says
where the value lies, and a mapping does so for each outcome. Or the result is, with --result-file, what the
command writes there (BOHIER_RESULT is the path; {id} in its name becomes the
trial's); or what the group of --result-regex matches last, or its groups with the
names of outcomes: 'loss=(?P<loss>\S+) latency=(?P<latency>\S+)'. {"fail": "infeasible"}
reports a configuration that cannot work; other numbers and texts of the object are
kept as metrics (see bohier observe). The time that a trial takes is its duration,
and its cost where the study file says cost: duration.

A command that exits with another code than 0, or prints no result or one without the
value of a constraint or with a cost or standard error that is none, is run again up to
--retries times, then recorded as a transient failure; one that exceeds --timeout is
stopped (TERM, after 10 s KILL), run once more, and recorded as infeasible the second
time (run.timeout_means: retry, infeasible or transient). When the first three trials
all fail alike, run stops with exit code 11 (budget.fail_fast; --keep-going).
Output is kept beside the journal, in trials/ID/ for bohier.journal.jsonl and in
NAME.trials/ID/ for NAME.journal.jsonl. When a command ends, what it left running is
killed; so it is when run itself is killed: on Linux every process that the command
began, where run may make control groups (version 2: root, most containers, a desktop
session). Without those a daemon that clears its environment ends when no other command
runs, and outlives a run that gets SIGKILL: then what has BOHIER_RUN (the letters of this
run) in its environment is ended. On macOS and FreeBSD it is the command's process group,
on Windows (compiled, never run) every process that the commands began.

A change of the study file while run works is told, and is for the next run.

A used budget, a reached target or an exhausted space is the normal end, exit 0, if
a trial is complete then or other runs still work on the rest; else 11.

SIGINT, SIGTERM, SIGHUP, SIGXCPU and the end of --for stop the commands (TERM, after
run.grace, 5 s unless given, KILL). Those that end well meanwhile are recorded; the
trials of the rest are given back: they count for nothing, keep their id and their
directory, and the next run takes them first. So it does with those of a run on this
machine that was killed. A second signal ends everything at once.

With run: {submit, find, cancel, result_file} in the study file every trial is a job of
a scheduler: submit hands {job} to it, find prints something while {job} waits or runs,
cancel ends it, and the job writes the result file; any scheduler that finds jobs by name
will do. A run that is stopped leaves its jobs running, and the next one finds them; a
second signal within 3 s cancels them, as a timeout and bohier abandon do. The timeout
counts from the submission. A job that is gone and left no result is a transient failure;
three submissions in a row that fail end the run.

Each run gives a sign of life every minute. The trials of one that is silent for
run.lost, 10 minutes unless given, are given to others; with --wait a run stays for
them. A trial that is lost three times is a transient failure.`,
		Args:        cobra.ArbitraryArgs,
		Annotations: exits(4, 5, 6, 7, 8, 9, 11, 130),
		RunE: func(c *cobra.Command, got []string) error {
			if len(got) > 0 && c.ArgsLenAtDash() != 0 {
				return usage("bohier run -- COMMAND…", "write -- before the command")
			}
			o.place, o.argv, o.changed = g.place, got, c.Flags().Changed
			return runRun(c.Context(), *s, o)
		},
	}
	f := c.Flags()
	f.IntVarP(&o.parallel, "parallel", "j", 1, "`how many` commands at once")
	f.DurationVar(&o.timeout, "timeout", 0, "stop a command after this `time`, such as 30m")
	f.DurationVar(&o.until, "for", 0, "stop after this `time`, such as 3h50m; the study goes on with the next run")
	f.IntVarP(&o.most, "number", "n", 0, "stop after `this many` trials of this run; the study goes on with the next run")
	f.StringVar(&o.worker, "worker", "", "`name` under which trials are taken (else $BOHIER_WORKER, else the scheduler's)")
	f.IntVar(&o.retries, "retries", 0, "run a failed command again `this often`")
	f.BoolVar(&o.keepGoing, "keep-going", false, "go on although the first trials all fail alike")
	f.BoolVar(&o.wait, "wait", false, "stay while other runs have trials, and take over those that are lost")
	f.StringVar(&o.resultFile, "result-file", "", "read the result from `FILE`, which the command writes")
	f.StringVar(&o.resultRegex, "result-regex", "", "find the result in stdout by a `pattern` with one group, or groups named after outcomes")
	g.addFormat(c, &o.format, "text", "json", "yaml")
	return c
}

func runRun(ctx context.Context, s streams, o runOptions) error {
	if o.until < 0 {
		return usage("", "--for must not be negative")
	}
	if o.changed("number") && o.most < 1 {
		return usage("", "-n must be at least 1, not %d", o.most)
	}
	if !o.changed("worker") {
		o.worker = execute.WorkerName(s.env)
	}
	o.place.kept = &keptSession{}
	session, err := o.place.session(s)
	if err != nil {
		return err
	}
	o.place.kept.forGood = true
	st := *session.Study
	if st.Run, err = o.command(&st); err != nil {
		return err
	}
	if o.keepGoing {
		st.Budget.FailFast = 0
	}
	dir := filepath.Dir(st.File)
	if len(o.argv) > 0 {
		dir = s.path(".")
	}
	session.Study = &st
	state, err := s.read(ctx, session)
	if err != nil {
		return err
	}
	p := newProgress(s, &st, state.Trials, session.Noisy(state), func() *report.Leaderboard { return quietLeaders(ctx, s, session) })
	summary, err := execute.Loop(ctx, session, execute.LoopOptions{
		Dir: dir, Trials: runner.FilesDir(&st), Worker: o.worker, For: o.until, Most: o.most, Wait: o.wait, Event: func(e execute.Event) {
			p.event(e)
			o.place.tellChange(s)
		},
	})
	p.close()
	o.place.tellChange(s)
	if i := new(interrupted); errors.As(err, i) {
		return stopped{*i, err, summary}
	}
	if err != nil && !study.HasCode(err, study.NoResult) {
		return err
	}
	if summary.Complete+summary.Failed > 0 {
		s.Recorded = safe
	}
	if summary.TimeUp {
		defer fmt.Fprintln(s.Stderr, "bohier: "+summary.Reason+goesOn(summary))
	}
	s.Log.Info().Msg(fmt.Sprintf("%s complete, %d failed; %s", study.Count(summary.Complete, "trial"), summary.Failed, summary.Reason))
	ended := err // without a result
	if state, _, err = session.Read(ctx); err != nil {
		return err
	}
	board, warnings, err := leaders(ctx, s, session, state)
	if err != nil {
		return err
	}
	s.Log.warn(warnings...)
	if err := runStatus(ctx, s, statusOptions{place: o.place, format: o.format, ended: summary.Reason, known: board}); err != nil {
		return err
	}
	if ended != nil {
		return ended
	}
	if o.format.name != "text" || summary.Complete == 0 || len(st.Best(state.Trials, 1)) == 0 {
		return nil
	}
	if err := s.write([]byte("\n")); err != nil {
		return err
	}
	return runBest(ctx, s, bestOptions{place: o.place, format: format{name: "table"}, by: "auto", count: 1, known: board})
}

// stopped is the end of a run by a signal, with what became of its trials.
type stopped struct {
	interrupted
	err     error
	summary execute.Summary
}

func (s stopped) Unwrap() error { return s.err }

func (s stopped) Error() string {
	text := strings.ReplaceAll(s.err.Error(), "\n", "; ")
	if s.summary.Returned == 0 && text != s.interrupted.Error() { // it says what came of the trials
		return text + "; `bohier run` goes on"
	}
	return text + goesOn(s.summary)
}

// goesOn says what became of the trials under way when a run was stopped.
func goesOn(sum execute.Summary) string {
	if sum.Returned == 0 {
		return "; no trial was under way; `bohier run` goes on"
	}
	return fmt.Sprintf("; %s returned; `bohier run` goes on", study.Count(sum.Returned, "trial"))
}

// command is the study's run section with the flags laid over it.
func (o *runOptions) command(st *study.Study) (*study.Run, error) {
	var out study.Run
	if r := st.Run; r != nil {
		out = *r
	}
	if len(o.argv) > 0 {
		out.Command, out.Shell, out.Jobs = o.argv, "", nil
	}
	if o.changed("parallel") {
		out.Parallel = o.parallel
	}
	if o.changed("timeout") {
		out.Timeout = o.timeout
	}
	if o.changed("retries") {
		out.Retries = o.retries
	}
	if o.changed("result-file") {
		out.ResultFile, out.ResultRegex = o.resultFile, ""
	}
	if o.changed("result-regex") {
		out.ResultFile, out.ResultRegex = "", o.resultRegex
	}
	switch {
	case o.changed("result-file") && o.changed("result-regex"):
		return nil, usage("", "--result-file and --result-regex exclude each other")
	case o.changed("parallel") && o.parallel < 1:
		return nil, usage("", "-j must be at least 1, not %d", o.parallel)
	case out.Timeout < 0:
		return nil, usage("", "--timeout must not be negative")
	case out.Retries < 0:
		return nil, usage("", "--retries must not be negative")
	}
	if o.changed("result-regex") {
		return &out, checkPattern(st, o.resultRegex)
	}
	return &out, nil
}

// checkPattern says what keeps a pattern from finding results.
func checkPattern(st *study.Study, pattern string) error {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return usage(`such as 'loss=(\S+)'`, "--result-regex needs a regular expression with one group, not %q", pattern)
	}
	if _, err = st.ResultGroups(re); err != nil {
		hint := `such as 'loss=(\S+)'`
		if st.Several() {
			hint = `such as 'loss=(?P<loss>\S+) latency=(?P<latency>\S+)'`
		}
		return usage(hint, "--result-regex %v", err)
	}
	return nil
}
