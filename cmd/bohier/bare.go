package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// hasStudy reports whether there is a study to speak of without a command.
func (s call) hasStudy() bool {
	_, err := os.Stat(s.path(s.file()))
	return err == nil || s.study != "" || s.env("BOHIER_CONFIG") != ""
}

// runBare says where the study stands and what to do next.
func runBare(s call) error {
	session, err := s.session()
	if err != nil {
		if errors.As(err, new(invalidStudy)) {
			s.Log.warn("`bohier check` shows the study file as it is read; `bohier help study` has its keys")
		}
		return err
	}
	state, err := s.state(session)
	if err != nil {
		return err
	}
	st := session.Study
	board, err := leaders(s, session, state)
	if err != nil {
		return err
	}
	status := statusOf(st, state, board)
	status.Cost = nil // the table of progress is for `bohier status`
	text := statusText(status, st, state, board)
	text = append(text, '\n')
	for _, n := range nextSteps(st, state.Trials, status) {
		text = fmt.Appendf(text, "%-31s # %s\n", n[0], n[1])
	}
	return s.print(text)
}

// nextSteps are commands that lead on from where a study stands, each with what it does.
func nextSteps(st *study.Study, trials []study.Trial, r report.Status) (out [][2]string) {
	add := func(command, what string) { out = append(out, [2]string{command, what}) }
	left, limited := runner.Left(st, trials)
	over := limited && left == 0
	under := r.Pending - r.Waiting
	if r.Complete+r.Pending+r.Failed+r.Abandoned == 0 {
		add("bohier check", "is the study file right? how large is the space?")
	}
	if under > 0 {
		id := ""
		for k := range trials {
			if t := &trials[k]; t.State == study.Pending && !t.Waiting {
				id = t.ID()
				break
			}
		}
		values := "VALUE"
		if st.Several() {
			values = strings.Join(st.Outcomes(), "=… ") + "=…"
		}
		add("bohier observe "+id+" "+values, fmt.Sprintf("%s for a result; or abandon %s, or return it",
			study.Count(under, "trial")+map[bool]string{true: " waits", false: " wait"}[under == 1], id))
	}
	switch {
	case over && r.Waiting == 0:
	case st.Run.Runs():
		add("bohier run", "go on with the study's command")
	default:
		add("bohier suggest", "the next configuration to try")
	}
	if r.Best != nil || len(r.Front) > 0 {
		add("bohier best", "the best so far")
		add("bohier report --out report.html", "what was learnt, one page to pass on")
	} else if r.Failed > 0 {
		add("bohier trials --state failed", "what failed, and why: bohier show ID")
	}
	if over {
		add("bohier help study budget",
			fmt.Sprintf("the budget of %s is used: raise budget.trials to go on", study.Count(st.Budget.Trials, "trial")))
	}
	return out
}
