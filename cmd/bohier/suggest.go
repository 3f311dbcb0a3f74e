package main

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

type suggestOptions struct {
	count    int
	fix      []string
	key      string
	worker   string
	prefix   string
	dryRun   bool
	fresh    bool
	start    float64
	deadline time.Duration
}

// mostAtOnce bounds the suggestions of one call: all are reserved, held in memory and
// printed together.
const mostAtOnce = 10000

func newSuggest(g *globals) *cobra.Command {
	var o suggestOptions
	c := g.command("suggest [flags]", args(0, 0, ""), onStudy(o.run), 3, 4, 5, 6, 7, 8, 9, 11, 130)
	c.Aliases = []string{"ask"}
	f := c.Flags()
	f.IntVarP(&o.count, "number", "n", 1, "number of trials, `N`; JSON output becomes an array")
	f.StringArrayVar(&o.fix, "fix", nil, "keep a parameter at a value: `NAME=VALUE`; repeatable")
	f.StringVar(&o.key, "key", "", "idempotency `KEY`: the same key returns the same trial")
	f.StringVar(&o.worker, "worker", "", "return the pending trial of worker `NAME`, if it has one")
	f.BoolVar(&o.dryRun, "dry-run", false, "record nothing")
	f.DurationVar(&o.deadline, "deadline", 0,
		"stop the search after `DURATION`, such as 500ms, and suggest the best found")
	f.BoolVar(&o.fresh, "new", false, "start a new trial, even if one waits or a promotion is due")
	f.Float64Var(&o.start, "start", 0, "start a new trial at this `RESOURCE` of the fidelity")
	f.StringVar(&o.prefix, "prefix", "", "prefix of the variables of -o env, as `TEXT`")
	g.addFormat(c, trialFormats...)
	g.completes(c, "fix", g.completeAssignments())
	return c
}

func (o *suggestOptions) run(s call, session runner.Session, args []string) error {
	if o.count < 1 {
		return usage("", "-n must be at least 1, not %d", o.count)
	}
	if o.count > mostAtOnce {
		return usage("ask for a part of them, and again", "-n must be at most %d, not %d", mostAtOnce, o.count)
	}
	if o.worker == journal.Nobody {
		return usage("", "%q is no name for a worker", o.worker)
	}
	if o.deadline < 0 {
		return usage("", "--deadline must not be negative")
	}
	printer := trialPrinter{st: session.Study, format: s.format, prefix: o.prefix, array: s.changed("number"),
		colour: s.Color}
	if err := printer.prepare(o.count); err != nil {
		return err
	}
	if s.Nowhere && !o.dryRun && o.key == "" && o.worker == "" {
		return undelivered(errors.New("standard output is closed, or /dev/null opened for reading too"))
	}
	if err := checkStart(session.Study, o.start, s.changed("start")); err != nil {
		return err
	}
	fixed, err := assignment(session.Study, o.fix)
	if err != nil {
		return err
	}
	if err := space.NewDomain(session.Study.Space, fixed).Err(); err != nil {
		return usage("", "%v", err)
	}
	session.Journal.Memory.Own = s.kept == nil // a suggestion reads, reserves and settles, each from the newest state
	trials, warnings, err := session.Suggest(s.ctx, runner.Ask{
		N: o.count, Fixed: fixed, Key: o.key, Worker: o.worker, DryRun: o.dryRun, Deadline: o.deadline,
		New: o.fresh || o.start > 0, Start: o.start,
	})
	s.Log.warn(warnings...)
	if err != nil {
		return err
	}
	if o.key != "" || o.worker != "" {
		s.Recorded = "running it again gives the same trial"
	}
	var out bytes.Buffer
	err = render(&out, &printer, trials,
		func(t *study.Trial) report.Suggestion { return report.SuggestionOf(session.Study, t) })
	if err == nil {
		err = s.show(out.Bytes())
	}
	// A caller with a key or a name asks again and gets the same trial; anybody
	// else will never hear of it.
	if err != nil && !o.dryRun && o.key == "" && o.worker == "" {
		if releaseErr := session.Release(context.WithoutCancel(s.ctx), trials,
			"the output could not be delivered"); releaseErr != nil {
			s.Log.warn("the trial stays pending: " + releaseErr.Error())
			return study.Wrap(study.PerhapsRecorded, err, "free it: bohier abandon $(bohier trials --state pending -o id)",
				"recorded, but the output could not be delivered")
		}
	}
	return err
}

// checkStart refuses a level that the study does not have.
func checkStart(st *study.Study, start float64, given bool) error {
	if !given {
		return nil
	}
	err := levelled(st, "there is no fidelity with levels to start at")
	if err == nil && !slices.Contains(st.Fidelity.Levels, start) {
		err = usage("levels: "+report.Numbers(st.Fidelity.Levels), "%v is not a level", start)
	}
	return err
}
