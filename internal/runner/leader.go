package runner

import (
	"cmp"
	"context"
	"math"
	"slices"

	"bohier/internal/journal"
	"bohier/internal/pareto"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

// The number of leaders that are compared by joint draws (Probability is NaN beyond, or where no
// draw succeeded), and the number of trials up to which a surrogate is fitted only to show it.
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
		for _, l := range b.Leaders[:min(n, len(b.Leaders))] {
			best = append(best, l.Trial, l.Luckiest)
		}
	}
	return best, nil
}

// Leaders ranks the feasible configurations measured so far by posterior mean; nil
// where there are none in today's space.
func (a *Analysis) Leaders(s *journal.State) *study.Leaderboard {
	st, ob := a.study, a.study.Objective()
	list := measured(st, st.Best(s.Trials, len(s.Trials)))
	if len(list) == 0 {
		return nil
	}
	luckiest := list[0].Trial.Number
	noise := map[string]study.NoiseLevel{ob.Name: a.believe(list)}
	b := &study.Leaderboard{Leaders: list, Noise: noise, Warnings: a.Warnings}
	slices.SortStableFunc(list, func(x, y study.Leader) int {
		return cmp.Compare(ob.Direction.Sign()*x.Believed[ob.Name].Mean, ob.Direction.Sign()*y.Believed[ob.Name].Mean)
	})
	if list[0].Trial.Number != luckiest {
		b.Luckiest = &list[slices.IndexFunc(list, func(l study.Leader) bool { return l.Trial.Number == luckiest })]
	}
	vectors := make([][]float64, len(list))
	for i, l := range list {
		vectors[i] = []float64{ob.Direction.Sign() * l.Believed[ob.Name].Mean}
	}
	undominated(st.Space, s.Seed, []*Analysis{a}, vectors, list)
	return b
}

// believe adds what the surrogate believes of configurations, and returns the noise at the best
// of them.
func (a *Analysis) believe(list []study.Leader) study.NoiseLevel {
	mean, std, noisy := a.Predict(configurations(list))
	ob, best := a.study.Objective(), 0
	for i := range list {
		list[i].Believed[ob.Name] = study.Estimate{Mean: mean[i], Std: std[i]}
		if ob.Direction.Sign()*mean[i] < ob.Direction.Sign()*mean[best] {
			best = i
		}
	}
	return a.noise(list, withoutLatent(std[best], noisy[best]))
}

// measured are the configurations of trials that count, which come best value first.
func measured(st *study.Study, trials []study.Trial) []study.Leader {
	var out []study.Leader
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
			out = append(out, study.Leader{Trial: t, Values: of, Luckiest: t, Probability: math.NaN(),
				Believed: map[string]study.Estimate{}})
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
func (a *Analysis) noise(list []study.Leader, sd float64) study.NoiseLevel {
	n := study.NoiseLevel{SD: sd, Source: "estimated"}
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

func configurations(list []study.Leader) []space.Configuration {
	out := make([]space.Configuration, len(list))
	for k := range list {
		out[k] = list[k].Trial.Config
	}
	return out
}

// Frontier is the front of several objectives as the surrogates see it: the configurations that
// no other one dominates by posterior means. It fits the surrogates of the objectives whose
// values are noisy, or of all, and is nil where no feasible trial has every objective, or lies
// in today's space. Probability is that none of the first MostCompared configurations dominates
// a leader.
//
// One that cannot be fitted counts as measured; where that is so of all of these, the error
// is a *study.Error with code NoResult.
func (c Session) Frontier(ctx context.Context, s *journal.State, all bool) (*study.Leaderboard, error) {
	st := c.Study
	list := measured(st, feasible(st, s.Trials))
	if len(list) == 0 {
		return nil, nil
	}
	f := &study.Leaderboard{Noise: map[string]study.NoiseLevel{},
		Standing: &study.Standing{Study: st, Vectors: make([][]float64, len(list)), Again: repeatsOf(st, list, s.Trials)}}
	for i := range list {
		f.Standing.Trials = append(f.Standing.Trials, &list[i].Trial)
	}
	analyses := make([]*Analysis, len(st.Objectives))
	var unfit error
	for j, ob := range st.Objectives {
		one := c.For(j)
		if all || suggest.MaterialNoise(one.Study, study.Pointers(s.Trials), s.LastFit()) {
			switch a, err := one.Analyze(ctx, s); {
			case err == nil:
				analyses[j] = a
				f.Noise[ob.Name] = a.believe(list)
				for _, w := range a.Warnings {
					f.Warnings = append(f.Warnings, ob.Name+": "+w)
				}
			case study.HasCode(err, study.NoResult):
				unfit = err
				f.Warnings = append(f.Warnings, "objective "+ob.Name+" counts as measured: "+err.Error())
			default:
				return nil, err
			}
		}
		for i := range list {
			f.Standing.Vectors[i] = append(f.Standing.Vectors[i], ob.Direction.Sign()*list[i].Expected(ob.Name).Mean)
		}
	}
	if unfit != nil && len(f.Noise) == 0 {
		return nil, unfit
	}
	f.Front = f.Standing.Front()
	undominated(st.Space, s.Seed, analyses, f.Standing.Vectors, list)
	for _, t := range f.Front.Trials {
		i := slices.IndexFunc(list, func(l study.Leader) bool { return l.Trial.Number == t.Number })
		f.Leaders = append(f.Leaders, list[i])
	}
	return f, nil
}

// repeatsOf finds the feasible trials that measured a configuration of list again, by number,
// with its index there.
func repeatsOf(st *study.Study, list []study.Leader, trials []study.Trial) map[int]int {
	index, out := map[string]int{}, map[int]int{}
	for i, l := range list {
		index[st.Space.Key(l.Trial.Config)] = i
	}
	for _, t := range feasible(st, trials) {
		if i := index[st.Space.Key(t.Config)]; list[i].Trial.Number != t.Number {
			out[t.Number] = i
		}
	}
	return out
}

// feasible are the trials that can be on a front, by number.
func feasible(st *study.Study, trials []study.Trial) []study.Trial {
	return slices.DeleteFunc(slices.Clone(trials), func(t study.Trial) bool { return !st.Counts(&t) })
}

// undominated estimates by joint draws how probably each of the first configurations, by
// rank of what is believed, is on the front, or the best in the one objective.
func undominated(sp *space.Space, seed uint64, analyses []*Analysis, vectors [][]float64, members []study.Leader) {
	order := make([]int, len(vectors))
	for i := range order {
		order[i] = i
	}
	rank := pareto.Ranks(vectors)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	order = order[:min(MostCompared, len(order))]
	compared := make([]study.Leader, len(order))
	for k, i := range order {
		compared[k] = members[i]
	}
	drawn := make([][][]float64, draws) // by draw, configuration and objective
	for d := range drawn {
		drawn[d] = make([][]float64, len(order))
		for k, i := range order {
			drawn[d][k] = slices.Clone(vectors[i])
		}
	}
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
