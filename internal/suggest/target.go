package suggest

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/study"
)

// targetProbability is the probability with which a target is reached where values are noisy: the
// first value beyond it is luck more often than not.
const targetProbability = 0.9

// JudgesTarget reports whether the surrogates decide if the targets are reached, because
// an objective with a target is noisy; elsewhere measured values decide.
func JudgesTarget(st *study.Study, trials []*study.Trial, fit *study.FitRecord) bool {
	for k, ob := range st.Objectives {
		if ob.Target != nil && noisy(st.For(k), trials, fit) {
			return true
		}
	}
	return false
}

// targetReached is the Exhausted error of a study whose targets the leader, or of several
// objectives one configuration, has surely reached; nil otherwise.
func (s *surrogates) targetReached() error {
	told := feasible(s.st, s.h.Observed)
	if len(told) == 0 || !JudgesTarget(s.st, s.h.Observed, s.r.Warm) {
		return nil
	}
	t, p := s.likeliest(told)
	if p < targetProbability {
		return nil
	}
	what := "the target is"
	if s.st.Several() {
		what = "the targets are"
	}
	return study.Errorf(study.Exhausted, "`bohier best` shows it; change the target to go on",
		"%s reached by trial %s with probability %.2f", what, t.ID(), p)
}

// likeliest is the leader, or of several objectives the trial that most probably reaches
// the targets, with that probability.
func (s *surrogates) likeliest(told []*study.Trial) (*study.Trial, float64) {
	at := pointsOf(s.st, told)
	if !s.st.Several() { // the likeliest of many would be lucky
		mean, _ := s.fit.Latent(at)
		k := floats.MinIdx(mean)
		return told[k], s.fit.Reaches(*s.st.Objective().Target, at)[k]
	}
	likely := make([]float64, len(told))
	for i := range likely {
		likely[i] = 1
	}
	for _, ob := range s.st.Objectives {
		if ob.Target == nil {
			continue
		}
		k := slices.IndexFunc(s.goals, func(g *goal) bool { return g.plan.Name == ob.Name && g.noisy })
		if k >= 0 {
			floats.Mul(likely, s.goals[k].fit.Reaches(*ob.Target, at))
			continue
		}
		for i, t := range told { // it counts as measured
			if sign := ob.Direction.Sign(); sign*t.Values[ob.Name] > sign**ob.Target {
				likely[i] = 0
			}
		}
	}
	k := floats.MaxIdx(likely)
	return told[k], likely[k]
}
