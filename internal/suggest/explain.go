package suggest

import (
	"context"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/acq"
	"bohier/internal/pareto"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
	"bohier/internal/surrogate"
)

// A Reason is what the surrogate saw in a configuration.
type Reason struct {
	Acquisition string
	Score       float64 // of the acquisition function
	// Factors are what the score multiplies (logarithms add): the acquisition
	// function by name, except while no trial is feasible; then constraint.NAME,
	// cost, feasibility and prior, as far as they play a part.
	Factors    []string
	Expected   []Expected   // of the objectives that were modelled
	Front      *FrontReason // of several objectives; nil: the study has one
	Observed   int          // trials the surrogate knew
	Infeasible int          // trials that had failed as infeasible
	Pending    int          // trials that were pending
	Incumbent  *Contender   // the best feasible trial, or the leader where values are noisy; nil: none
	// MeanPercentile is the share of the space predicted worse, StdPercentile the
	// share predicted with a larger standard deviation; every branch has its part of it.
	MeanPercentile, StdPercentile float64
	Purpose                       string       // exploration, exploitation or both
	Plan                          *study.Plan  // what decided
	Region                        *Region      // nil: the whole space was searched
	Rival                         *study.Trial // the plan's incumbent; nil: none
	Alternatives                  []Ranked     // the best configuration found in each other branch, best first
}

// A Contender is a trial that a configuration is compared with, and what is believed of its
// objectives as far as they are noisy: values tell of luck as well.
type Contender struct {
	*study.Trial
	Believed []Expected
}

// Explain says what the surrogate saw in conf, the suggestion for the trial
// r.Number after the given trials.
func Explain(ctx context.Context, st *study.Study, trials []study.Trial, r Request, conf space.Configuration) (*Reason,
	error) {
	if err := known(r.Plan); err != nil {
		return nil, err
	}
	s, err := fitSurrogates(ctx, st, trials, r)
	if err != nil {
		return nil, err
	}
	why := &Reason{Acquisition: policy.Acquisition(st), Observed: len(s.h.Observed), Infeasible: len(s.h.Infeasible),
		Pending: len(s.h.pending)}
	why.Expected = s.expected([]space.Configuration{conf})[0]
	domain := space.NewDomain(st.Space, r.Fixed)
	if err := domain.Err(); err != nil {
		return nil, err
	}
	sample := domain.Sample(generator(s.r, streamExplain), explainSample)
	point := st.Space.EncodeAll([]space.Configuration{conf})
	s.place(why, trials, sample, point)
	if in := s.plan.Region; in != nil && regionOf(domain, st.Space, in).holds(point, 0) {
		why.Region = describe(st.Space, in, conf)
	} else { // nothing new was left there
		s.plan = s.whole()
	}
	why.Plan = s.plan
	if s.plan.Baseline != study.BaselineNone {
		if k := slices.IndexFunc(trials, func(t study.Trial) bool { return t.Number == s.plan.Incumbent }); k >= 0 {
			why.Rival = &trials[k]
		}
	}
	a, names, err := s.acquisition(s.plan)
	if err != nil {
		return nil, err
	}
	why.Score, why.Factors = scoreOf(a, point)[0], names
	why.Alternatives, err = s.alternatives(ctx, a, domain, sample, conf)
	return why, err
}

// incumbent is the trial with the best value, or where values are noisy the leader; nil for
// none.
func (s *surrogates) incumbent(trials []study.Trial) *Contender {
	g := s.goals[0]
	if told := feasible(s.st, s.h.Observed); len(told) > 0 && g.noisy {
		mean, _ := g.fit.Latent(pointsOf(s.st, told))
		return s.contender(told[floats.MinIdx(mean)])
	}
	if best := s.st.Best(trials, 1); len(best) > 0 {
		return &Contender{Trial: &best[0]}
	}
	return nil
}

// explainSample is how many configurations stand for the space.
const explainSample = 1024

// place compares a point with a sample of the space and with the incumbent or the front. It
// explores where the surrogate is vaguer than in half of the space; it exploits
// where it is surer, or where it expects to beat the incumbent or a part of the front. Means of
// several objectives are better than others if they dominate them.
func (s *surrogates) place(why *Reason, trials []study.Trial, sample, point *points.Set) {
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
		why.Front = &FrontReason{Probability: math.NaN()}
		beats = s.placeOnFront(why.Front, means[0], std)
	} else if why.Incumbent = s.incumbent(trials); why.Incumbent != nil {
		value := why.Incumbent.Values.Of(s.st.Objective().Name)
		if b := why.Incumbent.Believed; b != nil {
			value = b[0].Mean
		}
		beats = s.goals[0].fit.Sign*(why.Expected[0].Mean-value) < 0
	}
	why.compare(func(i int) bool { return pareto.Dominates(means[0], means[i]) }, vague, beats)
}

// compare sets the percentiles and the purpose of configuration 0 among others: worse
// tells which of them have a worse mean, std are the standard deviations of all, and
// beats tells that configuration 0 is expected to be an improvement.
func (why *Reason) compare(worse func(i int) bool, std []float64, beats bool) {
	below, surer := 0, 0
	for i := 1; i < len(std); i++ {
		if worse(i) {
			below++
		}
		if std[i] > std[0] {
			surer++
		}
	}
	n := float64(len(std) - 1)
	why.MeanPercentile, why.StdPercentile = float64(below)/n, float64(surer)/n
	switch {
	case why.StdPercentile >= 0.5:
		why.Purpose = "exploitation"
	case beats:
		why.Purpose = "both"
	default:
		why.Purpose = "exploration"
	}
}

// searched is the number of other branches that are searched; of the rest, the
// best of the sample counts.
const searched = 12

// alternatives are the best configurations of the branches that conf is not in,
// best first.
func (s *surrogates) alternatives(ctx context.Context, a acq.Acquisition, domain *space.Domain, sample *points.Set,
	conf space.Configuration) ([]Ranked, error) {
	sp := s.st.Space
	score := scoreOf(a, sample)
	best := map[string]int{} // branch → the best of the sample
	for i := range sample.Len() {
		key := sp.BranchKey(sp.Decode(sample, i))
		if at, ok := best[key]; !ok || acq.Descending(score[i], score[at]) < 0 {
			best[key] = i
		}
	}
	delete(best, sp.BranchKey(conf))
	keys := slices.Sorted(maps.Keys(best))
	slices.SortStableFunc(keys, func(x, y string) int { return acq.Descending(score[best[x]], score[best[y]]) })
	confs, scores := make([]space.Configuration, len(keys)), make([]float64, len(keys))
	for k, key := range keys {
		at := sample.Slice(best[key], best[key]+1)
		confs[k], scores[k] = sp.Decode(at, 0), score[best[key]]
		if k >= searched {
			continue
		}
		found, _, err := acq.Maximize(ctx, a, branch(domain, sp, confs[k].Active), acq.Options{
			Rand: generator(s.r, streamExplain+uint64(k)<<32), Incumbents: at,
			Candidates: 128, Starts: 4, Avoid: avoid(s.h), Workers: surrogate.Workers(),
		})
		if err == nil && !found[0].Tried {
			confs[k], scores[k] = sp.Decode(found[0].Point, 0), found[0].Score
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return bestFirst(s.ranked(confs, scores)), nil
}

// A Region is the part of the space that a suggestion was sought in, in words.
type Region struct {
	study.Region
	Holds, Fails []string // of a branch: conditions that hold in it, and others
}

// describe puts the region of conf's plan into words; what the conditions imply is left
// out.
func describe(sp *space.Space, r *study.Region, conf space.Configuration) *Region {
	out := &Region{Region: *r}
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
		if text := space.Format(sp.Param(i).Condition, sp); !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	return out
}
