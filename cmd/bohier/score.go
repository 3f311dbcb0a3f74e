package main

import (
	"os"
	"slices"
	"strings"

	"bohier/internal/journal"
	"bohier/internal/lazy"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

func runPredict(s call, session runner.Session, state *journal.State, args []string) error {
	file := s.text("points")
	if file == "" {
		return usage("bohier predict --points FILE", "--points is missing")
	}
	points, err := readPoints(s, session.Study.Space, file)
	if err != nil {
		return err
	}
	goals, err := goalsOf(session, s.text("objective"))
	if err != nil {
		return err
	}
	list := make([]report.Prediction, len(points))
	at, err := s.resource(session.Study, "at", "there is no fidelity to predict at", false)
	if err != nil {
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
			a = a.At(at)
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

func runScore(s call, session runner.Session, state *journal.State, args []string) error {
	file, pick := args[0], s.count("pick")
	if s.changed("pick") && pick < 1 {
		return usage("", "--pick must be at least 1, not %d", pick)
	}
	goals, err := goalsOf(session, s.text("objective"))
	if err != nil {
		return err
	}
	at, err := s.resource(session.Study, "at", "there is no fidelity to predict at", false)
	if err != nil {
		return err
	}
	var shown []string
	for _, c := range goals {
		shown = append(shown, c.Study.Objective().Name)
	}
	id := trialOf(s, session.Study, file)
	var candidates []space.Configuration
	if id == "" {
		if candidates, err = readPoints(s, session.Study.Space, file); err != nil {
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
		if !s.changed("at") {
			at = session.Study.Fidelity.High()
		}
		ranked = make([]suggest.Ranked, 1)
		if ranked[0], err = session.RankTrial(s.ctx, state, t, at); err != nil {
			return err
		}
	case pick > 0:
		var warnings []string
		ranked, warnings, err = session.Pick(s.ctx, state, candidates, pick)
		s.Log.warn(warnings...)
	default:
		ranked, err = session.Rank(s.ctx, state, candidates)
	}
	if err == nil && s.changed("at") && id == "" {
		err = session.ExpectAt(s.ctx, state, ranked, at)
	}
	if err != nil {
		return err
	}
	list := make([]report.Candidate, len(ranked))
	for i, r := range ranked {
		list[i] = report.Candidate{
			Schema: "bohier/candidate/1", Params: session.Study.Space.AppendJSON(nil, r.Config),
			Score: study.Finite(r.Score), Rank: i + 1, Objectives: map[string]report.Expected{}, Tried: r.Tried,
			Config: r.Config,
		}
		for k, e := range r.Expected {
			switch {
			case !session.Study.Several():
				list[i].Estimate = &r.Expected[k].Estimate
			case slices.Contains(shown, e.Name):
				list[i].Objectives[e.Name] = report.Expected{Mean: e.Mean, Std: e.Std, StdNoisy: e.StdNoisy}
			}
		}
	}
	return present(s, list, true, func() []byte {
		return report.CandidateTable(session.Study, shown, list).Text(s.Color)
	})
}

func runExplain(s call, session runner.Session, args []string) error {
	e, warnings, err := session.Explain(s.ctx, strings.Join(args, ""), recordedStudy(session.Study))
	s.Log.warn(warnings...)
	if err != nil {
		return err
	}
	e.Text = report.Explained(session.Study, e)
	return present(s, []*study.Explanation{e}, false, func() []byte { return []byte(e.Text) })
}

// idForm is a trial's number, or its id.
var idForm = lazy.Regexp(`^[1-9][0-9]*(-[0-9a-z]{4})?$`)

// trialOf is the argument where it means a trial; empty: it is a file.
func trialOf(s call, st *study.Study, file string) string {
	if !st.Fidelity.Early() || s.count("pick") > 0 || !idForm().MatchString(file) {
		return ""
	}
	if _, err := os.Stat(s.path(file)); err == nil {
		return ""
	}
	return file
}
