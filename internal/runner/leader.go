package runner

import (
	"cmp"
	"math"
	"slices"

	"bohier/internal/journal"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
)

// A Leaderboard is what a study's measurements say of its best configuration when
// they are noisy.
type Leaderboard struct {
	// SD is that of the noise of one measurement of the leader, in the objective's
	// units: the estimated one and, where standard errors are Reported, their median.
	SD       float64
	Reported bool
	Share    float64  // of the noise in the variance of the values, as they are modelled
	Ranked   []Leader // the feasible configurations that were measured, best posterior mean first
	Luckiest int      // index of the one with the best single trial; 0: the leader itself
	Given    bool     // SD is what the study file says
}

// A Leader is a measured configuration with what the surrogate believes of it:
// posterior mean and standard deviation of the objective without noise.
type Leader struct {
	Trial       study.Trial         // the first of its trials
	Values      []study.Observation // of all its feasible trials and their replicates
	Mean, Std   float64
	Probability float64     // that it is the best of the first MostCompared; NaN beyond, or where no draw succeeded
	Luckiest    study.Trial // the one of its trials with the best value
}

// What a leader is compared with, and the number of trials up to which a
// surrogate is fitted only to show it.
const (
	MostCompared = 64
	draws        = 512
	MostShown    = 1000
)

// Noisy reports whether noise is material: the best value may then be luck.
func (c Session) Noisy(s *journal.State) bool {
	return policy.MaterialNoise(c.Study, s.Trials, s.LastFit())
}

// Leaders ranks the feasible configurations measured so far by posterior mean; nil
// where there are none in today's space.
func (a *Analysis) Leaders(s *journal.State) *Leaderboard {
	st := a.study
	var b Leaderboard
	index := map[string]int{}
	for _, t := range st.Best(s.Trials, len(s.Trials)) { // best value first
		if t.Outside {
			continue
		}
		key := st.Space.Key(t.Config)
		k, known := index[key]
		if !known {
			k = len(b.Ranked)
			index[key] = k
			b.Ranked = append(b.Ranked, Leader{Trial: t, Luckiest: t, Probability: math.NaN()})
		}
		l := &b.Ranked[k]
		if t.Number < l.Trial.Number {
			l.Trial = t
		}
		l.Values = append(append(l.Values, t.Observation), t.Replicates...)
	}
	if len(b.Ranked) == 0 {
		return nil
	}
	luckiest := b.Ranked[0].Trial.Number
	mean, std, noisy := a.Predict(b.configurations())
	for k := range b.Ranked {
		b.Ranked[k].Mean, b.Ranked[k].Std = mean[k], std[k]
	}
	sds := make(map[int]float64, len(noisy)) // by trial
	for k, l := range b.Ranked {
		if ratio := std[k] / noisy[k]; ratio < 1 { // squares of deviations could overflow
			sds[l.Trial.Number] = noisy[k] * math.Sqrt(1-ratio*ratio)
		}
	}
	sign := st.Objective.Direction.Sign()
	slices.SortStableFunc(b.Ranked, func(x, y Leader) int { return cmp.Compare(sign*x.Mean, sign*y.Mean) })
	b.SD = sds[b.Ranked[0].Trial.Number]
	var reported []float64
	for _, l := range b.Ranked {
		for _, o := range l.Values {
			if se := o.ErrorOf(st.Objective.Name); se != nil && *se > 0 {
				reported = append(reported, *se)
			} else if sd := st.Objective.Noise.SD; sd > 0 {
				reported, b.Given = append(reported, sd), true
			}
		}
	}
	if n := len(reported); n > 0 && b.Given {
		slices.Sort(reported)
		b.SD = reported[n/2]
	} else if n > 0 {
		slices.Sort(reported)
		b.SD, b.Reported = min(math.Hypot(b.SD, reported[n/2]), math.MaxFloat64), true
	}
	for _, m := range a.fit.Model.Samples() {
		b.Share += m.StandardNoise() / float64(len(a.fit.Model.Samples()))
	}
	b.Luckiest = slices.IndexFunc(b.Ranked, func(l Leader) bool { return l.Trial.Number == luckiest })
	first := b.configurations()
	first = first[:min(MostCompared, len(first))]
	if p, err := a.fit.ProbabilityBest(st.Space, first, draws, s.Seed); err == nil {
		for k, v := range p {
			b.Ranked[k].Probability = v
		}
	}
	return &b
}

func (b *Leaderboard) configurations() []space.Configuration {
	out := make([]space.Configuration, len(b.Ranked))
	for k := range b.Ranked {
		out[k] = b.Ranked[k].Trial.Config
	}
	return out
}
