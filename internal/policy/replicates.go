package policy

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Repeating compares, at most, so many of the configurations that were measured, the best
// by posterior mean; one has at most mostMeasured measurements; and of the suggestions of
// the surrogate at most a share of shareRepeated are repeats, but in the last tenth of
// the budget.
const (
	compared      = 32
	mostMeasured  = 16
	shareRepeated = 0.3
)

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

// again suggests to measure a configuration once more.
func again(g *group) *study.Suggestion {
	return &study.Suggestion{
		Config: g.first.Config, Source: SourceReplicate,
		Warnings: []string{fmt.Sprintf("again: trial %s, measured %s", g.first.ID(), study.Count(g.measured, "time"))},
	}
}

// repeats reports whether the surrogate may suggest to measure again.
func (s *surrogates) repeats() bool {
	return s.st.Replicates.Auto && len(s.r.Fixed) == 0 && s.plan.Region == nil && s.fit != nil && noisy(s.st, s.h.Observed, s.r.Warm)
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
	m, err := s.believer()
	if err != nil {
		return nil, err
	}
	mean := make([]float64, len(told))
	m.Standard().Means(mean, s.pointsAt(told, nil))
	order := make([]int, len(told))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return acq.Descending(mean[b], mean[a]) })
	best := make([]*group, 0, compared)
	for _, k := range order[:min(compared, len(order))] {
		best = append(best, told[k])
	}
	gains, err := s.gains(m, s.pointsAt(best, found))
	if err != nil {
		return nil, err
	}
	chosen := -1
	for k, g := range best {
		if g.measured < mostMeasured && (chosen < 0 || gains[k] > gains[chosen]) {
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
	return float64(repeated+1) > shareRepeated*float64(chosen)
}

// believer is the surrogate with the pending trials at their means.
func (s *surrogates) believer() (*gp.Model, error) {
	m := s.fit.Model.Samples()[0]
	pending := pointsOf(s.st, s.h.pending)
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

// gains are, for every point, the knowledge gradient of one measurement there over all of
// the points, in standardised units.
func (s *surrogates) gains(m *gp.Model, q *points.Set) ([]float64, error) {
	n := q.Len()
	mean, variance := make([]float64, n), make([]float64, n)
	m.Standard().PredictBatch(mean, variance, q)
	noise, u := s.measurementError(s.fit, m), m.Units()
	a, out := make([]float64, n), make([]float64, n)
	for i, v := range mean {
		a[i] = -v
	}
	for i := range n {
		// A measurement one deviation above its mean moves every mean by the covariance with
		// that point over the deviation. Condition takes it for one with the fitted noise,
		// which that of reported standard errors is not part of.
		above := (variance[i] + m.StandardNoise()) / math.Sqrt(variance[i]+noise*noise)
		after, err := m.Condition(q.Select([]int{i}), []float64{u.Value(mean[i] + above)})
		if err != nil {
			return nil, err
		}
		moved := make([]float64, n)
		after.Standard().Means(moved, q)
		for k := range moved {
			moved[k] = -(moved[k] - mean[k])
		}
		out[i] = acq.KnowledgeGradient(a, moved)
	}
	return out, nil
}
