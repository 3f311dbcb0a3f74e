package main

import (
	"strings"

	"bohier/internal/report"
	"bohier/internal/runner"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

func runExplain(s call, session runner.Session, args []string) error {
	e, warnings, err := session.Explain(s.ctx, strings.Join(args, ""), recordedStudy(session.Study))
	s.Log.warn(warnings...)
	if err != nil {
		return err
	}
	r := explanation(session.Study, e)
	return present(s, []report.Explanation{r}, false, func() []byte { return []byte(r.Text) })
}

// regionOf is the contract form of what a suggestion was sought in; nil for the whole
// space.
func regionOf(st *study.Study, why *suggest.Reason) *report.Region {
	g := why.Region
	if g == nil {
		return nil
	}
	r := &report.Region{
		Part: "branch", Holds: append([]string{}, g.Holds...), Fails: append([]string{}, g.Fails...),
		Values: append([]study.RegionValues{}, g.Values...), Tried: g.Tried, Rank: g.Rank,
	}
	if g.Branch == nil {
		r.Part = "values"
	}
	if b := why.Plan.Baseline; b != study.BaselineNone && why.Acquisition != "lcb" { // a bound has nothing to beat
		r.Baseline = &b
		if why.Rival != nil {
			r.Incumbent = report.NewMention(st, why.Rival)
		}
	}
	return r
}

// estimatesOf is the prediction of the only objective, or those of several by name.
func estimatesOf(st *study.Study, list []suggest.Expected) (one *study.Estimate, several map[string]study.Estimate) {
	if !st.Several() {
		return &study.Estimate{Mean: list[0].Mean, Std: list[0].Std}, nil
	}
	several = map[string]study.Estimate{}
	for _, e := range list {
		several[e.Name] = study.Estimate{Mean: e.Mean, Std: e.Std}
	}
	return nil, several
}

// frontReason is the contract form of what was expected beside the front.
func frontReason(st *study.Study, why *suggest.FrontReason) *report.FrontReason {
	r := &report.FrontReason{Size: why.Size, Probability: finite(why.Probability)}
	if why.Before != nil {
		r.Before = contender(st, why.Before)
	}
	if why.After != nil {
		r.After = contender(st, why.After)
	}
	return r
}

// contender is the contract form of a trial with what is believed of it.
func contender(st *study.Study, c *suggest.Contender) *report.Mention {
	m := report.NewMention(st, c.Trial)
	if len(c.Believed) > 0 {
		one, several := estimatesOf(st, c.Believed)
		m.Posterior = &report.Posterior{Estimate: one, Objectives: several}
	}
	return m
}

// explanation is the contract form of e.
func explanation(st *study.Study, e *runner.Explanation) report.Explanation {
	r := report.Explanation{
		Schema: "bohier/explanation/1", Trial: e.Trial.Number, ID: e.Trial.ID(), Source: e.Trial.Source,
		Params: st.Space.AppendJSON(nil, e.Config), Inactive: e.Inactive, Alternatives: []report.Alternative{},
	}
	r.Repeat, r.Plan, r.Fidelity = e.Repeat, e.Plan, e.Course
	if n := e.Nearest; n != nil {
		r.Nearest = report.NewMention(st, &n.Trial)
		r.Nearest.Distance = &n.Distance
	}
	if why := e.Reason; why != nil {
		r.Acquisition, r.Score = &why.Acquisition, finite(why.Score)
		one, several := estimatesOf(st, why.Expected)
		if r.Objectives = several; one != nil {
			r.Mean, r.Std = &one.Mean, &one.Std
		} else {
			r.Front = frontReason(st, why.Front)
		}
		r.Observed, r.Infeasible, r.Pending, r.Purpose = &why.Observed, &why.Infeasible, &why.Pending, &why.Purpose
		r.Factors = why.Factors
		r.MeanPercentile, r.StdPercentile = &why.MeanPercentile, &why.StdPercentile
		if why.Incumbent != nil {
			r.Incumbent = contender(st, why.Incumbent)
		}
		r.Region = regionOf(st, why)
		for _, a := range why.Alternatives {
			one, several := estimatesOf(st, a.Expected)
			r.Alternatives = append(r.Alternatives, report.Alternative{
				Params: st.Space.AppendJSON(nil, a.Config), Score: finite(a.Score), Estimate: one, Objectives: several,
			})
		}
	}
	r.Text = r.Words(st, e.Config)
	return r
}
