package main

import (
	"bytes"
	"context"
	"errors"
	"iter"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
)

// added adds trials, about so many, and returns their receipts.
func added(s call, session runner.Session, about int, list iter.Seq2[study.Addition, error]) (receipts []report.Receipt,
	err error) {
	err = session.Add(s.ctx, about, list, func(k int, t *study.Trial, known bool) {
		if k == 0 {
			receipts = receipts[:0] // others were faster: all come again
		}
		receipts = append(receipts, report.ReceiptOf(session.Study, t, !known))
	})
	return receipts, err
}

// printReceipts prints the recorded trials; again is the effect of running the command once more, safe or twice.
func printReceipts(s call, list []report.Receipt, array bool, again string) error {
	s.Recorded = again
	return present(s, list, array, func() []byte {
		var b bytes.Buffer
		for _, r := range list {
			b.WriteString(r.ID)
			if s.format == "text" {
				b.WriteString(outcome(r))
			}
			b.WriteByte('\n')
		}
		return b.Bytes()
	})
}

// outcome is a receipt without its trial, not by a template: there may be 100,000.
func outcome(r report.Receipt) string {
	words := " " + string(r.State)
	if r.Waiting {
		words += " (waiting)"
	}
	if r.Verdict != "" {
		words += ": " + string(r.Verdict)
		if r.To != nil && *r.To != nil { // how far the trial goes on
			words += " to " + report.Number(**r.To)
		}
	}
	for _, change := range r.Changes {
		words += ", " + change
	}
	if !r.Recorded {
		words += " (as before)"
	}
	return words
}

func runReturn(s call, session runner.Session, ids []string) error {
	return eachTrial(s, session, ids, (*journal.State).ReturnOne)
}

func runAbandon(s call, session runner.Session, ids []string) error {
	return eachTrial(s, session, ids, func(state *journal.State, id string) ([]journal.Record, *study.Trial, error) {
		return state.Abandon(id, s.text("note"))
	})
}

// eachTrial changes each of some trials, and prints its receipt.
func eachTrial(s call, session runner.Session, ids []string,
	one func(*journal.State, string) ([]journal.Record, *study.Trial, error)) error {
	var done []report.Receipt
	for _, id := range ids {
		t, recorded, err := session.Update(s.ctx, func(state *journal.State) ([]journal.Record, *study.Trial, error) {
			return one(state, id)
		})
		if err != nil {
			return err
		}
		done = append(done, report.ReceiptOf(session.Study, &t, recorded))
	}
	return printReceipts(s, done, len(ids) > 1, safe)
}

func runVerdict(v *view, args []string) error {
	if err := v.read(levelled(v.Study, "there is no fidelity: trials are judged at their end")); err != nil {
		return err
	}
	t, err := v.state.Trial(args[0])
	if err != nil {
		return err
	}
	if t.Course == nil {
		return study.Errorf(study.Conflict, "", "trial %s is %s, and has no verdict", t.ID(), t.State)
	}
	again := t.Again(t.Course.Newest())
	receipt := report.ReceiptOf(v.Study, &again, false)
	if err := printReceipts(v.call, []report.Receipt{receipt}, false, safe); err != nil {
		return err
	}
	return verdictError(receipt.Verdict)
}

// verdictError is exit code 10 for a trial that goes no further for now; the output has said so.
func verdictError(v study.Verdict) error {
	if !v.Ends() {
		return nil
	}
	return reported(study.Wrap(study.No, errEnds, "", "the trial goes no further for now"))
}

var errEnds = errors.New("a normal answer")

// noLevels is the error of --start without a fidelity.
const noLevels = "there is no fidelity with levels to start at"

func runSuggest(s call, session runner.Session, args []string) error {
	ask := runner.Ask{N: s.count("number"), Key: s.text("key"), Worker: s.text("worker"), DryRun: s.on("dry-run"),
		Deadline: s.span("deadline"), New: s.on("new") || s.number("start") > 0}
	if ask.Worker == journal.Nobody {
		return usage("", "%q is no name for a worker", ask.Worker)
	}
	printer := trialPrinter{st: session.Study, call: s, prefix: s.text("prefix"), array: s.changed("number")}
	if err := printer.prepare(ask.N); err != nil {
		return err
	}
	// A caller with a key or a name asks again and gets the same trial; anybody else never learns of a
	// trial that is not delivered.
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
		_, err = shown{s}.Write(out.Bytes())
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
