package runner

import (
	"fmt"
	"slices"

	"bohier/internal/study"
	"bohier/internal/suggest"
)

// used counts the trials that use up the budget: complete, pending, reserved,
// paused, stopped and infeasible ones. Transient failures, abandoned trials and reservations
// given back do not.
func used(trials []study.Trial) int {
	n := 0
	for k := range trials {
		switch t := &trials[k]; t.State {
		case study.Complete, study.Pending, study.Reserved, study.Paused, study.Stopped:
			if !t.Released {
				n++
			}
		case study.Failed:
			if t.Failure == study.Infeasible {
				n++
			}
		}
	}
	return n
}

// Left is how many trials the budget still allows; ok is false without a limit.
func Left(st *study.Study, trials []study.Trial) (left int, ok bool) {
	if st.Budget.Trials == 0 {
		return 0, false
	}
	return max(0, st.Budget.Trials-used(trials)), true
}

func spent(st *study.Study) error {
	return study.Errorf(study.Exhausted, "`bohier best` shows the result; raise budget.trials to go on",
		"the budget of %s is used", study.Count(st.Budget.Trials, "trial"))
}

// Over is why a study is over, as its trials tell without a search: failures, target
// or budget, and no pending trial; nil while there is something to do. fit is that of the
// newest suggestion.
func Over(st *study.Study, trials []study.Trial, fit *study.FitRecord) error {
	for k := range trials {
		if trials[k].State == study.Pending {
			return nil
		}
	}
	if err := stopped(st, trials, func() *study.FitRecord { return fit }); err != nil {
		return err
	}
	if left, limited := Left(st, trials); limited && left == 0 {
		return Ended(st, trials, spent(st))
	}
	return nil
}

// stopped is the error of a study that may not go on, whatever is left of its budget: the
// target is reached, or too many trials failed, which is a NoResult error whatever was found
// before. Where values are noisy the surrogates decide about targets and hypervolumes, when
// they are asked for a suggestion; only then is the newest fit read.
func stopped(st *study.Study, trials []study.Trial, fit func() *study.FitRecord) error {
	if limit := st.Budget.Failures; limit > 0 {
		failed := failures(trials, study.Transient)
		if n := len(failed); n >= limit {
			allowed := "as many as"
			if n > limit {
				allowed = fmt.Sprintf("more than the %d that", limit)
			}
			reason, where := commonFailure(st, failed)
			return study.Errorf(study.NoResult,
				"mend the cause"+where+"; `bohier trials` lists the failures; raise budget.failures to go on",
				"%s failed transiently, %s budget.failures allows; %s", study.Count(n, "trial"), allowed, reason)
		}
	}
	aims := slices.ContainsFunc(st.Objectives, func(o study.Objective) bool { return o.Target != nil })
	if aims && !suggest.JudgesTarget(st, study.Pointers(trials), fit()) {
		reached := slices.DeleteFunc(study.Pointers(trials), func(t *study.Trial) bool { return !st.Counts(t) || !st.Reached(t) })
		if first := st.First(reached, 1); len(first) > 0 {
			return suggest.Reached(st, &first[0], "")
		}
	}
	if st.Stop.Hypervolume == nil || suggest.JudgesGrowth(st, study.Pointers(trials), fit()) {
		return nil
	}
	return suggest.Levelled(st, st.Standing(study.Pointers(trials)).Growth(study.In(study.Complete, trials)))
}
