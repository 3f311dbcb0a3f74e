package main

import (
	"os"
	"slices"

	"github.com/spf13/cobra"

	"bohier/internal/journal"
	"bohier/internal/lazy"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
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

type scoreOptions struct {
	file string
	pick int
	of   objectiveFlag
	at   float64
}

func newScore(g *globals) *cobra.Command {
	var o scoreOptions
	c := g.command("score FILE|ID [flags]", args(1, 1, "a file of configurations"), onTrials(o.run), 4, 6, 7, 9, 11, 130)
	c.Flags().Float64Var(&o.at, "at", 0, "predict at `RESOURCE`, in a study with a fidelity")
	c.Flags().IntVar(&o.pick, "pick", 0, "choose a batch of `N` configurations to try together")
	o.of.add(c.Flags(), c, g)
	g.addFormat(c, "table", "json", "jsonl", "yaml")
	return c
}

func (o *scoreOptions) run(s call, session runner.Session, state *journal.State, args []string) error {
	o.file = args[0]
	if s.changed("pick") && o.pick < 1 {
		return usage("", "--pick must be at least 1, not %d", o.pick)
	}
	goals, err := o.of.of(session)
	if err != nil {
		return err
	}
	if err := predictable(s, session.Study, o.at); err != nil {
		return err
	}
	var shown []string
	for _, c := range goals {
		shown = append(shown, c.Study.Objective().Name)
	}
	id := o.trialID(s, session.Study)
	var candidates []space.Configuration
	if id == "" {
		if candidates, err = readPoints(s, session.Study.Space, o.file); err != nil {
			return err
		}
	}
	var ranked []suggest.Ranked
	switch {
	case id != "":
		t, err := state.Trial(id)
		if err != nil {
			return err
		}
		at := session.Study.Fidelity.High()
		if s.changed("at") {
			at = o.at
		}
		one, err := session.RankTrial(s.ctx, state, t, at)
		if err != nil {
			return err
		}
		ranked = []suggest.Ranked{one}
	case o.pick > 0:
		var warnings []string
		ranked, warnings, err = session.Pick(s.ctx, state, candidates, o.pick)
		s.Log.warn(warnings...)
	default:
		ranked, err = session.Rank(s.ctx, state, candidates)
	}
	if err == nil && s.changed("at") && id == "" {
		err = session.ExpectAt(s.ctx, state, ranked, o.at)
	}
	if err != nil {
		return err
	}
	list := make([]report.Candidate, len(ranked))
	for i, r := range ranked {
		several := map[string]report.Expected{}
		one, _ := estimatesOf(session.Study, r.Expected)
		for _, e := range r.Expected {
			if one != nil || !slices.Contains(shown, e.Name) {
				continue
			}
			several[e.Name] = report.Expected{Mean: e.Mean, Std: e.Std, StdNoisy: e.StdNoisy}
		}
		list[i] = report.Candidate{
			Schema: "bohier/candidate/1", Params: session.Study.Space.AppendJSON(nil, r.Config),
			Score: finite(r.Score), Rank: i + 1, Estimate: one, Objectives: several, Tried: r.Tried, Config: r.Config,
		}
	}
	return present(s, list, true, func() []byte {
		return report.CandidateTable(session.Study, shown, list).Text(s.Color)
	})
}

// idForm is a trial's number, or its id.
var idForm = lazy.Regexp(`^[1-9][0-9]*(-[0-9a-z]{4})?$`)

// trialID is the argument where it means a trial; empty: it is a file.
func (o *scoreOptions) trialID(s call, st *study.Study) string {
	if !st.Fidelity.Early() || o.pick > 0 || !idForm().MatchString(o.file) {
		return ""
	}
	if _, err := os.Stat(s.path(o.file)); err == nil {
		return ""
	}
	return o.file
}
