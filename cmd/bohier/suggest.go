package main

import (
	"bytes"
	"context"
	"errors"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

// mostAtOnce bounds the suggestions of one call: all are reserved, held in memory and
// printed together.
const mostAtOnce = 10000

// noLevels is the error of --start without a fidelity.
const noLevels = "there is no fidelity with levels to start at"

func runSuggest(s call, session runner.Session, args []string) error {
	ask := runner.Ask{N: s.count("number"), Key: s.text("key"), Worker: s.text("worker"), DryRun: s.on("dry-run"),
		Deadline: s.span("deadline"), New: s.on("new") || s.number("start") > 0}
	switch {
	case ask.N < 1:
		return usage("", "-n must be at least 1, not %d", ask.N)
	case ask.N > mostAtOnce:
		return usage("ask for a part of them, and again", "-n must be at most %d, not %d", mostAtOnce, ask.N)
	case ask.Worker == journal.Nobody:
		return usage("", "%q is no name for a worker", ask.Worker)
	case ask.Deadline < 0:
		return usage("", "--deadline must not be negative")
	}
	printer := trialPrinter{st: session.Study, call: s, prefix: s.text("prefix"), array: s.changed("number")}
	if err := printer.prepare(ask.N); err != nil {
		return err
	}
	// A caller with a key or a name asks again and gets the same trial; anybody else will never hear
	// of a trial that is not delivered.
	known := ask.Key != "" || ask.Worker != ""
	if s.Nowhere && !ask.DryRun && !known {
		return undelivered(errors.New("standard output is closed, or /dev/null opened for reading too"))
	}
	var err error
	if ask.Start, err = s.resource(session.Study, "start", noLevels, true); err == nil {
		ask.Fixed, err = assignment(session.Study, s.list("fix"))
	}
	if err != nil {
		return err
	}
	if err := space.NewDomain(session.Study.Space, ask.Fixed).Err(); err != nil {
		return usage("", "%v", err)
	}
	trials, warnings, err := session.Suggest(s.ctx, ask)
	s.Log.warn(warnings...)
	if err != nil {
		return err
	}
	if known {
		s.Recorded = "running it again gives the same trial"
	}
	var out bytes.Buffer
	err = render(&out, &printer, study.Pointers(trials),
		func(t *study.Trial) report.Suggestion { return report.SuggestionOf(session.Study, t) })
	if err == nil {
		err = s.show(out.Bytes())
	}
	if err != nil && !ask.DryRun && !known {
		if releaseErr := session.Release(context.WithoutCancel(s.ctx), trials,
			"the output could not be delivered"); releaseErr != nil {
			s.Log.warn("the trial stays pending: " + releaseErr.Error())
			return study.Wrap(study.PerhapsRecorded, err, "free it: bohier abandon $(bohier trials --state pending -o id)",
				"recorded, but the output could not be delivered")
		}
	}
	return err
}

func runEnqueue(s call, session runner.Session, args []string) error {
	file, key := s.text("json"), s.text("key")
	if (file == "") == (len(args) == 0) {
		return usage("such as: bohier enqueue lr=0.01", "give the configuration as NAME=VALUE arguments or with --json")
	}
	start, err := s.resource(session.Study, "start", noLevels, true)
	if err != nil {
		return err
	}
	a, err := assignment(session.Study, args)
	if file != "" {
		var data []byte
		if data, err = s.readFile(file); err == nil {
			if a, err = session.Study.Space.ParsePartial(data); err != nil {
				err = usage("", "%s: %v", shownFile(file), err)
			}
		}
	}
	if err != nil {
		return err
	}
	place, recorded, warnings, err := session.Enqueue(s.ctx, a, key, start)
	s.Log.warn(warnings...)
	if err != nil {
		return err
	}
	s.Recorded = safe
	if key == "" {
		s.Recorded = twice
	}
	receipt := report.Enqueued{Schema: "bohier/receipt/1", State: "enqueued", Recorded: recorded}
	if place > 0 {
		receipt.Place = &place
	}
	if key != "" {
		receipt.Key = &key
	}
	return s.sheet(receipt, "enqueued", receipt)
}
