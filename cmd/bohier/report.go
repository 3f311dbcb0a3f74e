package main

import (
	"cmp"
	"time"

	"github.com/spf13/cobra"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

type reportOptions struct {
	out   outFile
	count int
	watch bool
	every time.Duration
}

func newReport(g *globals) *cobra.Command {
	var o reportOptions
	c := g.command("report [flags]", args(0, 0, ""), o.run, 6, 7, 9, 130)
	f := c.Flags()
	f.StringVar((*string)(&o.out), "out", "", "write the report to `FILE`")
	f.IntVarP(&o.count, "number", "n", 5, "show the `N` best trials")
	f.BoolVar(&o.watch, "watch", false, "rewrite the --out file as the journal grows, until the study is over")
	f.DurationVar(&o.every, "every", 5*time.Second, "polling interval of --watch, a `DURATION`")
	g.addFormat(c, "markdown", "html", "json", "yaml")
	return c
}

// reportKinds are the extensions of reports.
var reportKinds = []string{"md", "markdown", "html", "htm", "json", "yaml", "yml"}

func (o *reportOptions) run(s call, args []string) error {
	if o.count < 1 {
		return usage("", "-n must be at least 1, not %d", o.count)
	}
	if s.changed("output") {
		if err := o.out.refuse(s); err != nil {
			return err
		}
	} else if kind, err := o.out.kind(s, reportKinds...); err != nil {
		return err
	} else if kind != "" {
		s.format.name = cmp.Or(map[string]string{"md": "markdown", "htm": "html", "yml": "yaml"}[kind], kind)
	}
	if o.watch {
		return watchReport(s, o)
	}
	out, err := o.make(s, 0)
	if err != nil {
		return err
	}
	if o.out.stdout() {
		return s.show(out)
	}
	return o.out.save(s, out)
}

// make is the report of today; a page looks for a newer one after refresh seconds,
// if that is positive.
func (o *reportOptions) make(s call, refresh int) ([]byte, error) {
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
	board := v.board
	best := st.Best(state.Trials, o.count)
	if board != nil {
		best = trialsOf(board, o.count)
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
	if s.format.name == "html" {
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
