package policy

import (
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// surely is the probability with which a target is reached where values are noisy: the
// first value beyond it is luck more often than not.
const surely = 0.9

// JudgesTarget reports whether the surrogates decide if the targets are reached, because
// an objective with a target is noisy; elsewhere measured values decide.
func JudgesTarget(st *study.Study, trials []study.Trial, fit *study.FitRecord) bool {
	for k, ob := range st.Goals() {
		if ob.Target != nil && MaterialNoise(st.For(k), trials, fit) {
			return true
		}
	}
	return false
}

// targetReached is the Exhausted error of a study whose targets the leader, or of several
// objectives one configuration, has surely reached; nil otherwise.
func (s *surrogates) targetReached() error {
	told := feasible(s.st, s.h.Observed)
	noisyTarget := false
	likely := make([]float64, len(told)) // that a trial reaches the targets
	for i := range likely {
		likely[i] = 1
	}
	judge := func(ob study.Objective, f *surrogate.Fitted, noisy bool) {
		switch {
		case ob.Target == nil:
		case noisy:
			noisyTarget = true
			for i, p := range f.Reaches(*ob.Target, pointsOf(s.st, told)) {
				likely[i] *= p
			}
		default:
			for i, t := range told {
				if v, ok := t.Values[ob.Name]; !ok || !(ob.Direction.Sign()*v <= ob.Direction.Sign()**ob.Target) {
					likely[i] = 0
				}
			}
		}
	}
	if len(told) == 0 {
		return nil
	}
	if !s.st.Several() {
		judge(s.st.Objective, s.fit, noisy(s.st, s.h.Observed, s.r.Warm))
	}
	for _, ob := range s.st.Objectives {
		var own goal // one whose values are all equal has no surrogate
		for _, g := range s.goals {
			if g.plan.Name == ob.Name {
				own = *g
			}
		}
		judge(ob, own.fit, own.noisy)
	}
	best := 0
	if !s.st.Several() { // the leader alone: the luckiest of many would reach it too soon
		mean, _ := s.fit.Latent(pointsOf(s.st, told))
		for i, v := range mean {
			if v < mean[best] {
				best = i
			}
		}
	} else {
		for i, p := range likely {
			if p > likely[best] {
				best = i
			}
		}
	}
	if p := likely[best]; noisyTarget && p >= surely {
		what := "the target is"
		if s.st.Several() {
			what = "the targets are"
		}
		return study.Errorf(study.Exhausted, "`bohier best` shows it; change the target to go on",
			"%s reached by trial %s with probability %.2f", what, told[best].ID(), p)
	}
	return nil
}
