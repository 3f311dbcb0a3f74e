package runner

import (
	"cmp"
	"context"
	"math"
	"slices"

	"bohier/internal/journal"
	"bohier/internal/lists"
	"bohier/internal/pareto"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

const (
	MostCompared = 64   // leaders that are compared by joint draws; Probability is NaN beyond, or where no draw succeeded
	draws        = 512  // joint draws
	MostShown    = 1000 // trials up to which a surrogate is fitted only to show it
	mostBelieved = 2000 // trials of the first ranks, of several objectives, whose values are predicted
)

// Noisy reports whether noise is material, in any of several objectives: the best value may then be luck.
func (c Session) Noisy(s *journal.State) bool {
	return suggest.MaterialNoise(c.Study, study.Pointers(s.Trials), s.LastFit())
}

// Leading are the n best trials and, where values of the objective are noisy, the trials of the
// n configurations with the best posterior means: the one that `best` shows need not have had a
// lucky value. The error is that of a context that ended before it was known.
func (c Session) Leading(ctx context.Context, s *journal.State, n int) ([]study.Trial, error) {
	best := c.Study.Best(s.Trials, n)
	if len(s.Trials) > MostShown || !c.Noisy(s) {
		return best, nil
	}
	b, err := c.Leaderboard(ctx, s, true)
	if err != nil {
		return best, context.Cause(ctx) // nil: too little to expect anything
	}
	if b != nil {
		for _, l := range b.Leaders[:min(n, len(b.Leaders))] {
			best = append(best, *l.Trial, *l.Luckiest)
		}
	}
	return best, nil
}

// believe gives configurations their posterior, and returns the noise of a measurement of the best.
func (a *Analysis) believe(list []study.Leader) study.NoiseLevel {
	mean, std, noisy := a.Predict(configurations(list))
	objective, best := a.study.Objective(), 0
	for i, l := range list {
		l.Believed[objective.Name] = study.Estimate{Mean: mean[i], Std: std[i]}
		if sign := objective.Direction.Sign(); sign*mean[i] < sign*mean[best] {
			best = i
		}
	}
	n := study.NoiseLevel{SD: withoutLatent(std[best], noisy(best)), Source: "estimated", Share: a.Model.StandardNoise()}
	switch {
	case objective.Noise.SD > 0:
		n.SD, n.Source = a.Reported, "given"
	case a.Reported > 0:
		n.Source = "estimated and reported"
	}
	return n
}

// measured are the configurations of trials that count, which come best value first, and by number the
// trials that measured one of them again, with its index.
func measured(st *study.Study, trials []*study.Trial) (out []study.Leader, again map[int]int) {
	again = map[int]int{}
	index := make(map[string]int, len(trials))
	for _, t := range trials {
		key := st.Space.Key(t.Config)
		k, known := index[key]
		if !known {
			k = len(out)
			index[key] = k
			out = append(out, study.Leader{Trial: t, Luckiest: t, Probability: math.NaN(),
				Believed: map[string]study.Estimate{}})
		}
		again[t.Number] = k
		if t.Number < out[k].Trial.Number {
			out[k].Trial = t
		}
	}
	for k := range out {
		delete(again, out[k].Trial.Number)
	}
	return out, again
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

func configurations(list []study.Leader) []space.Configuration {
	return lists.Of(list, func(l study.Leader) space.Configuration { return l.Trial.Config })
}

// Leaderboard ranks the feasible configurations measured so far by posterior mean. With several objectives it is the
// front as the surrogates see it: the configurations that no other one dominates by posterior means, of the objectives
// whose values are noisy, or of all. It is nil where no feasible trial has every objective, or lies in today's space.
// Probability is that none of the first MostCompared configurations dominates a leader.
//
// An objective whose surrogate cannot be fitted counts as measured; where that is so of all of
// these, the error is a *study.Error with code NoResult.
func (c Session) Leaderboard(ctx context.Context, s *journal.State, all bool) (*study.Leaderboard, error) {
	st := c.Study
	several := st.Several()
	trials := slices.DeleteFunc(study.Pointers(s.Trials), func(t *study.Trial) bool { return !st.Counts(t) })
	if !several {
		trials = st.First(trials, len(trials))
	}
	if len(trials) == 0 {
		return nil, nil
	}
	b := &study.Leaderboard{Noise: map[string]study.NoiseLevel{}}
	analyses := make([]*Analysis, len(st.Objectives))
	var unfit error
	for j, ob := range st.Objectives {
		one := c.For(j)
		if all || !several || suggest.MaterialNoise(one.Study, study.Pointers(s.Trials), s.LastFit()) {
			switch a, err := one.Analyze(ctx, s); {
			case err == nil:
				analyses[j] = a
				for _, w := range a.Warnings {
					b.Warnings = append(b.Warnings, st.Attributed(ob.Name, w))
				}
			case study.HasCode(err, study.NoResult):
				unfit = err
				b.Warnings = append(b.Warnings, "objective "+ob.Name+" counts as measured: "+err.Error())
			default:
				return nil, err
			}
		}
	}
	if unfit != nil && !slices.ContainsFunc(analyses, func(a *Analysis) bool { return a != nil }) {
		return nil, unfit
	}
	if several && len(trials) > mostBelieved {
		trials = promising(st, analyses, trials)
	}
	list, again := measured(st, trials)
	luckiest := list[0].Trial.Number
	vectors := make([][]float64, len(list))
	for j, ob := range st.Objectives {
		if analyses[j] != nil {
			b.Noise[ob.Name] = analyses[j].believe(list)
		}
		for i, l := range list {
			mean := l.Trial.Values.Of(ob.Name)
			if e, modelled := l.Believed[ob.Name]; modelled {
				mean = e.Mean
			}
			vectors[i] = append(vectors[i], ob.Direction.Sign()*mean)
		}
	}
	undominated(st.Space, s.Seed, analyses, vectors, list)
	b.Standing = &study.Standing{Study: st, Vectors: vectors, Again: again}
	at := map[int]int{} // by number
	for i := range list {
		b.Standing.Trials = append(b.Standing.Trials, list[i].Trial)
		at[list[i].Trial.Number] = i
	}
	if several {
		b.Front = b.Standing.Front()
	} else {
		b.Standing.Deviations = lists.Of(list, func(l study.Leader) float64 { return l.Believed[st.Objective().Name].Std })
	}
	b.Leaders = lists.Of(b.Standing.Best(len(list)), func(t study.Trial) study.Leader { return list[at[t.Number]] })
	if !several && b.Leaders[0].Trial.Number != luckiest {
		b.Luckiest = &list[0]
	}
	return b, nil
}

// promising are the trials of the first ranks of several objectives by the modelled quantities, which cost a
// small part of predicted values: mostBelieved and all others of the last of these ranks.
func promising(st *study.Study, analyses []*Analysis, trials []*study.Trial) []*study.Trial {
	q := st.Space.EncodeAll(lists.Of(trials, func(t *study.Trial) space.Configuration { return t.Config }))
	vectors := make([][]float64, len(trials))
	for j, ob := range st.Objectives {
		values := lists.Of(trials, func(t *study.Trial) float64 { return ob.Direction.Sign() * t.Values.Of(ob.Name) })
		if analyses[j] != nil {
			values = analyses[j].Means(q)
		}
		for i, v := range values {
			vectors[i] = append(vectors[i], v)
		}
	}
	rank := pareto.Ranks(vectors)
	last := slices.Sorted(slices.Values(rank))[mostBelieved-1]
	return lists.At(trials, lists.Where(len(trials), func(i int) bool { return rank[i] <= last }))
}

// undominated estimates by joint draws how probably each of the first configurations, by rank of
// posterior means, is on the front, or the best in the one objective.
func undominated(sp *space.Space, seed uint64, analyses []*Analysis, vectors [][]float64, members []study.Leader) {
	order := lists.Every(len(vectors))
	rank := pareto.Ranks(vectors)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	order = order[:min(MostCompared, len(order))]
	compared := lists.At(members, order)
	drawn := lists.Make(draws, func(int) [][]float64 { // by draw, configuration and objective
		return lists.Of(order, func(i int) []float64 { return slices.Clone(vectors[i]) })
	})
	for j, a := range analyses {
		if a == nil {
			continue
		}
		rows, err := a.Draws(sp, configurations(compared), draws, seed+uint64(j)*0x9e3779b97f4a7c15)
		if err != nil {
			return
		}
		for d := range drawn {
			for k, v := range rows[d] {
				drawn[d][k][j] = v
			}
		}
	}
	share := make([]float64, len(order))
	for _, vectors := range drawn {
		for _, k := range pareto.Front(vectors) {
			share[k] += 1. / draws
		}
	}
	for k, i := range order {
		members[i].Probability = math.Min(1, share[k])
	}
}
