package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/study"
)

func runMigrate(s call, session runner.Session, args []string) error {
	fill, err := assignment(session.Study, s.list("fill"))
	if err != nil {
		return err
	}
	var values json.RawMessage
	if len(fill) > 0 {
		values = session.Study.Space.AppendPartialJSON(nil, fill)
	}
	state, changes, err := journal.Migrate(s.ctx, session.Journal, values)
	if err != nil {
		return err
	}
	s.Recorded = safe
	var b bytes.Buffer
	for _, c := range changes {
		fmt.Fprintln(&b, c)
	}
	outside, unmeasured := 0, 0
	for i := range state.Trials {
		if t := &state.Trials[i]; t.State == study.Complete && !session.Study.Measured(t) {
			unmeasured++
		}
		if state.Trials[i].Outside {
			outside++
		}
	}
	switch {
	case len(changes) == 0:
		fmt.Fprintln(&b, "nothing to adopt: the journal has this space already")
	case outside > 0:
		fmt.Fprintf(&b, "adopted; %d of %d trials do not fit and are kept as data\n", outside, len(state.Trials))
		if fill == nil {
			s.Log.Info().Msg("if they lack a new parameter, `bohier migrate --fill NAME=VALUE` brings them back")
		}
	default:
		fmt.Fprintf(&b, "adopted; all %d trials fit\n", len(state.Trials))
	}
	if name := session.Study.Objective().Name; unmeasured > 0 {
		s.Log.warn(fmt.Sprintf("%s without a value %q, the objective now: nothing is learnt from them; `bohier observe ID "+
			"%s=… --replace` gives one",
			study.Count(unmeasured, "complete trial"), name, name))
	}
	return s.print(b.Bytes())
}
