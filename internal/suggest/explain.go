package suggest

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bohier/internal/acq"
	"bohier/internal/pareto"
	"bohier/internal/points"
	"bohier/internal/policy"
	"bohier/internal/space"
	"bohier/internal/study"
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

// Expected is a prediction of an objective, in its own units and sign. StdNoisy
// is the standard deviation of a measurement.
type Expected struct {
	Name                string
	Mean, Std, StdNoisy float64
}

// A FrontReason is what the surrogates of several objectives saw in a configuration.
type FrontReason struct {
	// Probability is that of no trial dominating it; NaN where nothing is known. It is exact
	// for two or three objectives.
	Probability float64
	Size        int // configurations on the front
	// Before and After are its neighbours on the front by the first objective that was
	// modelled; nil beyond the ends.
	Before, After *Contender
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
	why.Score, why.Factors = acq.Scores(a.Fork(), point)[0], names
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

// expected are the predictions of every objective that was modelled, by configuration.
func (s *surrogates) expected(confs []space.Configuration) [][]Expected {
	out := make([][]Expected, len(confs))
	for _, g := range s.goals {
		mean, std, noisy := g.fit.Predict(s.st.Space, confs)
		for i := range out {
			out[i] = append(out[i], Expected{g.plan.Name, mean[i], std[i], noisy[i]})
		}
	}
	return out
}

// placeOnFront finds the neighbours of a prediction on the front, and reports whether the
// predicted means are dominated by none.
func (s *surrogates) placeOnFront(why *FrontReason, mean, std []float64) bool {
	told := s.distinct()
	if len(told) == 0 {
		return true
	}
	known := s.standardised(told)
	front := pareto.Front(known)
	why.Size = len(front)
	slices.SortStableFunc(front, func(a, b int) int { return cmp.Compare(known[a][0], known[b][0]) })
	beats := true
	for _, i := range front {
		beats = beats && !pareto.Dominates(known[i], mean)
		if known[i][0] <= mean[0] {
			why.Before = s.contender(told[i])
		} else if why.After == nil {
			why.After = s.contender(told[i])
		}
	}
	if m := len(mean); m == 2 || m == 3 {
		why.Probability = exactOnFront(known, mean, std)
	} else {
		why.Probability = drawnOnFront(known, mean, std)
	}
	return beats
}

// distinct are the feasible trials, of those with one configuration the first.
func (s *surrogates) distinct() []*study.Trial {
	seen := map[string]bool{}
	return slices.DeleteFunc(feasible(s.st, s.h.Observed), func(t *study.Trial) bool {
		key := s.st.Space.Key(t.Config)
		again := seen[key]
		seen[key] = true
		return again
	})
}

// standardised is what counts as the values of trials, in standardised units.
func (s *surrogates) standardised(told []*study.Trial) [][]float64 {
	out := make([][]float64, len(told))
	for _, g := range s.goals {
		mean, _ := g.fit.Latent(pointsOf(s.st, told))
		for i, t := range told {
			out[i] = append(out[i], g.counting(t, mean[i]))
		}
	}
	return out
}

// contender is a trial with what is believed of its noisy objectives.
func (s *surrogates) contender(t *study.Trial) *Contender {
	c := &Contender{Trial: t}
	for k, e := range s.expected([]space.Configuration{t.Config})[0] {
		if s.goals[k].noisy {
			c.Believed = append(c.Believed, e)
		}
	}
	return c
}

// exactOnFront is the probability that no known vector dominates a prediction of two or
// three quantities: that of the boxes which none dominates.
func exactOnFront(known [][]float64, mean, std []float64) float64 {
	ref := slices.Repeat([]float64{math.Inf(1)}, len(mean))
	sum := 0.0
	for _, b := range pareto.Boxes(known, ref) {
		p := 1.0
		for j := range ref {
			p *= below(b.Upper[j], mean[j], std[j]) - below(b.Lower[j], mean[j], std[j])
		}
		sum += p
	}
	return min(max(sum, 0), 1)
}

// drawnOnFront is exactOnFront of any number of quantities, by so many draws, always the same.
func drawnOnFront(known [][]float64, mean, std []float64) float64 {
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

// below is the probability that N(mean, std²) is below a value.
func below(v, mean, std float64) float64 {
	if std == 0 {
		if v > mean {
			return 1
		}
		return 0
	}
	return math.Erfc((mean-v)/std/math.Sqrt2) / 2
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
