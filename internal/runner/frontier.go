package runner

import (
	"cmp"
	"context"
	"math"
	"slices"

	"bohier/internal/journal"
	"bohier/internal/pareto"
	"bohier/internal/study"
	"bohier/internal/suggest"
)

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
	c.dominated(s, analyses, f.Standing.Vectors, list)
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
	var out []study.Trial
	for k := range trials {
		if t := &trials[k]; st.Counts(t) {
			out = append(out, *t)
		}
	}
	return out
}

// dominated estimates by joint draws how probably each of the first configurations, by
// rank of what is believed, is on the front.
func (c Session) dominated(s *journal.State, analyses []*Analysis, vectors [][]float64, members []study.Leader) {
	st, order := c.Study, make([]int, len(vectors))
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
		rows, err := a.Draws(st.Space, configurations(compared), draws, s.Seed+uint64(j)*0x9e3779b97f4a7c15)
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
