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
	b, best, front := s.Status.Budget, s.Status.Best, s.Status.Front
	switch {
	case best != nil && st.Objective().Target != nil && best.reaches(st.Objective()):
		say("The target %s is reached.", Rounded(*st.Objective().Target))
	case b != nil && b.Left <= 0:
		say("The budget of %s is used.", study.Count(b.Trials, "trial"))
	case b != nil:
		say("%d of %s are left.", b.Left, study.Count(b.Trials, "trial"))
	}
	switch {
	case len(front) > 0:
		say("On the front: %s, which no other dominates. Their hypervolume is %s of what the best values together would "+
			"have.",
			study.Count(len(front), "trial"), Brief(s.Status.Hypervolume.Normalised))
		if s.Leaders != nil {
			say("Values are noisy: the front is that of the posterior means, as the surrogates see them now.")
		}
		newest := 0 // the trials after it changed nothing
		for k := range front {
			newest = max(newest, front[k].Trial)
		}
		if after := completeAfter(trials, newest); after > 0 {
			say("The front grew last with trial %d; %s since then did not change it.", newest,
				study.Count(after, "complete trial"))
		} else {
			say("The front grew with trial %d, the latest result.", newest)
		}
	case best != nil && s.Leaders != nil:
		say("Values are noisy: the number is what the surrogate believes of the leader, trial %s.", best.ID)
	case best != nil:
		out = append(out, s.gain(st, trials)...)
	case s.Status.Complete > 0:
		say("Of %s %s.", study.Count(s.Status.Complete, "complete trial"), s.Status.Shortfall)
	case len(trials) == 0:
		say("No trial was made yet.")
	default:
		say("No trial is complete yet.")
	}
	if n := len(s.Progress); n > 0 {
		last := s.Progress[n-1]
		if after := completeAfter(trials, last.Trial); after > 0 {
			say("Found by trial %s; %s since then brought nothing better.", last.ID, study.Count(after, "complete trial"))
		} else {
			say("Found by trial %s, the latest result.", last.ID)
		}
	}
	return append(out, s.failed()...)
}

func completeAfter(trials []study.Trial, number int) (n int) {
	for k := range trials {
		if trials[k].Number > number && trials[k].State == study.Complete {
			n++
		}
	}
	return n
}

// surely is how many standard deviations beyond the target the mean of a leader has to be,
// so that the target is reached with probability 0.9.
const surely = 1.2816

// reaches reports whether the best trial is as good as the objective's target.
func (t *Trial) reaches(ob study.Objective) bool {
	e := t.trusted(ob.Name)
	return ob.Direction.Sign()*(e.Mean-*ob.Target)+surely*e.Std <= 0
}

func (s Summary) failed() []string {
	f := s.Failures
	switch all := study.Count(f.Infeasible+f.Transient, "trial"); {
	case f.Infeasible > 0 && f.Transient > 0:
		return []string{fmt.Sprintf("%s failed, %d of them as infeasible.", all, f.Infeasible)}
	case f.Infeasible > 0:
		return []string{all + " failed as infeasible."}
	case f.Transient > 0:
		return []string{all + " failed for passing reasons."}
	}
	return nil
}

// gain compares the best value with the median of the initial design.
func (s Summary) gain(st *study.Study, trials []study.Trial) []string {
	var first []float64
	for k := range trials {
		if t := &trials[k]; t.State == study.Complete && t.Source == "design" && st.Measured(t) {
			first = append(first, t.Values.Of(s.Objective))
		}
	}
	if len(first) < 3 {
		return nil
	}
	slices.Sort(first)
	median, best := first[len(first)/2], s.Status.Best.Values.Of(s.Objective)
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
