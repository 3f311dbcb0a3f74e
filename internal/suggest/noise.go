package suggest

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/lists"
	"bohier/internal/pareto"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// Noise is material if the best value may be luck. A configuration is then measured again if the knowledge gradient of
// that measurement, the expected gain of the best posterior mean, exceeds that of the best new configuration (Frazier,
// Powell & Dayanik 2009, doi:10.1287/ijoc.1080.0314). An achievement function makes one value of several objectives
// (Wierzbicki 1980, doi:10.1007/978-3-642-48782-8_32).

// MaterialNoise reports whether a study's objective, or one of several, is noisy enough for its
// best value to be luck: the newest fit, as the journal has it, found as much, a standard error was
// reported, or measurements of one configuration differ. No surrogate is fitted for that.
func MaterialNoise(st *study.Study, trials []*study.Trial, fit *study.FitRecord) bool {
	noisy, open := fittedNoise(st, fit)
	return noisy || measuredNoise(st, trials, open)
}

// materialNoise is MaterialNoise of the observed trials.
func (h *history) materialNoise(fit *study.FitRecord) bool {
	noisy, open := fittedNoise(h.st, fit)
	measured := func() bool { return measuredNoise(h.st, h.Observed, open) }
	return noisy || len(open) > 0 && once(h, fmt.Sprint("noise of ", open), measured)
}

// fittedNoise reports whether the newest fit or the study says that an objective is noisy. The names are of the
// objectives about which neither says anything.
func fittedNoise(st *study.Study, fit *study.FitRecord) (noisy bool, open []string) {
	for k, ob := range st.Objectives {
		one := fit.Of(st.For(k))
		switch {
		case ob.Noise.SD > 0, !ob.Noise.None && one != nil && policy.NoisyFit(one):
			return true, nil
		case !ob.Noise.None:
			open = append(open, ob.Name)
		}
	}
	return false, open
}

// measuredNoise reports whether measurements of objectives show noise.
func measuredNoise(st *study.Study, trials []*study.Trial, open []string) bool {
	first := make(map[string]study.Values, len(trials))
	for _, t := range trials {
		if len(open) == 0 || t.State != study.Complete || t.Outside {
			continue
		}
		key := st.Space.Key(t.Config)
		for _, o := range t.Observations() {
			before := first[key]
			for _, name := range open {
				v, ok := o.Values.Get(name)
				known, again := before.Get(name)
				se := o.ErrorOf(name)
				if ok && (se != nil && *se > 0 || again && v != known) {
					return true
				}
			}
			first[key] = before.With(o.Values)
		}
	}
	return false
}

// measurementError is the standard deviation of the noise of one measurement, in
// standardised units: the fitted one and the median of those reported.
func measurementError(f *surrogate.Fitted, m *gp.Model) float64 {
	variance, unit := m.StandardNoise(), m.Units().Deviation(1)
	if reported := lists.Only(f.Stderr, func(sd float64) bool { return sd > 0 }); len(reported) > 0 {
		sd := lists.Median(lists.Of(reported, func(sd float64) float64 { return sd / unit }))
		variance += sd * sd
	}
	return math.Sqrt(variance)
}

// A rating rates configurations by their posterior means; less is better.
type rating struct {
	s        *surrogates
	believed [][]*gp.Model // one of each objective
	value    []float64     // of the configurations that were measured
	// With several objectives: the achievement function that rates them.
	weights, ideal, nadir []float64
}

// rating rates the measured configurations at. With several objectives the rating is an achievement function, with
// weights that make one configuration of the front, another for each trial number, the best compromise.
func (s choice) rating(at *points.Set) (*rating, error) {
	w := &rating{s: s.surrogates}
	pending := pointsOf(s.st, s.h.pending)
	for _, g := range s.goals {
		m := g.fit.Model
		if pending != nil { // at its predicted means
			var err error
			if m, err = m.Condition(pending, meansAt(m, pending)); err != nil {
				return nil, err
			}
		}
		w.believed = append(w.believed, []*gp.Model{m})
	}
	means := meansOf(w.believed, at)[0]
	if len(means[0]) == 1 {
		w.value = lists.Of(means, func(v []float64) float64 { return v[0] })
		return w, nil
	}
	front := frontOf(means)
	w.ideal, w.nadir = pareto.Bounds(front)
	w.weights = make([]float64, len(w.ideal))
	for j, v := range front[s.r.Number%len(front)] {
		w.weights[j] = 1
		if span := w.nadir[j] - w.ideal[j]; span > 0 {
			w.weights[j] = 1 / max(0.05, (v-w.ideal[j])/span)
		}
	}
	w.value = pareto.Achievement(means, w.weights, w.ideal, w.nadir)
	return w, nil
}

// measurements is the number of draws of the outcome of one measurement of several objectives, in antithetic pairs.
const measurements = 64

// gains are, for every point, the knowledge gradient of one measurement there over all of
// the points, in standardised units.
func (w *rating) gains(q *points.Set) ([]float64, error) {
	moved := make([][][]float64, len(w.believed))
	for j, g := range w.s.goals {
		m := w.believed[j][0]
		var err error
		if moved[j], err = moves(m, measurementError(g.fit, m), q); err != nil {
			return nil, err
		}
	}
	means, out := meansOf(w.believed, q)[0], make([]float64, q.Len())
	if len(moved) == 1 {
		a := lists.Of(means, func(v []float64) float64 { return -v[0] })
		for i := range out {
			floats.Scale(-1, moved[0][i])
			out[i] = acq.KnowledgeGradient(a, moved[0][i])
		}
		return out, nil
	}
	// A rating changes with the one objective that determines the achievement function there.
	value := pareto.Achievement(means, w.weights, w.ideal, w.nadir)
	slope := pareto.Slopes(means, w.weights, w.ideal, w.nadir)
	best, rng := floats.Min(value), generator(w.s.r, streamRepeat)
	z := make([]float64, len(moved))
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

// moves[i][k] is the change of the mean at point k, in standardised units, when a measurement at point i is one
// standard deviation above its mean; sd is the standard deviation of the measurement's noise.
func moves(m *gp.Model, sd float64, q *points.Set) ([][]float64, error) {
	n := q.Len()
	mean, variance := make([]float64, n), make([]float64, n)
	m.Standard().PredictBatch(mean, variance, q)
	u, out := m.Units(), make([][]float64, n)
	for i := range n {
		// Every mean changes by its covariance with point i divided by that standard deviation.
		// Condition assumes the fitted noise alone, without reported standard errors.
		above := (variance[i] + m.StandardNoise()) / math.Sqrt(variance[i]+sd*sd)
		after, err := m.Condition(q.Select([]int{i}), []float64{u.Value(mean[i] + above)})
		if err != nil {
			return nil, err
		}
		out[i] = make([]float64, n)
		after.Standard().Means(out[i:i+1], q)
		floats.Sub(out[i], mean)
	}
	return out, nil
}

// repeatCandidates is the largest number of measured configurations among which a repeat is chosen:
// the best by posterior mean.
const repeatCandidates = 32

// SourceReplicate is the source of a trial that measures a configuration once more.
const SourceReplicate = "replicate"

// A group is a configuration with its trials.
type group struct {
	first    *study.Trial
	measured int  // measurements, and trials that wait for theirs
	refused  bool // it failed as infeasible
}

// groups are the configurations that could be suggested again, in the order of their first trials.
func groups(h *history) []*group {
	trials := slices.DeleteFunc(h.suggested(), func(t *study.Trial) bool {
		return t.Outside || h.st.Space.Proposable(t.Config) != nil
	})
	slices.SortFunc(trials, func(a, b *study.Trial) int { return a.Number - b.Number })
	known := map[string]*group{}
	var out []*group
	for _, t := range trials {
		key := h.st.Space.Key(t.Config)
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
func unfinished(h *history, r Request) *study.Suggestion {
	if h.st.Replicates.Each < 2 || len(r.Fixed) > 0 {
		return nil
	}
	for _, g := range groups(h) {
		if g.measured < h.st.Replicates.Each && !g.refused && g.first.Source != "added" {
			return repeatOf(g)
		}
	}
	return nil
}

// probedLast is the number of configurations up to which a finite space is probed when all were measured, and not after
// the initial design.
const probedLast = 100

// probe repeats the measurement of the best configuration, once: single measurements do not show whether values are
// noisy, and a fit to few of them takes noise for structure. It returns nil where the study wants no repeats, says that
// there is no noise, is known to have some, or has repeated a measurement already.
func probe(h *history, r Request) *study.Suggestion {
	best, tried := h.leading(1), groups(h)
	exact := !slices.ContainsFunc(h.st.Objectives, func(ob study.Objective) bool { return !ob.Noise.None })
	if !h.st.Replicates.Auto || len(r.Fixed) > 0 || exact || len(best) == 0 || h.materialNoise(r.Warm) ||
		slices.ContainsFunc(tried, func(g *group) bool { return g.measured > 1 }) {
		return nil
	}
	for _, g := range tried {
		if g.first.Number == best[0].Number {
			return repeatOf(g)
		}
	}
	return nil
}

// repeatOf suggests a further measurement of a configuration.
func repeatOf(g *group) *study.Suggestion {
	return &study.Suggestion{
		Config: g.first.Config, Source: SourceReplicate,
		Warnings: []string{fmt.Sprintf("again: trial %s, measured %s", g.first.ID(), study.Count(g.measured, "time"))},
	}
}

// repeats reports whether the surrogate may suggest repeated measurements.
func (s choice) repeats() bool {
	return s.st.Replicates.Auto && len(s.r.Fixed) == 0 && s.plan.Region == nil && s.missing == nil &&
		s.h.materialNoise(s.r.Warm)
}

// repeat suggests a further measurement of a configuration where that measurement is expected
// to improve the best posterior mean by more than a measurement of found, the best new
// configuration, if there is one. The suggestion is nil where found is the better choice.
func (s choice) repeat(found ...space.Configuration) (*study.Suggestion, error) {
	told := slices.DeleteFunc(groups(s.h), func(g *group) bool {
		return g.first.State != study.Complete || !s.st.Feasible(g.first) || g.refused
	})
	if len(told) == 0 || len(found) > 0 && s.repeatedEnough() {
		return nil, nil
	}
	w, err := s.rating(s.pointsAt(told))
	if err != nil {
		return nil, err
	}
	order := make([]int, len(told))
	floats.ArgsortStable(w.value, order)
	best := lists.At(told, order[:min(repeatCandidates, len(order))])
	gains, err := w.gains(s.pointsAt(best, found...))
	if err != nil {
		return nil, err
	}
	chosen := -1
	for k, g := range best {
		if g.measured < s.st.Replicates.Most && (chosen < 0 || gains[k] > gains[chosen]) {
			chosen = k
		}
	}
	if chosen < 0 || len(found) > 0 && !(gains[chosen] > gains[len(best)]) {
		return nil, nil
	}
	sug := repeatOf(best[chosen])
	sug.Plan, sug.Fit = s.plan, s.note
	sug.Fit.Repeat = &study.Repeat{Trial: best[chosen].first.Number, Measured: best[chosen].measured, Gain: gains[chosen]}
	if len(found) > 0 {
		sug.Fit.Repeat.New = &gains[len(best)]
	}
	return sug, nil
}

// repeatedEnough reports whether so many suggestions of the surrogate were repeats that the next one is not.
func (s choice) repeatedEnough() bool {
	if b := s.st.Budget.Trials; b > 0 && s.r.Number > b-b/10 {
		return false
	}
	repeated, chosen := 0, 1
	for _, t := range s.h.suggested() {
		switch t.Source {
		case SourceReplicate:
			repeated, chosen = repeated+1, chosen+1
		case "model":
			chosen++
		}
	}
	return float64(repeated+1) > s.st.Replicates.Share*float64(chosen)
}

// pointsAt are the configurations of groups, and others after them.
func (s choice) pointsAt(list []*group, more ...space.Configuration) *points.Set {
	confs := lists.Of(list, func(g *group) space.Configuration { return g.first.Config })
	return s.st.Space.EncodeAll(append(confs, more...))
}
