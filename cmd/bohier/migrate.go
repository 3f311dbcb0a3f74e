package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"bohier/internal/journal"
	"bohier/internal/runner"
	"bohier/internal/study"
)

type migrateOptions struct {
	fill []string
}

func newMigrate(g *globals) *cobra.Command {
	var o migrateOptions
	c := g.command("migrate [flags]", args(0, 0, ""), onStudy(o.run), 5, 6, 7, 8, 130)
	c.Flags().StringArrayVar(&o.fill, "fill", nil, "value of a new parameter in old trials: `NAME=VALUE`; repeatable")
	g.completes(c, "fill", g.completeAssignments())
	return c
}

func (o *migrateOptions) run(s call, session runner.Session, args []string) error {
	fill, err := assignment(session.Study, o.fill)
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
