package policy

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/pareto"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// Repeating compares, at most, so many of the configurations that were measured, the best
// by posterior mean.
const compared = 32

// SourceReplicate is the source of a trial that measures a configuration once more.
const SourceReplicate = "replicate"

// A group is a configuration with its trials.
type group struct {
	first    *study.Trial
	measured int  // measurements, and trials that wait for theirs
	refused  bool // it failed as infeasible
}

// groups are the configurations that were suggested, in the order of their first trials.
func groups(st *study.Study, h *history) []*group {
	var trials []*study.Trial
	for _, list := range [][]*study.Trial{h.Observed, h.Infeasible, h.pending} {
		for _, t := range list {
			if !t.Outside {
				trials = append(trials, t)
			}
		}
	}
	slices.SortFunc(trials, func(a, b *study.Trial) int { return a.Number - b.Number })
	known := map[string]*group{}
	var out []*group
	for _, t := range trials {
		key := st.Space.Key(t.Config)
		g := known[key]
		if g == nil {
			g = &group{first: t}
			known[key], out = g, append(out, g)
		}
		g.refused = g.refused || t.State == study.Failed
		g.measured += 1 + len(t.Replicates)
	}
	return out
}

// unfinished is the next measurement of a configuration that the study wants to be
// measured so many times; nil where all were.
func unfinished(st *study.Study, h *history, r Request) *study.Suggestion {
	if st.Replicates.Each < 2 || len(r.Fixed) > 0 {
		return nil
	}
	for _, g := range groups(st, h) {
		if g.measured < st.Replicates.Each && !g.refused && g.first.Source != "added" {
			return again(g)
		}
	}
	return nil
}

// probe is the first measurement of a configuration once more, in a finite space in which
// nothing is new: whether values are noisy, single measurements of all configurations do not
// tell. It is nil where the study does not want any, says that there is no noise, or has
// measured something again.
func probe(st *study.Study, h *history, r Request) *study.Suggestion {
	best := leading(st, h.Observed, 1)
	exact := !slices.ContainsFunc(st.Goals(), func(ob study.Objective) bool { return !ob.Noise.None })
	if !st.Replicates.Auto || len(r.Fixed) > 0 || exact || len(best) == 0 || len(h.pending) > 0 {
		return nil
	}
	var found *group
	for _, g := range groups(st, h) {
		if g.measured > 1 {
			return nil
		}
		if g.first.Number == best[0].Number {
			found = g
		}
	}
	if found == nil {
		return nil
	}
	return again(found)
}

// again suggests to measure a configuration once more.
func again(g *group) *study.Suggestion {
	return &study.Suggestion{
		Config: g.first.Config, Source: SourceReplicate,
		Warnings: []string{fmt.Sprintf("again: trial %s, measured %s", g.first.ID(), study.Count(g.measured, "time"))},
	}
}

// repeats reports whether the surrogate may suggest to measure again.
func (s *surrogates) repeats() bool {
	return s.st.Replicates.Auto && len(s.r.Fixed) == 0 && s.plan.Region == nil && s.missing == nil && anyNoisy(s.st, s.h.Observed, s.r.Warm)
}

// repeat is the suggestion to measure a configuration again, where that is expected to
// tell more of which is best than found, the best new configuration, does (nil: there is
// none). Both are on one scale, the expected rise of the best posterior mean by one
// measurement (knowledge gradient: Frazier, Powell & Dayanik 2009). It is nil where a new
// configuration is better.
func (s *surrogates) repeat(found *space.Configuration) (*study.Suggestion, error) {
	all := groups(s.st, s.h)
	var told []*group
	for _, g := range all {
		if g.first.State == study.Complete && s.st.Feasible(g.first) && !g.refused {
			told = append(told, g)
		}
	}
	if len(told) == 0 || found != nil && s.spent() {
		return nil, nil
	}
	w, err := s.worth(s.pointsAt(told, nil))
	if err != nil {
		return nil, err
	}
	order := make([]int, len(told))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return acq.Descending(w.value[b], w.value[a]) })
	best := make([]*group, 0, compared)
	for _, k := range order[:min(compared, len(order))] {
		best = append(best, told[k])
	}
	gains, err := w.gains(s.pointsAt(best, found))
	if err != nil {
		return nil, err
	}
	chosen := -1
	for k, g := range best {
		if g.measured < s.st.Replicates.Most && (chosen < 0 || gains[k] > gains[chosen]) {
			chosen = k
		}
	}
	if chosen < 0 || found != nil && !(gains[chosen] > gains[len(best)]) {
		return nil, nil
	}
	sug := again(best[chosen])
	note := study.Repeat{Trial: best[chosen].first.Number, Measured: best[chosen].measured, Gain: gains[chosen]}
	if found != nil {
		note.New = &gains[len(best)]
	}
	sug.Fit = s.note
	sug.Fit.Repeat = &note
	return sug, nil
}

// spent reports whether so many suggestions of the surrogate were repeats that the next
// one is not.
func (s *surrogates) spent() bool {
	if b := s.st.Budget.Trials; b > 0 && s.r.Number > b-b/10 {
		return false
	}
	repeated, chosen := 0, 1
	for _, list := range [][]*study.Trial{s.h.Observed, s.h.Infeasible, s.h.pending} {
		for _, t := range list {
			switch t.Source {
			case SourceReplicate:
				repeated, chosen = repeated+1, chosen+1
			case "model":
				chosen++
			}
		}
	}
	return float64(repeated+1) > s.st.Replicates.Share*float64(chosen)
}

// believer is the surrogate f with the pending trials at their means.
func believer(f *surrogate.Fitted, pending *points.Set) (*gp.Model, error) {
	m := f.Model.Samples()[0]
	if pending == nil {
		return m, nil
	}
	y := make([]float64, pending.Len())
	m.Predictor().Means(y, pending)
	return m.Condition(pending, y)
}

// pointsAt are the configurations of groups, and another one after them.
func (s *surrogates) pointsAt(list []*group, last *space.Configuration) *points.Set {
	var confs []space.Configuration
	for _, g := range list {
		confs = append(confs, g.first.Config)
	}
	if last != nil {
		confs = append(confs, *last)
	}
	return s.st.Space.EncodeAll(confs)
}

// A worth is what configurations are good for by what is believed of them: less is better.
type worth struct {
	s      *surrogates
	models []*gp.Model // of each objective
	fits   []*surrogate.Fitted
	value  []float64 // of the configurations that were measured
	// Of several objectives: what makes one of the front the best compromise.
	weights, ideal, nadir []float64
}

// worth judges the configurations that were measured, at. Of several objectives it is by
// the weights with which one of the front, each in its turn, is the best compromise.
func (s *surrogates) worth(at *points.Set) (*worth, error) {
	w := &worth{s: s}
	if s.fit != nil {
		w.fits = []*surrogate.Fitted{s.fit}
	}
	for _, g := range s.goals {
		w.fits = append(w.fits, g.fit)
	}
	for _, f := range w.fits {
		m, err := believer(f, pointsOf(s.st, s.h.pending))
		if err != nil {
			return nil, err
		}
		w.models = append(w.models, m)
	}
	means := w.means(at)
	if len(w.models) == 1 {
		for _, v := range means {
			w.value = append(w.value, v[0])
		}
		return w, nil
	}
	var front [][]float64
	for _, i := range pareto.Front(means) {
		front = append(front, means[i])
	}
	w.ideal, w.nadir = pareto.Bounds(front)
	w.weights = make([]float64, len(w.models))
	for j, v := range front[s.r.Number%len(front)] {
		w.weights[j] = 1
		if span := w.nadir[j] - w.ideal[j]; span > 0 {
			w.weights[j] = 1 / max(0.05, (v-w.ideal[j])/span)
		}
	}
	w.value = pareto.Achievement(means, w.weights, w.ideal, w.nadir)
	return w, nil
}

// means are those of every objective at points, in standardised units.
func (w *worth) means(q *points.Set) [][]float64 {
	believed := make([][]*gp.Model, len(w.models))
	for j, m := range w.models {
		believed[j] = []*gp.Model{m}
	}
	return meansOf(believed, []*points.Set{q})[0]
}

// measurements are so many draws of what one measurement of several objectives tells, in
// pairs of opposite ones.
const measurements = 64

// gains are, for every point, the knowledge gradient of one measurement there over all of
// the points, in standardised units.
func (w *worth) gains(q *points.Set) ([]float64, error) {
	moved := make([][][]float64, len(w.models))
	for j, m := range w.models {
		var err error
		if moved[j], err = moves(m, w.s.measurementError(w.fits[j], m), q); err != nil {
			return nil, err
		}
	}
	means, out := w.means(q), make([]float64, q.Len())
	if len(w.models) == 1 {
		a := make([]float64, len(means))
		for i, v := range means {
			a[i] = -v[0]
		}
		for i := range out {
			floats.Scale(-1, moved[0][i])
			out[i] = acq.KnowledgeGradient(a, moved[0][i])
		}
		return out, nil
	}
	// The worth of a configuration moves with that of its objectives which decides it.
	value := pareto.Achievement(means, w.weights, w.ideal, w.nadir)
	slope := pareto.Slopes(means, w.weights, w.ideal, w.nadir)
	best, rng := floats.Min(value), generator(w.s.r, streamRepeat)
	z := make([]float64, len(w.models))
	for range measurements {
		for j := range z {
			z[j] = rng.NormFloat64()
		}
		for i := range out {
			up, down := math.Inf(1), math.Inf(1)
			for k, v := range value {
				d := 0.0
				for j := range z {
					d += slope[k][j] * moved[j][i][k] * z[j]
				}
				up, down = min(up, v+d), min(down, v-d)
			}
			out[i] += (best - (up+down)/2) / measurements
		}
	}
	return out, nil
}

// moves are by how much a measurement at each point, one deviation above what is expected,
// moves the means at all of them, in standardised units; sd is that of its noise.
func moves(m *gp.Model, sd float64, q *points.Set) ([][]float64, error) {
	n := q.Len()
	mean, variance := make([]float64, n), make([]float64, n)
	m.Standard().PredictBatch(mean, variance, q)
	u, out := m.Units(), make([][]float64, n)
	for i := range n {
		// It moves every mean by the covariance with that point over the deviation. Condition
		// takes it for one with the fitted noise, which that of reported standard errors is
		// not part of.
		above := (variance[i] + m.StandardNoise()) / math.Sqrt(variance[i]+sd*sd)
		after, err := m.Condition(q.Select([]int{i}), []float64{u.Value(mean[i] + above)})
		if err != nil {
			return nil, err
		}
		out[i] = make([]float64, n)
		after.Standard().Means(out[i], q)
		floats.Sub(out[i], mean)
	}
	return out, nil
}
