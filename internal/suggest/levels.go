package suggest

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// In a study with a fidelity one surrogate models curves: it knows resources and trials (after Swersky, Snoek & Adams
// 2014, arXiv:1406.3896). Another one models the ends of the curves, measured or predicted, and chooses configurations.
// The two are kept apart because values on the way, which are many, would otherwise decide the hyperparameters by which
// the ends are modelled. A study in which nothing is stopped, or whose curves predict nothing, thus searches as one
// without a fidelity.

// fullAfter is the number of complete trials after which configurations are compared
// at full resource, and of rows a level needs before.
const fullAfter = 3

// atLevels fills in the data of the surrogate of a study with a fidelity: the values of every trial at the levels that
// deserve trust and its highest one, and the resource at which configurations are compared.
func (h *history) atLevels(trials []study.Trial) {
	f, trusted := &h.st.Fidelity, policy.Trusted(h.st, trials)
	type seen struct {
		rows  []surrogate.Row
		count []int // by level
	}
	in := once(h, fmt.Sprint("rows of levels ", trusted), func() seen {
		rows, count := []surrogate.Row{}, make([]int, len(trusted))
		for _, t := range h.Told() {
			rows = append(rows, rowsOf(f, t, trusted, count)...)
		}
		if f.Model == "final" && !f.MeasuresOne() {
			rows = slices.DeleteFunc(rows, func(r surrogate.Row) bool { return r.Resource < f.High() })
		}
		return seen{rows, count}
	})
	h.Rows = in.rows
	if h.At = f.High(); f.AcquireAt != "auto" || !policy.Continues(h.st) {
		h.At = acquireAt(f, len(h.Observed), in.count)
	}
}

// furtherRows are the further measurements of a trial, which are of the full resource; none
// where that was a smaller one when they were made.
func furtherRows(f *study.Fidelity, t *study.Trial) (rows []surrogate.Row) {
	if f.Resource(t.Course) < f.High() && !f.MeasuresOne() {
		return nil
	}
	for _, o := range t.Replicates {
		r := surrogate.Row{Trial: t, Resource: f.High(), Observation: o}
		if f.Averaged() && !f.MeasuresOne() {
			r.Of = f.High()
		}
		rows = append(rows, r)
	}
	return rows
}

// rowsOf returns the surrogate's rows of a trial; it counts the rows of each level.
func rowsOf(f *study.Fidelity, t *study.Trial, trusted []bool, count []int) (rows []surrogate.Row) {
	rows = furtherRows(f, t)
	add := func(resource float64, o study.Observation) {
		rows = append(rows, surrogate.Row{Trial: t, Resource: resource, Observation: o})
	}
	highest := f.Resource(t.Course)
	switch {
	case f.MeasuresOne(): // every report is a measurement of the same
		for _, p := range t.Course.Points[:min(int(highest), len(t.Course.Points))] {
			add(f.High(), p.Observation)
		}
		return rows
	case f.Averaged():
		o := f.Latest(t.Course)
		if k := f.LevelAt(highest); k >= 0 {
			count[k]++
		}
		return append(rows, surrogate.Row{Trial: t, Resource: highest, Of: highest, Observation: o})
	case f.Use == "all":
		for _, p := range curveRows(f, trusted, t.Course.Points) {
			add(p.Resource, p.Observation)
			if k := slices.Index(f.Levels, p.Resource); k >= 0 {
				count[k]++
			}
		}
		return rows
	}
	curve := t.Course.Points
	for i, p := range curve { // the first at each level, and the last
		k := f.LevelAt(p.Resource)
		if k < 0 || !trusted[k] {
			continue
		}
		first := i == 0 || f.LevelAt(curve[i-1].Resource) < k
		if first || i == len(curve)-1 {
			add(p.Resource, p.Observation)
		}
		if first && p.Resource <= f.High() {
			count[k]++
		}
	}
	return rows
}

// mostRows is the number of rows that one trial's curve has at most.
const mostRows = 50

// curveRows are the points of a curve from the lowest level on that deserves trust,
// thinned evenly where they are many; levels and the last point stay.
func curveRows(f *study.Fidelity, trusted []bool, points []study.Point) []study.Point {
	low := slices.Index(trusted, true)
	points = slices.DeleteFunc(slices.Clone(points), func(p study.Point) bool { return p.Resource < f.Levels[low] })
	spare := mostRows - len(f.Levels) - 1
	if len(points) <= mostRows {
		return points
	}
	var out []study.Point
	for i, p := range points {
		even := i*spare/len(points) != (i+1)*spare/len(points)
		if even || i == len(points)-1 || slices.Contains(f.Levels, p.Resource) {
			out = append(out, p)
		}
	}
	return out
}

// acquireAt is the resource at which configurations are compared: the full one once
// some trials have it, else the highest level with some rows, or the lowest with any.
func acquireAt(f *study.Fidelity, complete int, rows []int) float64 {
	if level, err := strconv.ParseFloat(f.AcquireAt, 64); err == nil {
		return level
	}
	if f.AcquireAt == "full" || complete >= fullAfter || f.MeasuresOne() || f.Model == "final" {
		return f.High()
	}
	for k := f.Top(); k >= 0; k-- {
		if rows[k] >= fullAfter {
			return f.Levels[k]
		}
	}
	for k, n := range rows {
		if n > 0 {
			return f.Levels[k]
		}
	}
	return f.High()
}

// rivals are the trials that a new configuration competes with: complete ones and,
// where the surrogate knows resources, all with a value.
func (s *surrogates) rivals() []*study.Trial {
	if s.st.Fidelity.Model == "final" && !s.st.Fidelity.MeasuresOne() {
		return s.h.Observed
	}
	return s.h.Told()
}

// good are the points of the feasible rivals; nil for none.
func (s *surrogates) good() *points.Set {
	return once(s.h, "good", func() *points.Set { return feasiblePoints(s.st, s.rivals()) })
}

// pendingPoints are the points at which pending trials are assumed to end: in a study with a fidelity all that have no
// value at full resource, there. The promise of a paused trial is had by going on with it: without that belief its
// neighbourhood is suggested again and again, each time only to be judged by a part. Where curves up to its level do
// not predict ends, nobody judges there, and nothing is assumed.
func (s scoring) pendingPoints(plain *points.Set) *points.Set {
	fit := s.goals[0].fit
	if s.curves == nil && !fit.Resources {
		return plain
	}
	unfinished := slices.Concat(s.h.Partial, s.h.silent())
	if s.curves != nil {
		f := &s.st.Fidelity
		return pointsOf(s.st, slices.DeleteFunc(unfinished, func(t *study.Trial) bool {
			k := f.LevelAt(f.Resource(t.Course))
			return s.extrapolation != nil && t.State != study.Pending && policy.Continues(s.st) && k >= 0 &&
				!s.extrapolation.Informs(k)
		}))
	}
	if ends := fit.Ends(s.st, unfinished); ends != nil {
		return ends
	}
	return plain
}

// incumbents are the centres of the local search: the n best trials by their values or, in a
// study with a fidelity, by their means where configurations are compared. With several
// objectives they are on the front that is shown, that of the means where one is noisy.
func (s choice) incumbents(n int) *points.Set {
	if s.st.Several() && s.h.materialNoise(s.r.Warm) {
		return centresAt(s.h, contributors(s.standing().Front(), n))
	}
	if s.st.Fidelity.Early() && len(s.goals) > 0 {
		if good := s.good(); good != nil {
			mean := s.goals[0].fit.Means(good)
			order := make([]int, good.Len())
			floats.ArgsortStable(mean, order)
			return good.Select(order[:min(n, len(order))])
		}
	}
	return centresAt(s.h, s.h.leading(n))
}

// fewEnds is the number of ends, measured or predicted, from which on they are modelled by themselves.
const fewEnds = 3

// fitModels fits the plan's models of the objectives. Where there are no curves yet of the only one, earlier studies
// predict ends.
func (s fitting) fitModels(ctx context.Context) (err error) {
	if !policy.ObjectiveModel(s.st).Curves() {
		err = s.fitGoals(ctx)
	} else {
		err = s.fitCurves(ctx)
	}
	if none := err; len(s.h.Sources) > 0 && !s.st.Several() && noSurrogate(none) {
		s.note, s.flat = s.r.Warm.Clone(), nil
		s.add(0, &surrogate.Fitted{})
		if err = s.fitEnds(ctx); err == nil && s.goals[0].fit.Model == nil {
			s.goals, err = nil, none
		}
	}
	return err
}

// fitCurves fits the plan's model of curves or, where others are open and the trials that distinguish them have grown
// by a quarter since they were compared, the one that predicts trials left out best: their ends, without their curves
// and from the beginnings of those, or the means of their folds.
func (s fitting) fitCurves(ctx context.Context) error {
	told, aligned := len(s.h.Observed), *s.h
	if s.st.Fidelity.Averaged() {
		told = len(s.h.Told())
	} else {
		aligned.Align = true
	}
	models := []study.ModelPlan{s.plan.Model}
	if d := s.r.Warm.Clone().Curves; d == nil && told >= fewEnds || d != nil && float64(told) >= 1.25*float64(d.Ends) {
		for _, spec := range policy.CurveModels(s.st, s.plan.Model.Spec) {
			models = append(models, study.ModelPlan{Spec: spec})
		}
	}
	warm, best := s.r.Warm, 0.0
	for k, m := range models {
		fit, note, err := fitPlan(ctx, &aligned, m, warm, s.r.Seed)
		if k > 0 && noSurrogate(err) {
			continue
		}
		if err != nil {
			return err
		}
		var extrapolation *surrogate.Extrapolation
		density := fit.Density()
		if aligned.Align {
			extrapolation = fit.Extrapolation(s.st, s.h.Observed)
			density = extrapolation.Density
		}
		if k > 0 && !(density > best) {
			note.Used, note.Curves = s.note.Used, s.note.Curves
			s.note, warm = note, note
			continue
		}
		if s.goals, s.extrapolation, best = nil, extrapolation, density; len(models) > 1 {
			note.Curves = &study.CurvesDecision{Model: m.Spec.Fidelity, Transform: m.Spec.Transform, Ends: told}
		}
		s.add(0, fit)
		s.note, warm = note, note
	}
	return nil
}

// fitEnds replaces the surrogate of curves, in the search for a configuration, by one of their ends at the resource
// where configurations are compared: a trial's value there or, at full resource, the prediction of its own curve.
func (s fitting) fitEnds(ctx context.Context) error {
	st := s.st
	if st.Fidelity.Averaged() || len(s.goals) == 0 {
		return nil
	}
	g := s.goals[0]
	if g.fit.Model != nil && !g.fit.Resources {
		return nil
	}
	data := s.h.Data
	data.Rows = s.ends()
	if len(data.Rows) < fewEnds && len(s.h.Sources) == 0 {
		return nil
	}
	of := s.plan.Model
	of.Spec.Fidelity, of.Spec.Transform = "final", policy.ObjectiveModel(st).Transform
	if c := of.Challenger; c != nil {
		other := *c
		other.Fidelity, other.Transform = of.Spec.Fidelity, of.Spec.Transform
		of.Challenger = &other
	}
	ends, err := fitBetter(of, len(s.h.Observed), s.note, func(spec study.ModelSpec) (*surrogate.Fitted, error) {
		return surrogate.Fit(ctx, st, spec, data, s.r.Warm.Clone().Outcomes[study.EndsFit], s.r.Seed)
	})
	if noSurrogate(err) { // such as: all expected to be equal
		return nil
	}
	if err != nil {
		return err
	}
	s.note.Outcomes[study.EndsFit] = ends.Kept(len(s.h.pending) > 0)
	ends.Warnings = g.fit.Warnings
	if g.fit.Model != nil {
		s.curves = g.fit
	}
	g.fit = ends
	return nil
}

// ends are the values of trials at the resource where configurations are compared, and at full
// resource also the predictions from their curves.
func (s fitting) ends() (rows []surrogate.Row) {
	st, at, fit := s.st, s.h.At, s.goals[0].fit
	var partial []*study.Trial
	rows = []surrogate.Row{}
	for _, t := range s.h.Told() {
		if p := t.Course.Find(at); !t.Teaches() {
		} else if p != nil {
			rows = append(rows, surrogate.Row{Trial: t, Resource: at, Observation: p.Observation})
			if at == st.Fidelity.High() {
				rows = append(rows, furtherRows(&st.Fidelity, t)...)
			}
		} else {
			partial = append(partial, t)
		}
	}
	if at < st.Fidelity.High() || fit.Model == nil {
		return rows
	}
	if s.extrapolation == nil {
		s.extrapolation = fit.Extrapolation(st, s.h.Observed)
	}
	return append(rows, s.extrapolation.Ends(partial)...)
}
