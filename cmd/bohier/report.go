package main

import (
	"cmp"

	"bohier/internal/report"
	"bohier/internal/study"
)

// reportKinds are the extensions of reports.
var reportKinds = []string{"md", "markdown", "html", "htm", "json"}

func runReport(s call, args []string) error {
	out := outFile(s.text("out"))
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
	if v.Standing == nil {
		v.Standing = standing(st, state, board)
	}
	best := v.Standing.Best(n)
	if board != nil {
		best = trialsOf(board, n)
	}
	sum := summarise(v, best)
	if v.unfit != nil {
		sum.Unfit = v.unfit.Error()
	}
	out, err := structured(s.format, []report.Summary{sum}, false)
	if err != nil || out != nil {
		return out, err
	}
	var hyper *report.Table
	if sum.Model != nil {
		hyper = new(hyperTable(*sum.Model))
	}
	sections := sum.Page(st, best, hyper)
	if s.format == "html" {
		p, err := v.htmlPage(sum, sections.Sections, refresh)
		return p.HTML(), err
	}
	return sections.Markdown(), nil
}

func summarise(v *view, best []study.Trial) report.Summary {
	st, state, board := v.Study, v.state, v.board
	sum := report.NewSummary(st, state.Trials)
	sum.Repeated = st.Measurements(state.Trials)
	sum.Status = statusOf(st, state, board, v.Standing, sum.Repeated)
	for k := range best {
		sum.Best = append(sum.Best, report.TrialOf(st, &best[k], report.Listing{By: sum.Repeated, Board: board}))
	}
	if board != nil {
		sum.Leaders, sum.Progress = board, report.Progress(st, state.Trials, estimates(st, board, state.Trials))
	}
	if st.Several() {
		sum.Several(v.Standing, state.Trials)
		for k := range sum.Best {
			sum.Best[k].Rank = 1
		}
	}
	if v.a == nil {
		return sum
	}
	sum.Model, sum.Importance = new(modelOf(st, v.a)), v.Importance
	return sum
}
