package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bohier/internal/execute"
	"bohier/internal/runner"
	"bohier/internal/study"
)

type runOptions struct {
	argv []string

	parallel, retries, most int
	timeout, until          time.Duration
	worker                  string
	resultFile, resultRegex string
	keepGoing, wait         bool
}

func newRun(g *globals) *cobra.Command {
	var o runOptions
	c := g.command("run [flags] [-- COMMAND...]", cobra.ArbitraryArgs, o.run, 4, 5, 6, 7, 8, 9, 11, 130)
	f := c.Flags()
	f.IntVarP(&o.parallel, "parallel", "j", 1, "run `N` commands at once")
	f.DurationVar(&o.timeout, "timeout", 0, "stop a command after `DURATION`, such as 30m")
	f.DurationVar(&o.until, "for", 0, "stop after `DURATION`, such as 3h50m; the next run continues the study")
	f.IntVarP(&o.most, "number", "n", 0, "stop after `N` trials of this run; the next run continues the study")
	f.StringVar(&o.worker, "worker", "", "`NAME` of this worker (default: $BOHIER_WORKER, or the scheduler's job)")
	f.IntVar(&o.retries, "retries", 0, "retry a failed command up to `N` times")
	f.BoolVar(&o.keepGoing, "keep-going", false, "continue even if the first trials all fail alike")
	f.BoolVar(&o.wait, "wait", false, "wait for the trials of other runs; take over lost ones")
	f.StringVar(&o.resultFile, "result-file", "", "read the result from `FILE`, which the command writes")
	f.StringVar(&o.resultRegex, "result-regex", "",
		"find the result in stdout by `REGEX` with one group, or groups named after outcomes")
	g.addFormat(c, "text", "json", "yaml")
	return c
}

func (o *runOptions) run(s call, args []string) error {
	if len(args) > 0 && s.command.ArgsLenAtDash() != 0 {
		return usage("bohier run -- COMMAND…", "write -- before the command")
	}
	o.argv = args
	if o.until < 0 {
		return usage("", "--for must not be negative")
	}
	if s.changed("number") && o.most < 1 {
		return usage("", "-n must be at least 1, not %d", o.most)
	}
	if !s.changed("worker") {
		o.worker = execute.WorkerName(s.env)
	}
	s.kept = &keptSession{}
	session, err := s.session()
	if err != nil {
		return err
	}
	s.kept.forGood = true
	st := *session.Study
	if st.Run, err = o.command(s, &st); err != nil {
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
	state, err := s.state(session)
	if err != nil {
		return err
	}
	p := newProgress(s, &st, state.Trials, session.Noisy(state),
		func() *study.Leaderboard { return quietLeaders(s, session) })
	summary, err := execute.Loop(s.ctx, session, execute.LoopOptions{
		Dir: dir, Trials: runner.FilesDir(&st), Worker: o.worker, For: o.until, Most: o.most, Wait: o.wait,
		Event: func(e execute.Event) {
			p.event(e)
			s.tellChange()
		},
	})
	p.close()
	s.tellChange()
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
		summary.Reason += goesOn(summary)
	}
	s.Log.Info().Msg(fmt.Sprintf("%s complete, %d failed; %s", study.Count(summary.Complete, "trial"), summary.Failed,
		summary.Reason))
	ended := err // without a result
	if state, _, err = session.Read(s.ctx); err != nil {
		return err
	}
	board, err := leaders(s, session, state)
	if err != nil {
		return err
	}
	if board != nil {
		s.Log.warn(board.Warnings...)
	}
	if err := (&statusOptions{ended: summary.Reason, known: board}).run(s, nil); err != nil {
		return err
	}
	if ended != nil {
		return ended
	}
	if s.format.name != "text" || summary.Complete == 0 || len(st.Best(state.Trials, 1)) == 0 {
		return nil
	}
	if err := s.write([]byte("\n")); err != nil {
		return err
	}
	s.format = format{name: "table"}
	return (&bestOptions{by: "auto", count: 1, known: board}).run(s, nil)
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
func (o *runOptions) command(s call, st *study.Study) (*study.Run, error) {
	var out study.Run
	if r := st.Run; r != nil {
		out = *r
	}
	if len(o.argv) > 0 {
		out.Command, out.Shell, out.Jobs = o.argv, "", nil
	}
	if s.changed("parallel") {
		out.Parallel = o.parallel
	}
	if s.changed("timeout") {
		out.Timeout = o.timeout
	}
	if s.changed("retries") {
		out.Retries = o.retries
	}
	if s.changed("result-file") {
		out.ResultFile, out.ResultRegex = o.resultFile, ""
	}
	if s.changed("result-regex") {
		out.ResultFile, out.ResultRegex = "", o.resultRegex
	}
	switch {
	case s.changed("result-file") && s.changed("result-regex"):
		return nil, usage("", "--result-file and --result-regex exclude each other")
	case s.changed("parallel") && o.parallel < 1:
		return nil, usage("", "-j must be at least 1, not %d", o.parallel)
	case out.Timeout < 0:
		return nil, usage("", "--timeout must not be negative")
	case out.Retries < 0:
		return nil, usage("", "--retries must not be negative")
	}
	if s.changed("result-regex") {
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
	if _, err := st.ResultGroups(re); err != nil {
		return usage(err.Hint, "--result-regex %v", err)
	}
	return nil
}
