package main

import (
	"fmt"

	"bohier/internal/report"
	"bohier/internal/runner"
)

func runEnqueue(s call, session runner.Session, args []string) error {
	file, key := s.text("json"), s.text("key")
	if (file == "") == (len(args) == 0) {
		return usage("such as: bohier enqueue lr=0.01", "give the configuration as NAME=VALUE arguments or with --json")
	}
	if err := checkStart(s, session.Study); err != nil {
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
	place, recorded, warnings, err := session.Enqueue(s.ctx, a, key, s.number("start"))
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
