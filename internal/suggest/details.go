package suggest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bohier/internal/acq"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// details tell what a suggestion of the surrogates took, a line for each step.
func (s *surrogates) details(found []acq.Candidate, stats acq.Stats) []study.Detail {
	h, sp := s.h, s.st.Space
	out := []study.Detail{{
		Text: fmt.Sprintf("told: %s, %d infeasible, %d pending",
			study.Count(len(h.Observed), "trial"), len(h.Infeasible), len(h.pending)),
		Fields: map[string]any{"event": "told", "told": len(h.Observed), "infeasible": len(h.Infeasible),
			"pending": len(h.pending)},
	}}
	if s.fit != nil && s.fit.Report != nil {
		out = append(out, fitDetails("objective", s.fit)...)
	}
	for _, g := range s.goals {
		out = append(out, fitDetails(g.st.Objective().Name, g.fit)...)
	}
	for _, name := range slices.Sorted(maps.Keys(s.others)) {
		out = append(out, fitDetails(name, s.others[name].fit)...)
	}
	best := found[0]
	return append(out,
		study.Detail{
			Text: fmt.Sprintf("search: %d configurations scored, %d gradients, %d steps, %d candidates kept", stats.Scored,
				stats.Gradients, stats.Steps, len(found)),
			Fields: map[string]any{"event": "search", "scored": stats.Scored, "gradients": stats.Gradients,
				"steps": stats.Steps, "candidates": len(found)},
		},
		study.Detail{
			Text: fmt.Sprintf("chosen: score %.6g, from %s: %s", best.Score, best.Source,
				sp.AppendJSON(nil, sp.Decode(best.Point, 0))),
			Fields: map[string]any{"event": "chosen", "score": best.Score, "from": best.Source},
		})
}

// fitDetails tell how one quantity was fitted.
func fitDetails(name string, f *surrogate.Fitted) []study.Detail {
	r := f.Report
	what := fmt.Sprintf("fit of %s: ", name)
	if f.Kernel != "" {
		what += fmt.Sprintf("kernel %s, transform %s, ", f.Kernel, f.Transform.Name())
	}
	what += fmt.Sprintf("%s (hyperparameters from %d), %d likelihoods, log posterior %.6g, log loss of values left out "+
		"%.4g",
		study.Count(r.Points, "point"), r.FitPoints, r.Evaluations, r.LogPosterior, r.LOO.LogLoss)
	var values []string
	for _, key := range slices.Sorted(maps.Keys(r.Hyper)) {
		values = append(values, fmt.Sprintf("%s=%.4g", key, r.Hyper[key]))
	}
	return []study.Detail{
		{Text: what, Fields: map[string]any{
			"event": "fit", "outcome": name, "points": r.Points, "fit_points": r.FitPoints,
			"likelihoods": r.Evaluations, "log_posterior": r.LogPosterior, "log_loss": r.LOO.LogLoss,
		}},
		{Text: "hyperparameters of " + name + ": " + strings.Join(values, " "), Fields: map[string]any{
			"event": "hyperparameters", "outcome": name, "hyperparameters": r.Hyper,
		}},
	}
}
