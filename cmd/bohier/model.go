package main

import (
	"cmp"
	"maps"
	"os"
	"slices"
	"strings"

	"bohier/internal/lazy"
	"bohier/internal/lists"
	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

func runModel(v *view, _ []string) error {
	if v.on("gram") != (v.text("points") != "") {
		return usage("", "--gram and --points FILE go together")
	}
	goals, err := v.goals(v.text("objective"))
	if err != nil {
		return err
	}
	all, texts := report.Models{Schema: "bohier/model/1", Objectives: map[string]report.Model{}}, []string(nil)
	var m report.Model
	err = forEach(goals, func(goal *view) (err error) {
		if m, err = goal.model(); err == nil {
			name := goal.Study.Objective().Name
			all.Objectives[name], texts = m, append(texts, "objective  "+name+"\n"+string(modelText(m)))
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(goals) == 1 {
		return present(v.call, []report.Model{m}, false, func() []byte { return modelText(m) })
	}
	return present(v.call, []report.Models{all}, false, func() []byte { return []byte(strings.Join(texts, "\n")) })
}

// model is the surrogate of the objective.
func (v *view) model() (report.Model, error) {
	var a *runner.Analysis
	var err error
	if !v.on("gram") || len(study.In(study.Complete, v.Trials)) > 0 {
		if a, err = v.analysis(); err != nil {
			return report.Model{}, err
		}
	}
	result := modelOf(v.Study, a)
	if !v.on("gram") {
		return result, nil
	}
	points, err := readPoints(v.call, v.Study.Space, v.text("points"))
	if err == nil {
		result.Gram, err = runner.Gram(v.Study, a, points)
	}
	return result, err
}

// modelOf is the contract form of a fit; without one, of nothing.
func modelOf(st *study.Study, a *runner.Analysis) report.Model {
	r := report.Model{Schema: "bohier/model/1", Warnings: []string{}, Fallbacks: []string{},
		Hyperparameters: map[string]float64{}}
	if a == nil {
		return r
	}
	fit, rating := a.Report, a.Rating()
	r.Kernel, r.Transform, r.Hyperparameters = a.Kernel, a.Transform.Name(), fit.Hyper
	r.LogMarginalLikelihood, r.LogPosterior = study.Finite(fit.LogMarginalLikelihood), study.Finite(fit.LogPosterior)
	r.Noise, r.Condition = study.Finite(a.Model.Noise()), study.Finite(fit.Condition)
	r.Slopes, r.Levels = a.Slopes(st.Space), a.Correlations
	r.Points, r.Evaluations = fit.Points, fit.Evaluations
	r.LOO = &report.LOO{RMSE: study.Finite(rating.RMSE), LogLoss: study.Finite(rating.LogLoss),
		Coverage90: rating.Coverage90}
	r.Warnings = append(r.Warnings, a.Warnings...)
	r.Fallbacks = append(r.Fallbacks, a.Degradations...)
	r.Ranges = map[string]report.Range{}
	for _, h := range a.Ranges() {
		out := report.Range{Prior90: h.Prior, Fixed: h.Low == h.High && !h.Closed}
		if h.Low < h.High {
			out.Low, out.High = &h.Low, &h.High
		}
		if h.Met != "" {
			out.Bound = &h.Met
		}
		r.Ranges[h.Name] = out
	}
	return r
}

func modelText(r report.Model) []byte {
	levels := report.TableOf(">level", ">correlation with full resource")
	for _, l := range r.Levels {
		levels.Row(report.Number(l.Resource), l.Correlation)
	}
	slopes := report.TableOf("parameter", ">slope of the mean over the range")
	for _, name := range slices.Sorted(maps.Keys(r.Slopes)) {
		slopes.Row(name, r.Slopes[name])
	}
	return report.Sheet("model", map[string]any{"r": r, "tables": []report.Table{hyperTable(r), levels, slopes}})
}

// hyperTable lists the hyperparameters with their ranges.
func hyperTable(r report.Model) report.Table {
	t := report.TableOf("hyperparameter", ">value", "90 % of the prior", "bounds", "")
	for _, name := range slices.Sorted(maps.Keys(r.Hyperparameters)) {
		h, known := r.Ranges[name]
		prior, bounds, how := "", "", ""
		if h.Prior90 != nil {
			prior = report.Brief(h.Prior90[0]) + " … " + report.Brief(h.Prior90[1])
		}
		if h.Low != nil {
			bounds = report.Brief(*h.Low) + " … " + report.Brief(*h.High)
		}
		switch {
		case h.Bound != nil:
			how = "at its " + *h.Bound + " bound"
		case h.Fixed:
			how = "fixed"
		case known && h.Low == nil:
			how = "in closed form"
		}
		t.Row(name, r.Hyperparameters[name], prior, bounds, how)
	}
	return t
}

func runPredict(v *view, _ []string) error {
	file := v.text("points")
	if file == "" {
		return usage("bohier predict --points FILE", "--points is missing")
	}
	points, err := readPoints(v.call, v.Study.Space, file)
	if err != nil {
		return err
	}
	at, err := v.resource(v.Study, "at", "there is no fidelity to predict at", false)
	if err != nil {
		return err
	}
	goals, err := v.goals(v.text("objective"))
	if err != nil {
		return err
	}
	list := lists.Of(points, func(c space.Configuration) report.Prediction {
		return report.Prediction{Schema: "bohier/prediction/1", Params: v.Study.Space.JSON(c), Config: c}
	})
	err = forEach(goals, func(goal *view) error {
		a, err := goal.analysis()
		if err != nil {
			return err
		}
		if v.changed("at") {
			a = a.At(at)
		}
		v.Log.warn(a.Warnings...)
		mean, std, noisy := a.Predict(points)
		for i := range list {
			list[i].Set(goal.Study, study.Expected{Estimate: study.Estimate{Mean: mean[i], Std: std[i]}, StdNoisy: noisy(i)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return present(v.call, list, true, func() []byte {
		return report.PredictionTable(v.Study, list).Text(v.Color)
	})
}

func runScore(v *view, args []string) error {
	pick := v.count("pick")
	places, err := v.asked(v.text("objective"))
	if err != nil {
		return err
	}
	at, err := v.resource(v.Study, "at", "there is no fidelity to predict at", false)
	if err != nil {
		return err
	}
	shown := lists.At(v.Study.Goals(), places)
	candidates, trial, err := v.candidates(args[0], pick)
	if err != nil {
		return err
	}
	st, request, err := v.session.Question(v.ctx, v.state)
	if err != nil {
		return err
	}
	var ranked []suggest.Ranked
	if pick > 0 {
		var warnings []string
		ranked, warnings, err = suggest.Pick(v.ctx, st, v.Trials, request, candidates, pick)
		v.Log.warn(warnings...)
	} else {
		ranked, err = suggest.Rank(v.ctx, st, v.Trials, request, candidates)
	}
	if err == nil && (trial != nil || v.changed("at")) {
		err = v.session.ExpectAt(v.ctx, v.state, ranked, trial, cmp.Or(at, st.Fidelity.High()))
	}
	if err != nil {
		return err
	}
	list := make([]report.Candidate, len(ranked))
	for i, r := range ranked {
		list[i] = report.Candidate{
			Schema: "bohier/candidate/1", Params: v.Study.Space.JSON(r.Config),
			Score: study.Finite(r.Score), Rank: i + 1, Objectives: map[string]study.Expected{}, Tried: r.Tried,
			Config: r.Config,
		}
		for k, e := range r.Expected {
			switch {
			case !v.Study.Several():
				list[i].Estimate = &r.Expected[k].Estimate
			case slices.Contains(shown, e.Name):
				list[i].Objectives[e.Name] = e.Expected
			}
		}
	}
	return present(v.call, list, true, func() []byte {
		return report.CandidateTable(v.Study, shown, list).Text(v.Color)
	})
}

// candidates reads the journal and the configurations to score: of a file, or of the trial which the argument
// means, where there is no such file.
func (v *view) candidates(file string, pick int) ([]space.Configuration, *study.Trial, error) {
	if v.Study.Fidelity.Early() && pick < 1 && idForm().MatchString(file) {
		if _, err := os.Stat(v.path(file)); err != nil {
			if err = v.read(nil); err != nil {
				return nil, nil, err
			}
			trial, err := v.state.Trial(file)
			if err != nil {
				return nil, nil, err
			}
			return []space.Configuration{trial.Config}, trial, nil
		}
	}
	list, err := readPoints(v.call, v.Study.Space, file)
	return list, nil, v.read(err)
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
