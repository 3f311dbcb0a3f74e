package main

import (
	"cmp"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

// reportKinds are the extensions of reports.
var reportKinds = []string{"md", "markdown", "html", "htm", "json"}

func runReport(s call, args []string) error {
	out := outFile(s.text("out"))
	if n := s.count("number"); n < 1 {
		return usage("", "-n must be at least 1, not %d", n)
	}
	if s.changed("output") {
		if err := out.refuse(s); err != nil {
			return err
		}
	} else if kind, err := out.kind(s, reportKinds...); err != nil {
		return err
	} else if kind != "" {
		s.format = cmp.Or(map[string]string{"md": "markdown", "htm": "html"}[kind], kind)
	}
	if s.on("watch") {
		return watchReport(s, out)
	}
	text, err := makeReport(s, 0)
	if err != nil {
		return err
	}
	if out.stdout() {
		return s.show(text)
	}
	return out.save(s, text)
}

// makeReport is the report of today; a page looks for a newer one after refresh seconds,
// if that is positive.
func makeReport(s call, refresh int) ([]byte, error) {
	v, err := look(s)
	if err != nil {
		return nil, err
	}
	st, state := v.Study, v.state
	if st.Several() {
		err = v.trust()
	} else {
		err = v.fit(false)
	}
	if err != nil {
		return nil, err
	}
	board, n := v.board, s.count("number")
	best := st.Best(state.Trials, n)
	if board != nil {
		best = trialsOf(board, n)
	}
	sum := summarise(st, state, best, v.a, board)
	if v.unfit != nil {
		sum.Unfit = v.unfit.Error()
	}
	out, err := structured(s.format, []report.Summary{sum}, false)
	if err != nil || out != nil {
		return out, err
	}
	var hyper *report.Table
	if sum.Model != nil {
		t := hyperTable(*sum.Model)
		hyper = &t
	}
	sections := sum.Page(st, best, hyper)
	if s.format == "html" {
		p, err := v.htmlPage(sum, sections.Sections, refresh)
		return p.HTML(), err
	}
	return sections.Markdown(), nil
}

func summarise(st *study.Study, state *journal.State, best []study.Trial, a *runner.Analysis,
	board *study.Leaderboard) report.Summary {
	sum := report.NewSummary(st, state.Trials)
	sum.Status = statusOf(st, state, board)
	sum.Repeated = st.Measurements(state.Trials)
	for k := range best {
		sum.Best = append(sum.Best, report.TrialOf(st, &best[k], report.Listing{By: sum.Repeated, Board: board}))
	}
	if board != nil {
		sum.Leaders, sum.Progress = board, report.Progress(st, state.Trials, estimates(st, board, state.Trials))
	}
	if st.Several() {
		sum.Several(standing(st, state, board), state.Trials)
		for k := range sum.Best {
			sum.Best[k].Rank = 1
		}
	}
	if a == nil {
		return sum
	}
	m := modelOf(st, a)
	sum.Model = &m
	sum.Importance = importances(a.Importance(st.Space, state.Seed))
	return sum
}
