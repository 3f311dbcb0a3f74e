package main

import (
	"github.com/spf13/cobra"

	"bohier/internal/journal"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
)

type predictOptions struct {
	at     float64
	points string
	of     objectiveFlag
}

func newPredict(g *globals) *cobra.Command {
	var o predictOptions
	c := g.command("predict --points FILE [flags]", args(0, 0, ""), onTrials(o.run), 6, 7, 9, 11, 130)
	c.Flags().Float64Var(&o.at, "at", 0,
		"`RESOURCE` of the prediction, in a study with a fidelity (default: the full one)")
	c.Flags().StringVar(&o.points, "points", "", "read configurations from `FILE`, one JSON object a line; - is stdin")
	o.of.add(c.Flags(), c, g)
	g.addFormat(c, "table", "json", "jsonl", "yaml")
	return c
}

func (o *predictOptions) run(s call, session runner.Session, state *journal.State, args []string) error {
	if o.points == "" {
		return usage("bohier predict --points FILE", "--points is missing")
	}
	points, err := readPoints(s, session.Study.Space, o.points)
	if err != nil {
		return err
	}
	goals, err := o.of.of(session)
	if err != nil {
		return err
	}
	list := make([]report.Prediction, len(points))
	if err := predictable(s, session.Study, o.at); err != nil {
		return err
	}
	for i, c := range points {
		list[i] = report.Prediction{Schema: "bohier/prediction/1", Params: session.Study.Space.AppendJSON(nil, c), Config: c}
	}
	err = forEach(s, goals, func(goal runner.Session) error {
		a, err := analyze(s, goal, state)
		if err != nil {
			return err
		}
		if s.changed("at") {
			a = a.At(o.at)
		}
		s.Log.warn(a.Warnings...)
		mean, std, noisy := a.Predict(points)
		for i := range list {
			list[i].Set(goal.Study, report.Expected{Mean: mean[i], Std: std[i], StdNoisy: noisy[i]})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return present(s, list, true, func() []byte {
		return report.PredictionTable(session.Study, list).Text(s.Color)
	})
}

// predictable says why nothing can be predicted at the resource of --at; nil: it can.
func predictable(s call, st *study.Study, at float64) error {
	if !s.changed("at") {
		return nil
	}
	err := levelled(st, "there is no fidelity to predict at")
	if f := &st.Fidelity; err == nil && (!(at > 0) || at > f.High()) {
		err = usage("", "%s must be above 0 and at most %v, not %v", f.Name, f.High(), at)
	}
	return err
}
