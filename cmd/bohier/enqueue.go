package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"bohier/internal/report"
	"bohier/internal/runner"
)

type enqueueOptions struct {
	json  string
	key   string
	start float64
}

func newEnqueue(g *globals) *cobra.Command {
	var o enqueueOptions
	c := g.command("enqueue NAME=VALUE... [flags]", args(0, -1, ""), onStudy(o.run), 4, 5, 6, 7, 8, 9, 130)
	c.ValidArgsFunction = g.completeAssignments()
	c.Flags().StringVar(&o.json, "json", "", "read the parameters as a JSON object from `FILE`; - is stdin")
	c.Flags().StringVar(&o.key, "key", "", "idempotency `KEY`: the same key is enqueued once")
	c.Flags().Float64Var(&o.start, "start", 0,
		"first `RESOURCE` at which the trial is evaluated (default: the full resource)")
	g.addFormat(c, "text", "json", "jsonl", "yaml")
	return c
}

func (o *enqueueOptions) run(s call, session runner.Session, args []string) error {
	if (o.json == "") == (len(args) == 0) {
		return usage("such as: bohier enqueue lr=0.01", "give the configuration as NAME=VALUE arguments or with --json")
	}
	if err := checkStart(session.Study, o.start, s.changed("start")); err != nil {
		return err
	}
	a, err := assignment(session.Study, args)
	if o.json != "" {
		var data []byte
		if data, err = s.readFile(o.json); err == nil {
			if a, err = session.Study.Space.ParsePartial(data); err != nil {
				err = usage("", "%s: %v", shownFile(o.json), err)
			}
		}
	}
	if err != nil {
		return err
	}
	place, recorded, warnings, err := session.Enqueue(s.ctx, a, o.key, o.start)
	s.Log.warn(warnings...)
	if err != nil {
		return err
	}
	s.Recorded = safe
	if o.key == "" {
		s.Recorded = twice
	}
	receipt := report.Enqueued{Schema: "bohier/receipt/1", State: "enqueued", Recorded: recorded}
	if place > 0 {
		receipt.Place = &place
	}
	if o.key != "" {
		receipt.Key = &o.key
	}
	return present(s, []report.Enqueued{receipt}, false, func() []byte { return enqueuedText(place, recorded) })
}

// enqueuedText says where in the queue a configuration is.
func enqueuedText(place int, recorded bool) []byte {
	text := "enqueued"
	if !recorded {
		text += " (as before)"
	}
	if place == 0 {
		return []byte(text + ", proposed already\n")
	}
	return fmt.Appendf(nil, "%s, place %d in the queue\n", text, place)
}
