package suggest

import (
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
)

// JudgesGrowth reports whether the surrogates decide if the hypervolume still grows, because
// an objective is noisy: a lucky value raises it, and after that no true one does. Elsewhere
// measured values decide.
func JudgesGrowth(st *study.Study, trials []*study.Trial, fit *study.FitRecord) bool {
	return st.Stop.Hypervolume != nil && MaterialNoise(st, trials, fit)
}

// Levelled is the Exhausted error of a study whose hypervolume, after each of its complete
// trials, grew too little of late; nil otherwise.
func Levelled(st *study.Study, growth []float64) error {
	rule, n := st.Stop.Hypervolume, len(growth)
	if rule == nil || n <= rule.Trials || n < 3*policy.InitialCount(st) {
		return nil
	}
	last := growth[n-1]
	if more := last - growth[n-1-rule.Trials]; last > 0 && more < rule.Share*last {
		return study.Errorf(study.Exhausted, "`bohier best` shows the front; lower stop.hypervolume.gain to go on",
			"the last %s raised the hypervolume by %.2g of itself, less than stop.hypervolume.gain: %v",
			study.Count(rule.Trials, "trial"), more/last, rule.Share)
	}
	return nil
}

// levelled is Levelled of a noisy study, by the front of what the surrogates believe now.
func (s *surrogates) levelled() error {
	if s.h.pace.ended() > 0 || !JudgesGrowth(s.st, s.h.Observed, s.r.Warm) {
		return nil
	}
	return Levelled(s.st, s.standing().Growth(s.h.Observed))
}

// standing is the front's, with posterior means where an objective is noisy: of the first
// trial of each configuration, as the means of its others are the same.
func (s *surrogates) standing() *study.Standing {
	out := &study.Standing{Study: s.st}
	var confs []space.Configuration
	for _, t := range s.distinct() {
		out.Trials, out.Vectors, confs = append(out.Trials, t), append(out.Vectors, s.st.Vector(t)), append(confs, t.Config)
	}
	for _, g := range s.goals {
		if !g.noisy || len(confs) == 0 {
			continue
		}
		j := s.st.Goal(g.plan.Name)
		mean, _, _ := g.fit.Predict(s.st.Space, confs)
		for i, v := range mean {
			out.Vectors[i][j] = s.st.Objectives[j].Direction.Sign() * v
		}
	}
	return out
}
