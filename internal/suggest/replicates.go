package suggest

import (
	"fmt"
	"slices"

	"bohier/internal/acq"
	"bohier/internal/points"
	"bohier/internal/space"
	"bohier/internal/study"
)

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

// groups are the configurations that were suggested, in the order of their first trials.
func groups(h *history) []*group {
	trials := slices.DeleteFunc(h.suggested(), func(t *study.Trial) bool { return t.Outside })
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

// probe repeats the measurement of the best configuration, once, in a finite space in which
// nothing is new: single measurements of all configurations do not tell whether values are
// noisy. It returns nil where the study wants no repeats, says that there is no noise, or has
// repeated a measurement already.
func probe(h *history, r Request) *study.Suggestion {
	st := h.st
	best := leading(st, h.Observed, 1)
	exact := !slices.ContainsFunc(st.Objectives, func(ob study.Objective) bool { return !ob.Noise.None })
	if !st.Replicates.Auto || len(r.Fixed) > 0 || exact || len(best) == 0 || len(h.pending) > 0 {
		return nil
	}
	var found *group
	for _, g := range groups(h) {
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
	return repeatOf(found)
}

// repeatOf suggests a further measurement of a configuration.
func repeatOf(g *group) *study.Suggestion {
	return &study.Suggestion{
		Config: g.first.Config, Source: SourceReplicate,
		Warnings: []string{fmt.Sprintf("again: trial %s, measured %s", g.first.ID(), study.Count(g.measured, "time"))},
	}
}

// repeats reports whether the surrogate may suggest repeated measurements.
func (s *surrogates) repeats() bool {
	return s.st.Replicates.Auto && len(s.r.Fixed) == 0 && s.plan.Region == nil && s.missing == nil &&
		MaterialNoise(s.st, s.h.Observed, s.r.Warm)
}

// repeat suggests a further measurement of a configuration where that measurement is expected
// to raise the best posterior mean by more than a measurement of found, the best new
// configuration (knowledge gradient: Frazier, Powell & Dayanik 2009). found is nil where
// nothing is new; the suggestion is nil where found is the better choice.
func (s *surrogates) repeat(found *space.Configuration) (*study.Suggestion, error) {
	all := groups(s.h)
	var told []*group
	for _, g := range all {
		if g.first.State == study.Complete && s.st.Feasible(g.first) && !g.refused {
			told = append(told, g)
		}
	}
	if len(told) == 0 || found != nil && s.spent() {
		return nil, nil
	}
	w, err := s.rating(s.pointsAt(told, nil))
	if err != nil {
		return nil, err
	}
	order := make([]int, len(told))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return acq.Descending(w.value[b], w.value[a]) })
	best := make([]*group, 0, repeatCandidates)
	for _, k := range order[:min(repeatCandidates, len(order))] {
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
	sug := repeatOf(best[chosen])
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
