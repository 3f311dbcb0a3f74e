package suggest

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/acq"
	"bohier/internal/gp"
	"bohier/internal/lists"
	"bohier/internal/pareto"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
)

// Expected is a prediction of an objective.
type Expected struct {
	Name string
	study.Expected
}

// explaining describes what fitted models predict for configurations.
type explaining struct{ scoring }

// Explain writes to why the surrogate's reasons for conf, the suggestion for the trial r.Number after the given trials.
func Explain(ctx context.Context, st *study.Study, trials []study.Trial, r Request, conf space.Configuration,
	why *study.Explanation) error {
	if err := known(r.Plan); err != nil {
		return err
	}
	fitted, err := fitSurrogates(ctx, st, trials, r)
	if err != nil {
		return err
	}
	s := explaining{scoring{fitted}}
	told := lists.Only(s.h.Told(), (*study.Trial).Teaches)
	why.Acquisition, why.Observed, why.Partial = new(policy.Acquisition(st)), new(len(told)), len(s.h.Partial)
	why.Infeasible, why.Pending = new(len(s.h.Infeasible)), new(len(s.h.pending))
	for _, earlier := range s.goals[0].h.Sources {
		why.Earlier += len(earlier.Configs)
	}
	expected := s.posterior(s.expected([]space.Configuration{conf})[0])
	if why.Objectives = expected.Objectives; expected.Estimate != nil {
		why.Mean, why.Std = &expected.Mean, &expected.Std
	}
	domain := space.NewDomain(st.Space, r.Fixed)
	if err := domain.Err(); err != nil {
		return err
	}
	sample := domain.Sample(generator(s.r, streamExplain), explainSample)
	point := st.Space.EncodeAll([]space.Configuration{conf})
	s.place(why, trials, sample, point)
	if s.plan.Design {
		why.Purpose = nil // the surrogate did not choose the point
	}
	if in := s.plan.Region; in != nil && regionOf(domain, st.Space, in).holds(point, 0) {
		why.Region = describe(st.Space, in, conf)
		if b := s.plan.Baseline; b != study.BaselineNone && *why.Acquisition != "lcb" { // a bound has nothing to beat
			why.Region.Baseline = &b
			if k := slices.IndexFunc(trials, func(t study.Trial) bool { return t.Number == s.plan.Incumbent }); k >= 0 {
				why.Region.Incumbent = st.Mention(&trials[k])
			}
		}
	} else { // nothing new was left there
		s.plan = s.whole()
	}
	why.Plan = s.plan
	a, names, err := s.acquisition(s.plan)
	if err != nil {
		return err
	}
	if !s.plan.Design {
		why.Score, why.Factors = study.Finite(acq.Scores(a(), point)[0]), names
	}
	others, err := s.alternatives(ctx, a, domain, sample, conf)
	for _, o := range others {
		p := s.posterior(o.Expected)
		why.Alternatives = append(why.Alternatives, study.Alternative{Params: st.Space.JSON(o.Config),
			Score: study.Finite(o.Score), Estimate: p.Estimate, Objectives: p.Objectives})
	}
	return err
}

// posterior is the estimate of the only objective, or those of several by name; nil of none.
func (s explaining) posterior(list []Expected) *study.Posterior {
	switch {
	case len(list) == 0:
		return nil
	case !s.st.Several():
		return &study.Posterior{Estimate: &list[0].Estimate}
	}
	p := &study.Posterior{Objectives: map[string]study.Estimate{}}
	for _, e := range list {
		p.Objectives[e.Name] = e.Estimate
	}
	return p
}

// incumbent is the trial with the best value, or where values are noisy the leader; nil for none.
func (s explaining) incumbent(trials []study.Trial) *study.Mention {
	g := s.goals[0]
	if told := feasible(s.st, s.h.Observed); len(told) > 0 && g.noisy {
		mean := g.fit.Means(pointsOf(s.st, told))
		return s.contender(told[floats.MinIdx(mean)])
	}
	if best := s.st.Best(trials, 1); len(best) > 0 {
		return s.st.Mention(&best[0])
	}
	return nil
}

// explainSample is how many configurations stand for the space.
const explainSample = 1024

// place compares a point with a sample of the space and with the incumbent or the front. It explores where the
// surrogate is vaguer than in half of the space; it exploits where it is surer, or where it expects to beat the
// incumbent or a part of the front. Means of several objectives are better than others if they dominate them.
func (s explaining) place(why *study.Explanation, trials []study.Trial, sample, point *points.Set) {
	all := points.Concat(point, sample)
	means, vague := make([][]float64, all.Len()), make([]float64, all.Len())
	var std []float64 // of the point
	for _, g := range s.goals {
		m, sd := g.fit.Latent(all)
		for i := range means {
			means[i], vague[i] = append(means[i], m[i]), vague[i]+sd[i]
		}
		std = append(std, sd[0])
	}
	beats := false
	if s.st.Several() {
		why.Front = &study.FrontReason{}
		beats = s.placeOnFront(why.Front, means[0], std)
	} else if why.Incumbent = s.incumbent(trials); why.Incumbent != nil {
		value := why.Incumbent.Value
		if b := why.Incumbent.Posterior; b != nil {
			value = &b.Mean
		}
		beats = s.goals[0].fit.Sign*(*why.Mean-*value) < 0
	}
	compare(why, func(i int) bool { return pareto.Dominates(means[0], means[i]) }, vague, beats)
}

// compare sets the percentiles and the purpose of configuration 0 among others: worse marks the ones with a worse mean,
// std are the standard deviations of all, and beats means that configuration 0 is expected to be an improvement.
func compare(why *study.Explanation, worse func(i int) bool, std []float64, beats bool) {
	share := func(holds func(i int) bool) *float64 {
		others := len(std) - 1
		return new(float64(len(lists.Where(others, func(i int) bool { return holds(i + 1) }))) / float64(others))
	}
	why.MeanPercentile, why.Purpose = share(worse), new("exploration")
	why.StdPercentile = share(func(i int) bool { return std[i] > std[0] })
	switch {
	case *why.StdPercentile >= 0.5:
		why.Purpose = new("exploitation")
	case beats:
		why.Purpose = new("both")
	}
}

// expected are the predictions of every objective that was modelled, by configuration.
func (s explaining) expected(confs []space.Configuration) [][]Expected {
	out := make([][]Expected, len(confs))
	for _, g := range s.goals {
		mean, std, noisy := g.fit.Predict(s.st.Space, confs)
		for i := range out {
			out[i] = append(out[i], Expected{g.plan.Name,
				study.Expected{Estimate: study.Estimate{Mean: mean[i], Std: std[i]}, StdNoisy: noisy(i)}})
		}
	}
	return out
}

// placeOnFront finds the neighbours of a prediction on the front, and reports whether the
// predicted means are dominated by none.
func (s explaining) placeOnFront(why *study.FrontReason, mean, std []float64) bool {
	told := s.distinct()
	if len(told) == 0 {
		return true
	}
	known := s.standardised(told)
	front := pareto.Front(known)
	why.Size = len(front)
	on := make([][]float64, len(front))
	slices.SortStableFunc(front, func(a, b int) int { return cmp.Compare(known[a][0], known[b][0]) })
	beats := true
	for k, i := range front {
		on[k] = known[i]
		beats = beats && !pareto.Dominates(known[i], mean)
		if known[i][0] <= mean[0] {
			why.Before = s.contender(told[i])
		} else if why.After == nil {
			why.After = s.contender(told[i])
		}
	}
	why.Probability = new(onFront(on, mean, std))
	return beats
}

// distinct are the feasible trials, of those with one configuration the first.
func (s *surrogates) distinct() []*study.Trial {
	return lists.Distinct(feasible(s.st, s.h.Observed), func(t *study.Trial) string { return s.st.Space.Key(t.Config) })
}

// standardised holds the values of trials that count, in standardised units.
func (s explaining) standardised(told []*study.Trial) [][]float64 {
	models := lists.Of(s.goals, func(g *goal) []*gp.Model { return []*gp.Model{g.fit.Model} })
	out := meansOf(models, pointsOf(s.st, told))
	s.measured(out, told)
	return out[0]
}

// contender is a trial with the posterior of its noisy objectives.
func (s explaining) contender(t *study.Trial) *study.Mention {
	m := s.st.Mention(t)
	var believed []Expected
	for k, e := range s.expected([]space.Configuration{t.Config})[0] {
		if s.goals[k].noisy {
			believed = append(believed, e)
		}
	}
	m.Posterior = s.posterior(believed)
	return m
}

// onFront is the probability that no known vector dominates a prediction, by so many draws, always the same.
func onFront(known [][]float64, mean, std []float64) float64 {
	const draws = 4096
	rng, y, on := rand.New(rand.NewPCG(1, 1)), make([]float64, len(mean)), 0
	for range draws {
		for j := range y {
			y[j] = mean[j] + std[j]*rng.NormFloat64()
		}
		if !slices.ContainsFunc(known, func(v []float64) bool { return pareto.Dominates(v, y) }) {
			on++
		}
	}
	return float64(on) / draws
}

// below is the probability that N(mean, std²) is below a value; std > 0.
func below(v, mean, std float64) float64 {
	return math.Erfc((mean-v)/std/math.Sqrt2) / 2
}

// describe puts the region of conf's plan into words; implied conditions are left out.
func describe(sp *space.Space, r *study.Region, conf space.Configuration) *study.RegionReason {
	out := &study.RegionReason{Part: "branch", Holds: []string{}, Fails: []string{}, Tried: r.Tried, Rank: r.Rank,
		Values: append([]study.RegionValues{}, r.Values...)}
	if r.Branch == nil {
		out.Part = "values"
	}
	for i := range sp.Params() {
		if r.Branch == nil || !sp.Conditional(i) {
			continue
		}
		list := &out.Fails
		switch {
		case conf.Active[i]:
			list = &out.Holds
		case slices.ContainsFunc(sp.Parents(i), func(p int) bool { return !conf.Active[p] }):
			continue // goes without saying
		}
		if text := sp.Format(sp.Param(i).Condition); !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	return out
}
