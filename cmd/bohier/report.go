package main

import (
	"bytes"
	"cmp"
	"io"
	"slices"

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
	if out.stdout() {
		return makeReport(s, shown{s}, 0)
	}
	var text bytes.Buffer
	if err := makeReport(s, &text, 0); err != nil {
		return err
	}
	return out.save(s, text.Bytes())
}

// makeReport writes the report of today; a page looks for a newer one after refresh seconds, if that is positive.
func makeReport(s call, w io.Writer, refresh int) error {
	v, err := s.look()
	if err != nil {
		return err
	}
	st := v.Study
	if err = v.fit(false); err != nil {
		return err
	}
	best := v.best(s.count("number"))
	sum := summarise(v, best)
	if v.unfit != nil {
		sum.Unfit = v.unfit.Error()
	}
	return printed(w, s.format, slices.Values([]report.Summary{sum}), false, func() ([]byte, error) {
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
	})
}

func summarise(v *view, best []study.Trial) report.Summary {
	st, board := v.Study, v.board
	sum := report.NewSummary(st, v.Trials)
	sum.Repeated = st.Measurements(v.Trials)
	sum.Status = v.status(sum.Repeated)
	for k := range best {
		sum.Best = append(sum.Best, report.TrialOf(st, &best[k], report.Listing{By: sum.Repeated, Board: board}))
	}
	if board != nil {
		sum.Leaders, sum.Progress = board, report.Progress(v.Standing, v.Trials)
	}
	if st.Several() {
		sum.Several(v.Standing, v.Trials)
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
