package runner

import (
	"cmp"
	"context"
	"math"
	"slices"

	"bohier/internal/journal"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

// Noise is what is known of an objective's noise.
type Noise struct {
	// SD is that of the noise of one measurement of the leader, in the objective's
	// units: the estimated one and, where standard errors are reported, their median.
	SD     float64
	Share  float64 // of the noise in the variance of the values, as they are modelled
	Source string  // of SD: "estimated", "estimated and reported", or "given" in the study file
}

// A Leaderboard is what a study's measurements say of its best configuration when
// they are noisy.
type Leaderboard struct {
	Noise
	Ranked   []Leader // the feasible configurations that were measured, best posterior mean first
	Luckiest int      // index of the one with the best single trial; 0: the leader itself
}

// A Leader is a measured configuration with what the surrogate believes of it:
// posterior mean and standard deviation of the objective without noise.
type Leader struct {
	Trial       study.Trial         // the first of its trials
	Values      []study.Measurement // of all its feasible trials
	Mean, Std   float64
	Probability float64     // that it is the best of the first MostCompared; NaN beyond, or where no draw succeeded
	Luckiest    study.Trial // the one of its trials with the best value
}

// The number of trials that a leader is compared with, and the number up to which a surrogate
// is fitted only to show it.
const (
	MostCompared = 64
	draws        = 512
	MostShown    = 1000
)

// Noisy reports whether noise is material, in any of several objectives: the best value
// may then be luck.
func (c Session) Noisy(s *journal.State) bool {
	return suggest.MaterialNoise(c.Study, study.Pointers(s.Trials), s.LastFit())
}

// Leading are the n best trials and, where values of one objective are noisy, the trials of the
// n configurations with the best posterior means: the one that `best` shows need not have had a
// lucky value. The error is that of a context that ended before it was known.
func (c Session) Leading(ctx context.Context, s *journal.State, n int) ([]study.Trial, error) {
	best := c.Study.Best(s.Trials, n)
	if c.Study.Several() || len(s.Trials) > MostShown || !c.Noisy(s) {
		return best, nil
	}
	a, err := c.Analyze(ctx, s)
	if err != nil {
		return best, context.Cause(ctx) // nil: too little to expect anything
	}
	if b := a.Leaders(s); b != nil {
		for _, l := range b.Ranked[:min(n, len(b.Ranked))] {
			best = append(best, l.Trial, l.Luckiest)
		}
	}
	return best, nil
}

// Leaders ranks the feasible configurations measured so far by posterior mean; nil
// where there are none in today's space.
func (a *Analysis) Leaders(s *journal.State) *Leaderboard {
	st := a.study
	b := Leaderboard{Ranked: measured(st, st.Best(s.Trials, len(s.Trials)))}
	if len(b.Ranked) == 0 {
		return nil
	}
	luckiest := b.Ranked[0].Luckiest.Number
	mean, std, noisy := a.Predict(configurations(b.Ranked))
	sds := make(map[int]float64, len(noisy)) // by trial
	for k := range b.Ranked {
		b.Ranked[k].Mean, b.Ranked[k].Std = mean[k], std[k]
		sds[b.Ranked[k].Trial.Number] = withoutLatent(std[k], noisy[k])
	}
	sign := st.Objective().Direction.Sign()
	slices.SortStableFunc(b.Ranked, func(x, y Leader) int { return cmp.Compare(sign*x.Mean, sign*y.Mean) })
	b.Noise = a.noise(b.Ranked, sds[b.Ranked[0].Trial.Number])
	b.Luckiest = slices.IndexFunc(b.Ranked, func(l Leader) bool { return l.Luckiest.Number == luckiest })
	first := configurations(b.Ranked[:min(MostCompared, len(b.Ranked))])
	if p, err := a.ProbabilityBest(st.Space, first, draws, s.Seed); err == nil {
		for k, v := range p {
			b.Ranked[k].Probability = v
		}
	}
	return &b
}

// measured are the configurations of trials that count, which come best value first.
func measured(st *study.Study, trials []study.Trial) []Leader {
	var out []Leader
	index, values := map[string]int{}, st.Measurements(trials)
	for _, t := range trials {
		key := st.Space.Key(t.Config)
		k, known := index[key]
		if !known {
			k = len(out)
			index[key] = k
			of := values[t.Number]
			if of == nil {
				of = t.Measurements()
			}
			out = append(out, Leader{Trial: t, Values: of, Luckiest: t, Probability: math.NaN()})
		}
		if t.Number < out[k].Trial.Number {
			out[k].Trial = t
		}
	}
	return out
}

// withoutLatent is the deviation of the noise alone, where std is that of the objective
// and noisy that of a measurement.
func withoutLatent(std, noisy float64) float64 {
	ratio := std / noisy // squares of deviations could overflow
	if !(ratio < 1) {
		return 0
	}
	return noisy * math.Sqrt(1-ratio*ratio)
}

// noise is that of one measurement; sd is its estimated deviation.
func (a *Analysis) noise(list []Leader, sd float64) Noise {
	n := Noise{SD: sd, Source: "estimated"}
	var reported []float64
	for _, l := range list {
		for _, o := range l.Values {
			if se := o.ErrorOf(a.study.Objective().Name); se != nil && *se > 0 {
				reported = append(reported, *se)
			} else if sd := a.study.Objective().Noise.SD; sd > 0 {
				reported, n.Source = append(reported, sd), "given"
			}
		}
	}
	if len(reported) > 0 {
		slices.Sort(reported)
		middle := reported[len(reported)/2]
		if n.Source == "given" {
			n.SD = middle
		} else {
			n.SD, n.Source = min(math.Hypot(sd, middle), math.MaxFloat64), "estimated and reported"
		}
	}
	for _, m := range a.Model.Samples() {
		n.Share += m.StandardNoise() / float64(len(a.Model.Samples()))
	}
	return n
}

func configurations(list []Leader) []space.Configuration {
	out := make([]space.Configuration, len(list))
	for k := range list {
		out[k] = list[k].Trial.Config
	}
	return out
}
