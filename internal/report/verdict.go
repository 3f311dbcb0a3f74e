package report

import (
	"fmt"
	"math"
	"slices"

	"bohier/internal/study"
)

// Verdict says in sentences how the study stands: what is used up, what came out,
// whether it still improves, what failed.
func (s Summary) Verdict(st *study.Study, trials []study.Trial) []string {
	var out []string
	say := func(format string, a ...any) { out = append(out, fmt.Sprintf(format, a...)) }
	b := s.Status.Budget
	switch best := s.Status.Best; {
	case st.Objective.Target != nil && best != nil && st.Objective.Direction.Sign()*(best.Values[s.Objective]-*st.Objective.Target) <= 0:
		say("The target %s is reached.", Rounded(*st.Objective.Target))
	case b != nil && b.Left <= 0:
		say("The budget of %s is used.", study.Count(b.Trials, "trial"))
	case b != nil:
		say("%d of %s are left.", b.Left, study.Count(b.Trials, "trial"))
	}
	steps := s.Progress
	if s.Leaders != nil {
		steps = s.Leading
		say("Values are noisy: the number is what the surrogate believes of the leader, trial %s.", s.Status.Best.ID)
	}
	if s.Status.Best == nil {
		switch {
		case s.Status.Complete > 0:
			say("Of %s %s.", study.Count(s.Status.Complete, "complete trial"), s.Status.Shortfall)
		case len(trials) == 0:
			say("No trial was made yet.")
		default:
			say("No trial is complete yet.")
		}
	} else if s.Leaders == nil {
		out = append(out, s.gain(st, trials)...)
	}
	if n := len(steps); n > 0 {
		last, after := steps[n-1].Trial, 0
		for k := range trials {
			if trials[k].Number > last && trials[k].State == study.Complete {
				after++
			}
		}
		if after > 0 {
			say("Found by trial %s; %s since then brought nothing better.", steps[n-1].ID, study.Count(after, "complete trial"))
		} else {
			say("Found by trial %s, the latest result.", steps[n-1].ID)
		}
	}
	switch f := s.Failures; {
	case f.Infeasible > 0 && f.Transient > 0:
		say("%s failed, %d of them as infeasible.", study.Count(f.Infeasible+f.Transient, "trial"), f.Infeasible)
	case f.Infeasible > 0:
		say("%s failed as infeasible.", study.Count(f.Infeasible, "trial"))
	case f.Transient > 0:
		say("%s failed for passing reasons.", study.Count(f.Transient, "trial"))
	}
	return out
}

// gain compares the best value with the median of the initial design.
func (s Summary) gain(st *study.Study, trials []study.Trial) []string {
	var first []float64
	for k := range trials {
		if t := &trials[k]; t.State == study.Complete && t.Source == "design" && st.Measured(t) {
			first = append(first, t.Values[s.Objective])
		}
	}
	if len(first) < 3 {
		return nil
	}
	slices.Sort(first)
	median, best := first[len(first)/2], s.Status.Best.Values[s.Objective]
	ratio := best / median
	switch {
	case !(median > 0 && best > 0) || math.IsInf(ratio, 0):
		return []string{fmt.Sprintf("The median of the initial design was %s.", Rounded(median))}
	case ratio < 1:
		return []string{fmt.Sprintf("%.3g %% below the median of the initial design, %s.", 100*(1-ratio), Brief(median))}
	case ratio >= 3:
		return []string{fmt.Sprintf("%.3g times the median of the initial design, %s.", ratio, Brief(median))}
	}
	return []string{fmt.Sprintf("%.3g %% above the median of the initial design, %s.", 100*(ratio-1), Brief(median))}
}
