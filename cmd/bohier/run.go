package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"bohier/internal/execute"
	"bohier/internal/runner"
	"bohier/internal/study"
)

func runRun(s call, args []string) error {
	if len(args) > 0 && s.command.ArgsLenAtDash() != 0 {
		return usage("bohier run -- COMMAND…", "write -- before the command")
	}
	most, worker := s.count("number"), s.text("worker")
	if !s.changed("worker") {
		worker = execute.WorkerName(s.env)
	}
	s.kept = &keptSession{}
	session, err := s.session()
	if err != nil {
		return err
	}
	s.kept.forGood = true
	st := *session.Study
	if st.Run, err = commandOf(s, &st, args); err != nil {
		return err
	}
	if s.on("keep-going") {
		st.Budget.FailFast = 0
	}
	dir := filepath.Dir(st.File)
	if len(args) > 0 {
		dir = s.path(".")
	}
	session.Study = &st
	state, warnings, err := session.Read(s.ctx)
	if s.Log.warn(warnings...); err != nil {
		return err
	}
	p := newProgress(s, &st, state.Trials, session.Noisy(state))
	state.Done()
	summary, err := execute.Loop(s.ctx, session, execute.LoopOptions{
		Dir: dir, Trials: runner.FilesDir(&st), Worker: worker, For: s.span("for"), Most: most, Wait: s.on("wait"),
		Event: func(e execute.Event) {
			p.event(e)
			s.tellChange()
		},
	})
	p.leave("\n")
	s.tellChange()
	if i := new(interrupted); errors.As(err, i) {
		return stopped{*i, err, summary}
	}
	if err != nil && !study.HasCode(err, study.NoResult) {
		return err
	}
	return s.ran(session, summary, err)
}

// ran tells how a run ended, and shows the state of its study and the best trials; without a result that is an error.
func (s call) ran(session runner.Session, summary execute.Summary, ended error) error {
	if summary.Complete+summary.Failed > 0 {
		s.Recorded = safe
	}
	if summary.TimeUp {
		summary.Reason += goesOn(summary)
	}
	s.Log.Info().Str("event", "ended").Int("complete", summary.Complete).Int("failed", summary.Failed).Int("returned",
		summary.Returned).Str("reason", summary.Reason).Msg(fmt.Sprintf("%s complete, %d failed; %s",
		study.Count(summary.Complete, "trial"), summary.Failed, summary.Reason))
	state, _, err := session.Read(s.ctx)
	if err != nil {
		return err
	}
	v := s.view(session)
	v.set(state)
	if err := v.trust(); err != nil {
		return err
	}
	if v.board != nil {
		s.Log.warn(v.board.Warnings...)
	}
	if err := v.printStatus(summary.Reason); err != nil {
		return err
	}
	if ended != nil || s.format != "text" || summary.Complete == 0 || len(v.Study.Best(v.Trials, 1)) == 0 {
		return ended
	}
	if err := s.write([]byte("\n")); err != nil {
		return err
	}
	v.format = "table"
	return (&bestOptions{by: "auto", count: 1}).show(v)
}

// stopped is the end of a run by a signal, with the state of its trials.
type stopped struct {
	interrupted
	err     error
	summary execute.Summary
}

func (s stopped) Unwrap() error { return s.err }

func (s stopped) Error() string {
	text := strings.ReplaceAll(s.err.Error(), "\n", "; ")
	if s.summary.Returned == 0 && text != s.interrupted.Error() { // it describes the end of the trials
		return text + "; `bohier run` goes on"
	}
	return text + goesOn(s.summary)
}

// goesOn describes the trials that were under way when a run was stopped.
func goesOn(sum execute.Summary) string {
	if sum.Returned == 0 {
		return "; no trial was under way; `bohier run` goes on"
	}
	return fmt.Sprintf("; %s returned; `bohier run` goes on", study.Count(sum.Returned, "trial"))
}

// commandOf is the study's run section with the flags laid over it.
func commandOf(s call, st *study.Study, argv []string) (*study.Run, error) {
	var out study.Run
	if r := st.Run; r != nil {
		out = *r
	}
	if len(argv) > 0 {
		out.Command, out.Shell, out.Submit = argv, "", nil
	}
	if s.changed("parallel") {
		out.Parallel = s.count("parallel")
	}
	if s.changed("timeout") {
		out.Timeout = s.span("timeout")
	}
	if s.changed("retries") {
		out.Retries = s.count("retries")
	}
	if s.changed("result-file") || s.changed("result-regex") {
		out.ResultFile, out.ResultRegex = s.text("result-file"), s.text("result-regex")
	}
	if s.changed("result-file") && s.changed("result-regex") {
		return nil, usage("", "--result-file and --result-regex exclude each other")
	}
	if s.changed("result-regex") {
		return &out, checkPattern(st, out.ResultRegex)
	}
	return &out, nil
}

// checkPattern reports why a pattern cannot find results.
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
